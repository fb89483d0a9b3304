"""Reductions over rows and columns, and the expansions that undo them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.elementwise import BINARY
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand


def _sum(values: Array, axis: int) -> Array:
    """Sums in float32 for narrow floats, in the type itself for integers (which wrap)."""
    if values.dtype.kind in "iu":
        return np.asarray(values.sum(axis=axis, dtype=values.dtype, keepdims=True))
    wide = np.float64 if values.dtype.itemsize == 8 else np.float32
    return np.asarray(values.astype(wide).sum(axis=axis, keepdims=True))


def _product(values: Array, axis: int) -> Array:
    if values.dtype.kind in "iu":
        return np.asarray(values.prod(axis=axis, dtype=values.dtype, keepdims=True))
    return np.asarray(values.astype(np.float32).prod(axis=axis, keepdims=True))


REDUCE: dict[str, Callable[[Array, int], Array]] = {
    "SUM": _sum,
    "PROD": _product,
    "MAX": lambda v, axis: np.asarray(v.max(axis=axis, keepdims=True)),
    "MIN": lambda v, axis: np.asarray(v.min(axis=axis, keepdims=True)),
}


@model("TROWSUM", "TROWMAX", "TROWMIN", "TROWPROD")
def over_rows(op: Op) -> None:
    """dst[i, 0] = reduction of src[i, :] over src's valid region (TROWSUM document)."""
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = _domain(src)
    with np.errstate(all="ignore"):
        dst.write(REDUCE[op.name[4:]](src.read(rows, cols), 1))


@model("TCOLSUM", "TCOLMAX", "TCOLMIN", "TCOLPROD")
def over_columns(op: Op) -> None:
    """dst[0, j] = reduction of src[:, j] over src's valid region (TCOLSUM document)."""
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = _domain(src)
    with np.errstate(all="ignore"):
        dst.write(REDUCE[op.name[4:]](src.read(rows, cols), 0))


def _domain(src: TileOperand) -> tuple[int, int]:
    rows, cols = src.extent()
    if rows == 0 or cols == 0:
        raise NoModelError("a reduction over an empty valid region has no model")
    return rows, cols


@model("TROWARGMAX", "TROWARGMIN", "TCOLARGMAX", "TCOLARGMIN")
def arguments(op: Op) -> None:
    """Index of the first extreme element per row or column; the five-operand form stores its value as well."""
    src = op.tile("src")
    rows, cols = _domain(src)
    values = src.read(rows, cols)
    axis = 1 if op.name.startswith("TROW") else 0
    index = (np.argmax if op.name.endswith("MAX") else np.argmin)(values.astype(np.float64), axis=axis)
    index = np.expand_dims(index, axis)
    names = list(op.values)
    target = next((n for n in ("dst_idx", "dst") if n in names), names[0])
    op.tile(target).write(index)
    if "dst_val" in names:
        op.tile("dst_val").write(np.take_along_axis(values, index, axis))


@model("TROWEXPAND")
def row_expand(op: Op) -> None:
    """dst[i, j] = src[i, 0]."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    dst.write_raw(np.repeat(op.tile("src").raw(rows, 1), cols, axis=1))


@model("TCOLEXPAND")
def column_expand(op: Op) -> None:
    """dst[i, j] = src[0, j]."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    dst.write_raw(np.repeat(op.tile("src").raw(1, cols), rows, axis=0))


_EXPAND_OPS = ("ADD", "SUB", "MUL", "DIV", "MAX", "MIN", "EXPDIF")


def _combine(name: str, a: Array, b: Array) -> Array:
    if name == "EXPDIF":  # a subtraction and an exponential, each rounded to the element type
        return np.exp((a - b).astype(np.float32)).astype(a.dtype)
    shape = np.broadcast_shapes(a.shape, b.shape)
    return BINARY["T" + name](np.broadcast_to(a, shape), np.broadcast_to(b, shape))


@model(*(f"TROWEXPAND{name}" for name in _EXPAND_OPS))
def row_expand_binary(op: Op) -> None:
    """dst = src0 (op) src1, where one operand has one value per row, or one 32-byte block that repeats along it."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    a, b = (_by_rows(op.tile(n), dst, rows, cols) for n in ("src0", "src1"))
    with np.errstate(all="ignore"):
        dst.write(_combine(op.name.removeprefix("TROWEXPAND"), a, b))


def _by_rows(src: TileOperand, dst: TileOperand, rows: int, cols: int) -> Array:
    if src.valid_row == dst.valid_row and src.valid_col == dst.valid_col and not (cols > 1 and src.valid_col == 1):
        return src.read(rows, cols)
    width = 1 if not src.row_major or src.valid_col == 1 else min(src.cols, 256 // src.element.bits)
    values = src.read(rows, width)
    return np.tile(values, (1, -(-cols // width)))[:, :cols]


@model(*(f"TCOLEXPAND{name}" for name in _EXPAND_OPS))
def column_expand_binary(op: Op) -> None:
    """dst = src0 (op) src1[0, :]."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    a, b = op.tile("src0").read(rows, cols), op.tile("src1").read(1, cols)
    with np.errstate(all="ignore"):
        dst.write(_combine(op.name.removeprefix("TCOLEXPAND"), a, b))
