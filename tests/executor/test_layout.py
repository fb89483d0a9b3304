"""Layouts against the formulas written out element by element."""

from __future__ import annotations

import numpy as np
import pytest

from ptolint.executor.layout import inner_shape, tensor_axes, tensor_extent, tile_axes, tile_bytes

from .kernels import tile_type

CASES = [
    ("Vec", "float", 8, 16, "ND", 512),
    ("Vec", "half", 32, 16, "DN", 512),
    ("Mat", "half", 32, 48, "NZ", 512),
    ("Mat", "int8_t", 32, 64, "NZ", 512),
    ("Mat", "float", 16, 32, "NZ", 512),
    ("Right", "half", 32, 48, "ZN", 512),
    ("Right", "float", 16, 32, "ZN", 512),
    ("Left", "half", 32, 48, "ZZ", 512),
    ("Acc", "float", 32, 48, "NZ", 1024),
    ("ScaleLeft", "float8_e8m0_t", 32, 4, "ZZ", 32),
    ("ScaleRight", "float8_e8m0_t", 4, 32, "NN", 32),
    ("Mat", "float4_e2m1x2_t", 16, 128, "NZ", 512),
]


def offset(layout: str, r: int, c: int, rows: int, cols: int, ir: int, ic: int) -> int:
    """The documents' formulas: blocks in the order of the first letter, elements in that of the second."""
    if layout == "ND":
        return r * cols + c
    if layout == "DN":
        return c * rows + r
    br, bc, r, c = r // ir, c // ic, r % ir, c % ic
    block = br * (cols // ic) + bc if layout[0] == "Z" else bc * (rows // ir) + br
    return block * ir * ic + (r * ic + c if layout[1] == "Z" else c * ir + r)


@pytest.mark.parametrize(("loc", "dtype", "rows", "cols", "layout", "fractal"), CASES)
def test_tile_offsets(loc, dtype, rows, cols, layout, fractal):
    tile = tile_type(loc, dtype, rows, cols, layout, fractal=fractal)
    row_axis, col_axis = tile_axes(tile, rows, cols)
    ir, ic = inner_shape(tile)
    expected = [[offset(layout, r, c, rows, cols, ir, ic) for c in range(cols)] for r in range(rows)]
    assert (row_axis[:, None] + col_axis[None, :] == np.array(expected)).all()
    assert sorted(np.array(expected).reshape(-1)) == list(range(rows * cols))


@pytest.mark.parametrize(
    ("dtype", "fractal", "row_major", "expected"),
    [
        ("half", 512, True, (16, 16)),
        ("float", 512, True, (16, 8)),
        ("int8_t", 512, False, (32, 16)),
        ("float", 1024, True, (16, 16)),
        ("float8_e8m0_t", 32, True, (16, 2)),
        ("float8_e8m0_t", 32, False, (2, 16)),
        ("float4_e2m1x2_t", 512, True, (16, 64)),
    ],
)
def test_fractal_shapes(dtype, fractal, row_major, expected):
    tile = tile_type("Mat", dtype, 64, 64, "NZ" if row_major else "ZN", fractal=fractal)
    assert inner_shape(tile) == expected


def test_row_plus_one_spreads_the_blocks():
    """A vector tile of one spare row: the column blocks lie 17 rows apart."""
    tile = tile_type("Vec", "half", 17, 32, "NZ", compact="RowPlusOne", valid=(16, 32))
    rows, cols = tile_axes(tile, 16, 32)
    assert rows[15] + cols[0] == 15 * 16
    assert rows[0] + cols[16] == 17 * 16


def test_packed_tiles_take_half_a_byte_per_element():
    assert tile_bytes(tile_type("Vec", "float4_e2m1x2_t", 16, 64)) == 512


def test_nd_view_of_five_dimensions():
    shape, stride = (2, 1, 3, 2, 4), (100, 0, 20, 7, 1)
    rows, cols = tensor_axes("ND", shape, stride, 16, 12, 4)
    expected = [a * 100 + b * 20 + c * 7 for a in range(2) for b in range(3) for c in range(2)]
    assert rows.tolist() == expected
    assert cols.tolist() == [0, 1, 2, 3]


def test_nz_view():
    shape, stride = (1, 3, 2, 16, 16), (0, 768, 256, 16, 1)
    rows, cols = tensor_axes("NZ", shape, stride, 16, 32, 48)
    for r, c in [(0, 0), (17, 0), (5, 20), (31, 47)]:
        expected = (c // 16) * 768 + (r // 16) * 256 + (r % 16) * 16 + c % 16
        assert rows[r] + cols[c] == expected


def test_dn_view():
    rows, cols = tensor_axes("DN", (1, 1, 2, 5, 3), (0, 0, 100, 1, 8), 32, 5, 6)
    assert rows.tolist() == [0, 1, 2, 3, 4]
    assert cols.tolist() == [0, 8, 16, 100, 108, 116]


@pytest.mark.parametrize(
    ("layout", "shape", "expected"),
    [
        ("ND", (1, 2, 3, 4, 5), (24, 5)),
        ("DN", (1, 2, 3, 4, 5), (4, 30)),
        ("NZ", (1, 3, 2, 16, 16), (32, 48)),
        ("NC1HWC0", (2, 3, 4, 5, 16), (40, 48)),
        ("NDC1HWC0", (1, 2, 3, 4, 5), (20, 96)),
        ("MX_A_ZZ", (1, 2, 3, 16, 2), (32, 6)),
        ("MX_B_NN", (1, 2, 3, 16, 2), (6, 32)),
        ("MX_A_ND", (1, 1, 32, 3, 2), (32, 6)),
        ("MX_B_DN", (1, 1, 32, 3, 2), (6, 32)),
        ("NHWC", (1, 1, 4, 4, 32), (16, 32)),
        ("NCHW", (1, 1, 32, 4, 4), (16, 32)),
    ],
)
def test_view_extents(layout, shape, expected):
    extent = tensor_extent(layout, shape, 16)
    assert (extent.rows, extent.cols) == expected


@pytest.mark.parametrize("layout", ["MX_A_ZZ", "MX_B_NN"])
def test_blocks_of_scales_continue_in_the_outermost_dimension(layout):
    shape, stride = (2, 3, 2, 16, 2), (1000, 200, 50, 2, 1)
    sizes = (96, 4) if layout == "MX_A_ZZ" else (4, 96)
    rows, cols = tensor_axes(layout, shape, stride, 8, *sizes)
    long, short = (rows, cols) if layout == "MX_A_ZZ" else (cols, rows)
    assert long.tolist() == [a * 1000 + b * 200 + i * 2 for a in range(2) for b in range(3) for i in range(16)]
    assert short.tolist() == [0, 1, 50, 51]


def test_a_negative_dimension_holds_nothing():
    assert tensor_extent("ND", (1, 1, 1, -28, 64), 16).rows == 0
