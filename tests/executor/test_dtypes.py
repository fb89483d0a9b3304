"""Element types against their definitions."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from ptolint.executor.dtypes import element, encode_by_table, hifloat8_table
from ptolint.executor.errors import NoModelError


def test_hifloat8_has_the_values_of_its_definition():
    table = hifloat8_table()
    assert table[0] == 0 and math.isnan(table[0x80])
    assert table[0x01] == 2.0**-22 and table[0x07] == 2.0**-16
    assert table[0x08] == 1.0 and table[0x0F] == 1.875  # no exponent bits, three bits of mantissa
    assert table[0x10] == 2.0 and table[0x18] == 0.5  # one exponent bit, which is its sign
    assert table[0x6E] == 2.0**15 and math.isinf(table[0x6F])
    assert table[0x88] == -1.0 and math.isinf(table[0xEF])
    finite = table[:128][np.isfinite(table[:128])]
    assert len(set(finite.tolist())) == len(finite) == 127


def test_hifloat8_codes_round_trip():
    kind = element("hifloat8_t")
    codes = np.array([c for c in range(256) if np.isfinite(kind.table[c])], np.uint8)
    assert (kind.encode(kind.decode(codes)) == codes).all()


def test_hifloat8_ties_go_away_from_zero_and_overflow_saturates():
    kind = element("hifloat8_t")
    values = np.array([1.0625, -1.0625, 1e9, np.nan, -0.0], np.float32)
    assert kind.decode(kind.encode(values)).tolist()[:3] == [1.125, -1.125, 32768.0]
    assert kind.encode(values)[3] == 0x80 and kind.encode(values)[4] == 0


def test_e1m2_rounds_ties_to_even():
    kind = element("float4_e1m2x2_t")
    values = np.array([0.125, 0.375, 1.75, 9.0, -0.6], np.float32)
    decoded = kind.decode(encode_by_table(kind, values))
    assert decoded.tolist() == [0.0, 0.5, 1.75, 1.75, -0.5]


def test_int4_is_sign_extended():
    kind = element("int4b_t")
    assert kind.decode(np.array([0, 7, 8, 15], np.uint8)).tolist() == [0, 7, -8, -1]
    assert kind.encode(np.array([-8, -1, 7])).tolist() == [8, 15, 7]


@pytest.mark.parametrize("name", ["half", "bfloat16_t", "float8_e4m3_t", "float8_e5m2_t", "float4_e2m1x2_t"])
def test_floats_round_to_nearest_even(name):
    kind = element(name)
    values = np.array([1.0, 1.5, -2.0, 0.5], np.float32)
    assert (kind.decode(kind.encode(values)).astype(np.float32) == values).all()


def test_e8m0_is_a_power_of_two():
    kind = element("float8_e8m0_t")
    assert kind.value == ml_dtypes.float8_e8m0fnu
    assert kind.decode(np.array([127, 130, 0], np.uint8)).astype(np.float64).tolist() == [1.0, 8.0, 2.0**-127]


def test_an_unknown_type_is_named():
    with pytest.raises(NoModelError, match="complex64"):
        element("complex64")
