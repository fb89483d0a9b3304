"""The analysis behind the server: one warm worker process, requests that can be given up, crashes survived."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ptolint import config as configuration
from ptolint.errors import InputError
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job
from ptolint.results import FileResult

T = TypeVar("T")


class Engine:
    """Runs one analysis at a time in a worker process that keeps libclang and the rules loaded."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()

    async def check(self, path: str, text: str) -> FileResult:
        """Findings of a document's text under the configuration nearest to it.

        The replay is left out: it would cost more than the time in which an editor's user expects an answer.
        """
        try:
            options, config, timeout = options_for(path)
        except InputError as error:
            return FileResult(path, failure=str(error))
        options = configuration.for_file(replace(options, replay=False), config, Path(path))
        result = await self.call(timeout, check_job, Job(path, options, text=text))
        return result or FileResult(path, failure="the analysis died or took too long", internal=True)

    async def call(self, timeout: float, function: Callable[..., T], *args: object) -> T | None:
        """`function(*args)` in the worker; None when it crashed or exceeded `timeout` seconds."""
        async with self._turn:
            loop = asyncio.get_running_loop()
            try:
                return await asyncio.wait_for(loop.run_in_executor(self._worker(), function, *args), timeout)
            except (BrokenProcessPool, TimeoutError):
                self.close()
                return None

    def warm_up(self) -> None:
        """Start the worker and have it load what the first request needs."""
        self._worker().submit(_load)

    def _worker(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._pool

    def close(self) -> None:
        """End the worker, also one that hangs."""
        if self._pool is not None:
            for process in list(self._pool._processes.values()):
                process.kill()
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def options_for(path: str) -> tuple[CheckOptions, configuration.Config, float]:
    """Options, configuration and time bound for a file; raises `InputError` for a broken configuration."""
    config = configuration.load(None, False, Path(path).parent)
    return configuration.options_of(config), config, float(config["file-timeout"])


def _load() -> None:
    """Import the slow parts and read the rules, so that the first diagnostics do not wait for them."""
    from ptolint.frontend import parse
    from ptolint.pipeline import rulebook_for
    from ptolint.targets import get_target

    rulebook_for(())
    parse("warm-up.cpp", "#include <pto/pto-inst.hpp>\n", target=get_target("a5"), core="vec")
