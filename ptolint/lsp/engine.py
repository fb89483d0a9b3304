"""The analysis behind the server: a warm worker process per target, stale work killed, crashes survived."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from ptolint import config as configuration
from ptolint.errors import InputError
from ptolint.frontend.source import uses_pto
from ptolint.lsp import analysis
from ptolint.lsp.worker import Failed, Worker
from ptolint.options import CheckOptions
from ptolint.pipeline import TargetResult
from ptolint.results import FileResult

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settings:
    """How one document is checked: its options, and the seconds an analysis may take."""

    options: CheckOptions
    timeout: float


def settings_for(path: str) -> Settings:
    """Settings of the configuration nearest to a file; raises `InputError` for one that cannot be used.

    The replay is left out: it costs more than the time in which somebody who types expects an answer.
    """
    config = configuration.load(None, False, Path(path).parent)
    options = configuration.for_file(configuration.options_of(config), config, Path(path))
    return Settings(replace(options, replay=False), float(config["file-timeout"]))


def configuration_files(path: str) -> set[str]:
    """Every file that can have a say in the settings of a document: configuration in or above its folder, rules."""
    folder = Path(path).absolute().parent
    found = {str(f / name) for f in (folder, *folder.parents) for name in configuration.NAMES}
    with contextlib.suppress(InputError):
        config = configuration.load(None, False, folder)
        found.update(o for o in config.origins.values() if o != "default")
        found.update(config["extend-rules"])
    return found


class Engine:
    """The workers, one per target, started on first use."""

    def __init__(self) -> None:
        self._workers: dict[str, Worker] = {}

    async def check(self, path: str, text: str) -> AsyncIterator[FileResult]:
        """Two results: what types and constants decide, at once; then everything, with the solver's findings."""
        try:
            settings = settings_for(path)
        except InputError as error:
            yield FileResult(path, failure=str(error))
            return
        if not uses_pto(text):
            yield FileResult(path, skipped="does not use PTO")
            return
        quick = replace(settings.options, solver=False, report_unused_suppressions=False)
        first = await self._checked(path, text, quick, settings.timeout)
        yield first
        if settings.options.solver and (first.failure is None or first.findings):
            yield await self._checked(path, text, settings.options, settings.timeout)

    async def _checked(self, path: str, text: str, options: CheckOptions, timeout: float) -> FileResult:
        """All targets in parallel; one that cannot be analysed costs its own findings only."""
        names = options.targets
        answers = await self.each(names, timeout, analysis.check, path, text, options)
        good = [a for a in answers if isinstance(a, TargetResult)]
        bad = [f"{a or 'the analysis died or took too long'} ({n})" for n, a in zip(names, answers, strict=True)]
        failures = [b for b, a in zip(bad, answers, strict=True) if not isinstance(a, TargetResult)]
        result = None
        if good:
            result = await self.worker(names[0]).call(timeout, analysis.combine, path, text, good, options)
        result = result or FileResult(path)
        if failures and result.failure is None:
            result = replace(result, failure="; ".join(dict.fromkeys(failures)), internal=None in answers)
        return result

    async def each(
        self,
        targets: Sequence[str],
        timeout: float,
        function: Callable[..., T],
        path: str,
        text: str,
        *arguments: object,
    ) -> list[T | str | None]:
        """`function(path, text, target, *arguments)` for every target at once; a text where it raised."""

        async def one(target: str) -> T | str | None:
            try:
                return await self.worker(target).call(timeout, function, path, text, target, *arguments)
            except Failed as error:
                return f"internal error: {error}"

        return list(await asyncio.gather(*(one(t) for t in targets)))

    def worker(self, target: str) -> Worker:
        """The worker of a target."""
        return self._workers.setdefault(target, Worker())

    async def warm_up(self, targets: Sequence[str]) -> None:
        """Start the workers, so that the first document does not wait for them."""
        await asyncio.gather(*(self.worker(t).call(60.0, bool) for t in targets))

    def close(self) -> None:
        """End the workers; the next request starts new ones, which read all rule files again."""
        for worker in self._workers.values():
            worker.kill()
