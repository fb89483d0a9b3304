"""Options and results of the solver."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptolint.findings import Finding
from ptolint.ir.model import Span


@dataclass(frozen=True, slots=True)
class SolverOptions:
    """`timeout`: about so many seconds of z3 per file, counted in z3's own units so that results do not vary;
    `unroll`: constant loops of up to so many rounds are walked one by one."""

    timeout: float = 4.0
    unroll: int = 16
    steps: int = 40_000


@dataclass(frozen=True, slots=True)
class Contract:
    """The condition over its parameters under which a kernel keeps every constraint.

    `condition` is a Python expression; `exact`: it was shown to be neither too strict nor too lax.
    """

    entry: str
    target: str
    condition: str
    exact: bool = True
    note: str = ""


@dataclass(slots=True)
class SolverResult:
    """Findings, the contracts behind them, how many obligations were decided, and which were not, with reasons."""

    findings: list[Finding] = field(default_factory=list)
    contracts: list[Contract] = field(default_factory=list)
    decided: int = 0
    unknown: list[tuple[Span, str]] = field(default_factory=list)
