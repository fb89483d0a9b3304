import multiprocessing as mp
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

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


def test_an_answer_of_any_size() -> None:
    assert len(results("x" * 3_000_000)[0].notes[0]) == 3_000_000


def stubborn(payload: str) -> FileResult:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    Path(payload).write_text(str(os.getpid()))
    while True:
        time.sleep(60)


def orphan(place: str) -> None:
    next(run_jobs(stubborn, [("a", place)], 1, 600))


@pytest.mark.skipif(os.name != "posix", reason="processes of POSIX")
def test_a_busy_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    place = tmp_path / "pid"
    parent = mp.get_context("fork").Process(target=orphan, args=(str(place),))
    parent.start()
    wait_until(lambda: place.exists() and place.read_text() != "")
    assert parent.pid is not None
    os.kill(parent.pid, signal.SIGKILL)
    parent.join()
    wait_until(lambda: not running(int(place.read_text())))


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
