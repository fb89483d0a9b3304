"""The functions of the predicate language. Each takes the environment, an `Ops`, then its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ptolint.rulebook.values import ABSENT, UNKNOWN
from ptolint.targets import TARGETS, dtype

if TYPE_CHECKING:
    from ptolint.rulebook.facts import Env
    from ptolint.rulebook.ops import Ops, Value


def _of_dtype(read: Callable[[Any], Value]) -> Callable[..., Value]:
    def function(_env: Env, _ops: Ops, name: Value) -> Value:
        known = dtype(name) if isinstance(name, str) else None
        return UNKNOWN if known is None else read(known)

    return function


def _layout(blayout: str, slayout: str) -> Callable[..., Value]:
    def function(_env: Env, ops: Ops, tile: Value) -> Value:
        have = (tile.blayout, tile.slayout)
        return UNKNOWN if UNKNOWN is have[0] else have == (blayout, slayout)

    return function


def _ceil_div(_env: Env, ops: Ops, a: Value, b: Value) -> Value:
    return ops.arith("//", ops.arith("+", a, ops.arith("-", b, 1)), b)


def _align_up(env: Env, ops: Ops, a: Value, b: Value) -> Value:
    return ops.arith("*", _ceil_div(env, ops, a, b), b)


def _numel(_env: Env, ops: Ops, tile: Value) -> Value:
    return ops.arith("*", tile.valid_row, tile.valid_col)


def _overlap(_env: Env, ops: Ops, t: Value, u: Value) -> Value:
    if t.space is not UNKNOWN and u.space is not UNKNOWN and t.space != u.space:
        return False
    return ops.and_(
        lambda: ops.compare("<", t.addr, ops.arith("+", u.addr, u.bytes)),
        lambda: ops.compare("<", u.addr, ops.arith("+", t.addr, t.bytes)),
    )


def _has(_env: Env, _ops: Ops, value: Value) -> Value:
    return value is not ABSENT


def _is_kind(kind: str) -> Callable[..., Value]:
    def function(_env: Env, _ops: Ops, value: Value) -> Value:
        if value is UNKNOWN:
            return UNKNOWN
        return value is not ABSENT and getattr(value, "kind", "scalar") == kind

    return function


def _is_scalar(env: Env, _ops: Ops, value: Value) -> Value:
    return value is not ABSENT and not hasattr(type(value), "kind")


def _same_type(_env: Env, _ops: Ops, t: Value, u: Value) -> Value:
    if UNKNOWN is t or UNKNOWN is u:
        return UNKNOWN
    return bool(t.type == u.type)


def _buffer(field: str) -> Callable[..., Value]:
    def function(env: Env, _ops: Ops, loc: Value) -> Value:
        buffer = TARGETS[env.target].buffers.get(loc) if isinstance(loc, str) else None
        return UNKNOWN if buffer is None else getattr(buffer, field)

    return function


def _supported(env: Env, _ops: Ops, name: Value) -> Value:
    known = dtype(name) if isinstance(name, str) else None
    return UNKNOWN if known is None else TARGETS[env.target].dtype_supported(known)


VALUE_FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "sizeof": (1, _of_dtype(lambda d: d.size)),
    "bits": (1, _of_dtype(lambda d: d.bits)),
    "c0": (1, _of_dtype(lambda d: 32 // d.size)),
    "is_int": (1, _of_dtype(lambda d: d.kind in ("int", "uint"))),
    "is_float": (1, _of_dtype(lambda d: d.kind == "float")),
    "ceil_div": (2, _ceil_div),
    "align_up": (2, _align_up),
    "nd": (1, _layout("RowMajor", "NoneBox")),
    "dn": (1, _layout("ColMajor", "NoneBox")),
    "nz": (1, _layout("ColMajor", "RowMajor")),
    "zn": (1, _layout("RowMajor", "ColMajor")),
    "zz": (1, _layout("RowMajor", "RowMajor")),
    "numel": (1, _numel),
    "overlap": (2, _overlap),
    "has": (1, _has),
    "is_tile": (1, _is_kind("tile")),
    "is_conv_tile": (1, _is_kind("conv_tile")),
    "is_tensor": (1, _is_kind("tensor")),
    "is_scalar": (1, _is_scalar),
    "same_type": (2, _same_type),
    "buffer_bytes": (1, _buffer("size")),
    "buffer_align": (1, _buffer("align")),
    "supported": (1, _supported),
}
"""Functions of values: name -> (number of arguments, implementation)."""

NAME_FUNCTIONS = ("dtype_of", "is_constant")
"""Functions of an operand's name rather than its value."""

OPS_FUNCTIONS = ("min", "max", "abs")
"""Functions that belong to the arithmetic itself."""

FUNCTIONS = frozenset(VALUE_FUNCTIONS) | frozenset(NAME_FUNCTIONS) | frozenset(OPS_FUNCTIONS)
