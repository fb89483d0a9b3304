"""A process that answers one request at a time; killed and replaced when it dies, hangs, or is not wanted any more.

Where the system allows, workers are forked from a process that has libclang, z3 and the rules loaded, so that a new
one costs milliseconds and a stale analysis can simply be killed.
"""

from __future__ import annotations

import asyncio
import multiprocessing as mp
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ptolint.workers import serve

T = TypeVar("T")
_METHOD = "forkserver" if "forkserver" in mp.get_all_start_methods() else "spawn"
_CHEAP = _METHOD == "forkserver"


class Failed(Exception):
    """The request raised in the worker; the text is one line."""


def _perform(request: tuple[Callable[..., Any], tuple[Any, ...]]) -> tuple[bool, Any]:
    function, arguments = request
    try:
        return True, function(*arguments)
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"


class Worker:
    """One process. Requests queue; a cancelled request kills the process where starting one is cheap."""

    def __init__(self) -> None:
        self._context: Any = mp.get_context(_METHOD)
        if _CHEAP:
            self._context.set_forkserver_preload(["ptolint.lsp.warm"])
        self._process: Any = None
        self._pipe: Connection | None = None
        self._turn = asyncio.Lock()

    async def call(self, timeout: float, function: Callable[..., T], *arguments: object) -> T | None:
        """`function(*arguments)` in the process; None when it died or took more than `timeout` seconds.

        Raises `Failed` when the function raised.
        """
        async with self._turn:
            answer = asyncio.ensure_future(asyncio.to_thread(self._ask, timeout, function, arguments))
            try:
                done = await asyncio.shield(answer)
            except asyncio.CancelledError:
                if _CHEAP:
                    self.kill()
                await asyncio.wait({answer})
                raise
        if done is None:
            return None
        good, value = done
        if not good:
            raise Failed(value)
        result: T = value
        return result

    def _ask(
        self, timeout: float, function: Callable[..., Any], arguments: tuple[object, ...]
    ) -> tuple[bool, Any] | None:
        """Send and wait, in a thread; every way out but an answer leaves no process."""
        try:
            pipe = self._started()
            pipe.send((function, arguments))
            if pipe.poll(timeout):
                answer: tuple[bool, Any] = pipe.recv()
                return answer
        except (EOFError, OSError):
            pass
        self.kill()
        return None

    def _started(self) -> Connection:
        if self._process is None or self._pipe is None or not self._process.is_alive():
            if self._pipe is not None:
                self._pipe.close()
            ours, theirs = self._context.Pipe()
            process = self._context.Process(target=serve, args=(_perform, theirs), daemon=True)
            process.start()
            theirs.close()
            self._process, self._pipe = process, ours
        return self._pipe

    def kill(self) -> None:
        """End the process, also one that hangs; the next request starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
