"""Element types in memory and as numpy values.

A raw element is an unsigned integer of its width (a four-bit one takes a byte of its own once it
is unpacked); a value is what numpy or ml_dtypes computes with.  hifloat8 and float4_e1m2, which
ml_dtypes lacks, go through tables of their 256 and 16 codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ptolint.executor.errors import NoModelError
from ptolint.targets import dtype as target_dtype

Array = NDArray[Any]

_VALUES: dict[str, Any] = {
    "bool": np.uint8,
    "char": np.int8,
    "int8_t": np.int8,
    "uint8_t": np.uint8,
    "int16_t": np.int16,
    "uint16_t": np.uint16,
    "int32_t": np.int32,
    "uint32_t": np.uint32,
    "int64_t": np.int64,
    "uint64_t": np.uint64,
    "half": np.float16,
    "bfloat16_t": ml_dtypes.bfloat16,
    "float": np.float32,
    "double": np.float64,
    "float8_e4m3_t": ml_dtypes.float8_e4m3fn,
    "float8_e5m2_t": ml_dtypes.float8_e5m2,
    "float8_e8m0_t": ml_dtypes.float8_e8m0fnu,
    "float4_e2m1x2_t": ml_dtypes.float4_e2m1fn,
}
_ALIASES = {
    "float16_t": "half",
    "float32_t": "float",
    "signed char": "int8_t",
    "unsigned char": "uint8_t",
    "short": "int16_t",
    "unsigned short": "uint16_t",
    "int": "int32_t",
    "unsigned int": "uint32_t",
    "long": "int64_t",
    "unsigned long": "uint64_t",
    "long long": "int64_t",
    "unsigned long long": "uint64_t",
}


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """One element type: `bits` wide in memory, `raw` as stored (unpacked), `value` as computed with.

    `table` maps a code to its value for the formats that numpy does not know.
    """

    name: str
    bits: int
    raw: np.dtype[Any]
    value: np.dtype[Any]
    table: Array | None = None

    @property
    def packed(self) -> bool:
        """Whether two elements share a byte (the element with the even index in the low half)."""
        return self.bits == 4

    @property
    def is_float(self) -> bool:
        """Whether values are floating point (scales included)."""
        return self.value.kind not in "iub"

    def bytes_of(self, count: int) -> int:
        """Bytes that `count` consecutive elements take in memory."""
        return (count * self.bits + 7) // 8

    def decode(self, raw: Array) -> Array:
        """Values of raw elements."""
        if self.table is not None:
            result: Array = self.table[raw]
            return result
        if self.name == "int4b_t":
            return ((raw.astype(np.int8) ^ 8) - 8).astype(np.int8)
        return raw.view(self.value)

    def encode(self, values: Array) -> Array:
        """Raw elements of values; floats round to nearest even, integers wrap."""
        if self.table is not None:
            return encode_by_table(self, np.asarray(values, dtype=np.float32))
        if self.name == "int4b_t":
            return (np.asarray(values).astype(np.int64) & 15).astype(np.uint8)
        with np.errstate(all="ignore"):
            result: Array = np.ascontiguousarray(np.asarray(values).astype(self.value)).view(self.raw)
        return result


def hifloat8_table() -> Array:
    """Values of the 256 hifloat8 codes: a prefix ("dot") gives the width of the exponent, the rest is mantissa."""
    return np.array([_hifloat8_value(code) for code in range(256)], dtype=np.float32)


def _hifloat8_value(code: int) -> float:
    sign, payload = (-1.0 if code & 0x80 else 1.0), code & 0x7F
    if payload < 8:  # below the prefixes: zero, nan (the code of -0) and powers of two from 2**-22
        if payload == 0:
            return float("nan") if code else 0.0
        return sign * 2.0 ** (payload - 23)
    width, rest = _hifloat8_prefix(payload)
    mantissa_bits = 5 - width if width > 1 else 3
    exponent, mantissa = rest >> mantissa_bits, rest & ((1 << mantissa_bits) - 1)
    power = 0
    if width:
        top = 1 << (width - 1)  # the exponent is sign and magnitude, the magnitude's leading one is implied
        power = (top | (exponent & (top - 1))) * (-1 if exponent & top else 1)
    if width == 4 and power == 15 and mantissa == 1:
        return sign * float("inf")
    return sign * 2.0**power * (1.0 + mantissa / (1 << mantissa_bits))


def _hifloat8_prefix(payload: int) -> tuple[int, int]:
    """Exponent width and the bits after the prefix."""
    if payload >> 5:
        return (payload >> 5) + 1, payload & 0x1F
    if payload >> 4:
        return 1, payload & 0x0F
    return 0, payload & 0x07


def float4_e1m2_table() -> Array:
    """Values of the 16 float4_e1m2 codes: quarters from 0 to 1.75, with sign."""
    magnitude = np.arange(8, dtype=np.float32) / 4
    return np.concatenate([magnitude, -magnitude])


@cache
def _encoder(name: str) -> tuple[Array, Array]:
    """Non-negative finite values in rising order, and their codes."""
    table = element(name).table
    assert table is not None
    half = len(table) // 2
    codes = np.arange(half)[np.isfinite(table[:half])]
    order = np.argsort(table[codes], kind="stable")
    return table[codes][order], codes[order].astype(np.uint8)


def encode_by_table(kind: Element, values: Array) -> Array:
    """Codes nearest to `values`, saturating; nan has a code of its own.

    Ties go away from zero in hifloat8, to the even code in float4_e1m2.
    """
    ties_away = kind.name == "hifloat8_t"
    magnitudes, codes = _encoder(kind.name)
    size = np.abs(values)
    upper = np.clip(np.searchsorted(magnitudes, size), 1, len(magnitudes) - 1)
    low, high = magnitudes[upper - 1], magnitudes[upper]
    to_high = np.where(size - low == high - size, ties_away | (codes[upper] % 2 == 0), size - low > high - size)
    result = np.where(to_high, codes[upper], codes[upper - 1]).astype(np.uint8)
    negative = np.signbit(values) & ((result != 0) | (not ties_away))
    result = np.where(negative, result | (1 << (kind.bits - 1)), result).astype(np.uint8)
    nan_code = 0x80 if ties_away else 0
    return np.where(np.isnan(values), nan_code, result).astype(np.uint8)


@cache
def element(name: str) -> Element:
    """The element type called `name` in C++; `NoModelError` for one that the machine does not know."""
    name = _ALIASES.get(name, name)
    if name in ("hifloat8_t", "float4_e1m2x2_t"):
        table = hifloat8_table() if name == "hifloat8_t" else float4_e1m2_table()
        return Element(name, 8 if name == "hifloat8_t" else 4, np.dtype(np.uint8), np.dtype(np.float32), table)
    if name == "int4b_t":
        return Element(name, 4, np.dtype(np.uint8), np.dtype(np.int8))
    if name not in _VALUES:
        raise NoModelError(f"element type {name} has no model")
    value = np.dtype(_VALUES[name])
    facts = target_dtype(name)
    bits = facts.bits if facts else value.itemsize * 8
    return Element(name, bits, np.dtype(f"u{value.itemsize}"), value)
