import os
import time

import pytest

from ptolint.results import FileResult
from ptolint.workers import run_jobs


def task(payload: tuple[str, str]) -> FileResult:
    name, what = payload
    if what == "die":
        os.kill(os.getpid(), 11)
    if what == "exit":
        os._exit(7)
    if what == "hang":
        time.sleep(60)
    return FileResult(name, notes=(what,))


def results(*whats: str, jobs: int = 2, timeout: float = 20) -> list[FileResult]:
    payloads = [(str(i), (str(i), what)) for i, what in enumerate(whats)]
    return [r for _, r in sorted(run_jobs(task, payloads, jobs, timeout), key=lambda p: p[0])]


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_job_is_answered_once(jobs: int) -> None:
    assert [r.notes for r in results("a", "b", "c", "d", jobs=jobs)] == [("a",), ("b",), ("c",), ("d",)]


def test_a_crash_costs_one_file() -> None:
    answers = results("a", "die", "b", "exit", "c")
    assert [r.notes for r in answers] == [("a",), (), ("b",), (), ("c",)]
    assert answers[1].failure == "the analysis process died (SIGSEGV)"
    assert answers[3].failure == "the analysis process died (exit code 7)"
    assert answers[1].internal and answers[3].internal


def test_a_hang_costs_one_file() -> None:
    answers = results("hang", "a", timeout=1.0)
    assert answers[0].failure == "the analysis took longer than 1 s"
    assert answers[1].notes == ("a",)


def test_no_jobs() -> None:
    assert results() == []


def test_closing_early_ends_the_workers() -> None:
    iterator = run_jobs(task, [("a", ("a", "x")), ("b", ("b", "hang"))], 2)
    next(iterator)
    iterator.close()
