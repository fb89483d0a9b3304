"""Byte-addressed memories with a defined bit per byte, and what was done to them wrongly."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ptolint.executor.errors import LimitError
from ptolint.ir.model import Span

MAX_ELASTIC = 1 << 28  # bytes a tensor of unknown size may grow to
MAX_MEMORY = 1 << 30  # bytes of any one memory


FAULTS = frozenset(
    {
        "outside-buffer",  # bytes beyond the end of an on-chip memory
        "outside-tile",  # elements beyond a tile's static shape
        "outside-tensor",  # bytes beyond a global tensor
        "outside-view",  # a transfer larger than the view it goes through
        "undefined-read",
        "clobbered",  # read after another tile has written over it
        "placed-outside",
        "misaligned",
        "bad-extent",  # a valid region that is empty, negative, or larger than its tile
        "wait-without-set",
        "truncated",  # an operand that its parameter's type cannot hold
    }
)


@dataclass(frozen=True, slots=True)
class Violation:
    """Something worth knowing about one executed instruction: a fault (`FAULTS`), or "saturated", "view-not-covered".

    `facts` are numbers and names for a report.
    """

    kind: str
    text: str
    instruction: str
    span: Span | None
    facts: tuple[tuple[str, Any], ...] = ()

    @property
    def is_fault(self) -> bool:
        """Whether a kernel must not do this."""
        return self.kind in FAULTS

    def __str__(self) -> str:
        line = f"line {self.span.line}: " if self.span else ""
        return f"{line}{self.instruction}: {self.text}"


@dataclass(slots=True)
class Log:
    """Violations in the order of execution; `instruction` and `span` are kept current by the machine."""

    limit: int = 2000
    entries: list[Violation] = field(default_factory=list)
    instruction: str = ""
    span: Span | None = None
    dropped: int = 0

    def add(self, kind: str, text: str, **facts: Any) -> None:
        """Notes a violation at the current instruction."""
        if len(self.entries) >= self.limit:
            self.dropped += 1
            return
        self.entries.append(Violation(kind, text, self.instruction, self.span, tuple(facts.items())))


class Memory:
    """`size` bytes; `elastic` ones grow where they are touched and start defined (a synthetic tensor).

    A `lenient` elastic memory reads as zeros and swallows writes where it would grow too large.
    """

    __slots__ = ("data", "defined", "displaced", "elastic", "lenient", "name", "owner", "space", "touched")

    def __init__(self, name: str, space: str, size: int, *, elastic: bool = False, defined: bool = False) -> None:
        self.name = name
        self.space = space
        if size > MAX_MEMORY:
            raise LimitError(f"{name} would take {size} bytes, more than {MAX_MEMORY >> 20} MiB")
        self.elastic = elastic
        self.lenient = False
        self.data: NDArray[np.uint8] = np.zeros(size, np.uint8)
        self.defined: NDArray[np.uint8] | None = None if defined or elastic else np.zeros(size, np.uint8)
        self.owner: NDArray[np.int32] | None = None
        self.displaced: NDArray[np.int32] | None = None
        self.touched = 0

    @classmethod
    def of_bytes(cls, name: str, data: NDArray[np.uint8]) -> Memory:
        """A global memory tensor that holds a copy of `data`, all of it defined."""
        memory = cls(name, "gm", 0, defined=True)
        memory.data = data.copy()
        return memory

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.data)

    def ensure(self, end: int) -> None:
        """Grows an elastic memory so that bytes below `end` exist."""
        self.touched = max(self.touched, end)
        if end <= self.size:
            return
        if end > MAX_ELASTIC:
            raise LimitError(f"tensor {self.name} would take more than {MAX_ELASTIC >> 20} MiB")
        grown = np.zeros(max(end, 2 * self.size, 4096), np.uint8)
        grown[: self.size] = self.data
        self.data = grown

    def track(self) -> None:
        """Starts to remember which tile wrote each byte."""
        if self.owner is None:
            self.owner = np.zeros(self.size, np.int32)
            self.displaced = np.zeros(self.size, np.int32)


@dataclass(slots=True)
class Pointer:
    """An address: `offset` bytes into `memory`."""

    memory: Memory
    offset: int

    def moved(self, byte_count: int) -> Pointer:
        """The address `byte_count` bytes further."""
        return Pointer(self.memory, self.offset + byte_count)
