"""Elementwise instructions against plain formulas, element by element."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from ptolint.executor.errors import NoModelError

from .kernels import Kernel, tile_type

BF16 = ml_dtypes.bfloat16
NUMPY = {"half": np.float16, "float": np.float32, "bfloat16_t": BF16, "int32_t": np.int32, "int16_t": np.int16}


def binary(name, dtype, a, b, valid=None, scalar=None, **operands):
    rows, cols = a.shape
    k = Kernel()
    pa, pb, pd = k.pointer("a", dtype), k.pointer("b", dtype), k.pointer("d", dtype)
    tile = tile_type("Vec", dtype, rows, cols)
    ta, tb = k.tile("ta", tile, 0), k.tile("tb", tile, 0x2000)
    td = k.tile("td", tile_type("Vec", dtype, rows, cols, valid=valid or (rows, cols)), 0x4000)
    full = k.tile("full", tile, 0x4000)
    k.call("TLOAD", dst=ta, src=k.tensor("ga", pa, (rows, cols)))
    k.call("TLOAD", dst=tb, src=k.tensor("gb", pb, (rows, cols)))
    k.call("TLOAD", dst=full, src=k.tensor("gd", pd, (rows, cols)))
    if scalar is None:
        k.call(name, dst=td, src0=ta, src1=tb)
    else:
        k.call(name, dst=td, src0=ta, scalar=scalar)
    k.call("TSTORE", dst=k.tensor("go", pd, (rows, cols)), src=full)
    return k.run(a=a, b=b, d=np.full_like(a, 7))["d"]


def sample(dtype, rows=4, cols=32, seed=0):
    rng = np.random.default_rng(seed)
    if np.dtype(NUMPY[dtype]).kind in "iu":
        info = np.iinfo(NUMPY[dtype])
        return rng.integers(info.min, info.max, (rows, cols), dtype=NUMPY[dtype])
    return (rng.standard_normal((rows, cols)) * 100).astype(NUMPY[dtype])


@pytest.mark.parametrize("dtype", ["half", "bfloat16_t", "float"])
def test_tmul_rounds_once(dtype):
    a, b = sample(dtype), sample(dtype, seed=1)
    out = binary("TMUL", dtype, a, b)
    for i, j in [(0, 0), (3, 31), (2, 5)]:
        exact = float(a[i, j]) * float(b[i, j])
        assert out[i, j] == np.array(exact, np.float64).astype(NUMPY[dtype])


@pytest.mark.parametrize("dtype", ["int32_t", "int16_t"])
def test_integers_wrap(dtype):
    a, b = sample(dtype), sample(dtype, seed=1)
    bits = np.dtype(NUMPY[dtype]).itemsize * 8
    product, total = binary("TMUL", dtype, a, b), binary("TADD", dtype, a, b)
    for i, j in [(0, 0), (1, 7), (3, 31)]:
        for value, exact in [(product, int(a[i, j]) * int(b[i, j])), (total, int(a[i, j]) + int(b[i, j]))]:
            wrapped = (exact + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
            assert value[i, j] == wrapped


def test_outside_the_valid_region_nothing_changes():
    a, b = sample("half"), sample("half", seed=1)
    out = binary("TADD", "half", a, b, valid=(3, 17))
    assert (out[3:] == 7).all() and (out[:, 17:] == 7).all()
    assert (out[:3, :17] == (a + b)[:3, :17]).all()


def test_overflow_gives_infinity():
    a = np.full((1, 32), 60000, np.float16)
    assert np.isinf(binary("TADD", "half", a, a)).all()


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("TSUB", lambda a, b: a - b),
        ("TDIV", lambda a, b: a / b),
        ("TMAX", max),
        ("TMIN", min),
        ("TFMOD", math.fmod),
        ("TREM", lambda a, b: a - math.floor(a / b) * b),
        ("TSUBRELU", lambda a, b: max(a - b, 0.0)),
        ("TPRELU", lambda a, b: a if a > 0 else a * b),
    ],
)
def test_float_formulas(name, formula):
    a, b = sample("float"), sample("float", seed=1)
    out = binary(name, "float", a, b)
    for i in range(4):
        for j in range(0, 32, 5):
            assert out[i, j] == pytest.approx(formula(float(a[i, j]), float(b[i, j])), rel=1e-5, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("TAND", lambda a, b: a & b),
        ("TOR", lambda a, b: a | b),
        ("TXOR", lambda a, b: a ^ b),
    ],
)
def test_bitwise_formulas(name, formula):
    a, b = sample("int16_t"), sample("int16_t", seed=1)
    out = binary(name, "int16_t", a, b)
    assert all(out[i, j] == formula(int(a[i, j]), int(b[i, j])) for i in range(4) for j in range(32))


@pytest.mark.parametrize(
    ("name", "scalar", "formula"),
    [
        ("TADDS", 2.5, lambda a, s: a + s),
        ("TSUBS", 2.5, lambda a, s: a - s),
        ("TMULS", -3.0, lambda a, s: a * s),
        ("TDIVS", 7.0, lambda a, s: a / s),
        ("TMAXS", 1.0, max),
        ("TMINS", 1.0, min),
        ("TLRELU", 0.25, lambda a, s: a if a > 0 else a * s),
    ],
)
def test_scalar_formulas(name, scalar, formula):
    a = sample("float")
    out = binary(name, "float", a, a, scalar=scalar)
    for j in range(32):
        assert out[1, j] == np.float32(formula(np.float32(a[1, j]), np.float32(scalar)))


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("TABS", abs),
        ("TNEG", lambda x: -x),
        ("TRELU", lambda x: max(x, 0.0)),
        ("TEXP", math.exp),
        ("TSQRT", math.sqrt),
        ("TRSQRT", lambda x: 1 / math.sqrt(x)),
        ("TRECIP", lambda x: 1 / x),
        ("TLOG", math.log),
    ],
)
def test_unary_formulas(name, formula):
    k = Kernel()
    p, q = k.pointer("x", "float"), k.pointer("y", "float")
    tile = tile_type("Vec", "float", 2, 8)
    t, u = k.tile("t", tile, 0), k.tile("u", tile, 0x100)
    k.call("TLOAD", dst=t, src=k.tensor("g", p, (2, 8)))
    k.call(name, dst=u, src=t)
    k.call("TSTORE", dst=k.tensor("h", q, (2, 8)), src=u)
    x = np.linspace(0.1, 9, 16, dtype=np.float32).reshape(2, 8)
    y = k.run(x=x, y=np.zeros_like(x))["y"]
    for i in range(2):
        for j in range(8):
            assert y[i, j] == pytest.approx(formula(float(x[i, j])), rel=2e-7)


@pytest.mark.parametrize(
    ("name", "target"), [("TMULADDDST", "a5"), ("TFUSEDMULADD", "a5"), ("TAXPY", "a2a3"), ("TAXPY", "a5")]
)
def test_products_with_a_sum_round_twice(name, target):
    k = Kernel(target)
    p, q = k.pointer("x", "half"), k.pointer("y", "half")
    tile = tile_type("Vec", "half", 1, 16)
    t, u = k.tile("t", tile, 0), k.tile("u", tile, 0x100)
    k.call("TLOAD", dst=t, src=k.tensor("g", p, (1, 16)))
    k.call("TLOAD", dst=u, src=k.tensor("h", q, (1, 16)))
    if name == "TAXPY":
        k.call(name, dst=u, src0=t, scalar=1.5)
    else:
        k.call(name, dst=u, src0=t, src1=t)
    k.call("TSTORE", dst=k.tensor("i", q, (1, 16)), src=u)
    rng = np.random.default_rng(4)
    x, y = (rng.standard_normal((1, 16)).astype(np.float16) for _ in range(2))
    got = k.run(x=x, y=y)["y"]
    for j in range(16):
        left, right, add = {
            "TMULADDDST": (x[0, j], x[0, j], y[0, j]),
            "TFUSEDMULADD": (x[0, j], y[0, j], x[0, j]),
            "TAXPY": (np.float16(1.5), x[0, j], y[0, j]),
        }[name]
        product = float(left) * float(right)
        if (name, target) != ("TAXPY", "a5"):  # that one rounds once
            product = float(np.float16(product))
        assert got[0, j] == np.float16(product + float(add))


def test_compare_and_select():
    k = Kernel()
    p, q, r = k.pointer("x", "float"), k.pointer("y", "float"), k.pointer("z", "float")
    tile = tile_type("Vec", "float", 3, 16, valid=(3, 13))
    t, u, v = k.tile("t", tile, 0), k.tile("u", tile, 0x400), k.tile("v", tile, 0x800)
    mask = k.tile("mask", tile_type("Vec", "uint8_t", 3, 32, valid=(3, 2)), 0xC00)
    tmp = k.tile("tmp", tile_type("Vec", "uint8_t", 1, 32), 0x1000)
    k.call("TLOAD", dst=t, src=k.tensor("g", p, (3, 13)))
    k.call("TLOAD", dst=u, src=k.tensor("h", q, (3, 13)))
    k.call("TCMP", dst=mask, src0=t, src1=u, cmp_mode="GT")
    k.call("TSEL", dst=v, sel_mask=mask, src0=t, src1=u, tmp=tmp)
    k.call("TSTORE", dst=k.tensor("i", r, (3, 13)), src=v)
    rng = np.random.default_rng(3)
    x, y = (rng.standard_normal((3, 13)).astype(np.float32) for _ in range(2))
    assert (k.run(x=x, y=y, z=np.zeros_like(x))["z"] == np.maximum(x, y)).all()


def test_partial_sources():
    k = Kernel()
    p, q = k.pointer("x", "float"), k.pointer("y", "float")
    t = k.tile("t", tile_type("Vec", "float", 4, 8, valid=(4, 5)), 0)
    u = k.tile("u", tile_type("Vec", "float", 4, 8, valid=(2, 8)), 0x100)
    v = k.tile("v", tile_type("Vec", "float", 4, 8, valid=(2, 8)), 0x200)
    k.call("TLOAD", dst=t, src=k.tensor("g", p, (4, 5)))
    k.call("TLOAD", dst=u, src=k.tensor("h", p, (2, 8)))
    k.call("TPARTADD", dst=v, src0=t, src1=u)
    k.call("TSTORE", dst=k.tensor("i", q, (2, 8)), src=v)
    x = np.arange(20, dtype=np.float32)
    y = k.run(x=x, y=np.zeros((2, 8), np.float32))["y"]
    for i in range(2):
        for j in range(8):
            assert y[i, j] == x[i * 8 + j] + (x[i * 5 + j] if j < 5 else 0)


def test_integer_division_by_zero_has_no_model():
    a = np.ones((1, 8), np.int32)
    with pytest.raises(NoModelError, match="division by zero"):
        binary("TDIV", "int32_t", a, a * 0)


def test_an_instruction_without_a_model_is_named():
    k = Kernel()
    t = k.tile("t", tile_type("Vec", "float", 1, 32), 0)
    k.call("THISTOGRAM", dst=t, src=t)
    with pytest.raises(NoModelError, match="THISTOGRAM has no model"):
        k.run()


def test_64_bit_division_remainder_and_shifts():
    low = np.iinfo(np.int64).min
    a = np.array([[low, -7, 7, 5, low, -1, 1, 1]], np.int64)
    b = np.array([[-1, 3, -3, 0, 63, 64, 63, 65]], np.int64)
    quotients = [low, -2, -2, 0]
    assert binary("TDIV", "int64_t", a, b)[0].tolist()[:4] == quotients
    assert binary("TREM", "int64_t", a, b)[0].tolist()[:4] == [0, -1, 1, 0]
    assert binary("TSHR", "int64_t", a, b)[0].tolist()[4:] == [-1, -1, 0, 0]
    assert binary("TSHL", "int64_t", a, b)[0].tolist()[5:] == [-1, low, 2]


def test_unsigned_64_bit_division():
    a = np.array([[2**64 - 1, 7, 0, 9]], np.uint64)
    b = np.array([[3, 0, 2**64 - 1, 4]], np.uint64)
    assert binary("TDIV", "uint64_t", a, b)[0].tolist() == [(2**64 - 1) // 3, 0, 0, 2]
    assert binary("TREM", "uint64_t", a, b)[0].tolist() == [0, 0, 0, 1]
