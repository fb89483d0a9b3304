"""Where an element lies: tiles, tensors and convolution tiles in every layout.

All of the ISA's layouts are separable: the offset of element (r, c) is `rows[r] + cols[c]`, in
elements from the start of the tile or tensor.  A layout is therefore two index vectors, and a
region of it a slice of each; no table of r x c entries is kept.

Source: docs/coding/Tile.md and GlobalTensor.md of the ISA (block layout, inner layout, fractal sizes).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ptolint.executor.dtypes import element
from ptolint.executor.errors import NoModelError
from ptolint.ir.model import ConvTileType, TileType

Index = NDArray[np.int64]

FRACTAL_ROWS = 16
BLOCK_BYTES = 32
FRACTAL_ACC = 1024  # bytes of an accumulator fractal: 16 x 16 elements whatever their width
FRACTAL_SCALE = 32  # bytes of a microscaling fractal: 16 x 2 one-byte scales


@dataclass(frozen=True, slots=True)
class Extent:
    """What a tensor view holds, seen as rows x cols of a tile; 0 where a dimension is not positive."""

    rows: int
    cols: int


def inner_shape(tile: TileType) -> tuple[int, int]:
    """Rows and columns of one fractal of a boxed tile."""
    row_major = tile.slayout == "RowMajor"
    if tile.fractal_size == FRACTAL_ACC:
        return FRACTAL_ROWS, FRACTAL_ROWS
    if tile.fractal_size == FRACTAL_SCALE:
        return (FRACTAL_ROWS, 2) if row_major else (2, FRACTAL_ROWS)
    per_block = BLOCK_BYTES * 8 // element(tile.dtype).bits
    return (FRACTAL_ROWS, per_block) if row_major else (per_block, FRACTAL_ROWS)


@lru_cache(maxsize=512)
def tile_axes(tile: TileType, rows: int, cols: int) -> tuple[Index, Index]:
    """Offsets of rows 0..rows-1 and columns 0..cols-1, in elements; defined beyond the tile's own shape, too."""
    r, c = np.arange(rows, dtype=np.int64), np.arange(cols, dtype=np.int64)
    column_major = tile.blayout == "ColMajor"
    if tile.slayout == "NoneBox":
        # A row of `int4b_t` starts every `cols` bytes and fills half of them (golden model of TCVT).
        row_step = tile.cols * 2 if tile.dtype == "int4b_t" else tile.cols
        return (r, c * tile.rows) if column_major else (r * row_step, c)
    inner_rows, inner_cols = inner_shape(tile)
    numel = inner_rows * inner_cols
    inner_row_step, inner_col_step = (inner_cols, 1) if tile.slayout == "RowMajor" else (1, inner_rows)
    if column_major:
        block_row_step, block_col_step = numel, tile.rows * inner_cols
    else:
        block_row_step, block_col_step = tile.cols * inner_rows, numel
    return (
        r // inner_rows * block_row_step + r % inner_rows * inner_row_step,
        c // inner_cols * block_col_step + c % inner_cols * inner_col_step,
    )


def tile_bytes(tile: TileType) -> int:
    """Bytes of a tile's storage."""
    if tile.dtype == "int4b_t":
        return tile.rows * tile.cols
    return element(tile.dtype).bytes_of(tile.rows * tile.cols)


def _positive(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(max(1, d) for d in shape)


def tensor_extent(layout: str, shape: tuple[int, ...], bits: int) -> Extent:
    """Rows and columns that a tensor view of five dimensions holds in the given layout."""
    n = tuple(max(0, d) for d in shape)
    per_block = BLOCK_BYTES * 8 // bits
    table: dict[str, tuple[int, int]] = {
        "ND": (n[0] * n[1] * n[2] * n[3], n[4]),
        "DN": (n[3], n[0] * n[1] * n[2] * n[4]),
        "NZ": (n[2] * n[3], n[0] * n[1] * n[4]),
        "NC1HWC0": (n[0] * n[2] * n[3], n[1] * n[4]),
        "NDC1HWC0": (n[0] * n[3] * n[4], n[1] * n[2] * per_block),
        "FRACTAL_Z": (n[0] * n[1] * n[2] * n[4], n[3]),
        "MX_A_ZZ": (n[0] * n[1] * n[3], n[2] * n[4]),
        "MX_B_NN": (n[2] * n[4], n[0] * n[1] * n[3]),
        "MX_A_ND": (n[2], n[3] * n[4]),
        "MX_A_DN": (n[3], n[2] * n[4]),
        "MX_B_ND": (n[2] * n[4], n[3]),
        "MX_B_DN": (n[3] * n[4], n[2]),
        "NHWC": (n[0] * n[1] * n[2] * n[3], n[4]),
        "NCHW": (n[0] * n[1] * n[3] * n[4], n[2]),
        "NCDHW": (n[0] * n[2] * n[3] * n[4], n[1]),
    }
    if layout not in table:
        raise NoModelError(f"tensor layout {layout} has no model")
    return Extent(*table[layout])


def tensor_axes(
    layout: str, shape: tuple[int, ...], stride: tuple[int, ...], bits: int, rows: int, cols: int
) -> tuple[Index, Index]:
    """Offsets of the rows and columns of a tile in a tensor view, in elements.

    A row index beyond the view's extent goes on in its outermost dimension, as the hardware's loops do.
    """
    r, c = np.arange(rows, dtype=np.int64), np.arange(cols, dtype=np.int64)
    n = _positive(shape)
    row_parts, col_parts = _split(layout, n, bits, r, c)
    return _weighted(row_parts, stride), _weighted(col_parts, stride)


def _weighted(parts: dict[int, Any], stride: tuple[int, ...]) -> Index:
    total: Index = sum(index * (stride[d] if d < 5 else 1) for d, index in parts.items())
    return total


def _split(layout: str, n: tuple[int, ...], bits: int, r: Index, c: Index) -> tuple[dict[int, Index], dict[int, Index]]:
    """The dimension indices of rows and of columns; key 5 is the channel inside a block, stride 1."""
    if layout in ("ND", "NHWC"):
        return _digits(r, n, (0, 1, 2, 3)), {4: c}
    if layout == "DN":
        return {3: r}, _digits(c, n, (0, 1, 2, 4))
    if layout == "NZ":
        return _digits(r, n, (2, 3)), _digits(c, n, (0, 1, 4))
    if layout == "NC1HWC0":
        return _digits(r, n, (0, 2, 3)), _digits(c, n, (1, 4))
    if layout == "NCHW":
        return _digits(r, n, (0, 1, 3, 4)), {2: c}
    if layout == "NCDHW":
        return _digits(r, n, (0, 2, 3, 4)), {1: c}
    if layout == "NDC1HWC0":
        per_block = BLOCK_BYTES * 8 // bits
        return _digits(r, n, (0, 3, 4)), {**_digits(c // per_block, n, (1, 2)), 5: c % per_block}
    if layout == "FRACTAL_Z":
        return _digits(r, n, (0, 1, 2, 4)), {3: c}
    if layout == "MX_A_ZZ":
        return {**_digits(r // 16, n, (0, 1)), 3: r % 16}, {2: c // 2, 4: c % 2}
    if layout == "MX_B_NN":
        return {2: r // 2, 4: r % 2}, {**_digits(c // 16, n, (0, 1)), 3: c % 16}
    return _split_scales(layout, r, c)


def _split_scales(layout: str, r: Index, c: Index) -> tuple[dict[int, Index], dict[int, Index]]:
    """Microscaling layouts of plain matrices: scales in pairs."""
    table = {
        "MX_A_ND": ({2: r}, {3: c // 2, 4: c % 2}),
        "MX_A_DN": ({3: r}, {2: c // 2, 4: c % 2}),
        "MX_B_ND": ({2: r // 2, 4: r % 2}, {3: c}),
        "MX_B_DN": ({3: r // 2, 4: r % 2}, {2: c}),
    }
    if layout not in table:
        raise NoModelError(f"tensor layout {layout} has no model")
    return table[layout]


def _digits(index: Index, n: tuple[int, ...], dims: tuple[int, ...]) -> dict[int, Index]:
    """`index` in the mixed radix of dimensions `dims`, outermost first; the outermost digit is unbounded."""
    parts: dict[int, Index] = {}
    for d in reversed(dims[1:]):
        parts[d] = index % n[d]
        index = index // n[d]
    parts[dims[0]] = index
    return parts


def conv_extent(tile: ConvTileType, shape: tuple[int, ...]) -> Extent:
    """A convolution tile seen as rows (positions, or filter taps) by columns (channels, or filters)."""
    return tensor_extent(_conv_layout(tile, shape), _conv_shape(tile, shape), element(tile.dtype).bits)


def conv_axes(tile: ConvTileType, shape: tuple[int, ...], rows: int, cols: int) -> tuple[Index, Index]:
    """Offsets of the rows and columns of a convolution tile, whose storage is dense in its shape's order."""
    full = _conv_shape(tile, shape)
    bits = element(tile.dtype).bits
    if tile.layout == "NDC1HWC0":
        channel = BLOCK_BYTES * 8 // bits
        stride = tuple(s * channel for s in _dense(full))
        return tensor_axes("NDC1HWC0", full, stride, bits, rows, cols)
    return tensor_axes(_conv_layout(tile, shape), full, _dense(full), bits, rows, cols)


def _conv_layout(tile: ConvTileType, shape: tuple[int, ...]) -> str:
    if tile.layout not in ("NC1HWC0", "NDC1HWC0", "FRACTAL_Z"):
        raise NoModelError(f"convolution tile layout {tile.layout} has no model")
    if tile.layout == "FRACTAL_Z" and len(shape) == 4:
        return "FRACTAL_Z"
    return tile.layout


def _conv_shape(tile: ConvTileType, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape in five dimensions; a FRACTAL_Z of four is [C1HW, N/16, 16, C0]."""
    if tile.layout == "FRACTAL_Z" and len(shape) == 4:
        # rows run over C1HW and C0, columns over N: the middle two dimensions count filters
        return (shape[0], 1, 1, shape[1] * shape[2], shape[3])
    return tuple((*shape, 1, 1, 1, 1, 1)[:5])


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for d in reversed(shape):
        strides.append(step)
        step *= max(1, d)
    return tuple(reversed(strides))
