"""Operators: arithmetic, assignment, short circuits, conditionals; and expressions as statements."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.calls import lower_call
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.conversions import common, convert, promoted
from ptolint.frontend.lowering import (
    EFFECT,
    EXPRESSIONS,
    STATEMENTS,
    Lowering,
    address_of,
    deref,
)
from ptolint.frontend.types import BOOL, INT
from ptolint.ir.model import (
    Binary,
    Const,
    Evaluate,
    Expr,
    If,
    Invoke,
    Let,
    OtherType,
    PointerType,
    Ref,
    ScalarType,
    Select,
    Store,
    Unary,
)


def _unary(low: Lowering, cursor: Cursor) -> Expr:
    op = low.unit.lib.clang_getCursorUnaryOperatorKind(cursor)
    operand = low.unit.operands(cursor)[-1]
    type_ = low.types.of(cursor)
    if op in (K.POST_INC, K.POST_DEC):
        place = low.place(operand)
        old = low.temp(place, low.span(cursor), "old")
        _step(low, place, op, cursor)
        return old
    if op in (K.PRE_INC, K.PRE_DEC):
        place = low.place(operand)
        _step(low, place, op, cursor)
        return place
    if op == K.ADDRESS_OF:
        if isinstance(type_, PointerType) and not isinstance(low.types.of(operand), OtherType):
            return address_of(low.place(operand))
        return low.expr(operand)
    if op == K.DEREF:
        return deref(low.expr(operand), type_)
    symbol = {K.MINUS: "-", K.NOT: "~", K.LOGICAL_NOT: "!", K.PLUS: "+"}.get(op)
    if symbol is None:
        return low.expr(operand)
    return Unary(symbol, low.expr(operand, folded=True), type_)


def _step(low: Lowering, place: Expr, op: int, cursor: Cursor) -> None:
    """`place` plus or minus one."""
    sign = "+" if op in (K.POST_INC, K.PRE_INC) else "-"
    wide = promoted(place.type)
    one = Const(1, wide if isinstance(wide, ScalarType) else INT)
    value = (
        convert(Binary(sign, place, one, wide), place.type)
        if isinstance(wide, ScalarType)
        else Binary(sign, place, one, wide)
    )
    low.emit(Store(place, value, low.span(cursor)))


def _binary(low: Lowering, cursor: Cursor) -> Expr:
    op = K.BINARY_OPERATORS.get(low.unit.lib.clang_getCursorBinaryOperatorKind(cursor), "?")
    operands = low.unit.operands(cursor)
    if len(operands) != 2:
        return low.unknown("operator without operands", cursor)
    left, right = operands
    if op == "=":
        return assign(low, cursor, left, right)
    if op == ",":
        low.effect(left)
        return low.expr(right)
    if op in ("&&", "||"):
        return _logical(low, cursor, op, left, right)
    if op == "?":
        return low.unknown("operator without a known meaning", cursor)
    first = low.expr(left)
    return Binary(op, first, low.expr(right), low.types.of(cursor))


def _logical(low: Lowering, cursor: Cursor, op: str, left: Cursor, right: Cursor) -> Expr:
    first = low.expr(left)
    second: list[Expr] = []
    effects = low.captured(lambda: second.append(low.expr(right)))
    if not effects:
        return Binary(op, first, second[0], BOOL)
    span = low.span(cursor)
    result = low.temp(first, span)
    low.emit(
        If(result if op == "&&" else Unary("!", result, BOOL), (*effects, Store(result, second[0], span)), (), span)
    )
    return result


def assign(low: Lowering, cursor: Cursor, left: Cursor, right: Cursor) -> Expr:
    """`left = right`; the value is the object assigned to."""
    place = low.place(left)
    value = invoked(low, right)
    low.emit(Store(place, value, low.span(cursor)))
    return place


def invoked(low: Lowering, cursor: Cursor) -> Expr:
    """The value of an expression that a statement holds directly, so that a call needs no temporary."""
    value = low.expr(cursor)
    if isinstance(value, Ref) and low.out and isinstance(low.out[-1], Let):
        last = low.out[-1]
        if last.var is value.var and isinstance(last.value, Invoke):
            low.out.pop()
            return last.value
    return value


def _compound(low: Lowering, cursor: Cursor) -> Expr:
    op = K.BINARY_OPERATORS.get(low.unit.lib.clang_getCursorBinaryOperatorKind(cursor), "?")[:-1]
    operands = low.unit.operands(cursor)
    if len(operands) != 2 or not op:
        return low.unknown("assignment without operands", cursor)
    place = low.place(operands[0])
    amount = low.expr(operands[1])
    if isinstance(place.type, PointerType):
        value: Expr = Binary(op, place, amount, place.type)
    else:
        wide = promoted(place.type) if op in ("<<", ">>") else common(place.type, amount.type)
        other = amount if op in ("<<", ">>") else convert(amount, wide)
        value = convert(Binary(op, convert(place, wide), other, wide), place.type)
    low.emit(Store(place, value, low.span(cursor)))
    return place


def _conditional(low: Lowering, cursor: Cursor) -> Expr:
    operands = low.unit.operands(cursor)
    if len(operands) != 3:
        return low.unknown("conditional without operands", cursor)
    type_ = low.types.of(cursor)
    cond = low.expr(operands[0])
    if isinstance(cond, Const) and not isinstance(cond.value, str):
        return low.expr(operands[1 if cond.value else 2])
    values: list[Expr] = []
    then = low.captured(lambda: values.append(low.expr(operands[1])))
    other = low.captured(lambda: values.append(low.expr(operands[2])))
    if not then and not other:
        return Select(cond, values[0], values[1], type_)
    span = low.span(cursor)
    var = low.builder.new_var(f"tmp.{low.builder._next_var + 1}", type_, span)
    low.emit(Let(var, None, span))
    result = Ref(var)
    low.emit(If(cond, (*then, Store(result, values[0], span)), (*other, Store(result, values[1], span)), span))
    return result


# ---------------------------------------------------------------- effects


def lower_effect(low: Lowering, cursor: Cursor) -> None:
    """An expression whose value is dropped."""
    kind = cursor.kind
    if kind in (K.PAREN_EXPR, K.UNEXPOSED_EXPR):
        children = low.unit.operands(cursor)
        if len(children) == 1 and children[0].kind != K.OVERLOADED_DECL_REF:
            low.effect(children[0])
            return
        if kind == K.UNEXPOSED_EXPR and not children:
            return
    if kind == K.UNARY_OPERATOR:
        op = low.unit.lib.clang_getCursorUnaryOperatorKind(cursor)
        if op in (K.POST_INC, K.POST_DEC):
            _step(low, low.place(low.unit.operands(cursor)[-1]), op, cursor)
            return
    if kind == K.CONDITIONAL_OPERATOR:
        _conditional_effect(low, cursor)
        return
    value = lower_call(low, cursor, discarded=True) if kind == K.CALL_EXPR else low.expr(cursor)
    _flatten_invoke(low, value)


def _flatten_invoke(low: Lowering, value: Expr) -> None:
    """A call whose result nobody reads is evaluated for its effect."""
    if isinstance(value, Invoke):
        low.emit(Evaluate(value, value.span))
    elif isinstance(value, Ref) and low.out:
        last = low.out[-1]
        if isinstance(last, Let) and last.var is value.var and isinstance(last.value, Invoke):
            low.out[-1] = Evaluate(last.value, last.span)


def _conditional_effect(low: Lowering, cursor: Cursor) -> None:
    operands = low.unit.operands(cursor)
    if len(operands) != 3:
        low.opaque("conditional without operands", cursor)
        return
    cond = low.expr(operands[0])
    then = low.captured(lambda: low.effect(operands[1]))
    other = low.captured(lambda: low.effect(operands[2]))
    if then or other:
        low.emit(If(cond, then, other, low.span(cursor)))


STATEMENTS[EFFECT] = lower_effect
EXPRESSIONS.update(
    {
        K.UNARY_OPERATOR: _unary,
        K.BINARY_OPERATOR: _binary,
        K.COMPOUND_ASSIGNMENT_OPERATOR: _compound,
        K.CONDITIONAL_OPERATOR: _conditional,
    }
)
