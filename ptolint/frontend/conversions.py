"""C++ conversions between scalar types: which can change a value, and what arithmetic is done in."""

from __future__ import annotations

from ptolint.frontend.types import INT
from ptolint.ir.model import Cast, Const, Expr, PointerType, ScalarType, Type

_INTEGRAL = ("int", "enum", "bool")


def preserves(source: ScalarType, target: ScalarType) -> bool:
    """Whether every value of `source` is the same value of `target`."""
    if source.kind == "bool" and target.kind in ("int", "bool"):
        return True
    if target.kind == "bool" or "float" in (source.kind, target.kind):
        return source.kind == target.kind == "float" and (source == target or source.bits < target.bits)
    if source.kind == "enum" or target.kind == "enum":
        return source == target
    if source.signed == target.signed:
        return source.bits <= target.bits
    return target.signed and source.bits < target.bits


def convert(value: Expr, target: Type, explicit: bool = False) -> Expr:
    """`value` as `target`: unchanged where no value can change, otherwise a `Cast`."""
    source = value.type
    if source == target:
        if explicit and isinstance(value, Cast) and not value.explicit:
            return Cast(value.operand, value.type, True)
        return value
    if isinstance(source, ScalarType) and isinstance(target, ScalarType):
        if preserves(source, target) and not explicit:
            return value
        if isinstance(value, Const) and isinstance(value.value, int | bool) and target.kind == "int":
            return Const(wrap(int(value.value), target), target)
        return Cast(value, target, explicit)
    if isinstance(target, PointerType) and not explicit and isinstance(source, PointerType):
        return value
    return Cast(value, target, explicit)


def wrap(value: int, type_: ScalarType) -> int:
    """An integer reduced to the width of `type_`."""
    value &= (1 << type_.bits) - 1
    return value - (1 << type_.bits) if type_.signed and value >> (type_.bits - 1) else value


def promoted(type_: Type) -> Type:
    """The type of an operand after integral promotion."""
    if isinstance(type_, ScalarType) and type_.kind in _INTEGRAL and (type_.bits < 32 or type_.kind != "int"):
        return INT if type_.bits <= 32 else type_
    return type_


def common(left: Type, right: Type) -> Type:
    """The type that C++'s usual arithmetic conversions give two operands."""
    a, b = promoted(left), promoted(right)
    if not isinstance(a, ScalarType) or not isinstance(b, ScalarType):
        return a
    if "float" in (a.kind, b.kind):
        floats = [t for t in (a, b) if t.kind == "float"]
        return max(floats, key=lambda t: t.bits)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b
