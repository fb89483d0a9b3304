"""What the fixpipe does to accumulators on their way out: scale, offset, round, saturate, relu, convert.

Sources: TSTORE and TMOV documents for the pairs of types; golden models of the accumulator stores for
the order of operations (scale, clip, round to nearest even, offset, saturate) and for the ten mantissa
bits of a scale that comes from the fixpipe buffer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array, Element, encode_by_table
from ptolint.executor.errors import NoModelError

HALF_MAX = np.float32(65504.0)
E4M3_MAX = np.float32(448.0)
BF16_MAX = np.float32(3.3895313892515355e38)
VECTOR_SCALE_MASK = np.uint32(0xFFFFE000)  # sign, exponent and ten mantissa bits


@dataclass(frozen=True, slots=True)
class Words:
    """Quantisation words: scale and offset as arrays that broadcast over rows x cols; `signed` is bit 46."""

    scale: Array
    offset: Array
    signed: Array
    shift: Array


def scalar_word(word: int) -> Words:
    """A word given as a scalar operand: the scale is the full float in its low half."""
    return _words(np.array([[word & (1 << 64) - 1]], np.uint64), vector=False)


def vector_words(words: Array) -> Words:
    """Words from the fixpipe buffer, one per column."""
    return _words(words.reshape(1, -1).astype(np.uint64), vector=True)


def _words(words: Array, *, vector: bool) -> Words:
    bits = (words & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    if vector:
        bits = bits & VECTOR_SCALE_MASK
    return Words(
        bits.view(np.float32),
        ((words >> np.uint64(37)) & np.uint64(0x1FF)).astype(np.float32),
        (words >> np.uint64(46)) & np.uint64(1) != 0,
        ((words >> np.uint64(32)) & np.uint64(15)).astype(np.int64) + 1,
    )


@dataclass(frozen=True, slots=True)
class Converted:
    """Raw elements of the destination type, and how many of them saturated."""

    raw: Array
    saturated: int


def convert_accumulators(values: Array, source: Element, target: Element, words: Words | None, relu: bool) -> Converted:
    """Accumulators (`float`, `int32_t`) as elements of `target`; `NoModelError` for a pair that no document lists."""
    with np.errstate(all="ignore"):
        if words is None:
            return _cast(values, source, target, relu)
        if target.name in ("int8_t", "uint8_t"):
            return _to_bytes(values, target, words, relu)
        if target.name == "int16_t" and source.name == "int32_t":
            return _shift(values, target, words, relu)
        return _to_float(values, source, target, words, relu)


def relu_of(values: Array) -> Array:
    """max(x, 0) that keeps nan and turns -0 into +0."""
    if values.dtype.kind in "iu":
        return np.maximum(values, 0)
    result: Array = np.where((values > 0) | np.isnan(values), values, np.zeros(1, values.dtype))
    return result


def _cast(values: Array, source: Element, target: Element, relu: bool) -> Converted:
    known = {"float": ("float", "half", "bfloat16_t"), "int32_t": ("int32_t",)}
    if target.name != source.name and target.name not in known.get(source.name, ()):
        raise NoModelError(f"accumulators of {source.name} stored as {target.name} without quantisation have no model")
    return Converted(target.encode(relu_of(values) if relu else values), 0)


def _to_bytes(values: Array, target: Element, words: Words, relu: bool) -> Converted:
    scaled = values.astype(np.float32) * words.scale
    rounded = np.rint(np.clip(scaled, -256.0, 255.0)) + words.offset
    low, high = np.where(words.signed, -128.0, 0.0), np.where(words.signed, 127.0, 255.0)
    result = np.nan_to_num(np.clip(rounded, low, high))
    shifted = np.rint(scaled) + words.offset
    saturated = int(((shifted < low) | (shifted > high)).sum())
    if relu:
        result = np.maximum(result, 0)
    return Converted(target.encode(result.astype(np.int16)), saturated)


def _shift(values: Array, target: Element, words: Words, relu: bool) -> Converted:
    shifted = values.astype(np.int64) >> words.shift
    result = np.clip(shifted, -32768, 32767)
    saturated = int((result != shifted).sum())
    return Converted(target.encode(np.maximum(result, 0) if relu else result), saturated)


_FLOAT_LIMITS: dict[str, Any] = {"half": HALF_MAX, "bfloat16_t": BF16_MAX, "float8_e4m3_t": E4M3_MAX}


def _to_float(values: Array, source: Element, target: Element, words: Words, relu: bool) -> Converted:
    allowed = {
        "float": ("half", "bfloat16_t", "hifloat8_t", "float8_e4m3_t", "float"),
        "int32_t": ("half", "bfloat16_t"),
    }
    if target.name not in allowed.get(source.name, ()):
        raise NoModelError(f"accumulators of {source.name} quantised to {target.name} have no model")
    result = values.astype(np.float32) * words.scale
    if relu:
        result = relu_of(result)
    if target.name == "hifloat8_t":
        return Converted(encode_by_table(target, result), 0)
    limit = _FLOAT_LIMITS.get(target.name)
    if limit is None:
        return Converted(target.encode(result), 0)
    saturated = int((np.abs(result) > limit).sum())
    return Converted(target.encode(np.clip(result, -limit, limit)), saturated)
