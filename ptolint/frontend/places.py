"""What expressions denote as objects: the targets of assignments and arguments by reference."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.calls import place_of_call
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import (
    EXPRESSIONS,
    PLACES,
    Lowering,
    is_place,
)
from ptolint.ir.model import (
    Const,
    Expr,
    Select,
    StructType,
)

# ---------------------------------------------------------------- places


def _place_inner(low: Lowering, cursor: Cursor) -> Expr | None:
    children = low.unit.operands(cursor)
    if len(children) != 1:
        return None
    source, target = low.types.of(children[0]), low.types.of(cursor)
    if source == target or (isinstance(source, StructType) and isinstance(target, StructType)):
        return low.try_place(children[0])
    return None


def _place_value(low: Lowering, cursor: Cursor) -> Expr | None:
    value = EXPRESSIONS[cursor.kind](low, cursor)
    return value if is_place(value) else low.temp(value, low.span(cursor))


def _place_unary(low: Lowering, cursor: Cursor) -> Expr | None:
    op = low.unit.lib.clang_getCursorUnaryOperatorKind(cursor)
    return _place_value(low, cursor) if op in (K.DEREF, K.PRE_INC, K.PRE_DEC) else None


def _place_binary(low: Lowering, cursor: Cursor) -> Expr | None:
    op = K.BINARY_OPERATORS.get(low.unit.lib.clang_getCursorBinaryOperatorKind(cursor))
    if op == "=":
        return EXPRESSIONS[K.BINARY_OPERATOR](low, cursor)
    if op == ",":
        left, right = low.unit.operands(cursor)
        low.effect(left)
        return low.try_place(right)
    return None


def _place_conditional(low: Lowering, cursor: Cursor) -> Expr | None:
    operands = low.unit.operands(cursor)
    if len(operands) != 3:
        return None
    cond = low.expr(operands[0])
    if isinstance(cond, Const) and not isinstance(cond.value, str):
        return low.try_place(operands[1 if cond.value else 2])
    found: list[Expr | None] = []
    effects = low.captured(lambda: found.extend(low.try_place(c) for c in operands[1:]))
    then, other = found
    if effects or then is None or other is None:
        return None
    return Select(cond, then, other, low.types.of(cursor))


def _place_cast(low: Lowering, cursor: Cursor) -> Expr | None:
    operands = low.unit.operands(cursor)
    if not operands or low.types.of(operands[-1]) != low.types.of(cursor):
        return None
    return low.try_place(operands[-1])


PLACES.update(
    {
        K.PAREN_EXPR: _place_inner,
        K.UNEXPOSED_EXPR: _place_inner,
        K.DECL_REF_EXPR: _place_value,
        K.MEMBER_REF_EXPR: _place_value,
        K.ARRAY_SUBSCRIPT_EXPR: _place_value,
        K.COMPOUND_ASSIGNMENT_OPERATOR: _place_value,
        K.UNARY_OPERATOR: _place_unary,
        K.BINARY_OPERATOR: _place_binary,
        K.CONDITIONAL_OPERATOR: _place_conditional,
        K.CALL_EXPR: place_of_call,
        **dict.fromkeys(K.CASTS, _place_cast),
    }
)
