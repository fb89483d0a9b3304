"""TLOAD and TSTORE: global memory to tiles and back."""

from __future__ import annotations

import math

import numpy as np

from ptolint.executor.dtypes import Array, Element, element
from ptolint.executor.errors import LimitError, NoModelError
from ptolint.executor.fixpipe import Words, convert_accumulators, scalar_word, vector_words
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import MAX_ELEMENTS, ConvOperand, TensorOperand, TileOperand
from ptolint.executor.window import Window

CUSTOM_PAD = 1 << 32  # a pad value given as a number has this bit set and the element's bits below


@model("TLOAD")
def tload(op: Op) -> None:
    """Tile element (i, j) of the valid region from the view's element (i, j) (TLOAD document).

    Outside the valid region the tile holds the pad value where its type names one, else it is undefined.
    """
    if op.is_conv("dst"):
        _load_conv(op)
        return
    dst, src = op.tile("dst"), op.tensor("src")
    rows, cols = dst.extent()
    if dst.loc == "Mat" and (dst.layout, src.layout) in (("ND", "ND"), ("DN", "DN")):
        rows, cols = _whole_view(src, rows, cols)
    source = src.window(rows, cols)
    raw = source.read(op.machine.log)
    _pad(dst, rows, cols)
    dst.write_raw(raw)


def _whole_view(src: TensorOperand, rows: int, cols: int) -> tuple[int, int]:
    """An unboxed L1 tile takes all matrices of the view, whatever its own valid rows (golden model of TLOAD)."""
    extent = src.extent()
    if extent.rows * extent.cols > MAX_ELEMENTS:
        return rows, cols
    return (max(rows, extent.rows), cols) if src.layout == "ND" else (rows, max(cols, extent.cols))


def _pad(tile: TileOperand, rows: int, cols: int) -> None:
    if rows >= tile.rows and cols >= tile.cols:
        return
    tile.forget()
    value = pad_value(tile)
    if value is not None:
        tile.write_raw(np.full((tile.rows, tile.cols), value, tile.element.raw))


def pad_value(tile: TileOperand) -> int | None:
    """The raw element that the tile's pad value stands for; None for `PadValue::Null`."""
    pad, element = tile.type.pad, tile.element
    if pad == "Null":
        return None
    if pad == "Zero":
        return 0
    if pad in ("Min", "Max"):
        return _extreme(tile, pad)
    number = int(pad, 0) if isinstance(pad, str) else int(pad)
    if number < CUSTOM_PAD:
        raise NoModelError(f"pad value {pad} has no model")
    return number & ((1 << element.bits) - 1)


def _extreme(tile: TileOperand, pad: str) -> int:
    element = tile.element
    if element.is_float:
        infinity = np.array([-np.inf if pad == "Min" else np.inf], np.float32)
        return int(element.encode(infinity)[0])
    info = np.iinfo(element.value)
    return int(info.min if pad == "Min" else info.max) & ((1 << element.bits) - 1)


@model("TSTORE", "TSTORE_FP")
def tstore(op: Op) -> None:
    """The view's element (i, j) from tile element (i, j) of the valid region (TSTORE document).

    Accumulators go through the fixpipe; `TSTORE_FP` takes one quantisation word per column (document and
    golden model; the CPU simulator indexes by row).  Atomic addition rounds each sum to the element type.
    """
    dst = op.tensor("dst")
    if op.is_conv("src"):
        _store_conv(op, dst)
        return
    src = op.tile("src")
    rows, cols = src.extent()
    raw = outgoing(op, src, dst.element.name, rows, cols)
    window = dst.window(rows, cols)
    _store(op, window, raw)


def _store(op: Op, window: Window, raw: Array) -> None:
    if op.template("atomic", "AtomicNone") == "AtomicAdd":
        element = window.element
        with np.errstate(all="ignore"):
            raw = element.encode(element.decode(window.read(op.machine.log)) + element.decode(raw))
    window.write(raw, op.machine.log)


def outgoing(op: Op, src: TileOperand, target: str, rows: int, cols: int, row: int = 0, col: int = 0) -> Array:
    """Raw elements of type `target` from a region of a tile, accumulators converted by the fixpipe."""
    kind = element(target)
    if src.loc != "Acc":
        if kind.bits != src.element.bits:
            raise NoModelError(f"{op.name} from {src.element.name} to {kind.name} has no model")
        return src.raw(rows, cols, row, col)
    words = words_of(op, cols, col)
    return converted(op, src.read(rows, cols, row, col), src.element, kind, words)


def converted(op: Op, values: Array, source: Element, target: Element, words: Words | None) -> Array:
    """Accumulator values as raw elements of another type; what saturates is counted in the log."""
    relu = op.template("relu_mode", "NoRelu") == "NormalRelu"
    result = convert_accumulators(values, source, target, words, relu)
    if result.saturated:
        text = f"{result.saturated} of {values.size} elements saturate in {target.name}"
        op.machine.log.add("saturated", text, count=result.saturated, of=values.size, dtype=target.name)
    return result.raw


def words_of(op: Op, cols: int, col: int = 0, *, quietly: bool = False) -> Words | None:
    """The call's quantisation words for columns [col, col+cols); None where it gives none."""
    if op.is_tile("fp"):
        window = op.tile("fp").window(1, cols, 0, col)
        return vector_words(window.peek(op.machine.log) if quietly else window.read(op.machine.log))
    if op.has("pre_quant_scalar"):
        return scalar_word(int(op.number("pre_quant_scalar")))
    return None


# ---------------------------------------------------------------- convolution tiles


def _load_conv(op: Op) -> None:
    dst, src = op.conv("dst"), op.tensor("src")
    source, target = conv_windows(src, dst)
    target.write(source.read(op.machine.log), op.machine.log)


def _store_conv(op: Op, dst: TensorOperand) -> None:
    target, source = conv_windows(dst, op.conv("src"))
    _store(op, target, source.read(op.machine.log))


def conv_windows(tensor: TensorOperand, tile: ConvOperand) -> tuple[Window, Window]:
    """Equal windows over a tensor view and a convolution tile of the same layout, dimension by dimension.

    A FRACTAL_Z tile of four dimensions [C1HW, N/16, 16, C0] faces a view whose first dimension is 1;
    NDC1HWC0 views leave the channel block C0 implicit.
    """
    if tensor.layout != tile.type.layout:
        raise NoModelError(f"{tile.type.layout} convolution tiles with {tensor.layout} tensors have no model")
    shape = tile.shape if len(tile.shape) >= 5 else (*(1,) * (5 - len(tile.shape)), *tile.shape)
    stride = tensor.stride
    if tensor.layout == "NDC1HWC0":
        channel = 256 // tensor.element.bits
        shape = (*shape[:5], channel)
        stride = (*stride, 1)
    dense = [1]
    for d in reversed(shape[1:]):
        dense.insert(0, dense[0] * max(1, d))
    _check_view(op_tensor=tensor, shape=shape)
    half = 3
    return (
        tensor.window_at(_flat(shape[:half], stride[:half]), _flat(shape[half:], stride[half:])),
        tile.window_at(_flat(shape[:half], tuple(dense[:half])), _flat(shape[half:], tuple(dense[half:]))),
    )


def _check_view(op_tensor: TensorOperand, shape: tuple[int, ...]) -> None:
    over = [d for d in range(5) if shape[d] > op_tensor.shape[d]]
    if over:
        text = f"a convolution tile of shape {shape[:5]} moved through {op_tensor.name} of shape {op_tensor.shape}"
        op_tensor.machine.log.add("outside-view", text, shape=shape[:5], view=op_tensor.shape)


def _flat(shape: tuple[int, ...], stride: tuple[int, ...]) -> Array:
    """Offsets of all index tuples over some dimensions, in row-major order."""
    if math.prod(shape) > MAX_ELEMENTS:
        raise LimitError(f"a convolution tile of shape {shape} is more than any buffer holds")
    total = np.zeros(1, np.int64)
    for d, step in zip(shape, stride, strict=True):
        total = (total[:, None] + np.arange(max(0, d), dtype=np.int64) * step).reshape(-1)
    return total
