"""A whole run: files found, cached results taken, the rest given to the workers, everything put together."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ptolint import config as configuration
from ptolint.cache import ResultCache, tree_digest
from ptolint.discovery import Source, discover, read_regular
from ptolint.errors import InputError
from ptolint.merge import sort_key
from ptolint.options import CheckOptions
from ptolint.pipeline import MAX_BYTES, Job, check_job, rulebook_for
from ptolint.results import FileResult, RunResult
from ptolint.workers import DEFAULT_FILE_TIMEOUT, run_jobs

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run, as opposed to what to check."""

    jobs: int = 0
    file_timeout: float = DEFAULT_FILE_TIMEOUT
    cache: bool = True
    shard: tuple[int, int] = (1, 1)


def check_paths(
    paths: Iterable[str],
    options: CheckOptions,
    config: configuration.Config,
    run: RunOptions | None = None,
    progress: Progress | None = None,
) -> RunResult:
    """Check files and directories; raises `InputError` when a path does not exist or nothing is left to check."""
    run = run or RunOptions()
    sources = _sharded(discover(paths, tuple(config["exclude"]), config.root), run.shard)
    if not sources and run.shard == (1, 1):
        raise InputError("nothing to check: no C++ source file in the given paths")
    blocked = [FileResult(str(s.path), failure=f"{s.path}: {s.problem}") for s in sources if s.problem]
    jobs = [
        Job(str(s.path), configuration.for_file(options, config, s.path), s.explicit) for s in sources if not s.problem
    ]
    results, interrupted = _results(jobs, options, run, progress)
    kept = [r for r in (*results, *blocked) if r.skipped != ""]
    if not kept and run.shard == (1, 1) and not interrupted:
        raise InputError("nothing to check: no file in the given paths uses PTO")
    return RunResult(_unique(sorted(kept, key=lambda r: Path(r.path).as_posix())), options.targets, interrupted)


def _sharded(sources: list[Source], shard: tuple[int, int]) -> list[Source]:
    index, count = shard
    return sources[index - 1 :: count]


def _results(
    jobs: list[Job], options: CheckOptions, run: RunOptions, progress: Progress | None
) -> tuple[list[FileResult], bool]:
    """Results in any order, and whether the user interrupted."""
    rulebook = rulebook_for(options.extend_rules)  # a broken rule file ends the run before it begins
    headers = tree_digest(Path(options.pto_include)) if options.pto_include else ""
    cache = ResultCache(f"{rulebook.digest}\0{headers}") if run.cache else None
    done: list[FileResult] = []
    try:
        with _interruptible():
            todo = [(j, "") for j in jobs] if cache is None else _uncached(jobs, cache, done)
            answers = run_jobs(check_job, [(j.path, j) for j, _ in todo], _workers(run.jobs), run.file_timeout)
            with contextlib.closing(answers):
                for index, result in answers:
                    done.append(result)
                    if cache is not None:
                        _store(cache, *todo[index], result)
                    if progress:
                        progress(len(done), len(jobs))
            if cache is not None and todo:
                cache.prune()
    except KeyboardInterrupt:
        return done, True
    return done, False


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """A request to end (SIGTERM) acts like Ctrl-C: what was found so far is still reported."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _uncached(jobs: list[Job], cache: ResultCache, done: list[FileResult]) -> list[tuple[Job, str]]:
    """The jobs that are left when the stored results went to `done`, with their keys."""
    todo: list[tuple[Job, str]] = []
    for job in jobs:
        key = _key(cache, job)
        hit = cache.get(key) if key else None
        if hit is None:
            todo.append((job, key))
        else:
            done.append(hit)
    return todo


def _store(cache: ResultCache, job: Job, key: str, result: FileResult) -> None:
    """Keep a result, unless the file was changed while it was being analysed."""
    if key and result.failure is None and key == _key(cache, job):
        cache.put(key, result, _depends(job, result))


def _key(cache: ResultCache, job: Job) -> str:
    """The job's key; "" for a file that cannot be read."""
    try:
        text = read_regular(job.path, MAX_BYTES)
        return "" if text is None else cache.key(job.path, (job.options, job.explicit), text)
    except (OSError, ValueError):
        return ""


_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def _depends(job: Job, result: FileResult) -> list[str]:
    """Files besides the includes that a result rests on: a compilation database, and headers that could appear."""
    options = job.options
    depends = [options.compile_commands] if options.compile_commands else []
    files = [job.path, *result.includes]
    places = [Path(d) for d in (*options.include_dirs, *(a[2:] for a in options.clang_args if a.startswith("-I")))]
    for file in files:
        try:
            text = read_regular(file, MAX_BYTES) or b""
        except OSError:
            continue
        for name in {os.fsdecode(n) for n in _INCLUDE.findall(text) if b"\0" not in n}:
            candidates = (place / name for place in (Path(file).parent, *places))
            depends += [str(c) for c in candidates if not os.path.lexists(c)]
    return sorted(set(depends))


def _workers(asked: int) -> int:
    if asked > 0:
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _unique(results: list[FileResult]) -> tuple[FileResult, ...]:
    """A finding inside a header that several files include is reported with the first of them only."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for result in results:
        fresh = [f for f in result.findings if f.span.file == result.path or sort_key(f) not in seen]
        seen.update(sort_key(f) for f in fresh if f.span.file != result.path)
        kept.append(result if len(fresh) == len(result.findings) else replace(result, findings=tuple(fresh)))
    return tuple(kept)
