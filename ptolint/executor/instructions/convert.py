"""TCVT: conversion of element types with the document's rounding and saturation."""

from __future__ import annotations

from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array, Element, encode_by_table
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.rounding import to_float, to_integral

# Pairs that truncate to the low bits unless saturation is asked for (TCVT document and golden model).
UNSATURATED = {
    ("half", "uint8_t"),
    ("half", "int8_t"),
    ("float", "int16_t"),
    ("half", "int16_t"),
    ("int64_t", "int32_t"),
    ("int32_t", "int16_t"),
}
FLOAT_MAX: dict[str, Any] = {
    "half": np.float32(65504),
    "bfloat16_t": np.float32(3.3895313892515355e38),
    "float8_e4m3_t": np.float32(448),
    "float8_e5m2_t": np.float32(57344),
    "float4_e2m1x2_t": np.float32(6),
    "float4_e1m2x2_t": np.float32(1.75),
    "hifloat8_t": np.float32(32768),
}


@model("TCVT")
def tcvt(op: Op) -> None:
    """dst[i, j] = cast(src[i, j]) over dst's valid region.

    Without a saturation mode: on, but for the narrowing pairs that the document lists.
    """
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = dst.extent()
    if dst.element.packed and cols % 2:
        cols -= 1  # only whole bytes are written (golden model)
    saturate = op.option("sat_mode", None)
    pair = src.element.name, dst.element.name
    on = pair not in UNSATURATED if saturate is None else saturate == "ON"
    values = src.read(rows, cols)
    mode = str(op.option("mode", "CAST_RINT"))
    with np.errstate(all="ignore"):
        dst.write_raw(convert(values, src.element, dst.element, mode, on))


def convert(values: Array, source: Element, target: Element, mode: str, saturate: bool) -> Array:
    """Raw elements of `target` from values of `source`."""
    if target.is_float:
        return _to_float(values, source, target, mode, saturate)
    info = np.iinfo(np.int8) if target.name == "int4b_t" else np.iinfo(target.value)
    low, high = (-8, 7) if target.name == "int4b_t" else (int(info.min), int(info.max))
    whole = to_integral(values.astype(np.float64), mode) if source.is_float else values
    if saturate:
        return target.encode(_clipped(whole, low, high, target))
    return target.encode(_through_int32(whole, target) if source.is_float else whole)


def _through_int32(whole: Array, target: Element) -> Array:
    """The hardware narrows in two steps: to int32 with saturation, then to the low bits (TCVT golden model)."""
    filled = np.where(np.isnan(whole), 0.0, whole)
    if target.bits < 32:
        return np.clip(filled, -(2.0**31), 2.0**31 - 1).astype(np.int64)
    if bool((np.abs(filled) >= 2.0 ** (target.bits - 1)).any()):
        raise NoModelError(f"TCVT of values outside {target.name} without saturation has no model")
    return filled.astype(np.int64)


def _clipped(whole: Array, low: int, high: int, target: Element) -> Array:
    if whole.dtype.kind in "iu":
        if whole.dtype == np.uint64:
            return np.minimum(whole, np.uint64(high))
        return np.clip(whole.astype(np.int64), low, min(high, (1 << 63) - 1))
    filled = np.where(np.isnan(whole), 0.0, whole)
    if high >= 1 << 53:  # the limit itself is no float64: compare below it, then convert
        inside = np.clip(filled, float(low), np.nextafter(2.0**63, 0))
        return np.where(filled >= 2.0**63, high, inside.astype(np.int64))
    return np.clip(filled, low, high).astype(np.int64)


def _to_float(values: Array, source: Element, target: Element, mode: str, saturate: bool) -> Array:
    if source.name == "float" and target.name == "float":
        return target.encode(values if mode == "CAST_NONE" else to_integral(values.astype(np.float64), mode))
    wide = values if values.dtype in (np.int64, np.uint64) else values.astype(np.float64)
    limit = FLOAT_MAX.get(target.name)
    if saturate and limit is not None:
        wide = np.where(np.isnan(wide), wide, np.clip(wide, -float(limit), float(limit)))
    if target.table is not None:
        return encode_by_table(target, wide.astype(np.float32))
    if wide.dtype.kind in "iu" and mode in ("CAST_RINT", "CAST_NONE"):
        return target.encode(wide.astype(np.float32))
    narrow = wide.astype(np.float32)
    exact = bool(((narrow.astype(wide.dtype) == wide) | (wide != wide)).all())
    return to_float(narrow if exact else wide.astype(np.float64), target, mode)
