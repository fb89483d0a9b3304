"""What a check yields: plain, picklable, ordered dataclasses that every renderer prints."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ptolint.ir.model import Span

LEVELS = ("error", "warning", "note")
IN_BASELINE = "in the baseline"  # the reason of findings that a baseline suppresses


@dataclass(frozen=True, slots=True)
class Frame:
    """One step on the way from a root to the call: "in `copyRows<half, 64>`", called at `span`."""

    function: str
    span: Span


@dataclass(frozen=True, slots=True)
class Related:
    """A place that explains the finding, such as the declaration of an operand's type."""

    message: str
    span: Span


@dataclass(frozen=True, slots=True)
class Witness:
    """Values that break the constraint: kernel parameters first, then loop variables and what follows from them."""

    inputs: tuple[tuple[str, int], ...]
    steps: tuple[tuple[str, str, int], ...] = ()  # (name, how it was computed, value)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the replay on the numpy machine saw. status: confirmed, contradicted, not-replayable, or none."""

    status: str
    text: str = ""
    facts: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that repair a finding; `safe` means the kernel keeps its meaning."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken constraint at one place. Equal findings of several targets, cores, instances are merged."""

    rule: str
    level: str
    message: str
    span: Span
    targets: tuple[str, ...] = ()
    cores: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()  # display names of the instantiations concerned
    condition: str = ""  # the constraint with the actual values
    hint: str = ""
    source: str = ""
    entry: str = ""  # the kernel or root it was found from
    path: tuple[Frame, ...] = ()
    related: tuple[Related, ...] = ()
    witness: Witness | None = None
    evidence: Evidence | None = None
    fixes: tuple[Fix, ...] = ()
    suppressed: str | None = None  # reason, "" when none was given; None when not suppressed
    properties: dict[str, Any] = field(default_factory=dict, compare=False, hash=False)

    def with_(self, **changes: Any) -> Finding:
        """A copy with some fields changed."""
        return replace(self, **changes)
