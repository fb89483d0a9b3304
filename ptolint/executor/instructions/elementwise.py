"""Elementwise instructions: the destination's valid region is the iteration domain.

Elements outside it stay as they are.  Floats are computed in the element type with one rounding
(nearest even), integers wrap.  Each formula is the one of the instruction's document.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ptolint.executor.dtypes import Array
from ptolint.executor.errors import NoModelError
from ptolint.executor.instructions.registry import Op, model
from ptolint.executor.operands import TileOperand

Binary = Callable[[Array, Array], Array]
Unary = Callable[[Array], Array]


def _divide(a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        return a / b
    quotient, rest, zero = _whole_division(a, b)
    quotient = quotient + ((rest != 0) & ((a < 0) != (b < 0))).astype(a.dtype)  # towards zero
    return np.where(zero, np.zeros(1, a.dtype), quotient)


def _whole_division(a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Quotient rounded down, what is left, and where the divisor is zero (0 in 64 bits: golden model)."""
    zero = b == 0
    if a.dtype.itemsize < 8 and bool(zero.any()):
        raise NoModelError("integer division by zero has no model")
    divisor = np.where(zero, np.ones(1, b.dtype), b)
    quotient = a // divisor
    return quotient, a - quotient * divisor, zero


def _remainder(a: Array, b: Array) -> Array:
    """The sign follows the divisor (TREM); in 64 bits it follows the dividend (golden model)."""
    if a.dtype.kind not in "iu":
        return np.mod(a, b)
    _, rest, zero = _whole_division(a, b)
    if a.dtype.itemsize == 8:
        rest = np.where((rest != 0) & ((a < 0) != (b < 0)), rest - b, rest)
    return np.where(zero, np.zeros(1, a.dtype), rest)


def _shift(function: Binary) -> Binary:
    """64-bit shifts take the count's low six bits (golden model)."""
    return lambda a, b: function(a, b & 63 if a.dtype.itemsize == 8 else b)


BINARY: dict[str, Binary] = {
    "TADD": np.add,
    "TSUB": np.subtract,
    "TMUL": np.multiply,
    "TDIV": _divide,
    "TMAX": np.maximum,
    "TMIN": np.minimum,
    "TAND": np.bitwise_and,
    "TOR": np.bitwise_or,
    "TXOR": np.bitwise_xor,
    "TSHL": _shift(np.left_shift),
    "TSHR": _shift(np.right_shift),
    "TREM": _remainder,
    "TFMOD": np.fmod,
    "TSUBRELU": lambda a, b: np.maximum(a - b, np.zeros(1, a.dtype)),
    "TPRELU": lambda a, b: np.where(a > 0, a, a * b).astype(a.dtype),
}

BITWISE = frozenset({"TAND", "TOR", "TXOR", "TNOT"})  # on the bits of the elements, whatever their type

SCALAR = {f"{name}S": function for name, function in BINARY.items() if name not in ("TSUBRELU", "TPRELU")}
SCALAR["TLRELU"] = lambda a, s: np.where(a > 0, a, a * s).astype(a.dtype)

UNARY: dict[str, Unary] = {
    "TABS": np.abs,
    "TNEG": np.negative,
    "TNOT": np.invert,
    "TRELU": lambda a: np.maximum(a, np.zeros(1, a.dtype)),
    "TEXP": lambda a: _in_float(np.exp, a),
    "TLOG": lambda a: _in_float(np.log, a),
    "TSQRT": lambda a: _in_float(np.sqrt, a),
    "TRSQRT": lambda a: _in_float(lambda x: np.float32(1) / x, _in_float(np.sqrt, a)),  # as two operations
    "TRECIP": lambda a: _in_float(lambda x: np.float32(1) / x, a),
}


def _in_float(function: Unary, values: Array) -> Array:
    """A function computed in float32 and rounded once to the element type."""
    return function(values.astype(np.float32)).astype(values.dtype)


def _write(dst: TileOperand, values: Array) -> None:
    dst.write(values)


@model(*BINARY)
def binary(op: Op) -> None:
    """dst = src0 (op) src1."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    if op.name in BITWISE:
        dst.write_raw(BINARY[op.name](op.tile("src0").raw(rows, cols), op.tile("src1").raw(rows, cols)))
        return
    a, b = op.tile("src0").read(rows, cols), op.tile("src1").read(rows, cols)
    with np.errstate(all="ignore"):
        _write(dst, BINARY[op.name](a, b))


@model(*SCALAR)
def with_scalar(op: Op) -> None:
    """dst = src (op) scalar, the scalar in the source's element type; TDIVS also takes scalar (op) src."""
    dst = op.tile("dst")
    names = [n for n in op.values if n in ("src", "src0", "scalar")]
    src = op.tile(names[1] if names[0] == "scalar" else names[0])
    rows, cols = dst.extent()
    a = src.read(rows, cols)
    scalar = scalar_of(op, "scalar", src)
    left, right = (scalar, a) if names[0] == "scalar" else (a, scalar)
    with np.errstate(all="ignore"):
        _write(dst, SCALAR[op.name](left, np.broadcast_to(right, left.shape) if left is a else right))


def scalar_of(op: Op, name: str, tile: TileOperand) -> Array:
    """A scalar operand as an array of one element of the tile's type."""
    number = op.number(name)
    if isinstance(number, int) and not tile.element.is_float:
        number = (number + (1 << 63)) % (1 << 64) - (1 << 63)  # as 64 bits
    wide = np.array([[number]], np.float64 if tile.element.is_float else np.int64)
    return tile.element.decode(tile.element.encode(wide.astype(np.float32) if tile.element.is_float else wide))


@model(*UNARY)
def unary(op: Op) -> None:
    """dst = f(src)."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    if op.name in BITWISE:
        dst.write_raw(UNARY[op.name](op.tile("src").raw(rows, cols)))
        return
    with np.errstate(all="ignore"):
        _write(dst, UNARY[op.name](op.tile("src").read(rows, cols)))


@model("TPOW", "TPOWS")
def power(op: Op) -> None:
    """dst = base ** exp; floats in float32 rounded once, integers wrap (golden model)."""
    dst, base = op.tile("dst"), op.tile("base")
    rows, cols = dst.extent()
    a = base.read(rows, cols)
    b = op.tile("exp").read(rows, cols) if op.name == "TPOW" else scalar_of(op, "exp", base)
    if a.dtype.kind in "iu":
        if bool((b < 0).any()):
            raise NoModelError("an integer to a negative power has no model")
        dst.write(np.power(a, b))
        return
    with np.errstate(all="ignore"):
        dst.write(np.power(a.astype(np.float32), b.astype(np.float32)).astype(a.dtype))


@model("TADDC", "TSUBC", "TADDSC", "TSUBSC")
def ternary(op: Op) -> None:
    """dst = src0 +/- src1 + src2; the SC forms take a scalar in the second place."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    first = op.tile("src0")
    a = first.read(rows, cols)
    scalar = op.name.endswith("SC")
    b = scalar_of(op, "scalar", first) if scalar else op.tile("src1").read(rows, cols)
    c = op.tile("src1" if scalar else "src2").read(rows, cols)
    with np.errstate(all="ignore"):
        _write(dst, (a - b if op.name.startswith("TSUB") else a + b) + c)


@model("TAXPY", "TFUSEDMULADD", "TFUSEDMULADDRELU", "TMULADDDST")
def multiply_add(op: Op) -> None:
    """TAXPY scalar*src0+dst, TFUSEDMULADD src0*dst+src1, TMULADDDST src0*src1+dst.

    The product and the sum are each rounded to dst's type, but for TAXPY on A5, which rounds once (golden models;
    the documents speak of no rounding).
    """
    dst, first = op.tile("dst"), op.tile("src0")
    rows, cols = dst.extent()
    old, a = dst.read(rows, cols), first.read(rows, cols).astype(dst.element.value)
    with np.errstate(all="ignore"):
        if op.name == "TAXPY" and op.machine.target.name == "a5":
            wide = a.astype(np.float64) * scalar_of(op, "scalar", first).astype(np.float64) + old.astype(np.float64)
            result = wide.astype(dst.element.value)
        elif op.name == "TAXPY":
            result = (a * scalar_of(op, "scalar", first)).astype(dst.element.value) + old
        elif op.name == "TMULADDDST":
            result = a * op.tile("src1").read(rows, cols) + old
        else:
            result = a * old + op.tile("src1").read(rows, cols)
        if op.name == "TFUSEDMULADDRELU":
            result = np.maximum(result, np.zeros(1, result.dtype))
        _write(dst, result)


@model("TPARTADD", "TPARTMUL", "TPARTMAX", "TPARTMIN")
def partial(op: Op) -> None:
    """dst = src0 (op) src1 where both are valid, else the one that is (TPARTADD document)."""
    function = BINARY["T" + op.name.removeprefix("TPART")]
    dst, first, second = op.tile("dst"), op.tile("src0"), op.tile("src1")
    rows, cols = dst.extent()
    result, held = np.zeros((rows, cols), dst.element.value), np.zeros((rows, cols), bool)
    for tile in (first, second):
        r, c = min(rows, tile.valid_row), min(cols, tile.valid_col)
        values = tile.read(r, c)
        with np.errstate(all="ignore"):
            combined = function(result[:r, :c], values)
        result[:r, :c] = np.where(held[:r, :c], combined, values)
        held[:r, :c] = True
    _write(dst, result)


@model("TPARTARGMAX", "TPARTARGMIN")
def partial_arguments(op: Op) -> None:
    """The larger (smaller) of two values and its index, src0's on ties; where one is valid, that one."""
    better = np.greater if op.name.endswith("MAX") else np.less
    dst = op.tile("dst")
    rows, cols = dst.extent()
    value, held = np.zeros((rows, cols), dst.element.value), np.zeros((rows, cols), bool)
    index = np.zeros((rows, cols), op.tile("dst_idx").element.value)
    for n in ("0", "1"):
        tile, numbers = op.tile(f"src{n}"), op.tile(f"src{n}_idx")
        r, c = min(rows, tile.valid_row), min(cols, tile.valid_col)
        values, own = tile.read(r, c), numbers.read(r, c)
        with np.errstate(all="ignore"):
            take = ~held[:r, :c] | better(values, value[:r, :c])
        value[:r, :c] = np.where(take, values, value[:r, :c])
        index[:r, :c] = np.where(take, own, index[:r, :c])
        held[:r, :c] = True
    if not held.all():
        raise NoModelError(f"{op.name} where neither source is valid has no model")
    _write(dst, value)
    op.tile("dst_idx").write(index)


# ---------------------------------------------------------------- comparison and selection

COMPARE: dict[str, Binary] = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "LT": np.less,
    "LE": np.less_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
}


@model("TCMP", "TCMPS")
def compare(op: Op) -> None:
    """One bit per comparison, eight to a byte from the low end, each row in its own bytes of dst."""
    dst, first = op.tile("dst"), op.tile("src0")
    rows, cols = first.extent()
    a = first.read(rows, cols)
    if not op.is_tile("src1"):
        b = scalar_of(op, "src1", first)
    elif op.name == "TCMPS":
        b = op.tile("src1").read(1, 1)
    else:
        b = op.tile("src1").read(rows, cols)
    mode = op.option("cmp_mode" if op.has("cmp_mode") else "mode", "EQ")
    bits = np.packbits(COMPARE[str(mode)](a, np.broadcast_to(b, a.shape)), axis=1, bitorder="little")
    width = dst.element.bits // 8
    padded = np.zeros((rows, -(-bits.shape[1] // width) * width), np.uint8)
    padded[:, : bits.shape[1]] = bits
    dst.write_raw(padded.view(dst.element.raw))


@model("TSEL", "TSELS")
def select(op: Op) -> None:
    """dst = mask ? src0 : src1 (TSEL), mask ? src : scalar (TSELS); mask bits lie as TCMP writes them."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    mask_tile = op.tile("sel_mask" if op.has("sel_mask") else "mask")
    width = mask_tile.element.bits
    raw = np.ascontiguousarray(mask_tile.raw(rows, -(-cols // width)))
    bits = np.unpackbits(raw.view(np.uint8).reshape(rows, -1), axis=1, bitorder="little")[:, :cols] != 0
    if op.name == "TSEL":
        chosen, other = op.tile("src0").read(rows, cols), op.tile("src1").read(rows, cols)
    else:
        src = op.tile("src")
        chosen, other = src.read(rows, cols), scalar_of(op, "scalar", src)
    _write(dst, np.where(bits, chosen, other).astype(dst.element.value))


@model("TADDRELUCONV", "TSUBRELUCONV")
def relu_convert(op: Op) -> None:
    """dst = convert(max(0, src0 +/- src1)), saturating, to nearest even."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    a, b = op.tile("src0").read(rows, cols), op.tile("src1").read(rows, cols)
    with np.errstate(all="ignore"):
        result = np.maximum(a + b if op.name == "TADDRELUCONV" else a - b, np.zeros(1, a.dtype))
        _write(dst, saturated(result, dst))


@model("TADDDEQRELU")
def add_dequantise_relu(op: Op) -> None:
    """dst = half(max(0, (src0 + src1) * deq_scale)), saturating."""
    dst = op.tile("dst")
    rows, cols = dst.extent()
    total = op.tile("src0").read(rows, cols) + op.tile("src1").read(rows, cols)
    tiny = total.astype(np.float32) * np.float32(2.0**-17)
    scaled = tiny * np.float32(op.number("deq_scale")) * np.float32(2.0**17)
    _write(dst, saturated(np.maximum(scaled, np.float32(0)), dst))


def saturated(values: Array, dst: TileOperand) -> Array:
    """Values clipped to what the destination's type can hold; floats to integers round to nearest even."""
    if not dst.element.is_float:
        info = np.iinfo(dst.element.value)
        rounded = np.rint(values.astype(np.float64)) if values.dtype.kind not in "iu" else values
        return np.clip(rounded, info.min, info.max).astype(np.int64)
    if dst.element.name == "half":
        return np.clip(values, -65504.0, 65504.0)
    return values
