"""TLOAD and TSTORE: layouts, valid regions, padding, atomics, and what goes wrong."""

from __future__ import annotations

import numpy as np
import pytest

from ptolint.executor.errors import ExecutorError

from .kernels import Kernel, tile_type


def iota(rows: int, cols: int, dtype=np.float16) -> np.ndarray:
    return np.arange(rows * cols).reshape(rows, cols).astype(dtype)


def copy_kernel(tile, shape, stride=None, layout="ND", target="a5", valid=()):
    k = Kernel(target)
    src, dst = k.pointer("x", tile.dtype), k.pointer("y", tile.dtype)
    t = k.tile("t", tile, 0x100, *valid)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, shape, stride, layout))
    k.call("TSTORE", dst=k.tensor("gy", dst, shape, stride, layout), src=t)
    return k


def test_nd_partial():
    k = copy_kernel(tile_type("Vec", "half", 16, 64, valid=(13, 37)), (13, 37))
    x = iota(13, 37)
    assert (k.run(x=x, y=np.zeros_like(x))["y"] == x).all()
    assert k.log == []


def test_nd_with_a_row_stride():
    k = copy_kernel(tile_type("Vec", "float", 4, 8, valid=(3, 5)), (3, 5), (0, 0, 0, 9, 1))
    x = iota(3, 9, np.float32)
    y = k.run(x=x, y=np.full_like(x, -1))["y"]
    expected = np.full_like(x, -1)
    expected[:, :5] = x[:, :5]
    assert (y == expected).all()


def test_dn():
    k = copy_kernel(tile_type("Vec", "float", 8, 4, "DN"), (1, 1, 1, 8, 4), (0, 0, 0, 1, 8), "DN")
    x = iota(4, 8, np.float32)
    assert (k.run(x=x, y=np.zeros_like(x))["y"] == x).all()


def test_nz_with_spare_rows():
    k = Kernel()
    src, dst = k.pointer("x", "half"), k.pointer("y", "half")
    t = k.tile("t", tile_type("Vec", "half", 32, 48, "NZ"), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (1, 3, 2, 16, 16), None, "NZ"))
    k.call("TSTORE", dst=k.tensor("gy", dst, (1, 3, 2, 16, 16), (2304, 768, 256, 16, 1), "NZ"), src=t)
    x = iota(96, 16).reshape(3, 32, 16)
    y = k.run(x=x, y=np.zeros((3, 48, 16), np.float16))["y"]
    assert (y[:, :32] == x).all() and (y[:, 32:] == 0).all()


def test_nd_to_nz_repacks():
    k = Kernel(core="cube")
    src, dst = k.pointer("x", "half"), k.pointer("y", "half")
    t = k.tile("t", tile_type("Mat", "half", 16, 32, "NZ"), 0)
    raw = k.tile("raw", tile_type("Mat", "half", 16, 32), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (16, 32)))
    k.call("TSTORE", dst=k.tensor("gy", dst, (16, 32)), src=raw)
    x = iota(16, 32)
    y = k.run(x=x, y=np.zeros_like(x))["y"].reshape(2, 16, 16)
    assert (y[0] == x[:, :16]).all() and (y[1] == x[:, 16:]).all()


@pytest.mark.parametrize(
    ("pad", "expected"), [("Zero", 0.0), ("Max", np.inf), ("Min", -np.inf), (1 << 32 | 0xBC00, -1.0)]
)
def test_pad_value_fills_the_rest(pad, expected):
    k = Kernel()
    src, dst = k.pointer("x", "half"), k.pointer("y", "half")
    t = k.tile("t", tile_type("Vec", "half", 8, 16, valid=(5, 11), pad=pad), 0)
    full = k.tile("full", tile_type("Vec", "half", 8, 16), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (5, 11)))
    k.call("TSTORE", dst=k.tensor("gy", dst, (8, 16)), src=full)
    x = iota(5, 11)
    y = k.run(x=x, y=np.zeros((8, 16), np.float16))["y"]
    assert (y[:5, :11] == x).all() and (y[5:] == expected).all() and (y[:, 11:] == expected).all()
    assert k.log == []


def test_without_a_pad_value_the_rest_is_undefined():
    k = Kernel()
    src, dst = k.pointer("x", "half"), k.pointer("y", "half")
    t = k.tile("t", tile_type("Vec", "half", 8, 16, valid=(5, 11)), 0)
    full = k.tile("full", tile_type("Vec", "half", 8, 16), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (5, 11)))
    k.call("TSTORE", dst=k.tensor("gy", dst, (8, 16)), src=full)
    k.run(x=iota(5, 11), y=np.zeros((8, 16), np.float16))
    assert k.kinds() == ["undefined-read"]
    assert dict(k.log[0].facts)["count"] == 8 * 16 - 5 * 11
    assert dict(k.log[0].facts)["first"] == (0, 11)


def test_atomic_addition_wraps():
    k = Kernel()
    src, dst = k.pointer("x", "int32_t"), k.pointer("y", "int32_t")
    t = k.tile("t", tile_type("Vec", "int32_t", 4, 8), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (4, 8)))
    k.call("TSTORE", {"atomic": "AtomicAdd"}, dst=k.tensor("gy", dst, (4, 8)), src=t)
    x, y = np.full((4, 8), 2**31 - 1, np.int32), np.full((4, 8), 5, np.int32)
    assert (k.run(x=x, y=y)["y"] == -(2**31) + 4).all()


def test_packed_elements():
    k = copy_kernel(tile_type("Vec", "float4_e2m1x2_t", 4, 64, valid=(4, 34)), (4, 34))
    x = np.arange(68, dtype=np.uint8).reshape(4, 17)
    assert (k.run(x=x, y=np.zeros_like(x))["y"] == x).all()


def test_a_view_smaller_than_the_valid_region():
    k = Kernel()
    src = k.pointer("x", "float")
    t = k.tile("t", tile_type("Vec", "float", 8, 8), 0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (6, 8)))
    k.run(x=iota(6, 8, np.float32))
    assert k.kinds() == ["outside-view", "outside-tensor"]
    assert dict(k.log[1].facts)["bytes"] == 2 * 8 * 4
    assert dict(k.log[1].facts)["first"] == 6 * 8 * 4


def test_a_negative_valid_region_is_cut_and_reported():
    k = Kernel()
    src = k.pointer("x", "float")
    t = k.tile("t", tile_type("Vec", "float", 8, 8, valid=(-1, 8)), 0, -28)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (8, 8)))
    k.run(x=iota(8, 8, np.float32))
    assert k.kinds()[0] == "bad-extent"
    assert dict(k.log[0].facts)["valid_row"] == -28


def test_a_tile_placed_beyond_its_buffer():
    k = Kernel()
    k.tile("t", tile_type("Vec", "float", 64, 64), 250 * 1024)
    k.run()
    assert k.kinds() == ["placed-outside"]


def test_a_missing_array_is_one_line():
    k = copy_kernel(tile_type("Vec", "half", 8, 16), (8, 16))
    with pytest.raises(ExecutorError, match="no array for the kernel's parameter y"):
        k.run(x=iota(8, 16))


def test_an_array_of_another_type_is_refused():
    k = copy_kernel(tile_type("Vec", "half", 8, 16), (8, 16))
    with pytest.raises(ExecutorError, match="float32"):
        k.run(x=iota(8, 16, np.float32), y=iota(8, 16))


def test_a_convolution_tile_keeps_its_order():
    from ptolint.ir.model import Construct, ConvTileType

    k = Kernel(core="cube")
    src, dst = k.pointer("x", "half"), k.pointer("y", "half")
    conv = ConvTileType("Mat", "half", 2 * 3 * 4 * 16 * 2, "NC1HWC0", (1, 2, 3, 4, 16))
    t = k.let("t", conv, Construct(conv, ()))
    k.call("TASSIGN", obj=t, addr=0)
    k.call("TLOAD", dst=t, src=k.tensor("gx", src, (1, 2, 3, 4, 16), (0, 500, 64, 16, 1), "NC1HWC0"))
    k.call("TSTORE", dst=k.tensor("gy", dst, (1, 2, 3, 4, 16), None, "NC1HWC0"), src=t)
    x = np.arange(1000, dtype=np.float16)
    y = k.run(x=x, y=np.zeros((2, 3, 4, 16), np.float16))["y"]
    for c1, h, w, c0 in [(0, 0, 0, 0), (1, 2, 3, 15), (1, 0, 1, 7)]:
        assert y[c1, h, w, c0] == x[c1 * 500 + h * 64 + w * 16 + c0]


@pytest.mark.parametrize(("rows", "addr"), [(1 << 20, None), (1 << 20, 0)])
def test_a_tile_larger_than_any_buffer(rows, addr):
    from ptolint.executor.errors import LimitError

    k = Kernel()
    t = k.tile("t", tile_type("Vec", "float", rows, 1024), addr)
    k.call("TEXPANDS", dst=t, scalar=1.0)
    with pytest.raises(LimitError, match="more than any buffer holds"):
        k.run()


def test_a_transfer_far_beyond_a_synthetic_tensor():
    from ptolint.executor.session import Launch, Session
    from ptolint.targets import get_target

    k = Kernel()
    src = k.pointer("x", "float")
    t = k.tile("t", tile_type("Vec", "float", 2, 8), 0)
    k.call("TLOAD", dst=t, src=k.tensor("g", src, (1, 1, 1, 2, 8), (0, 0, 0, 1 << 40, 1)))
    program = k.program()
    session = Session({"vec": program}, get_target("a5"), Launch(synthetic=True, lenient=True))
    session.run({"vec": program.functions["k"]})
    assert session.log.entries == []
