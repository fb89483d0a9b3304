"""C arithmetic on Python numbers: wrap-around, truncating division, float rounding by type."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TypeAlias

from ptolint.executor.errors import ExecutorError
from ptolint.ir.model import ScalarType, Type

Number: TypeAlias = int | float | bool

COMPARISONS: dict[str, Callable[..., bool]] = {
    "==": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


def wrap(value: int, bits: int, signed: bool) -> int:
    """`value` modulo 2**bits, read as signed where `signed`."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def round_float(value: float, type_: ScalarType) -> float:
    """`value` rounded to nearest even in the float type (double is left as it is)."""
    if type_.bits >= 64 or math.isnan(value) or math.isinf(value):
        return value
    if type_.bits == 32:
        try:
            return float(struct.unpack("<f", struct.pack("<f", value))[0])
        except OverflowError:
            return math.copysign(math.inf, value)
    from ptolint.executor.dtypes import element  # numpy only where a narrow float scalar turns up

    kind = element(type_.name)
    import numpy as np

    return float(kind.decode(kind.encode(np.array([value], np.float32)))[0])


def convert(value: Number, type_: Type) -> Number:
    """The C conversion of a number to a scalar type; other types keep it."""
    if not isinstance(type_, ScalarType):
        return value
    if type_.kind == "bool":
        return bool(value)
    if type_.kind == "float":
        return round_float(float(value), type_)
    if isinstance(value, float):
        if math.isnan(value) or math.isinf(value):
            raise ExecutorError(f"a float that is {value} is converted to {type_.name}")
        value = math.trunc(value)
    return wrap(int(value), type_.bits or 32, type_.signed)


def binary(op: str, left: Number, right: Number, type_: Type) -> Number:
    """`left op right` in C, both operands already of the common type; the result has `type_`."""
    if op in COMPARISONS:
        return COMPARISONS[op](left, right)
    if isinstance(left, float) or isinstance(right, float):
        return convert(_float_binary(op, float(left), float(right)), type_)
    return convert(_int_binary(op, int(left), int(right)), type_)


def _float_binary(op: str, left: float, right: float) -> float:
    if op == "/":
        if right == 0.0:
            return (
                math.nan if left == 0.0 or math.isnan(left) else math.copysign(math.inf, left * math.copysign(1, right))
            )
        return left / right
    if op in "+-*":
        return left + right if op == "+" else left - right if op == "-" else left * right
    raise ExecutorError(f"operator {op} on floating point values has no model")


def _int_binary(op: str, left: int, right: int) -> int:
    if op in ("/", "%"):
        if right == 0:
            raise ExecutorError("division by zero in the kernel's scalar code")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if op == "/" else left - quotient * right
    if op in ("<<", ">>"):
        if not 0 <= right < 64:
            raise ExecutorError(f"shift by {right} in the kernel's scalar code")
        return left << right if op == "<<" else left >> right
    table: dict[str, Callable[[int, int], int]] = {
        "+": int.__add__,
        "-": int.__sub__,
        "*": int.__mul__,
        "&": int.__and__,
        "|": int.__or__,
        "^": int.__xor__,
    }
    if op not in table:
        raise ExecutorError(f"operator {op} has no model")
    return table[op](left, right)


def unary(op: str, value: Number, type_: Type) -> Number:
    """`op value` in C."""
    if op == "!":
        return not value
    if op == "~":
        return convert(~int(value), type_)
    return convert(-value if op == "-" else value, type_)


_MATHS: dict[str, Callable[..., Number]] = {
    "min": min,
    "max": max,
    "abs": abs,
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "exp": math.exp,
    "log": lambda x: math.log(x) if x > 0 else (-math.inf if x == 0 else math.nan),
    "log2": math.log2,
    "exp2": lambda x: 2.0**x,
    "pow": math.pow,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda x: math.copysign(math.floor(abs(x) + 0.5), x),
    "trunc": math.trunc,
    "fabs": abs,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
}


def maths(name: str, args: list[Number], type_: Type) -> Number:
    """A pure function by name; raises `ExecutorError` for one without a model."""
    if name not in _MATHS:
        raise ExecutorError(f"function {name} has no model")
    try:
        return convert(_MATHS[name](*args), type_)
    except (OverflowError, ValueError):
        return convert(math.inf if name in ("exp", "exp2", "pow") else math.nan, type_)
