"""Sorting: value-index pairs of eight bytes in descending order, ties by the smaller index."""

from __future__ import annotations

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand

BLOCK = 32  # elements that TSORT32 sorts among themselves


def _order(values: Array, index: Array) -> Array:
    """Permutation along the last axis: values descending, then indices ascending."""
    if bool(np.isnan(values).any()):
        raise NoModelError("sorting NaN has no model")
    return np.lexsort((index, -values.astype(np.float64)), axis=-1)


@model("TSORT32")
def tsort32(op: Op) -> None:
    """Blocks of 32 columns sorted, each element stored with its index as one pair (TSORT32 document)."""
    dst, src, idx = op.tile("dst"), op.tile("src"), op.tile("idx")
    rows, cols = src.extent()
    raw, index = src.raw(rows, cols), _rows_of(idx.raw(min(rows, idx.rows), cols), rows)
    values = src.element.decode(raw)
    pairs = np.zeros((rows, cols, 8), np.uint8)  # value, padding of a half, index
    for start, stop in ((0, cols // BLOCK * BLOCK), (cols // BLOCK * BLOCK, cols)):
        width = min(BLOCK, stop - start)
        if width:
            shape = (rows, -1, width)
            order = _order(values[:, start:stop].reshape(shape), index[:, start:stop].reshape(shape))
            chosen = np.take_along_axis(raw[:, start:stop].reshape(shape), order, -1).reshape(rows, -1)
            number = np.take_along_axis(index[:, start:stop].reshape(shape), order, -1).reshape(rows, -1)
            pairs[:, start:stop, : raw.dtype.itemsize] = _bytes(chosen)
            pairs[:, start:stop, 4:] = _bytes(number.astype(np.uint32))
    dst.write_raw(pairs.reshape(rows, -1).view(dst.element.raw))


def _rows_of(index: Array, rows: int) -> Array:
    return index if len(index) == rows else np.repeat(index[:1], rows, axis=0)


def _bytes(values: Array) -> Array:
    plain: Array = np.ascontiguousarray(values).view(np.uint8).reshape(*values.shape, values.dtype.itemsize)
    return plain


@model("TMRGSORT")
def tmrgsort(op: Op) -> None:
    """Sorted lists become one, equal values in the order of the lists (TMRGSORT document).

    One source holds groups of four blocks of `block_len` elements, each group merged for itself; pairs that
    fill no group stay as they are in dst.  Of several sources dst takes as much as it has room for.
    """
    dst = op.tile("dst")
    if op.has("block_len"):
        src = op.tile("src")
        group = int(op.number("block_len")) * 4
        if group < 1 or group * src.element.bits % 64:
            raise NoModelError(f"TMRGSORT in blocks of {group // 4} elements has no model")
        pairs = _pairs(src)
        size = group * src.element.bits // 64
        merged = _merge(pairs[: len(pairs) // size * size].reshape(-1, size, 8), src)
    else:
        if op.template("exhausted", False) in (True, 1, "true"):
            raise NoModelError("TMRGSORT that stops at an exhausted list has no model")
        sources = [op.tile(n) for n in op.values if n.startswith("src")]
        merged = _merge(np.concatenate([_pairs(src) for src in sources])[None], sources[0])
    dst.write_raw(merged[:, : dst.extent()[1]])


def _pairs(src: TileOperand) -> Array:
    rows, cols = src.extent()
    if rows != 1 or src.layout != "ND" or cols * src.element.bits % 64:
        raise NoModelError(f"TMRGSORT of {rows} x {cols} elements in {src.layout} has no model")
    return _bytes(src.raw(1, cols)).reshape(-1, 8)


def _merge(groups: Array, src: TileOperand) -> Array:
    raw = np.ascontiguousarray(groups[:, :, : src.element.bits // 8]).view(src.element.raw)[:, :, 0]
    values = src.element.decode(raw).astype(np.float64)
    if bool(np.isnan(values).any()):
        raise NoModelError("sorting NaN has no model")
    order = np.argsort(-values, axis=-1, kind="stable")
    merged = np.take_along_axis(groups, order[:, :, None], axis=1)
    result: Array = np.ascontiguousarray(merged).reshape(1, -1).view(src.element.raw)
    return result
