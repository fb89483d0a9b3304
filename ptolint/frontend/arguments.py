"""The arguments of a call as its parameters take them."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import Lowering
from ptolint.ir.model import Construct, Expr, PointerType, ScalarType


def arguments(low: Lowering, cursor: Cursor) -> list[Cursor]:
    """The arguments of a call or constructor expression, defaulted ones included."""
    lib = low.unit.lib
    count = lib.clang_Cursor_getNumArguments(cursor)
    return [lib.clang_Cursor_getArgument(cursor, i) for i in range(max(0, count))]


def is_default(low: Lowering, argument: Cursor) -> bool:
    """Whether an argument is a default one, which has no place in the source."""
    return argument.kind == K.UNEXPOSED_EXPR and low.span(argument).line == 0


def argument_value(low: Lowering, argument: Cursor, parameter: Cursor | None) -> Expr:
    """An argument as its parameter takes it: an object for references, otherwise a value."""
    if is_default(low, argument):
        return default_argument(low, argument, parameter)
    if parameter is None:
        return low.expr(argument)
    ctype = low.unit.type_of(parameter)
    if low.types.is_mutable_reference(ctype):
        return low.place(argument)
    if low.types.is_reference(ctype):
        constant = low.expr(argument) if isinstance(low.types.convert(ctype), ScalarType) else None
        if constant is not None:
            return constant
        found = low.try_place(argument)
        return found if found is not None else low.expr(argument)
    return low.expr(argument)


def default_argument(low: Lowering, argument: Cursor, parameter: Cursor | None) -> Expr:
    """The value of a defaulted argument, taken from the parameter's declaration."""
    type_ = low.types.of(argument)
    constant = low.fold(argument, type_)
    if constant is not None:
        return constant
    values = list(low.unit.operands(parameter)) if parameter is not None else []
    if values:
        return low.expr(values[-1])
    return (
        Construct(type_, ())
        if not isinstance(type_, ScalarType | PointerType)
        else low.unknown("default argument", argument)
    )
