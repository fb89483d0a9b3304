"""TMOV, TINSERT, TEXTRACT and their quantising forms: every path between tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.memory import converted, outgoing, words_of
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.layout import FRACTAL_ROWS, Index
from ptolint.executor.operands import TileOperand
from ptolint.executor.window import Window, copy_bits

OPERAND_LOCATIONS = ("Left", "Right", "Bias", "Scaling", "ScaleLeft", "ScaleRight")


@model("TMOV", "TMOV_FP")
def tmov(op: Op) -> None:
    """dst[i, j] = src[i, j] on every path of the TMOV document.

    A cube operand's tile is moved whole, with its undefined elements; a vector tile by the smaller of the
    two valid regions; accumulators by their own, through the fixpipe.  The scalar quantisation word is
    applied (document and golden model; the CPU simulator ignores it).
    """
    if op.is_conv("src"):
        _conv_to_right(op, 0, 0)
    elif op.is_tile("tmp"):
        _exponents_to_zz(op)
    elif op.tile("src").loc == "Acc" and op.tile("dst").layout == "NZ":
        _whole_fractals(op)
    elif op.tile("src").loc == "Acc":
        _from_accumulators(op, *op.tile("src").extent())
    else:
        _move(op, op.tile("dst"), op.tile("src"))


def _move(op: Op, dst: TileOperand, src: TileOperand) -> None:
    if dst.loc in OPERAND_LOCATIONS:
        rows, cols = min(dst.rows, src.rows), min(dst.cols, src.cols)
        _transfer(op, dst.window(rows, cols), src.window(rows, cols))
        return
    rows, cols = _smaller(dst.extent(), src.extent())
    if src.loc == "Vec" and dst.loc == "Mat":
        rows, cols = src.extent()
        rows, cols = min(rows, dst.rows), min(cols, dst.cols)
    _same_width(op, dst, src)
    window = src.window(rows, cols)
    dst.write_raw(window.read(op.machine.log))


def _smaller(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return min(a[0], b[0]), min(a[1], b[1])


def _same_width(op: Op, dst: TileOperand, src: TileOperand) -> None:
    if dst.element.bits != src.element.bits:
        raise NoModelError(f"{op.name} from {src.element.name} to {dst.element.name} has no model")


def _transfer(op: Op, target: Window, source: Window) -> None:
    """Moves elements with their defined bits; the bias table widens half and bfloat16 to float."""
    if target.element.bits == source.element.bits:
        copy_bits(target, source, op.machine.log)
        return
    if target.element.name != "float" or source.element.name not in ("half", "bfloat16_t"):
        raise NoModelError(f"{op.name} from {source.element.name} to {target.element.name} has no model")
    copy_bits(target, source, op.machine.log, lambda raw: target.element.encode(source.element.decode(raw)))


# ---------------------------------------------------------------- accumulators


Corner = tuple[int, int]


def _from_accumulators(op: Op, rows: int, cols: int, at: Corner = (0, 0), of: Corner = (0, 0)) -> None:
    """A region of the accumulators, from `of` to `at` of dst."""
    dst, src = op.tile("dst"), op.tile("src")
    raw = outgoing(op, src, dst.element.name, rows, cols, *of)
    for subblock, part, _ in _parts(op, dst, raw):
        dst.write_raw(part, *at, subblock=subblock)


def _whole_fractals(op: Op) -> None:
    """Fractals to fractals: all rows of the tile and whole fractal columns, undefined elements included.

    Source: vendor headers and golden model of tmov_acc2vec; the document speaks of the valid region.
    """
    dst, src = op.tile("dst"), op.tile("src")
    _, cols = src.extent()
    rows, cols = min(src.rows, dst.rows), min(src.cols, dst.cols, -(-cols // FRACTAL_ROWS) * FRACTAL_ROWS)
    window = src.window(rows, cols)
    values, flags = src.element.decode(window.peek(op.machine.log)), window.flags(op.machine.log)
    raw = converted(op, values, src.element, dst.element, words_of(op, cols, quietly=True))
    for subblock, part, defined in _parts(op, dst, raw, flags):
        target = dst.window(*part.shape, subblock=subblock)
        target.write(part, op.machine.log)
        if defined is not None:
            target.set_flags(defined)


def _parts(op: Op, dst: TileOperand, raw: Array, flags: Any = None) -> list[tuple[int | None, Array, Any]]:
    """What goes where: everything to the one destination, or a part to each vector core."""
    mode = op.template("mode", None)
    if dst.loc != "Vec" or mode is None:
        return [(0 if dst.loc == "Vec" and op.machine.core == "cube" else None, raw, flags)]
    parts = split_accumulators(raw, str(mode))
    defined = split_accumulators(flags, str(mode)) if flags is not None else [(0, None)] * len(parts)
    return [(s, part, f) for (s, part), (_, f) in zip(parts, defined, strict=True)]


def split_accumulators(raw: Array, mode: str) -> list[tuple[int, Array]]:
    """Which vector core gets which part: `SingleModeVec0/1` all of it, `DualModeSplitM/N` half each."""
    if mode in ("SingleModeVec0", "SingleModeVec1"):
        return [(int(mode[-1]), raw)]
    if mode == "DualModeSplitM":
        half = (raw.shape[0] + 1) // 2
        return [(0, raw[:half]), (1, raw[half:])]
    if mode == "DualModeSplitN":
        half = (raw.shape[1] + 1) // 2
        return [(0, raw[:, :half]), (1, raw[:, half:])]
    raise NoModelError(f"accumulator mode {mode} has no model")


# ---------------------------------------------------------------- windows


@model("TINSERT", "TINSERT_FP")
def tinsert(op: Op) -> None:
    """dst[index_row + i, index_col + j] = src[i, j] over src's valid region (TINSERT document).

    SPLIT2 and SPLIT4 move the same elements in more bursts.  Elements that leave dst are logged.
    """
    dst, src = op.tile("dst"), op.tile("src")
    at = _index(op, "index_row"), _index(op, "index_col")
    rows, cols = src.extent()
    if src.loc == "Acc":
        _from_accumulators(op, rows, cols, at=at)
        return
    _same_width(op, dst, src)
    dst.write_raw(src.raw(rows, cols), *at)


def _index(op: Op, name: str) -> int:
    return op.index(name) if name in op.values else 0


@model("TEXTRACT", "TEXTRACT_FP")
def textract(op: Op) -> None:
    """dst[i, j] = src[index_row + i, index_col + j] over dst's valid region (TEXTRACT document).

    A cube operand's tile is filled as far as src reaches, with undefined elements where src has them.
    """
    if op.has("dst0"):
        raise NoModelError("TEXTRACT into two tiles has no model")
    of = _index(op, "index_row"), _index(op, "index_col")
    if op.is_conv("src"):
        _conv_to_right(op, *of)
        return
    dst, src = op.tile("dst"), op.tile("src")
    if src.loc == "Acc":
        rows, cols = dst.extent()
        _from_accumulators(op, rows, cols, of=of)
        return
    rows, cols = dst.extent()
    if dst.loc in OPERAND_LOCATIONS:
        rows, cols = max(rows, min(dst.rows, src.rows - of[0])), max(cols, min(dst.cols, src.cols - of[1]))
        _transfer(op, dst.window(rows, cols), src.window(rows, cols, *of))
        return
    _same_width(op, dst, src)
    if src.element.packed:
        raise NoModelError("TEXTRACT of four-bit floats has no model: its golden model counts bytes, others values")
    dst.write_raw(src.raw(rows, cols, *of))


def _conv_to_right(op: Op, row: int, col: int) -> None:
    """Filters from a FRACTAL_Z convolution tile to the right operand: k runs over C1, H, W, C0; n over filters."""
    dst, src = op.tile("dst"), op.conv("src")
    if src.type.layout not in ("FRACTAL_Z", "FRACTAL_Z_3D"):
        raise NoModelError(f"{op.name} from a {src.type.layout} convolution tile has no model")
    window = src.matrix()
    rows, cols = dst.extent()
    window.rows, window.cols = window.rows[row : row + rows], window.cols[col : col + cols]
    copy_bits(dst.window(len(window.rows), len(window.cols)), window, op.machine.log)


# ---------------------------------------------------------------- exponents


def flat(tile: TileOperand, count: int) -> Window:
    """The first `count` elements of a tile in the order of memory."""
    memory, base = tile.place()
    zero: Index = np.zeros(1, np.int64)
    return Window(memory, base, zero, np.arange(count, dtype=np.int64), tile.element, tile.name, tile.tile.number)


def grid(tile: TileOperand, rows: int, cols: int) -> Window:
    """A rows x cols grid of group values: by coordinates, or dense in a tile of a single row."""
    if tile.rows > 1 or rows == 1:
        return tile.window(rows, cols)
    memory, base = tile.place()
    steps = np.arange(rows, dtype=np.int64) * cols, np.arange(cols, dtype=np.int64)
    return Window(memory, base, *steps, tile.element, tile.name, tile.tile.number)


def _exponents_to_zz(op: Op) -> None:
    """Group exponents to the [16, 2] blocks of the scale operands (TMOV document, golden model of tmov_zz).

    grp_axis 1: rows of groups, padded to 16 rows with zeros.  grp_axis 0: the transposed grid.
    """
    dst, src = op.tile("dst"), op.tile("src")
    if int(op.template("grp_axis", 1)) == 1:
        rows, groups = dst.extent()
        exponents = grid(src, rows, groups).read(op.machine.log)
        padded = np.zeros((-(-rows // 16) * 16, groups), exponents.dtype)
        padded[:rows] = exponents
    else:
        groups, cols = src.extent()
        padded = grid(src, groups, cols).read(op.machine.log).T
    blocks = zz_order(padded)
    flat(dst, blocks.size).write(blocks.reshape(1, -1), op.machine.log)


def zz_order(exponents: Array) -> Array:
    """Rows x groups (multiples of 16 and 2) as a sequence of [16, 2] blocks, block rows outermost."""
    rows, groups = exponents.shape
    if rows % 16 or groups % 2:
        raise NoModelError(f"{rows} x {groups} exponents do not fill [16, 2] blocks: no model")
    return exponents.reshape(rows // 16, 16, groups // 2, 2).transpose(0, 2, 1, 3).reshape(-1)
