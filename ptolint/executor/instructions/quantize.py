"""TQUANT and TDEQUANT.

Sources: TQUANT and TQUANT_DN documents; where they and the golden models beside the hardware tests
disagree (e_max of e2m1, rounding, the scale as a multiplier, nan and inf groups), the golden model.
"""

from __future__ import annotations

from dataclasses import dataclass

import ml_dtypes
import numpy as np

from ptolint.executor.dtypes import Array, element
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.move import flat, grid, zz_order
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand

GROUP = 32
NAN_EXPONENT = 0xFF


@dataclass(frozen=True, slots=True)
class Format:
    """An MX target format: largest exponent and largest value."""

    e_max: int
    v_max: float


E4M3 = Format(8, 448.0)
E2M1 = Format(2, 6.0)

QUANT_TYPES = ("MXFP8", "MXFP4_E2M1", "INT8_SYM", "INT8_ASYM")
ALGORITHMS = {
    "OcpMxFp8E4M3": (E4M3, False),
    "NvMxFp8E4M3": (E4M3, True),
    "OcpMxFp4E2M1": (E2M1, False),
    "NvMxFp4E2M1": (E2M1, True),
}


@model("TQUANT")
def tquant(op: Op) -> None:
    """Quantises a tile: MXFP8 or MXFP4 with shared exponents, or INT8 with a scale per row."""
    kind, algorithm = op.choice("quant_type", QUANT_TYPES), op.choice("mx_alg", tuple(ALGORITHMS))
    if kind in ("INT8_SYM", "INT8_ASYM"):
        _to_bytes(op, symmetric=kind == "INT8_SYM")
    elif algorithm in ALGORITHMS:
        _to_mx(op, *ALGORITHMS[algorithm], int(op.template("grp_axis", 1)))
    elif kind in ("MXFP8", "MXFP4_E2M1"):
        nv = op.choice("scale_alg", ("OCP", "NV"), "OCP") == "NV"
        _to_mx(op, E4M3 if kind == "MXFP8" else E2M1, nv, 1)
    else:
        raise NoModelError(f"TQUANT with {algorithm or kind or 'no algorithm'} has no model")


# ---------------------------------------------------------------- integers


def _to_bytes(op: Op, *, symmetric: bool) -> None:
    """q = saturate(round(x * scale + offset)); scale and offset are column 0 of their tiles, one per row."""
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = src.extent()
    values = src.read32(rows, cols) * per_row(op.tile("scale"), rows)
    if not symmetric:
        if not op.has("offset"):
            raise NoModelError("TQUANT INT8_ASYM without an offset has no model")
        values = values + per_row(op.tile("offset"), rows)
    low, high = (-128.0, 127.0) if symmetric else (0.0, 255.0)
    rounded = np.rint(values)
    lost = int(((rounded < low) | (rounded > high)).sum())
    if lost:
        op.machine.log.add("saturated", f"{lost} of {rows * cols} elements saturate", count=lost, of=rows * cols)
    dst.write(np.nan_to_num(np.clip(rounded, low, high)).astype(np.int16))


def per_row(tile: TileOperand, rows: int) -> Array:
    """Column 0 of a parameter tile; its last valid row serves all further rows."""
    given = max(1, min(rows, tile.valid_row))
    column = tile.read32(given, 1)
    return column[np.minimum(np.arange(rows), given - 1)]


@model("TDEQUANT")
def tdequant(op: Op) -> None:
    """dst = (src - offset) * scale with one offset and scale per row (TDEQUANT document)."""
    dst, src = op.tile("dst"), op.tile("src")
    rows, cols = dst.extent()
    dst.write((src.read32(rows, cols) - per_row(op.tile("offset"), rows)) * per_row(op.tile("scale"), rows))


# ---------------------------------------------------------------- microscaling


def _to_mx(op: Op, target: Format, nv: bool, axis: int) -> None:
    """Groups of 32 along columns (axis 1) or rows (axis 0): maximum, exponent, scale, conversion."""
    dst, src = op.tile("dst"), op.tile("src")
    if not src.element.is_float:
        raise NoModelError(f"TQUANT of {src.element.name} has no model")
    rows, cols = src.extent()
    values = _padded(src.read32(rows, cols), axis)
    grouped = _grouped(values, axis)
    maxima = group_maxima(grouped, target is E2M1 and not nv)
    exponents = shared_exponents(maxima, target, nv, infinite_is_nan=axis == 0 and not nv and target is E4M3)
    scales = reciprocal_scales(exponents)
    scaled = _scaled(grouped, scales, src.element.name)
    codes = e4m3_codes(scaled) if target is E4M3 else e2m1_codes(scaled)
    _store_codes(op, dst, _ungrouped(codes, axis), rows)
    _store_groups(op, exponents, maxima, scales, axis, nv)


def _padded(values: Array, axis: int) -> Array:
    """Zeros up to whole groups."""
    extent = values.shape[1 if axis == 1 else 0]
    missing = -extent % GROUP
    return np.pad(values, ((0, 0), (0, missing)) if axis == 1 else ((0, missing), (0, 0)))


def _grouped(values: Array, axis: int) -> Array:
    """Rows x groups x 32 for axis 1; groups x columns x 32 for axis 0."""
    rows, cols = values.shape
    if axis == 1:
        return values.reshape(rows, cols // GROUP, GROUP)
    return values.reshape(rows // GROUP, GROUP, cols).transpose(0, 2, 1)


def _ungrouped(codes: Array, axis: int) -> Array:
    if axis == 1:
        return codes.reshape(codes.shape[0], -1)
    return codes.transpose(0, 2, 1).reshape(-1, codes.shape[1])


def group_maxima(grouped: Array, bf16: bool) -> Array:
    """Largest magnitude per group, nan if one is among them; MXFP4 OCP looks at the bfloat16 part only."""
    size = np.abs(grouped)
    if bf16:
        size = (size.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.asarray(size.max(axis=2))


def shared_exponents(maxima: Array, target: Format, nv: bool, *, infinite_is_nan: bool = False) -> Array:
    """Biased exponents (E8M0), by bit operations on float32.

    OCP: exponent of the maximum less e_max, not below 0.  NV: the maximum over v_max, rounded up to a power of two.
    A nan group has 0xFF; an infinite one follows from the formula (NV: 0xFE), or is a nan in the DN form of MXFP8.
    """
    scaled = maxima * np.float32(1.0 / target.v_max) if nv else maxima
    bits = np.ascontiguousarray(scaled).view(np.uint32)
    exponent = ((bits >> np.uint32(23)) & np.uint32(0xFF)).astype(np.int32)
    mantissa = bits & np.uint32(0x007FFFFF)
    if nv:
        up = np.where(exponent == 0, mantissa > 0x00400000, mantissa > 0) & (exponent < 0xFE)
        result = np.where(exponent == 0xFF, 0xFE, exponent + up)
    else:
        result = np.maximum(exponent - target.e_max, 0)
    nan = np.isnan(maxima) | (infinite_is_nan & np.isinf(maxima))
    return np.where(nan, NAN_EXPONENT, result).astype(np.uint8)


def reciprocal_scales(exponents: Array) -> Array:
    """2 ** (127 - exponent) as float32; nan for a nan group."""
    power = 127 - exponents.astype(np.int32)
    return np.where(exponents == NAN_EXPONENT, np.float32(np.nan), np.ldexp(np.float32(1), power)).astype(np.float32)


def _scaled(grouped: Array, scales: Array, source: str) -> Array:
    """Products in float32; a bfloat16 source is multiplied in bfloat16."""
    with np.errstate(all="ignore"):
        products = grouped * scales[:, :, None]
        if source == "bfloat16_t":
            products = products.astype(ml_dtypes.bfloat16).astype(np.float32)
    return products


def e4m3_codes(values: Array) -> Array:
    """Clipped to +-448, then to nearest even; a value that rounds to zero keeps its sign."""
    return np.clip(values, -E4M3.v_max, E4M3.v_max).astype(ml_dtypes.float8_e4m3fn).view(np.uint8)


def e2m1_codes(values: Array) -> Array:
    """To nearest even on the e2m1 grid, saturating; nan gives the largest value."""
    size = np.abs(values)
    exponent = np.clip((size.view(np.uint32) >> np.uint32(23)) & np.uint32(0xFF), 127, 129)
    with np.errstate(all="ignore"):
        steps = np.rint(np.minimum(size, np.float32(64)) / np.ldexp(np.float32(0.5), (exponent - 127).astype(np.int32)))
    code = np.minimum(np.nan_to_num(steps, nan=7) + 2 * (exponent - 127.0), 7).astype(np.uint8)
    signed = code | (np.signbit(values).astype(np.uint8) << 3)
    return np.where(np.isnan(values), 7, signed).astype(np.uint8)


def _store_codes(op: Op, dst: TileOperand, codes: Array, rows: int) -> None:
    """Codes of whole groups, the zeros that fill up the last one included; dense in a tile of a single row."""
    width = dst.cols if dst.rows > 1 or rows == 1 else codes.shape[1]
    stored = codes[:rows, : min(width, codes.shape[1])].astype(dst.element.raw)
    grid(dst, *stored.shape).write(stored, op.machine.log)


def _store_groups(op: Op, exponents: Array, maxima: Array, scales: Array, axis: int, nv: bool) -> None:
    """Exponents by coordinates, or dense in a tile of a single row; maxima and scales dense in their scratch tiles.

    Beside a half source the scratch holds bfloat16 bits, but for the maxima of the NV form (golden model).
    """
    log = op.machine.log
    if op.has("exp"):
        tile = op.tile("exp")
        stored = _interleaved(exponents) if op.template("interleave", False) and axis == 0 else exponents
        grid(tile, *stored.shape).write(stored.astype(tile.element.raw), log)
    if op.has("exp_zz"):
        blocks = zz_order(exponents)
        flat(op.tile("exp_zz"), blocks.size).write(blocks.reshape(1, -1), log)
    for name, values in (("max", maxima), ("scaling", scales)):
        if op.has(name):
            tile = op.tile(name)
            bf16 = tile.element.name == "half" and (name == "scaling" or not nv)
            kind = element("bfloat16_t") if bf16 else tile.element
            flat(tile, values.size).write(kind.encode(values.reshape(1, -1)), log)


def _interleaved(exponents: Array) -> Array:
    """Pairs of group rows, element by element: [ceil(G/2), 2N] (TQUANT_DN document)."""
    groups, cols = exponents.shape
    padded = np.pad(exponents, ((0, groups % 2), (0, 0)))
    return padded.reshape(-1, 2, cols).transpose(0, 2, 1).reshape(-1, 2 * cols)
