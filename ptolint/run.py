"""A whole run: files found, cached results taken, the rest given to the workers, everything put together."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ptolint import config as configuration
from ptolint.cache import ResultCache
from ptolint.discovery import Source, discover
from ptolint.errors import InputError
from ptolint.merge import sort_key
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job, rulebook_for
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
    sources = _sharded(discover(paths, tuple(config["exclude"])), run.shard)
    if not sources and run.shard == (1, 1):
        raise InputError("nothing to check: no C++ source file in the given paths")
    jobs = [Job(str(s.path), configuration.for_file(options, config, s.path), s.explicit) for s in sources]
    results, interrupted = _results(jobs, options, run, progress)
    kept = [r for r in results if r.skipped != ""]
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
    cache = ResultCache(rulebook_for(options.extend_rules).digest) if run.cache else None
    keys: dict[int, str] = {}
    done: list[FileResult] = []
    todo: list[Job] = []
    for job in jobs:
        key = _key(cache, job)
        hit = cache.get(key) if cache and key else None
        if hit is not None:
            done.append(hit)
        else:
            keys[len(todo)] = key
            todo.append(job)
    interrupted = False
    try:
        for index, result in run_jobs(check_job, [(j.path, j) for j in todo], _workers(run.jobs), run.file_timeout):
            done.append(result)
            if cache and keys[index] and result.failure is None:
                cache.put(keys[index], result)
            if progress:
                progress(len(done), len(jobs))
    except KeyboardInterrupt:
        interrupted = True
    if cache and todo:
        cache.prune()
    return done, interrupted


def _key(cache: ResultCache | None, job: Job) -> str:
    if cache is None:
        return ""
    try:
        return cache.key(job.path, (job.options, job.explicit), Path(job.path).read_bytes())
    except (OSError, ValueError):
        return ""


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
        kept.append(
            result
            if len(fresh) == len(result.findings)
            else FileResult(result.path, tuple(fresh), result.counts, result.notes, includes=result.includes)
        )
    return tuple(kept)
