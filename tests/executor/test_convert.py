"""TCVT and its rounding against scalar formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

from ptolint.executor.dtypes import element
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.convert import convert
from ptolint.executor.layout import tile_axes
from ptolint.executor.rounding import to_float, to_integral

from .kernels import tile_type

VALUES = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49, -0.51, 3.0, 1e6, -7.25]


@pytest.mark.parametrize(
    ("mode", "formula"),
    [
        ("CAST_RINT", round),
        ("CAST_ROUND", lambda x: math.copysign(math.floor(abs(x) + 0.5), x)),
        ("CAST_FLOOR", math.floor),
        ("CAST_CEIL", math.ceil),
        ("CAST_TRUNC", math.trunc),
        ("CAST_ODD", lambda x: x if x == int(x) else (math.floor(x) if math.floor(x) % 2 else math.ceil(x))),
    ],
)
def test_to_integral(mode, formula):
    assert to_integral(np.array(VALUES), mode).tolist() == [float(formula(v)) for v in VALUES]


def neighbours(value: float, kind) -> tuple[Fraction, Fraction]:
    """The two finite values of a format that enclose `value`."""
    codes = np.arange(1 << kind.bits, dtype=kind.raw)
    with np.errstate(invalid="ignore"):
        table = kind.decode(codes).astype(np.float64)
    table = np.unique(table[np.isfinite(table)])
    return Fraction(float(table[table <= value].max())), Fraction(float(table[table >= value].min()))


@pytest.mark.parametrize("name", ["half", "bfloat16_t", "float8_e4m3_t", "float8_e5m2_t"])
@pytest.mark.parametrize("mode", ["CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD"])
def test_to_float(name, mode):
    kind = element(name)
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.standard_normal(40) * 10, [1.0, 1.0625, -1.1875, 2.0**-9 * 1.5]]).astype(np.float32)
    got = kind.decode(to_float(values, kind, mode)).astype(np.float64)
    for value, result in zip(values.tolist(), got.tolist(), strict=True):
        low, high = neighbours(value, kind)
        exact, result = Fraction(value), Fraction(result)
        assert result in (low, high)
        if low == high:
            continue
        toward_zero, away = (low, high) if value > 0 else (high, low)
        expected = {"CAST_FLOOR": low, "CAST_CEIL": high, "CAST_TRUNC": toward_zero}.get(mode)
        if expected is not None:
            assert result == expected
        elif mode == "CAST_ROUND":
            assert result == (away if abs(exact - toward_zero) >= abs(away - exact) else toward_zero)
        elif mode == "CAST_ODD":
            assert int(kind.encode(np.array([float(result)], np.float32))[0]) % 2 == 1
        else:
            assert abs(result - exact) == min(abs(low - exact), abs(high - exact))


def cast(values, source: str, target: str, mode="CAST_RINT", saturate=True):
    src, dst = element(source), element(target)
    return dst.decode(convert(np.array(values, src.value), src, dst, mode, saturate)).tolist()


def test_saturation_clips():
    assert cast([1e9, -1e9, 3.5, math.nan], "float", "int16_t") == [32767, -32768, 4, 0]
    assert cast([300.0, -5.0], "half", "uint8_t") == [255, 0]
    assert cast([3e9, -3e9], "float", "int32_t") == [2147483647, -2147483648]
    assert cast([1e30, -1e30], "float", "int64_t") == [2**63 - 1, -(2**63)]
    assert cast([70000.0, -math.inf], "float", "half") == [65504.0, -65504.0]
    assert cast([1000.0], "float", "float8_e4m3_t") == [448.0]


def test_without_saturation_the_low_bits_stay():
    assert cast([300.0, -5.0], "half", "uint8_t", saturate=False) == [300 % 256, 251]
    assert cast([40000.0], "float", "int16_t", saturate=False) == [40000 - 65536]
    assert cast([2**31 + 5], "int64_t", "int32_t", saturate=False) == [-(2**31) + 5]
    assert math.isinf(cast([70000.0], "float", "half", saturate=False)[0])


def test_infinity_without_saturation_passes_through_int32():
    values = [-math.inf, math.inf, math.nan, -40000.0]
    assert cast(values, "half", "int16_t", saturate=False) == [0, -1, 0, 25536]
    assert cast(values[:3], "half", "uint8_t", saturate=False) == [0, 255, 0]
    with pytest.raises(NoModelError, match="outside int32_t"):
        cast([3e9], "float", "int32_t", saturate=False)


def test_rows_of_four_bit_integers_start_every_byte_of_their_columns():
    rows, cols = tile_axes(tile_type("Vec", "int4b_t", 4, 64), 2, 3)
    assert rows.tolist() == [0, 128] and cols.tolist() == [0, 1, 2]


def test_integers_to_floats():
    assert cast([-3, 2049], "int16_t", "half") == [-3.0, 2048.0]
    assert cast([16777217, 16777219], "int32_t", "float") == [16777216.0, 16777220.0]
    assert cast([16777217], "int32_t", "float", "CAST_CEIL") == [16777218.0]
    assert cast([2**62 + 1], "int64_t", "float") == [float(2**62)]


def test_float_to_float_rounds_to_whole_numbers():
    assert cast([1.5, 2.5, -1.2], "float", "float") == [2.0, 2.0, -1.0]
    assert cast([1.5], "float", "float", "CAST_NONE") == [1.5]


def test_four_bit_floats():
    assert cast([0.25, 5.0, 7.0, -2.6], "bfloat16_t", "float4_e2m1x2_t") == [0.0, 4.0, 6.0, -3.0]
    kind = element("float4_e2m1x2_t")
    raw = np.arange(16, dtype=np.uint8)
    back = convert(kind.decode(raw), kind, element("bfloat16_t"), "CAST_RINT", True).view(ml_dtypes.bfloat16)
    assert back.astype(np.float32).tolist()[:8] == [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
