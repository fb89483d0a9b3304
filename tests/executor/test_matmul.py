"""Matrix products against sums written out."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .kernels import Kernel, tile_type


def product(instruction, left, right, m, k_, n, a, b, *, valid=None, acc="float", extra=None, arrays=None):
    """Fills the operands through aliases in L0A and L0B, multiplies, stores the accumulators."""
    vm, vk, vn = valid or (m, k_, n)
    k = Kernel(core="cube")
    pa, pb, pc = k.pointer("a", left), k.pointer("b", right), k.pointer("c", acc)
    ma = k.tile("ma", tile_type("Mat", left, m, k_, "NZ", valid=(vm, vk)), 0)
    mb = k.tile("mb", tile_type("Mat", right, k_, n, "NZ", valid=(vk, vn)), 0x20000)
    la = k.tile("la", tile_type("Left", left, m, k_, "NZ", valid=(vm, vk)), 0)
    rb = k.tile("rb", tile_type("Right", right, k_, n, "ZN", valid=(vk, vn)), 0)
    c = k.tile("c", tile_type("Acc", acc, m, n, "NZ", valid=(vm, vn)), 0)
    k.call("TLOAD", dst=ma, src=k.tensor("ga", pa, (vm, vk)))
    k.call("TLOAD", dst=mb, src=k.tensor("gb", pb, (vk, vn)))
    k.call("TMOV", dst=la, src=ma)
    k.call("TMOV", dst=rb, src=mb)
    (extra or plain)(k, instruction, c, la, rb)
    k.call("TSTORE", dst=k.tensor("gc", pc, (vm, vn)), src=c)
    kind = np.int32 if acc == "int32_t" else np.float32
    out = k.run(a=a, b=b, c=np.zeros((vm, vn), kind), **(arrays or {}))["c"]
    assert not [v for v in k.log if v.is_fault]
    return out


def plain(k, instruction, c, la, rb):
    k.call(instruction, c_matrix=c, a_matrix=la, b_matrix=rb)


def integers(rows, cols, dtype, seed=0):
    return np.random.default_rng(seed).integers(-8, 8, (rows, cols)).astype(dtype)


@pytest.mark.parametrize(
    ("dtype", "numpy_type", "acc"),
    [
        ("half", np.float16, "float"),
        ("bfloat16_t", ml_dtypes.bfloat16, "float"),
        ("float", np.float32, "float"),
        ("int8_t", np.int8, "int32_t"),
    ],
)
def test_valid_regions(dtype, numpy_type, acc):
    a, b = integers(11, 30, numpy_type), integers(30, 23, numpy_type, 1)
    got = product("TMATMUL", dtype, dtype, 16, 32, 32, a, b, valid=(11, 30, 23), acc=acc)
    for i, j in [(0, 0), (10, 22), (5, 7)]:
        assert got[i, j] == sum(float(a[i, k]) * float(b[k, j]) for k in range(30))


def test_accumulation():
    def twice(k, _instruction, c, la, rb):
        k.call("TMATMUL", c_matrix=c, a_matrix=la, b_matrix=rb)
        k.call("TMATMUL_ACC", c_out_matrix=c, c_in_matrix=c, a_matrix=la, b_matrix=rb)
        k.call("TMATMUL_ACC", c_matrix=c, a_matrix=la, b_matrix=rb)

    a, b = integers(16, 16, np.float16), integers(16, 16, np.float16, 1)
    got = product("", "half", "half", 16, 16, 16, a, b, extra=twice)
    assert (got == 3 * (a.astype(np.float64) @ b.astype(np.float64))).all()


def test_integers_wrap():
    a, b = np.full((16, 32), 127, np.int8), np.full((32, 32), 127, np.int8)

    def many(k, _instruction, c, la, rb):
        k.call("TMATMUL", c_matrix=c, a_matrix=la, b_matrix=rb)
        for _ in range(13):  # doubles the accumulators each time
            k.call("TMATMUL_ACC", c_out_matrix=c, c_in_matrix=c, a_matrix=la, b_matrix=rb)

    got = product("", "int8_t", "int8_t", 16, 32, 32, a, b, acc="int32_t", extra=many)
    assert (got == 14 * 32 * 127 * 127).all()


def test_microscaling():
    """Each group of 32 along K has its own power of two on either side."""
    rng = np.random.default_rng(3)
    a = rng.integers(-4, 4, (16, 64)).astype(ml_dtypes.float8_e4m3fn)
    b = rng.integers(-4, 4, (64, 32)).astype(ml_dtypes.float8_e5m2)
    sa, sb = rng.integers(125, 130, (16, 2)).astype(np.uint8), rng.integers(125, 130, (2, 32)).astype(np.uint8)

    def scaled(k, instruction, c, la, rb):
        psa, psb = k.pointer("sa", "float8_e8m0_t"), k.pointer("sb", "float8_e8m0_t")
        msa = k.tile("msa", tile_type("Mat", "float8_e8m0_t", 16, 2, "ZZ", fractal=32), 0x40000)
        msb = k.tile("msb", tile_type("Mat", "float8_e8m0_t", 2, 32, "NN", fractal=32), 0x41000)
        lsa = k.tile("lsa", tile_type("ScaleLeft", "float8_e8m0_t", 16, 2, "ZZ", fractal=32), 0)
        rsb = k.tile("rsb", tile_type("ScaleRight", "float8_e8m0_t", 2, 32, "NN", fractal=32), 0)
        k.call("TLOAD", dst=msa, src=k.tensor("gsa", psa, (1, 1, 16, 1, 2), None, "MX_A_ND"))
        k.call("TLOAD", dst=msb, src=k.tensor("gsb", psb, (1, 1, 1, 32, 2), (0, 0, 64, 1, 32), "MX_B_ND"))
        k.call("TMOV", dst=lsa, src=msa)
        k.call("TMOV", dst=rsb, src=msb)
        operands = {"a_matrix": la, "a_scale_matrix": lsa, "b_matrix": rb, "b_scale_matrix": rsb}
        k.call(instruction, c_matrix=c, **operands)

    arrays = {"sa": sa, "sb": sb}
    got = product("TMATMUL_MX", "float8_e4m3_t", "float8_e5m2_t", 16, 64, 32, a, b, extra=scaled, arrays=arrays)
    for i, j in [(0, 0), (15, 31), (7, 9)]:
        exact = 0.0
        for k in range(64):
            scale = 2.0 ** (int(sa[i, k // 32]) - 127 + int(sb[k // 32, j]) - 127)
            exact += float(a[i, k]) * float(b[k, j]) * scale
        assert got[i, j] == pytest.approx(exact, rel=1e-6, abs=1e-6)
