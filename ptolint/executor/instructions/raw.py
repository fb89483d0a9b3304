"""Intrinsics that kernels use beside the instructions: block copies between memories, and small register helpers.

The copies move `count` bursts of `length` blocks of 32 bytes; the gaps lie between the end of a burst and
the start of the next, in blocks.
"""

from __future__ import annotations

import numpy as np

from ptolint.executor.dtypes import element
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.memory import Pointer
from ptolint.executor.values import Tile
from ptolint.executor.window import Window, copy_bits

BLOCK = 32


@model("copy_gm_to_ubuf", "copy_ubuf_to_gm", "copy_ubuf_to_ubuf", "copy_ubuf_to_cbuf", "copy_cbuf_to_ubuf")
def copy_blocks(op: Op) -> None:
    """dst, src, (core), count, length, source gap, destination gap."""
    if len(op.values) != 7:
        raise NoModelError(f"{op.name} with {len(op.values)} operands has no model")
    dst, src = _pointer(op, 0), _pointer(op, 1)
    core, count, length, src_gap, dst_gap = (int(op.at(i)) for i in range(2, 7))
    if op.name == "copy_cbuf_to_ubuf" and dst.memory.space == "Vec":
        dst = Pointer(op.machine.memory("Vec", core), dst.offset)  # the operand names the vector core
    target = _bursts(op, dst, count, length, dst_gap, "dst")
    copy_bits(target, _bursts(op, src, count, length, src_gap, "src"), op.machine.log)


def _pointer(op: Op, position: int) -> Pointer:
    value = op.at(position)
    if not isinstance(value, Pointer):
        raise NoModelError(f"{op.name} through a pointer that is not known has no model")
    return value


def _bursts(op: Op, pointer: Pointer, count: int, length: int, gap: int, name: str) -> Window:
    op.machine.work.move(count * length * BLOCK)
    rows = np.arange(count, dtype=np.int64) * (length + gap) * BLOCK
    cols = np.arange(length * BLOCK, dtype=np.int64)
    return Window(pointer.memory, pointer.offset, rows, cols, element("uint8_t"), name)


@model("create_cbuf_matrix")
def clear_blocks(op: Op) -> None:
    """dst, layout, value: `layout` holds repeats (bits 0-15), blocks (16-31) and the gap between repeats (32-47)."""
    layout, value = int(op.at(1)), op.at(2)
    if value != 0:
        raise NoModelError("create_cbuf_matrix with a value other than 0 has no model")
    repeats, length, gap = (layout >> shift & 0xFFFF for shift in (0, 16, 32))
    target = _bursts(op, _pointer(op, 0), repeats, length, gap, "dst")
    target.write(np.zeros((repeats, length * BLOCK), np.uint8), op.machine.log)


@model("__cce_get_tile_ptr", "__cce_tinit")
def tile_pointer(op: Op) -> None:
    """The address of a tile's storage."""
    value = op.at(0)
    if isinstance(value, Tile):
        value = Pointer(*op.tile(next(iter(op.values))).place())
    op.machine.results[op.name] = value


@model("sbitset0", "sbitset1")
def set_bit(op: Op) -> None:
    """A number with one bit cleared or set."""
    value, bit = int(op.at(0)), 1 << int(op.at(1))
    op.machine.results[op.name] = value | bit if op.name == "sbitset1" else value & ~bit
