"""Reductions, expansions and rearrangements against plain loops."""

from __future__ import annotations

import math

import numpy as np
import pytest

from .kernels import Kernel, number, tile_type


def unary(instruction, x, src_tile, dst_tile, out_shape, out_dtype=np.float32, template=None, tmp=True, **operands):
    k = Kernel()
    p, q = k.pointer("x", src_tile.dtype), k.pointer("y", dst_tile.dtype)
    s, d = k.tile("s", src_tile, 0), k.tile("d", dst_tile, 0x4000)
    extra = {"tmp": k.tile("t", src_tile, 0x8000)} if tmp else {}
    k.call("TLOAD", dst=s, src=k.tensor("gx", p, x.shape))
    k.call(instruction, template, dst=d, src=s, **extra, **operands)
    k.call("TSTORE", dst=k.tensor("gy", q, out_shape), src=d)
    return k.run(x=x, y=np.zeros(out_shape, out_dtype))["y"]


def sample(rows=5, cols=19):
    return (np.random.default_rng(2).standard_normal((rows, cols)) * 3).astype(np.float32)


@pytest.mark.parametrize(("name", "formula"), [("SUM", sum), ("MAX", max), ("MIN", min), ("PROD", math.prod)])
@pytest.mark.parametrize("layout", ["DN", "ND"])
def test_over_rows(name, formula, layout):
    x = sample()
    dst = (
        tile_type("Vec", "float", 8, 1, "DN", valid=(5, 1))
        if layout == "DN"
        else tile_type("Vec", "float", 8, 8, valid=(5, 1))
    )
    y = unary(f"TROW{name}", x, tile_type("Vec", "float", 8, 24, valid=(5, 19)), dst, (5, 1))
    for i in range(5):
        assert y[i, 0] == pytest.approx(formula(x[i].tolist()), rel=1e-5)


@pytest.mark.parametrize(("name", "formula"), [("SUM", sum), ("MAX", max), ("MIN", min), ("PROD", math.prod)])
def test_over_columns(name, formula):
    x = sample()
    dst = tile_type("Vec", "float", 1, 24, valid=(1, 19))
    y = unary(f"TCOL{name}", x, tile_type("Vec", "float", 8, 24, valid=(5, 19)), dst, (1, 19), tmp=False)
    for j in range(19):
        assert y[0, j] == pytest.approx(formula(x[:, j].tolist()), rel=1e-5)


def test_first_extreme_element():
    x = np.array([[1, 5, 5, -3], [2, 2, 2, 2]], np.float32)
    src = tile_type("Vec", "float", 2, 8, valid=(2, 4))
    dst = tile_type("Vec", "int32_t", 2, 8, valid=(2, 1))
    assert unary("TROWARGMAX", x, src, dst, (2, 1), np.int32).tolist() == [[1], [0]]
    assert unary("TROWARGMIN", x, src, dst, (2, 1), np.int32).tolist() == [[3], [0]]


def test_integer_sums_wrap():
    x = np.full((1, 8), 2**30, np.int32)
    src, dst = tile_type("Vec", "int32_t", 1, 8), tile_type("Vec", "int32_t", 1, 8, valid=(1, 1))
    assert unary("TROWSUM", x, src, dst, (1, 1), np.int32)[0, 0] == 0


@pytest.mark.parametrize("name", ["ADD", "SUB", "MUL", "DIV", "MAX", "MIN"])
@pytest.mark.parametrize("mode", ["scalar", "block"])
def test_row_expansion(name, mode):
    x, r = sample(5, 19), sample(5, 8) + 10
    k = Kernel()
    px, pr, py = k.pointer("x", "float"), k.pointer("r", "float"), k.pointer("y", "float")
    full = tile_type("Vec", "float", 8, 24, valid=(5, 19))
    s, d = k.tile("s", full, 0), k.tile("d", full, 0x4000)
    wide = 1 if mode == "scalar" else 8
    shape = (
        tile_type("Vec", "float", 8, 1, "DN", valid=(5, 1))
        if wide == 1
        else tile_type("Vec", "float", 8, 8, valid=(5, 8))
    )
    e = k.tile("e", shape, 0x8000)
    k.call("TLOAD", dst=s, src=k.tensor("gx", px, (5, 19)))
    k.call("TLOAD", dst=e, src=k.tensor("gr", pr, (5, wide), (0, 0, 0, 8, 1)))
    k.call(f"TROWEXPAND{name}", dst=d, src0=s, src1=e)
    k.call("TSTORE", dst=k.tensor("gy", py, (5, 19)), src=d)
    y = k.run(x=x, r=r, y=np.zeros_like(x))["y"]
    formula = {
        "ADD": np.add,
        "SUB": np.subtract,
        "MUL": np.multiply,
        "DIV": np.divide,
        "MAX": np.maximum,
        "MIN": np.minimum,
    }
    for i in range(5):
        for j in range(19):
            assert y[i, j] == formula[name](x[i, j], r[i, j % wide])


def test_column_expansion():
    x, c = sample(4, 8), sample(1, 8)
    k = Kernel()
    px, pc, py = k.pointer("x", "float"), k.pointer("c", "float"), k.pointer("y", "float")
    full = tile_type("Vec", "float", 4, 8)
    s, d, e = k.tile("s", full, 0), k.tile("d", full, 0x400), k.tile("e", tile_type("Vec", "float", 1, 8), 0x800)
    k.call("TLOAD", dst=s, src=k.tensor("gx", px, (4, 8)))
    k.call("TLOAD", dst=e, src=k.tensor("gc", pc, (1, 8)))
    k.call("TCOLEXPANDEXPDIF", dst=d, src0=s, src1=e)
    k.call("TSTORE", dst=k.tensor("gy", py, (4, 8)), src=d)
    y = k.run(x=x, c=c, y=np.zeros_like(x))["y"]
    for i in range(4):
        for j in range(8):
            assert y[i, j] == pytest.approx(math.exp(float(np.float32(x[i, j] - c[0, j]))), rel=1e-6)


def test_transpose():
    x = sample(5, 19)
    src, dst = tile_type("Vec", "float", 8, 24, valid=(5, 19)), tile_type("Vec", "float", 24, 8, valid=(19, 5))
    assert (unary("TTRANS", x, src, dst, (19, 5)) == x.T).all()


def test_fill_pad():
    x = sample(5, 19)
    src = tile_type("Vec", "float", 8, 24, valid=(5, 19))
    dst = tile_type("Vec", "float", 8, 24, pad="Min")
    y = unary("TFILLPAD", x, src, dst, (8, 24), tmp=False)
    assert (y[:5, :19] == x).all() and (y[5:] == -np.inf).all() and (y[:, 19:] == -np.inf).all()


def test_counting():
    k = Kernel()
    q = k.pointer("y", "int32_t")
    d = k.tile("d", tile_type("Vec", "int32_t", 1, 16, valid=(1, 11)), 0)
    k.call("TCI", {"descending": 1}, dst=d, start=number(5))
    k.call("TSTORE", dst=k.tensor("gy", q, (1, 11)), src=d)
    assert k.run(y=np.zeros((1, 11), np.int32))["y"].tolist() == [[5 - i for i in range(11)]]
