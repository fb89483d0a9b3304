"""TASSIGN, TSUBVIEW, TRESHAPE, TEXPANDS: where tiles lie, and plain fills."""

from __future__ import annotations

import numpy as np

from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.layout import tile_axes, tile_bytes
from ptolint.executor.memory import Pointer
from ptolint.executor.operands import TileOperand
from ptolint.executor.values import Tensor, Tile


@model("TASSIGN")
def tassign(op: Op) -> None:
    """TASSIGN(tile, address) or TASSIGN<address>(tile), and TASSIGN(tensor, pointer).

    Bytes beyond the end of the buffer, and a misaligned address, are logged here, once.
    """
    target = op.at(0)
    address = op.value("addr") if "addr" in op.values else op.template("addr")
    if isinstance(target, Tensor):
        target.fields["ptr"] = address
        return
    if not isinstance(target, Tile):
        raise NoModelError("TASSIGN of something that is neither tile nor tensor has no model")
    target.fields["addr"] = address
    if isinstance(address, int):
        _check_place(op, target, address)


def _check_place(op: Op, tile: Tile, address: int) -> None:
    buffer = op.machine.target.buffers.get(tile.type.loc)
    if buffer is None:
        return
    size = _bytes(tile)
    if address < 0 or address + size > buffer.size:
        text = (
            f"{tile.name} takes {size} bytes at {address:#x}, {address + size - buffer.size} of them beyond "
            f"the {buffer.size} bytes of {buffer.name}"
        )
        op.machine.log.add("placed-outside", text, address=address, bytes=size, size=buffer.size, memory=buffer.name)
    if address % buffer.align:
        text = f"{tile.name} starts at {address:#x}, no multiple of {buffer.align}"
        op.machine.log.add("misaligned", text, address=address, align=buffer.align, memory=buffer.name)


def _bytes(tile: Tile) -> int:
    from ptolint.ir.model import ConvTileType

    if isinstance(tile.type, ConvTileType):
        return tile.type.buffer_bytes
    return tile_bytes(tile.type)


@model("TSUBVIEW")
def tsubview(op: Op) -> None:
    """dst becomes a view of src at (row, col): it takes over the address (TSUBVIEW document)."""
    dst, src = op.tile("dst"), op.tile("src")
    row, col = (int(op.at(i)) & 0xFFFF for i in (2, 3))
    rows, cols = tile_axes(src.type, row + 1, col + 1)
    memory, base = src.place()
    offset = int(rows[row] + cols[col]) * src.element.bits // 8
    _alias(dst, src, Pointer(memory, base + offset))


@model("TRESHAPE")
def treshape(op: Op) -> None:
    """dst names the bytes of src under another shape or type (TRESHAPE document)."""
    dst, src = op.tile("dst"), op.tile("src")
    memory, base = src.place()
    _alias(dst, src, Pointer(memory, base))


def _alias(dst: TileOperand, src: TileOperand, pointer: Pointer) -> None:
    """Places dst at `pointer`; an on-chip memory is named by its plain address."""
    memory = src.machine.memory(src.loc) if src.tile.fields.get("addr") is not None else None
    dst.tile.fields["addr"] = pointer.offset if pointer.memory is memory else pointer
    dst.tile.number = src.tile.number


@model("TGET_SCALE_ADDR")
def tget_scale_addr(op: Op) -> None:
    """The scale tile of an operand lies at the operand's address over 16 (TGET_SCALE_ADDR document)."""
    dst, src = op.tile("dst"), op.tile("src")
    dst.tile.fields["addr"] = src.place()[1] >> 4


@model("TEXPANDS")
def texpands(op: Op) -> None:
    """dst[i, j] = scalar over the valid region; a cube operand's tile is filled whole (TEXPANDS document)."""
    dst = op.tile("dst")
    rows, cols = dst.extent() if dst.loc == "Vec" else (dst.rows, dst.cols)
    value = op.number("scalar")
    kind = np.float32 if dst.element.is_float else np.int64
    dst.write(np.full((rows, cols), value, kind))
