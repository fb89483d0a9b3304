"""A pool of worker processes: a file that crashes or hangs the analysis costs that file only.

libclang can die on hostile input and z3 can take any amount of memory, so no file is ever analysed in
the parent. A worker that dies or exceeds its time is replaced; its file is reported as not analysed.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing as mp
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from ptolint.results import FileResult

DEFAULT_FILE_TIMEOUT = 60.0  # seconds
_MEMORY_LIMIT = 4 << 30  # bytes of address space per worker
_WATCH_INTERVAL = 0.5  # seconds between looks at the parent

Job = tuple[str, Any]
Task = Callable[[Any], FileResult]


@dataclass(slots=True)
class _Worker:
    process: Any
    pipe: Connection
    job: int | None = None
    deadline: float = 0.0


def run_jobs(
    task: Task, jobs: Sequence[Job], count: int, timeout: float = DEFAULT_FILE_TIMEOUT
) -> Generator[tuple[int, FileResult], None, None]:
    """Yield (index, result) of `task(payload)` for each (path, payload) as they finish, on `count` processes.

    Closing the iterator early (Ctrl-C) ends all workers. A job that dies or takes longer than `timeout`
    seconds yields a result whose `failure` says so.
    """
    context = mp.get_context("fork" if "fork" in mp.get_all_start_methods() else "spawn")
    pending = iter(range(len(jobs)))
    workers: list[_Worker] = []
    try:
        for index in list(islice(pending, max(1, min(count, len(jobs))))):
            worker = _start(context, task)
            workers.append(worker)
            _give(worker, index, jobs, timeout)
        while busy := [w for w in workers if w.job is not None]:
            for worker in _ready(busy):
                index = worker.job if worker.job is not None else -1
                result, alive = _collect(worker, jobs[index][0], timeout)
                following = next(pending, None)
                if not alive:
                    workers.remove(worker)
                    if following is not None:
                        worker = _start(context, task)
                        workers.append(worker)
                worker.job = None
                if following is not None:
                    _give(worker, following, jobs, timeout)
                yield index, result
    finally:
        for worker in workers:
            _stop(worker)


def _ready(busy: list[_Worker]) -> list[_Worker]:
    """Workers with an answer, a dead process, or no time left."""
    left = max(0.0, min(w.deadline for w in busy) - time.monotonic())
    answered = set(wait([w.pipe for w in busy], timeout=left))
    now = time.monotonic()
    return [w for w in busy if w.pipe in answered or now >= w.deadline]


def _give(worker: _Worker, index: int, jobs: Sequence[Job], timeout: float) -> None:
    worker.job, worker.deadline = index, time.monotonic() + timeout
    with contextlib.suppress(OSError):  # a worker that just died is noticed when it is collected
        worker.pipe.send(jobs[index][1])


def _collect(worker: _Worker, path: str, timeout: float) -> tuple[FileResult, bool]:
    """The worker's answer, or why there is none; and whether the worker can go on."""
    if worker.pipe.poll():
        try:
            return worker.pipe.recv(), True
        except (EOFError, OSError):
            worker.process.join(1)
            reason = _reason(worker.process.exitcode)
            _stop(worker)
            return FileResult(path, failure=f"the analysis process died ({reason})", internal=True), False
    _stop(worker)
    return FileResult(path, failure=f"the analysis took longer than {timeout:g} s", internal=True), False


def _reason(code: int | None) -> str:
    """An exit code of a process in words; negative ones are signals."""
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _start(context: Any, task: Task) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(task, theirs, ours), daemon=True)
    with _signals_held():
        process.start()
    theirs.close()
    return _Worker(process, ours)


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Ctrl-C waits until a new process has its own handlers, so that it never acts on the parent's."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _stop(worker: _Worker) -> None:
    worker.pipe.close()
    if worker.process.is_alive():
        worker.process.kill()
    worker.process.join()


def serve(task: Callable[[Any], Any], pipe: Connection, other_end: Connection | None = None) -> None:
    """The worker's loop: Ctrl-C is the parent's business, and nothing may be written but the answer.

    `other_end` is the parent's end of the pipe where a fork has handed it down.
    """
    if other_end is not None:
        other_end.close()
    _own_signals()
    faulthandler.disable()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # a crashing libclang prints its own trace; the parent says which file it was
        os.dup2(silence, stream)
    _limit_memory()
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    while True:
        try:
            payload = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        try:
            pipe.send(task(payload))
        except BrokenPipeError:  # the parent gave up on the answer
            os._exit(0)


def _own_signals() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


def _watch_parent(parent: int) -> None:
    """Ends this process, busy or not, when its parent was killed: siblings still hold the parent's end of the pipe."""
    while os.getppid() == parent:
        time.sleep(_WATCH_INTERVAL)
    os._exit(0)


def _limit_memory() -> None:
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = _MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(_MEMORY_LIMIT, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ImportError, ValueError, OSError):
        pass  # no such limit on this system: the time bound remains
