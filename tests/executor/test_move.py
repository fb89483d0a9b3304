"""Moves between tiles: every path, with its index formula written out."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from .kernels import U64, Kernel, number, tile_type


def move(src_tile, dst_tile, x, shape_out, layout_out="ND", call=None, core="vec", dtype=None):
    """Loads x into src, moves, stores dst row by row."""
    k = Kernel(core=core)
    dtype = dtype or src_tile.dtype
    p, q = k.pointer("x", src_tile.dtype), k.pointer("y", dst_tile.dtype)
    s, d = k.tile("s", src_tile, 0), k.tile("d", dst_tile, 0x8000)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, x.shape))
    if call:
        call(k, d, s)
    else:
        k.call("TMOV", dst=d, src=s)
    k.call("TSTORE", dst=k.tensor("h", q, shape_out, None, layout_out), src=d)
    return k.run(x=x, y=np.zeros(shape_out, x.dtype))["y"]


def test_vec_to_vec_partial():
    tile = tile_type("Vec", "half", 9, 64, valid=(9, 51))
    x = np.arange(9 * 51).reshape(9, 51).astype(np.float16)
    assert (move(tile, tile, x, (9, 51)) == x).all()


def test_nd_to_nz():
    x = np.arange(32 * 32).reshape(32, 32).astype(np.float16)
    y = move(tile_type("Vec", "half", 32, 32), tile_type("Vec", "half", 32, 32, "NZ"), x, (1, 2, 2, 16, 16), "NZ")
    flat = y.reshape(-1)
    assert all(flat[(c // 16) * 512 + r * 16 + c % 16] == x[r, c] for r in range(32) for c in range(0, 32, 3))


def test_nd_to_nz_with_a_spare_row_stores_densely():
    dst = tile_type("Vec", "half", 17, 32, "NZ", valid=(16, 32), compact="RowPlusOne")
    x = np.arange(16 * 32).reshape(16, 32).astype(np.float16)
    y = move(tile_type("Vec", "half", 16, 32), dst, x, (1, 2, 1, 16, 16), "NZ")
    assert (y.reshape(2, 16, 16).transpose(1, 0, 2).reshape(16, 32) == x).all()


def test_exponents_nd_to_zz():
    rows, groups = 32, 4
    k = Kernel()
    p, q = k.pointer("x", "uint8_t"), k.pointer("y", "uint8_t")
    s = k.tile("s", tile_type("Vec", "uint8_t", rows, 32, valid=(rows, groups)), 0)
    d = k.tile("d", tile_type("Vec", "uint8_t", rows, groups, "ZZ", fractal=32), 0x4000)
    flat = k.tile("flat", tile_type("Vec", "uint8_t", 1, rows * groups), 0x4000)
    tmp = k.tile("tmp", tile_type("Vec", "uint8_t", 1, 128), 0x8000)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, (rows, groups)))
    k.call("TMOV", {"grp_axis": 1}, dst=d, src=s, tmp=tmp)
    k.call("TSTORE", dst=k.tensor("h", q, (1, rows * groups)), src=flat)
    x = np.arange(rows * groups, dtype=np.uint8).reshape(rows, groups)
    y = k.run(x=x, y=np.zeros((1, rows * groups), np.uint8))["y"].reshape(-1)
    at = 0
    for block_row in range(rows // 16):
        for pair in range(groups // 2):
            for i in range(16):
                for q_ in range(2):
                    assert y[at] == x[16 * block_row + i, 2 * pair + q_]
                    at += 1


def test_exponents_dn_to_zz():
    groups, cols = 4, 64
    k = Kernel()
    p, q = k.pointer("x", "uint8_t"), k.pointer("y", "uint8_t")
    s = k.tile("s", tile_type("Vec", "uint8_t", groups, cols), 0)
    d = k.tile("d", tile_type("Vec", "uint8_t", cols, groups, "ZZ", fractal=32), 0x4000)
    flat = k.tile("flat", tile_type("Vec", "uint8_t", 1, cols * groups), 0x4000)
    tmp = k.tile("tmp", tile_type("Vec", "uint8_t", 1, 32), 0x8000)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, (groups, cols)))
    k.call("TMOV", {"grp_axis": 0}, dst=d, src=s, tmp=tmp)
    k.call("TSTORE", dst=k.tensor("h", q, (1, cols * groups)), src=flat)
    x = np.arange(groups * cols, dtype=np.uint8).reshape(groups, cols)
    y = k.run(x=x, y=np.zeros((1, groups * cols), np.uint8))["y"]
    zz = y.reshape(cols // 16, groups // 2, 16, 2)
    for cb in range(cols // 16):
        for pair in range(groups // 2):
            for i in range(16):
                for delta in range(2):
                    assert zz[cb, pair, i, delta] == x[2 * pair + delta, 16 * cb + i]


def product_kernel(out, m=16, k_=32, n=32, in_type="half", acc="float"):
    """a b in the accumulators, then `out(kernel, acc)` moves and stores them."""
    k = Kernel(core="cube")
    pa, pb = k.pointer("a", in_type), k.pointer("b", in_type)
    ma, mb = (
        k.tile("ma", tile_type("Mat", in_type, m, k_, "NZ"), 0),
        k.tile("mb", tile_type("Mat", in_type, k_, n, "NZ"), 0x10000),
    )
    la, rb = (
        k.tile("la", tile_type("Left", in_type, m, k_, "NZ"), 0),
        k.tile("rb", tile_type("Right", in_type, k_, n, "ZN"), 0),
    )
    c = k.tile("c", tile_type("Acc", acc, m, n, "NZ"), 0)
    k.call("TLOAD", dst=ma, src=k.tensor("ga", pa, (m, k_)))
    k.call("TLOAD", dst=mb, src=k.tensor("gb", pb, (k_, n)))
    k.call("TMOV", dst=la, src=ma)
    k.call("TMOV", dst=rb, src=mb)
    k.call("TMATMUL", c_matrix=c, a_matrix=la, b_matrix=rb)
    out(k, c)
    return k


def integers(rows, cols, low=-3, high=4, seed=0, dtype=np.float16):
    return np.random.default_rng(seed).integers(low, high, (rows, cols)).astype(dtype)


@pytest.mark.parametrize("layout", ["ND", "DN", "NZ"])
def test_accumulators_to_vector_buffer(layout):
    def out(k, c):
        d = k.tile("d", tile_type("Vec", "float", 16, 32, layout, fractal=1024 if layout == "NZ" else 512), 0)
        k.call("TMOV", dst=d, src=c)
        q = k.pointer("y", "float")
        shape, stride, gm = {
            "ND": ((16, 32), None, "ND"),
            "DN": ((16, 32), (0, 0, 0, 1, 16), "DN"),
            "NZ": ((1, 2, 1, 16, 16), None, "NZ"),
        }[layout]
        k.call("TSTORE", dst=k.tensor("h", q, shape, stride, gm), src=d)

    a, b = integers(16, 32), integers(32, 32, seed=1)
    y = product_kernel(out).run(a=a, b=b, y=np.zeros(512, np.float32))["y"]
    exact = a.astype(np.float64) @ b.astype(np.float64)
    got = {
        "ND": lambda: y.reshape(16, 32),
        "DN": lambda: y.reshape(32, 16).T,
        "NZ": lambda: y.reshape(2, 16, 16).transpose(1, 0, 2).reshape(16, 32),
    }[layout]()
    assert (got == exact).all()


@pytest.mark.parametrize(("mode", "rows", "cols"), [("DualModeSplitM", 8, 32), ("DualModeSplitN", 16, 16)])
def test_accumulators_split_over_both_vector_cores(mode, rows, cols):
    def out(k, c):
        d = k.tile("d", tile_type("Vec", "float", 16, 32, valid=(rows, cols)), 0)
        k.call("TMOV", {"mode": mode}, dst=d, src=c)
        k.call("TSTORE", dst=k.tensor("h", k.pointer("y", "float"), (rows, cols)), src=d)

    a, b = integers(16, 32), integers(32, 32, seed=1)
    y = product_kernel(out).run(a=a, b=b, y=np.zeros((rows, cols), np.float32))["y"]
    assert (y == (a.astype(np.float64) @ b.astype(np.float64))[:rows, :cols]).all()


def word(scale: float, offset: int = 0, signed: bool = True) -> int:
    return struct.unpack("<I", struct.pack("<f", scale))[0] | (offset & 0x1FF) << 37 | int(signed) << 46


@pytest.mark.parametrize(
    ("scale", "offset", "signed", "relu", "dtype"),
    [
        (1.5, 0, True, False, "int8_t"),
        (0.37, 5, True, False, "int8_t"),
        (0.37, 5, False, False, "uint8_t"),
        (-0.8, 0, True, True, "int8_t"),
    ],
)
def test_quantised_store(scale, offset, signed, relu, dtype):
    q = word(scale, offset, signed)

    def out(k, c):
        template = {"atomic": "AtomicNone", "relu_mode": "NormalRelu" if relu else "NoRelu"}
        k.call(
            "TSTORE",
            template,
            dst=k.tensor("h", k.pointer("y", dtype), (16, 32)),
            src=c,
            pre_quant_scalar=number(q, U64),
        )

    a, b = integers(16, 32), integers(32, 32, seed=1)
    y = product_kernel(out).run(a=a, b=b, y=np.zeros((16, 32), np.int8 if dtype == "int8_t" else np.uint8))["y"]
    acc = a.astype(np.float64) @ b.astype(np.float64)
    low, high = (-128, 127) if signed else (0, 255)
    for i in range(16):
        for j in range(32):
            scaled = float(np.float32(acc[i, j]) * np.float32(scale))
            value = round(min(max(scaled, -256.0), 255.0)) + offset
            value = min(max(value, low), high)
            assert y[i, j] == (max(value, 0) if relu else value)


def test_half_with_a_word_saturates_and_without_overflows():
    def out(k, c):
        y, z = k.pointer("y", "half"), k.pointer("z", "half")
        k.call("TSTORE", dst=k.tensor("h", y, (16, 32)), src=c, pre_quant_scalar=number(word(1.0), U64))
        k.call("TSTORE", dst=k.tensor("i", z, (16, 32)), src=c)

    a, b = np.full((16, 32), 200, np.float16), np.full((32, 32), 200, np.float16)
    result = product_kernel(out).run(a=a, b=b, y=np.zeros((16, 32), np.float16), z=np.zeros((16, 32), np.float16))
    assert (result["y"] == 65504).all() and np.isinf(result["z"]).all()


def test_words_per_column_have_ten_mantissa_bits():
    scales = np.linspace(0.1, 1.9, 32, dtype=np.float32)

    def out(k, c):
        p = k.pointer("words", "uint64_t")
        m = k.tile("m", tile_type("Mat", "uint64_t", 1, 32), 0x20000)
        fp = k.tile("fp", tile_type("Scaling", "uint64_t", 1, 32), 0)
        k.call("TLOAD", dst=m, src=k.tensor("gw", p, (1, 32)))
        k.call("TMOV", dst=fp, src=m)
        k.call("TSTORE_FP", dst=k.tensor("h", k.pointer("y", "half"), (16, 32)), src=c, fp=fp)

    kernel = product_kernel(out, in_type="int8_t", acc="int32_t")
    a, b = integers(16, 32, dtype=np.int8), integers(32, 32, seed=1, dtype=np.int8)
    words = scales.view(np.uint32).astype(np.uint64).reshape(1, 32)
    y = kernel.run(a=a, b=b, words=words, y=np.zeros((16, 32), np.float16))["y"]
    cut = (scales.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    exact = (a.astype(np.int64) @ b.astype(np.int64)).astype(np.float32)
    for i in range(16):
        for j in range(32):
            assert y[i, j] == np.float16(exact[i, j] * cut[j])


def test_relu_keeps_nan():
    from ptolint.executor.fixpipe import relu_of

    result = relu_of(np.array([-1.0, -0.0, 2.0, np.nan], np.float32))
    assert result[:3].tolist() == [0.0, 0.0, 2.0] and not np.signbit(result[1]) and np.isnan(result[3])


@pytest.mark.parametrize("mode", [None, "SPLIT2", "SPLIT4"])
def test_insert_nz(mode):
    k = Kernel()
    p, q = k.pointer("x", "half"), k.pointer("y", "half")
    s = k.tile("s", tile_type("Vec", "half", 16, 64, "NZ"), 0)
    d = k.tile("d", tile_type("Mat", "half", 48, 96, "NZ"), 0)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, (1, 4, 1, 16, 16), None, "NZ"))
    k.call("TEXPANDS", dst=d, scalar=9.0)
    k.call("TINSERT", {"split_mode": mode} if mode else {}, dst=d, src=s, index_row=16, index_col=32)
    k.call("TSTORE", dst=k.tensor("h", q, (1, 6, 3, 16, 16), None, "NZ"), src=d)
    x = np.arange(1024).astype(np.float16).reshape(4, 16, 16)
    y = k.run(x=x, y=np.zeros((6, 48, 16), np.float16))["y"]
    expected = np.full((6, 48, 16), 9.0, np.float16)
    expected[2:6, 16:32] = x
    assert (y == expected).all() and k.log == []


def test_an_insertion_that_leaves_its_tile():
    k = Kernel()
    s = k.tile("s", tile_type("Vec", "half", 8, 16), 0)
    d = k.tile("d", tile_type("Vec", "half", 16, 16), 0x1000)
    k.call("TEXPANDS", dst=s, scalar=1.0)
    k.call("TINSERT", dst=d, src=s, index_row=12, index_col=0)
    k.run()
    assert k.kinds() == ["outside-tile"]
    assert dict(k.log[0].facts)["bytes"] == 4 * 16 * 2


def test_an_index_keeps_sixteen_bits():
    k = Kernel()
    s = k.tile("s", tile_type("Vec", "half", 1, 16), 0)
    d = k.tile("d", tile_type("Vec", "half", 4, 16), 0x1000)
    k.call("TEXPANDS", dst=s, scalar=1.0)
    k.call("TINSERT", dst=d, src=s, index_row=65536 + 3, index_col=0)
    k.run()
    assert k.log == []


def test_extract_part():
    k = Kernel()
    p, q = k.pointer("x", "half"), k.pointer("y", "half")
    s = k.tile("s", tile_type("Vec", "half", 16, 64), 0)
    d = k.tile("d", tile_type("Vec", "half", 8, 16), 0x1000)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, (16, 64)))
    k.call("TEXTRACT", dst=d, src=s, index_row=5, index_col=33)
    k.call("TSTORE", dst=k.tensor("h", q, (8, 16)), src=d)
    x = np.arange(1024).astype(np.float16).reshape(16, 64)
    assert (k.run(x=x, y=np.zeros((8, 16), np.float16))["y"] == x[5:13, 33:49]).all()


def test_bias_is_widened():
    def out(k, c):
        p = k.pointer("bias", "half")
        m = k.tile("m", tile_type("Mat", "half", 1, 32), 0x20000)
        t = k.tile("t", tile_type("Bias", "float", 1, 32), 0)
        k.call("TLOAD", dst=m, src=k.tensor("gw", p, (1, 32)))
        k.call("TMOV", dst=t, src=m)
        from ptolint.ir.model import Call

        product = next(s for s in k.body if isinstance(s, Call) and s.instruction == "TMATMUL")
        operands = {o.name: o.value for o in product.operands}
        k.call("TMATMUL_BIAS", **operands, bias_data=t)
        k.call("TSTORE", dst=k.tensor("h", k.pointer("y", "float"), (16, 32)), src=c)

    a, b = integers(16, 32), integers(32, 32, seed=1)
    bias = (np.arange(32) / 8).astype(np.float16).reshape(1, 32)
    y = product_kernel(out).run(a=a, b=b, bias=bias, y=np.zeros((16, 32), np.float32))["y"]
    assert (y == a.astype(np.float64) @ b.astype(np.float64) + bias).all()


def test_subview_and_reshape_name_the_same_bytes():
    k = Kernel()
    p, q = k.pointer("x", "half"), k.pointer("y", "half")
    s = k.tile("s", tile_type("Vec", "half", 16, 64), 0)
    part = k.tile("part", tile_type("Vec", "half", 16, 64, valid=(4, 16)), None)
    line = k.tile("line", tile_type("Vec", "half", 1, 1024, valid=(1, 64)), None)
    k.call("TLOAD", dst=s, src=k.tensor("g", p, (16, 64)))
    k.call("TSUBVIEW", dst=part, src=s, row_idx=2, col_idx=32)
    k.call("TRESHAPE", dst=line, src=s)
    k.call("TADD", dst=part, src0=part, src1=part)
    k.call("TSTORE", dst=k.tensor("h", q, (16, 64)), src=s)
    x = np.arange(1024).astype(np.float16).reshape(16, 64)
    y = k.run(x=x, y=np.zeros_like(x))["y"]
    expected = x.copy()
    expected[2:6, 32:48] *= 2
    assert (y == expected).all()


@pytest.mark.parametrize(("explicit", "kinds"), [(False, ["truncated"]), (True, [])])
def test_an_operand_that_its_parameter_cannot_hold(explicit, kinds):
    from ptolint.ir.model import Cast

    from .kernels import scalar

    k = Kernel()
    s = k.tile("s", tile_type("Vec", "half", 1, 16), 0)
    d = k.tile("d", tile_type("Vec", "half", 4, 16), 0x1000)
    k.call("TEXPANDS", dst=s, scalar=1.0)
    row = Cast(number(65536 + 3), scalar("uint16_t"), explicit)
    k.call("TINSERT", dst=d, src=s, index_row=row, index_col=0)
    k.run()
    assert k.kinds() == kinds


def test_an_unboxed_l1_tile_takes_every_matrix_of_the_view():
    k = Kernel(core="cube")
    p, q = k.pointer("x", "half"), k.pointer("y", "half")
    t = k.tile("t", tile_type("Mat", "half", 16, 32, valid=(4, 32)), 0)
    k.call("TLOAD", dst=t, src=k.tensor("g", p, (2, 1, 4, 32), (0, 256, 0, 32, 1)))
    u = k.tile("u", tile_type("Mat", "half", 16, 32, valid=(8, 32)), 0)
    k.call("TSTORE", dst=k.tensor("h", q, (8, 32)), src=u)
    x = np.arange(512, dtype=np.float16).reshape(2, 256)
    y = k.run(x=x, y=np.zeros((8, 32), np.float16))["y"]
    assert y.tolist() == np.concatenate([x[0, :128].reshape(4, 32), x[1, :128].reshape(4, 32)]).tolist()
