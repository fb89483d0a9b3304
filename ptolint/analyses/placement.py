"""Where a kernel's tiles lie in the on-chip buffers, as far as TASSIGN gives a constant address."""

from __future__ import annotations

from collections.abc import Iterator

from ptolint.ir.model import Call, Const, ConvTileType, Function, Operand, Program, TileType
from ptolint.ir.walk import calls, invokes
from ptolint.results import Layout, Placement
from ptolint.rulebook.engine import root_variable
from ptolint.rulebook.facts import innermost
from ptolint.rulebook.spelling import type_text
from ptolint.targets import dtype


def tile_bytes(tile: TileType | ConvTileType) -> int:
    """Bytes that a tile occupies; packed four-bit types hold two elements a byte."""
    if isinstance(tile, ConvTileType):
        return tile.buffer_bytes
    element = dtype(tile.dtype)
    return tile.rows * tile.cols * (element.bits if element else 8) // 8


def layouts(program: Program) -> Iterator[Layout]:
    """The layout of every kernel of a program that places a tile at a constant address."""
    for function in program.functions.values():
        if function.is_kernel:
            found = sorted({p for f in _reached(function, program) for c in calls(f) for p in _placement(c)})
            if found:
                yield Layout(function.display, program.target, program.core, tuple(found))


def _reached(function: Function, program: Program) -> Iterator[Function]:
    seen, stack = {function.id}, [function]
    while stack:
        here = stack.pop()
        yield here
        for call in invokes(here):
            if call.function in program.functions and call.function not in seen:
                seen.add(call.function)
                stack.append(program.functions[call.function])


def _placement(call: Call) -> Iterator[Placement]:
    if call.instruction != "TASSIGN" or not call.operands:
        return
    tile = innermost(call.operands[0].type)
    address = _address(call)
    if address is not None and isinstance(tile, TileType | ConvTileType):
        variable = root_variable(call.operands[0])
        name = variable.name if variable else "?"
        yield Placement(tile.loc, address, tile_bytes(tile), name, type_text(tile), call.name_span.line)


def _address(call: Call) -> int | None:
    """The constant address of `TASSIGN(tile, address)` or `TASSIGN<address>(tile)`."""
    values = [v for _, v in call.template if isinstance(v, Const)]
    values += [o.value for o in call.operands[1:] if isinstance(o, Operand) and isinstance(o.value, Const)]
    numbers = [v.value for v in values if isinstance(v.value, int) and not isinstance(v.value, bool)]
    return numbers[0] if numbers else None
