"""TQUANT against its formulas, written out per group and per element."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.quantize import (
    E2M1,
    E4M3,
    e2m1_codes,
    e4m3_codes,
    reciprocal_scales,
    shared_exponents,
)

from .kernels import Kernel, tile_type

E2M1_GRID = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0]
NUMPY = {"float": np.float32, "half": np.float16, "bfloat16_t": ml_dtypes.bfloat16}


def biased_exponent(value: float) -> int:
    """The exponent field of a float32."""
    return (int(np.array([value], np.float32).view(np.uint32)[0]) >> 23) & 0xFF


def nearest_e4m3(value: float) -> float:
    return float(np.float32(np.clip(value, -448.0, 448.0)).astype(ml_dtypes.float8_e4m3fn))


def nearest_e2m1(value: float) -> float:
    size = min(abs(value), 6.0)
    best = min(range(8), key=lambda i: (abs(E2M1_GRID[i] - size), i % 2))
    return math.copysign(E2M1_GRID[best], value)


def quantise(values: np.ndarray, dtype: str, template: dict, out_dtype: str, exp_shape: tuple[int, int]):
    rows, cols = values.shape
    k = Kernel()
    pi, po, pe = k.pointer("x", dtype), k.pointer("y", out_dtype), k.pointer("e", "uint8_t")
    s = k.tile("s", tile_type("Vec", dtype, rows, cols), 0)
    d = k.tile("d", tile_type("Vec", out_dtype, rows, cols), 0x8000)
    width = -(-exp_shape[1] // 32) * 32
    e = k.tile("e", tile_type("Vec", "uint8_t", exp_shape[0], width, valid=exp_shape), 0x10000)
    m = k.tile("m", tile_type("Vec", dtype, 1, 256), 0x14000)
    c = k.tile("c", tile_type("Vec", dtype, 1, 256), 0x18000)
    k.call("TLOAD", dst=s, src=k.tensor("gx", pi, (rows, cols)))
    k.call("TQUANT", template, dst=d, src=s, exp=e, max=m, scaling=c)
    k.call("TSTORE", dst=k.tensor("gy", po, (rows, cols)), src=d)
    k.call("TSTORE", dst=k.tensor("ge", pe, exp_shape), src=e)
    packed = 2 if "x2" in out_dtype else 1
    result = k.run(x=values, y=np.zeros((rows, cols // packed), np.uint8), e=np.zeros(exp_shape, np.uint8))
    return result["y"], result["e"]


@pytest.mark.parametrize("dtype", ["float", "half", "bfloat16_t"])
@pytest.mark.parametrize("axis", [0, 1])
def test_mxfp8_ocp(dtype, axis):
    rng = np.random.default_rng(axis)
    values = (rng.standard_normal((64, 64)) * 30).astype(NUMPY[dtype])
    groups = (2, 64) if axis == 0 else (64, 2)
    y, e = quantise(values, dtype, {"grp_axis": axis, "mx_alg": "OcpMxFp8E4M3"}, "int8_t", groups)
    wide = values.astype(np.float32)
    for i, j in [(0, 0), (1, 1), (groups[0] - 1, groups[1] - 1)]:
        group = wide[i * 32 : i * 32 + 32, j] if axis == 0 else wide[i, j * 32 : j * 32 + 32]
        shared = max(biased_exponent(float(np.abs(group).max())) - 8, 0)
        assert e[i, j] == shared
        codes = y[i * 32 : i * 32 + 32, j] if axis == 0 else y[i, j * 32 : j * 32 + 32]
        got = codes.view(ml_dtypes.float8_e4m3fn).astype(np.float32)
        assert got.tolist() == [nearest_e4m3(float(v) * 2.0 ** (127 - shared)) for v in group]


@pytest.mark.parametrize("algorithm", ["OcpMxFp4E2M1", "NvMxFp4E2M1"])
def test_mxfp4(algorithm):
    values = (np.random.default_rng(5).standard_normal((16, 64)) * 5).astype(np.float16)
    y, e = quantise(values, "half", {"grp_axis": 1, "mx_alg": algorithm}, "float4_e2m1x2_t", (16, 2))
    nibbles = np.stack([y & 15, y >> 4], axis=-1).reshape(16, 64)
    for row in range(16):
        for group in range(2):
            part = values[row, group * 32 : group * 32 + 32].astype(np.float64)
            top = np.abs(part).max()
            if algorithm.startswith("Nv"):
                shared = math.ceil(math.log2(top / 6.0)) + 127
            else:
                shared = math.floor(math.log2(top)) + 127 - 2
            assert e[row, group] == shared
            for j, value in enumerate(part):
                code = int(nibbles[row, group * 32 + j])
                got = E2M1_GRID[code & 7] * (-1 if code & 8 else 1)
                assert got == nearest_e2m1(value * 2.0 ** (127 - shared))


def test_nv_rounds_the_exponent_up():
    exponents = shared_exponents(np.array([448.0, 449.0, 0.0], np.float32), E4M3, nv=True)
    assert exponents.tolist() == [127, 128, 0]


@pytest.mark.parametrize(("target", "infinite"), [(E4M3, 247), (E2M1, 253)])
def test_special_groups(target, infinite):
    maxima = np.array([np.inf, np.nan, 1e-40, 0.0], np.float32)
    assert shared_exponents(maxima, target, nv=False).tolist() == [infinite, 255, 0, 0]
    assert shared_exponents(maxima, target, nv=True).tolist()[:2] == [0xFE, 0xFF]
    assert shared_exponents(maxima, E4M3, nv=False, infinite_is_nan=True).tolist()[0] == 255


def test_scales_are_reciprocal():
    scales = reciprocal_scales(np.array([127, 120, 0, 254, 255], np.uint8))
    assert scales.tolist()[:4] == [1.0, 128.0, 2.0**127, 2.0**-127]
    assert math.isnan(scales[4])


def test_a_value_that_rounds_to_zero_keeps_its_sign():
    assert e4m3_codes(np.array([-1e-6, 1e-6], np.float32)).tolist() == [0x80, 0x00]


def test_e2m1_ties_go_to_the_even_code_and_nan_to_the_largest():
    values = np.array([0.25, 0.75, 2.5, 5.0, -7.0, np.inf, np.nan, -0.0], np.float32)
    assert e2m1_codes(values).tolist() == [0, 2, 4, 6, 15, 7, 7, 8]


@pytest.mark.parametrize("symmetric", [True, False])
def test_int8(symmetric):
    rng = np.random.default_rng(7)
    values = (rng.standard_normal((8, 32)) * 40).astype(np.float32)
    scale = rng.uniform(0.5, 6, (8, 1)).astype(np.float32)
    offset = rng.integers(0, 200, (8, 1)).astype(np.float32)
    k = Kernel()
    px, ps, po = k.pointer("x", "float"), k.pointer("s", "float"), k.pointer("o", "float")
    py = k.pointer("y", "int8_t" if symmetric else "uint8_t")
    para = tile_type("Vec", "float", 8, 1, "DN")
    x = k.tile("tx", tile_type("Vec", "float", 8, 32), 0)
    s, o = k.tile("ts", para, 0x1000), k.tile("to", para, 0x1100)
    y = k.tile("ty", tile_type("Vec", "int8_t" if symmetric else "uint8_t", 8, 32), 0x2000)
    k.call("TLOAD", dst=x, src=k.tensor("gx", px, (8, 32)))
    for tile, pointer in ((s, ps), (o, po)):
        k.call("TLOAD", dst=tile, src=k.tensor("g" + tile.name, pointer, (8, 1)))
    kind = "INT8_SYM" if symmetric else "INT8_ASYM"
    operands = {} if symmetric else {"offset": o}
    k.call("TQUANT", {"quant_type": kind}, dst=y, src=x, scale=s, **operands)
    k.call("TSTORE", dst=k.tensor("gy", py, (8, 32)), src=y)
    got = k.run(x=values, s=scale, o=offset, y=np.zeros((8, 32), np.int8 if symmetric else np.uint8))["y"]
    for i in range(8):
        for j in range(32):
            scaled = np.float32(values[i, j] * scale[i, 0])
            if not symmetric:
                scaled = np.float32(scaled + offset[i, 0])
            low, high = (-128, 127) if symmetric else (0, 255)
            assert got[i, j] == min(max(round(float(scaled)), low), high)


def test_saturation_is_counted():
    k = Kernel()
    x = k.tile("x", tile_type("Vec", "float", 1, 32), 0)
    s = k.tile("s", tile_type("Vec", "float", 1, 8), 0x100)
    y = k.tile("y", tile_type("Vec", "int8_t", 1, 32), 0x200)
    k.call("TEXPANDS", dst=x, scalar=100.0)
    k.call("TEXPANDS", dst=s, scalar=2.0)
    k.call("TQUANT", {"quant_type": "INT8_SYM"}, dst=y, src=x, scale=s)
    k.run()
    assert k.kinds() == ["saturated"] and dict(k.log[0].facts)["count"] == 32
    assert not k.log[0].is_fault


def test_interleaved_exponents():
    values = (np.random.default_rng(9).standard_normal((128, 32)) * 9).astype(np.float32)
    template = {"grp_axis": 0, "mx_alg": "OcpMxFp8E4M3"}
    _, plain = quantise(values, "float", template, "int8_t", (4, 32))
    _, pairs = quantise(values, "float", {**template, "interleave": 1}, "int8_t", (2, 64))
    for pair in range(2):
        for col in range(32):
            for delta in range(2):
                assert pairs[pair, 2 * col + delta] == plain[2 * pair + delta, col]


def test_dequantise():
    k = Kernel()
    px, py = k.pointer("x", "int8_t"), k.pointer("y", "float")
    x = k.tile("tx", tile_type("Vec", "int8_t", 4, 32), 0)
    para = tile_type("Vec", "float", 4, 8, valid=(4, 1))
    s, o = k.tile("s", para, 0x1000), k.tile("o", para, 0x1100)
    y = k.tile("ty", tile_type("Vec", "float", 4, 32), 0x2000)
    k.call("TLOAD", dst=x, src=k.tensor("gx", px, (4, 32)))
    k.call("TEXPANDS", dst=s, scalar=0.5)
    k.call("TEXPANDS", dst=o, scalar=3.0)
    k.call("TDEQUANT", dst=y, src=x, scale=s, offset=o)
    k.call("TSTORE", dst=k.tensor("gy", py, (4, 32)), src=y)
    values = np.arange(-64, 64, dtype=np.int8).reshape(4, 32)
    assert (k.run(x=values, y=np.zeros((4, 32), np.float32))["y"] == (values - 3.0) * 0.5).all()


def test_an_unknown_algorithm_is_named():
    k = Kernel()
    t = k.tile("t", tile_type("Vec", "float", 32, 32), 0)
    k.call("TQUANT", {"grp_axis": 1, "mx_alg": "Hif4"}, dst=t, src=t, exp=t, max=t, scaling=t)
    with pytest.raises(NoModelError, match="Hif4"):
        k.run()
