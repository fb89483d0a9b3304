"""Rounding as TCVT names it: to integers and to narrower floats, in all seven modes.

Source: TCVT document and the `RoundMode` enumeration (RINT ties to even, ROUND ties away, ODD is von
Neumann rounding: what is not exact gets an odd last digit).
"""

from __future__ import annotations

import numpy as np

from ptolint.executor.dtypes import Array, Element
from ptolint.executor.errors import NoModelError


def to_integral(values: Array, mode: str) -> Array:
    """Values (float64) rounded to whole numbers."""
    if mode in ("CAST_RINT", "CAST_NONE"):
        return np.rint(values)
    if mode == "CAST_ROUND":
        return np.copysign(np.floor(np.abs(values) + 0.5), values)
    if mode == "CAST_FLOOR":
        return np.floor(values)
    if mode == "CAST_CEIL":
        return np.ceil(values)
    if mode == "CAST_TRUNC":
        return np.trunc(values)
    if mode == "CAST_ODD":
        whole = np.trunc(values)
        return np.where((whole != values) & (whole % 2 == 0), whole + np.copysign(1.0, values), whole)
    raise NoModelError(f"rounding mode {mode} has no model")


def to_float(values: Array, target: Element, mode: str) -> Array:
    """Raw elements of a float type nearest to `values` (float32 or wider) in the given direction.

    Works on magnitudes: the codes of every format here rise with the magnitude.
    """
    nearest = target.encode(values.astype(np.float32) if values.dtype.itemsize < 8 else values)
    if mode in ("CAST_RINT", "CAST_NONE"):
        return nearest
    low = _truncated(values, nearest, target)
    sign = nearest & _sign_bit(target)
    size, below = np.abs(values), np.abs(_decoded(low, target))
    above = np.abs(_decoded(low + np.ones(1, low.dtype), target))
    step = _steps_up(size, below, above, low, sign != 0, mode)
    result = np.where(np.isfinite(values) & step, low + np.ones(1, low.dtype), low)
    return np.where(np.isfinite(values), result, nearest).astype(target.raw)


def _sign_bit(target: Element) -> Array:
    return np.array(1 << (target.bits - 1), target.raw)


def _decoded(raw: Array, target: Element) -> Array:
    return target.decode(raw.astype(target.raw)).astype(np.float64)


def _truncated(values: Array, nearest: Array, target: Element) -> Array:
    """The code next to zero among the two that enclose each value; an overflowing one is the largest finite."""
    decoded = np.abs(_decoded(nearest, target))
    too_big = (decoded > np.abs(values)) | (np.isinf(decoded) & np.isfinite(values))
    return np.where(too_big, nearest - np.ones(1, nearest.dtype), nearest)


def _steps_up(size: Array, below: Array, above: Array, low: Array, negative: Array, mode: str) -> Array:
    inexact = size != below
    if mode == "CAST_ROUND":
        return np.asarray(inexact & (size - below >= above - size))
    if mode == "CAST_FLOOR":
        return np.asarray(inexact & negative)
    if mode == "CAST_CEIL":
        return np.asarray(inexact & ~negative)
    if mode == "CAST_TRUNC":
        return np.zeros(size.shape, bool)
    if mode == "CAST_ODD":
        return np.asarray(inexact & (low % 2 == 0))
    raise NoModelError(f"rounding mode {mode} has no model")
