"""Matrix products: TMATMUL, TGEMV, their accumulating, biased and microscaling forms.

M is the left operand's valid rows, K its valid columns, N the right operand's valid columns.  Integers
accumulate exactly (modulo 2**32), floats in float32 (the order of summation is the library's).
"""

from __future__ import annotations

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand

GROUP = 32  # elements that share a microscaling exponent


@model("TMATMUL", "TMATMUL_ACC", "TMATMUL_BIAS", "TGEMV", "TGEMV_ACC", "TGEMV_BIAS", "TMATMUL_MX", "TGEMV_MX")
def product(op: Op) -> None:
    """c = a b (+ c_in) (+ bias) (documents of TMATMUL, TMATMUL_ACC, TMATMUL_BIAS, TMATMUL_MX)."""
    out = op.tile("c_out_matrix" if op.has("c_out_matrix") else "c_matrix")
    left, right = op.tile("a_matrix"), op.tile("b_matrix")
    m, k = left.extent()
    n = right.extent()[1]
    integer = not left.element.is_float
    a, b = _operand(op, left, m, k, "a_scale_matrix", 0), _operand(op, right, k, n, "b_scale_matrix", 1)
    with np.errstate(all="ignore"):
        total = _multiply(a, b, integer) + _addend(op, out, m, n, integer)
        if op.has("bias_data"):
            total = total + op.tile("bias_data").read(1, n)
        if integer:
            total = total.astype(np.int64).astype(np.int32)
        out.write(total)


def _addend(op: Op, out: TileOperand, m: int, n: int, integer: bool) -> Array:
    if op.has("c_in_matrix"):
        return _accumulator(op.tile("c_in_matrix"), m, n, integer)
    if op.name.endswith("_ACC"):
        return _accumulator(out, m, n, integer)
    return np.zeros((1, 1), np.float64 if integer else np.float32)


def _accumulator(tile: TileOperand, m: int, n: int, integer: bool) -> Array:
    return tile.read(m, n).astype(np.float64 if integer else np.float32)


def _multiply(a: Array, b: Array, integer: bool) -> Array:
    # products of bytes and their sums over 4095 steps are exact in float64
    if integer:
        a, b = a.astype(np.float64), b.astype(np.float64)
    result: Array = a @ b
    return result


def _operand(op: Op, tile: TileOperand, rows: int, cols: int, scale: str, axis: int) -> Array:
    values = tile.read(rows, cols)
    if values.dtype.kind in "iu":
        return values
    values = values.astype(np.float32)
    if not op.has(scale):
        return values
    k = cols if axis == 0 else rows
    groups = -(-k // GROUP)
    scales = scale_values(op.tile(scale), *((rows, groups) if axis == 0 else (groups, cols)))
    spread = np.repeat(scales, GROUP, axis=1 - axis)
    scaled: Array = values * (spread[:, :cols] if axis == 0 else spread[:rows])
    return scaled


def scale_values(tile: TileOperand, rows: int, cols: int) -> Array:
    """Scales 2**(code - 127) as float32, from e8m0 or plain byte tiles."""
    if tile.element.bits != 8:
        raise NoModelError(f"scales of type {tile.element.name} have no model")
    raw = tile.raw(rows, cols).astype(np.int64)
    scales = np.ldexp(np.float32(1), (raw - 127).astype(np.int32)).astype(np.float32)
    return np.where(raw == 255, np.float32(np.nan), scales)
