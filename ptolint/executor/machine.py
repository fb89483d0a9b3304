"""The machine one core sees: its memories, the block it is, limits, the log and the trace."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from ptolint.executor.errors import ExecutorError, LimitError
from ptolint.executor.memory import Log, Memory
from ptolint.executor.scheduler import Scheduler
from ptolint.executor.values import Tile
from ptolint.ir.model import Call, PointerType, ScalarType, Type
from ptolint.targets import Target
from ptolint.targets import dtype as target_dtype

SPACES = {"ub": "Vec", "cbuf": "Mat", "ca": "Left", "cb": "Right", "cc": "Acc", "fbuf": "Scaling", "bt": "Bias"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take: statements and expressions visited, seconds, bytes moved by instructions."""

    steps: int = 20_000_000
    seconds: float = 300.0
    bytes_moved: int = 1 << 36


@dataclass(slots=True)
class Work:
    """What a run has taken so far; shared by all cores and blocks of it."""

    limits: Limits = field(default_factory=Limits)
    steps: int = 0
    bytes_moved: int = 0
    started: float = field(default_factory=time.monotonic)

    def step(self) -> None:
        """Counts one statement; raises `LimitError` when the run has taken too many, or too long."""
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError(f"the run takes more than {self.limits.steps} steps")
        if self.steps % 512 == 0:
            self.check_time()

    def check_time(self) -> None:
        """Raises `LimitError` when the run has taken too long."""
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitError(f"the run takes more than {self.limits.seconds:g} s")

    def move(self, byte_count: int) -> None:
        """Counts bytes that an instruction moves."""
        self.bytes_moved += byte_count
        if self.bytes_moved > self.limits.bytes_moved:
            raise LimitError(f"the run moves more than {self.limits.bytes_moved >> 30} GiB")
        self.check_time()


@dataclass(frozen=True, slots=True)
class Position:
    """Which of the launched cores this is."""

    block: int = 0
    blocks: int = 1
    subblock: int = 0
    subblocks: int = 1


class OnChip:
    """The on-chip memories of one core (or of the cube core and its two vector cores)."""

    def __init__(self, target: Target, *, track: bool = False) -> None:
        self.target = target
        self._track = track
        self._memories: dict[tuple[str, int], Memory] = {}

    def memory(self, loc: str, subblock: int = 0) -> Memory:
        """The memory behind a tile location; vector cores have one UB each."""
        key = (loc, subblock if loc == "Vec" else 0)
        if key not in self._memories:
            buffer = self.target.buffers.get(loc)
            if buffer is None or buffer.size == 0:
                raise ExecutorError(f"{self.target.title} has no memory for {loc} tiles")
            suffix = f" {subblock}" if key[1] else ""
            self._memories[key] = Memory(buffer.name + suffix, loc, buffer.size)
            if self._track:
                self._memories[key].track()
        return self._memories[key]

    def used(self) -> list[Memory]:
        """The memories that the run touched."""
        return list(self._memories.values())


class Observer(Protocol):
    """Watches a run: called around every executed instruction, with its operands' values."""

    def before(self, machine: Machine, call: Call, values: dict[str, Any], since: int) -> None:
        """The call is about to be carried out; `since` is the length of the log before its operands were evaluated."""

    def after(self, machine: Machine, call: Call) -> None:
        """The call is done."""


@dataclass(slots=True)
class Machine:
    """State shared by the interpreter and the instruction models of one core."""

    target: Target
    core: str
    on_chip: OnChip
    position: Position = Position()
    work: Work = field(default_factory=Work)
    log: Log = field(default_factory=Log)
    observer: Observer | None = None
    tiles: list[Tile] = field(default_factory=list)
    flags: dict[tuple[Any, ...], int] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)  # of intrinsics that return a value, the last of each
    cross_flags: dict[tuple[Any, ...], int] = field(default_factory=dict)
    scheduler: Scheduler | None = None

    def memory(self, loc: str, subblock: int | None = None) -> Memory:
        """The memory behind a tile location on this core."""
        return self.on_chip.memory(loc, self.position.subblock if subblock is None else subblock)


def object_size(type_: Type) -> int:
    """Bytes of one object behind a pointer, as sizeof gives them."""
    if isinstance(type_, ScalarType):
        facts = target_dtype(type_.name)
        return facts.size if facts else max(1, type_.bits // 8)
    if isinstance(type_, PointerType):
        return 8
    return 1
