"""TGATHER, TGATHERB and TSCATTER: by the indices of a tile, and by a mask pattern."""

from __future__ import annotations

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand

MASKS = ("", "P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111")  # in the order of `MaskPattern`
STEPS = {"P0101": (2, 0), "P1010": (2, 1), "P0001": (4, 0), "P0010": (4, 1), "P0100": (4, 2), "P1000": (4, 3)}


@model("TGATHER")
def tgather(op: Op) -> None:
    """dst[i, j] = src0[indices[i, j]], the index counting elements of src0 in memory (TGATHER document).

    With a mask pattern: every second or fourth column (or row) of src, from the pattern's place on (golden model).
    """
    names = [n for n in op.values if n in ("indices", "src1")]
    if len(op.values) == 2:
        _gather_mask(op)
        return
    if not names or not op.is_tile(names[0]):
        raise NoModelError("TGATHER by comparison has no model")
    dst, src, index = op.tile("dst"), op.tile("src0" if op.has("src0") else "src"), op.tile(names[0])
    rows, cols = dst.extent()
    where = _places(index, src, rows, cols)
    dst.write_raw(src.window(src.rows, src.cols).peek(op.machine.log).reshape(-1)[where])


def _gather_mask(op: Op) -> None:
    dst, src = op.tile("dst"), op.tile("src")
    step, place, by_rows = _pattern(op, "gather_type", ("GATHER_ROW", "GATHER_COL"))
    if by_rows:
        dst.write_raw(np.ascontiguousarray(src.raw(*src.extent())[place::step]))
        return
    chosen = np.ascontiguousarray(src.raw(*src.extent())[:, place::step])
    in_place = chosen.shape[1] == dst.cols
    if dst.layout != "ND" or not (in_place or dst.valid_col == dst.cols):
        raise NoModelError("TGATHER by mask to a destination that is not dense has no model")
    if not in_place:  # the rows' results follow each other without gaps
        whole, rest = divmod(chosen.size, dst.cols)
        if rest:
            dst.write_raw(chosen.reshape(1, -1)[:, whole * dst.cols :], whole)
        chosen = chosen.reshape(-1)[: whole * dst.cols].reshape(whole, dst.cols)
    dst.write_raw(chosen)


@model("TGATHERB")
def tgatherb(op: Op) -> None:
    """Block k of 32 bytes of a row of dst comes from the byte offset[i, k] within src (golden model)."""
    dst, src, offset = op.tile("dst"), op.tile("src"), op.tile("offset")
    rows, cols = dst.extent()
    size = dst.element.bits // 8
    if src.layout != "ND" or not size or src.element.bits != dst.element.bits:
        raise NoModelError("TGATHERB of these tiles has no model")
    width = 32 // size
    first = offset.read(rows, -(-cols // width)).astype(np.int64)
    if bool((first % size).any()):
        raise NoModelError("TGATHERB with offsets within an element has no model")
    where = (first[:, :, None] // size + np.arange(width)).reshape(rows, -1)[:, :cols]
    if bool((where >= src.rows * src.cols).any()):
        raise NoModelError(f"offsets outside {src.name} have no model")
    dst.write_raw(src.window(src.rows, src.cols).peek(op.machine.log).reshape(-1)[where])


@model("TSCATTER")
def tscatter(op: Op) -> None:
    """dst[indexes[i, j]] = src[i, j], the index counting elements of dst in memory, over a dst of zeros.

    With a mask pattern: src goes to every second or fourth column (or row) of dst (TSCATTER document and golden model).
    """
    dst, src = op.tile("dst"), op.tile("src")
    result = np.zeros((dst.rows, dst.cols), dst.element.raw)
    if op.has("indexes"):
        index = op.tile("indexes")
        rows, cols = index.extent()
        result.reshape(-1)[_places(index, dst, rows, cols)] = src.raw(rows, cols)
    else:
        step, place, by_rows = _pattern(op, "scatter_type", ("SCATTER_ROW", "SCATTER_COL"))
        rows, cols = src.extent()
        if rows * (step if by_rows else 1) > dst.rows or cols * (1 if by_rows else step) > dst.cols:
            raise NoModelError("TSCATTER beyond the destination has no model")
        if step == 1:  # a plain move
            dst.write_raw(src.raw(rows, cols))
            return
        if by_rows:
            result[place : place + rows * step : step, :cols] = src.raw(rows, cols)
        else:
            result[:rows, place : place + cols * step : step] = src.raw(rows, cols)
    dst.write_raw(result)


def _places(index: TileOperand, target: TileOperand, rows: int, cols: int) -> Array:
    """Element numbers within `target`."""
    where = index.read(rows, cols).astype(np.int64)
    if target.layout != "ND":
        raise NoModelError("indices into a tile that is not row-major have no model")
    if bool((where < 0).any() or (where >= target.rows * target.cols).any()):
        raise NoModelError(f"indices outside {target.name} have no model")
    return where


def _pattern(op: Op, axis: str, axes: tuple[str, str]) -> tuple[int, int, bool]:
    """Step between the columns that the mask names, the first of them, and whether it names rows instead."""
    along = op.choice(axis, axes, axes[0])
    mask = op.choice("mask_pattern", MASKS, "P1111")
    if along not in axes or (mask not in STEPS and mask != "P1111"):
        raise NoModelError(f"{op.name} with the mask pattern {mask} ({along}) has no model")
    return (*STEPS.get(str(mask), (1, 0)), along == axes[1])
