"""TTRANS, TFILLPAD, TCI, TTRI, TCONCAT, TINTERLEAVE, TPAIRREDUCESUM: moving elements about in the vector buffer."""

from __future__ import annotations

import numpy as np

from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.elementwise import scalar_of
from ptolint.executor.instructions.memory import pad_value
from ptolint.executor.instructions.registry import Op, model


@model("TTRANS")
def ttrans(op: Op) -> None:
    """dst[j, i] = src[i, j] over src's valid region (TTRANS document)."""
    if op.is_conv("src") or op.is_conv("dst"):
        raise NoModelError("TTRANS of convolution tiles has no model")
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = src.extent()
    dst.write_raw(np.ascontiguousarray(src.raw(rows, cols).T))


@model("TFILLPAD", "TFILLPAD_EXPAND", "TFILLPAD_INPLACE")
def tfillpad(op: Op) -> None:
    """src over its valid region, the destination's pad value (0 where it names none) everywhere else."""
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = src.extent()
    raw = src.raw(min(rows, dst.rows), min(cols, dst.cols))
    filled = np.full((dst.rows, dst.cols), pad_value(dst) or 0, dst.element.raw)
    filled[: raw.shape[0], : raw.shape[1]] = raw
    dst.write_raw(filled)


@model("TCI")
def tci(op: Op) -> None:
    """dst[0, k] = start +/- k over the valid columns (TCI document)."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    if rows != 1:
        raise NoModelError("TCI over more than one row has no model")
    start = scalar_of(op, next(n for n in op.values if n != "dst"), dst).astype(np.int64)
    steps = np.arange(cols, dtype=np.int64)[None, :]
    dst.write(start - steps if op.template("descending", 0) else start + steps)


@model("TTRI")
def ttri(op: Op) -> None:
    """Ones on and below (or above) a diagonal, zeros elsewhere (TTRI document)."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    upper = next((op.template(n) for n in ("is_upper_or_lower", "upper_or_lower") if op.template(n) is not None), 0)
    i, j = np.arange(rows)[:, None], np.arange(cols)[None, :]
    diagonal = int(op.at(1))
    dst.write((j >= i + diagonal if int(upper) else j <= i + diagonal).astype(np.int64))


@model("TCONCAT")
def tconcat(op: Op) -> None:
    """dst = [src0 | src1] by valid columns (TCONCAT document); the indexed forms have no model."""
    if len(op.values) != 3:
        raise NoModelError("TCONCAT with index tiles has no model")
    dst = op.tile("dst")
    rows, _ = dst.extent()
    parts = [op.tile(n).raw(rows, op.tile(n).extent()[1]) for n in ("src0", "src1")]
    dst.write_raw(np.concatenate(parts, axis=1))


@model("TPAIRREDUCESUM")
def tpairreducesum(op: Op) -> None:
    """dst[i, k] = src0[i, 2k] + src0[i, 2k+1], zeros after the pairs (TPairReduceSum document)."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    values = op.tile(next(n for n in op.values if n != "dst")).read(rows, cols)
    whole = cols // 2 * 2  # the golden model leaves out an element without a partner
    result = np.zeros((rows, cols), values.dtype)
    with np.errstate(all="ignore"):
        result[:, : whole // 2] = values[:, 0:whole:2] + values[:, 1:whole:2]
    dst.write(result)


@model("TINTERLEAVE")
def tinterleave(op: Op) -> None:
    """src0 and src1 alternate: dst0 from the first halves of the rows, dst1 from the second (golden model)."""
    rows, cols = op.tile("dst0").extent()
    sources = [op.tile(n).raw(rows, cols) for n in ("src0", "src1")]
    for name, start in (("dst0", 0), ("dst1", cols // 2)):
        mixed = np.stack([raw[:, start : start + cols - cols // 2] for raw in sources], axis=2)
        op.tile(name).write_raw(np.ascontiguousarray(mixed.reshape(rows, -1)[:, :cols]))


@model("TDEINTERLEAVE")
def tdeinterleave(op: Op) -> None:
    """The even elements of src0 followed by src1 (or of src alone) to dst0, the odd ones to dst1."""
    rows, cols = op.tile("dst0").extent()
    if op.has("src"):
        cols = op.tile("src").extent()[1]
        mixed = op.tile("src").raw(rows, cols)
    else:
        mixed = np.concatenate([op.tile(n).raw(rows, cols) for n in ("src0", "src1")], axis=1)
    op.tile("dst0").write_raw(np.ascontiguousarray(mixed[:, 0::2]))
    op.tile("dst1").write_raw(np.ascontiguousarray(mixed[:, 1::2]))
