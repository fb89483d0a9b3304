"""A trace of executed instructions, and the map of the on-chip memories at the end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptolint.executor.machine import Machine
from ptolint.executor.memory import Memory, Pointer
from ptolint.executor.values import Tensor, Tile
from ptolint.ir.model import Call, ConvTileType

if TYPE_CHECKING:
    from ptolint.executor.session import Session


@dataclass(slots=True)
class Trace:
    """Collects one line per executed instruction; `limit` bounds them, `dropped` counts the rest."""

    limit: int = 100_000
    lines: list[str] = field(default_factory=list)
    dropped: int = 0
    memory_map: list[str] = field(default_factory=list)

    def before(self, machine: Machine, call: Call, values: dict[str, Any], since: int) -> None:
        """Notes a call."""
        if len(self.lines) >= self.limit:
            self.dropped += 1
            return
        operands = ", ".join(f"{name}={describe(value)}" for name, value in values.items())
        where = f"block {machine.position.block} {machine.core} line {call.name_span.line}"
        self.lines.append(f"{where}: {call.instruction}({operands})")

    def after(self, machine: Machine, call: Call) -> None:
        """Nothing more to note."""

    def finish(self, session: Session) -> None:
        """Draws the memory map from the tiles that the run placed."""
        self.memory_map = memory_map(session)


def describe(value: Any) -> str:
    """An operand in a few words: a tile with its type, valid region and address, a tensor with its shape."""
    if isinstance(value, Tile):
        return _describe_tile(value)
    if isinstance(value, Tensor):
        shape = "x".join(str(v) for v in value.fields["shape"])
        pointer = value.fields["ptr"]
        where = f" {pointer.memory.name}+{pointer.offset:#x}" if isinstance(pointer, Pointer) else ""
        return f"{value.type.dtype}[{shape}] {value.type.layout}{where}"
    return str(value)


def _describe_tile(tile: Tile) -> str:
    address = tile.fields.get("addr")
    where = f" @{address:#x}" if isinstance(address, int) else ""
    if isinstance(tile.type, ConvTileType):
        shape = "x".join(str(v) for v in tile.fields["shape"])
        return f"{tile.name}:{tile.type.loc} {tile.type.dtype} {tile.type.layout}[{shape}]{where}"
    valid = f"{tile.fields['valid_row']}x{tile.fields['valid_col']}"
    return f"{tile.name}:{tile.type.loc} {tile.type.dtype} {tile.type.rows}x{tile.type.cols} valid {valid}{where}"


def memory_map(session: Session) -> list[str]:
    """One line per placed tile, by memory and address: bytes it takes and how many of them are defined."""
    from ptolint.executor.layout import tile_bytes

    rows: dict[tuple[str, int, int, str], str] = {}
    for machine in session.machines:
        for tile in machine.tiles:
            address = tile.fields.get("addr")
            if not isinstance(address, int):
                continue
            memory = machine.memory(tile.type.loc)
            size = tile.type.buffer_bytes if isinstance(tile.type, ConvTileType) else tile_bytes(tile.type)
            key = (memory.name, address, size, tile.name)
            rows[key] = _map_line(memory, address, size, tile.name)
    return [rows[key] for key in sorted(rows)]


def _map_line(memory: Memory, address: int, size: int, name: str) -> str:
    flags = None if memory.defined is None else memory.defined[max(0, address) : address + size]
    defined = 0 if flags is None else int((flags != 0).sum())
    over = f", {address + size - memory.size} bytes beyond the end" if address + size > memory.size else ""
    where = f"{memory.name:16} {address:#08x}..{address + size:#08x}"
    return f"{where} {name} ({defined} of {size} bytes defined{over})"
