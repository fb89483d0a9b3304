"""What checking one file, and a whole run, gives back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ptolint.findings import LEVELS, Finding


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was looked at: the numbers of the summary line, added up over targets and cores."""

    kernels: int = 0
    calls: int = 0
    obligations: int = 0
    undecided: int = 0
    statements: int = 0
    not_understood: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.kernels + other.kernels,
            self.calls + other.calls,
            self.obligations + other.obligations,
            self.undecided + other.undecided,
            self.statements + other.statements,
            self.not_understood + other.not_understood,
        )


@dataclass(frozen=True, slots=True, order=True)
class Placement:
    """One tile at one address; `buffer` is the tile location that names the memory, address and size in bytes."""

    buffer: str
    address: int
    size: int
    name: str
    type: str
    line: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The placements of one kernel instance on one target and core."""

    kernel: str
    target: str
    core: str
    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class FileResult:
    """One file: its findings, or why it was not analysed (`failure`), or why there was nothing to do (`skipped`).

    `internal` tells a fault of ptolint (crash, time-out: exit code 3) from bad input (exit code 2).
    """

    path: str
    findings: tuple[Finding, ...] = ()
    counts: Counts = Counts()
    notes: tuple[str, ...] = ()
    failure: str | None = None
    internal: bool = False
    skipped: str | None = None
    includes: tuple[str, ...] = ()
    layouts: tuple[Layout, ...] = ()


@dataclass(frozen=True, slots=True)
class RunResult:
    """All files of a run, sorted by path."""

    files: tuple[FileResult, ...]
    targets: tuple[str, ...]
    interrupted: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def findings(self) -> list[Finding]:
        """Every finding that no suppression covers, in file and line order."""
        return [f for r in self.files for f in r.findings if f.suppressed is None]

    @property
    def counts(self) -> Counts:
        """The totals over all files."""
        return sum((r.counts for r in self.files), Counts())

    @property
    def analysed(self) -> list[FileResult]:
        """Files that were really looked at."""
        return [r for r in self.files if r.failure is None and r.skipped is None]

    @property
    def failures(self) -> list[FileResult]:
        """Files that were not analysed although they should have been."""
        return [r for r in self.files if r.failure is not None]


def count_levels(findings: Iterable[Finding]) -> dict[str, int]:
    """Number of findings per level, every level present."""
    counts = dict.fromkeys(LEVELS, 0)
    for finding in findings:
        counts[finding.level] += 1
    return counts


def exit_code(run: RunResult, fail_on: str) -> int:
    """0 clean, 1 findings at or above `fail_on`, 2 unusable input, 3 a fault of ptolint itself."""
    if any(r.internal for r in run.failures):
        return 3
    if run.failures:
        return 2
    if run.interrupted:
        return 130
    threshold = LEVELS.index(fail_on) if fail_on in LEVELS else -1
    return int(any(LEVELS.index(f.level) <= threshold for f in run.findings))
