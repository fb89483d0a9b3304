"""Expressions: operators, casts, references, initialisers."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.calls import lower_call, place_of_call
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.conversions import common, convert, promoted
from ptolint.frontend.lowering import (
    EXPRESSIONS,
    PLACES,
    Lowering,
    address_of,
    deref,
    is_place,
    null,
)
from ptolint.frontend.members import field_of, member_base
from ptolint.frontend.namespace_vars import global_var
from ptolint.frontend.objects import construct_list, default_value
from ptolint.frontend.types import BOOL, INT
from ptolint.ir.model import (
    AddressOf,
    ArrayType,
    Binary,
    Const,
    Construct,
    DimsType,
    Evaluate,
    Expr,
    If,
    Index,
    Invoke,
    Let,
    OtherType,
    PointerType,
    Ref,
    ScalarType,
    Select,
    Store,
    StructType,
    Unary,
    Unknown,
    Var,
)

CASTS = (
    K.CSTYLE_CAST_EXPR,
    K.STATIC_CAST_EXPR,
    K.REINTERPRET_CAST_EXPR,
    K.CONST_CAST_EXPR,
    K.FUNCTIONAL_CAST_EXPR,
    K.ADDRSPACE_CAST_EXPR,
    K.DYNAMIC_CAST_EXPR,
)
LITERALS = (
    K.INTEGER_LITERAL,
    K.FLOATING_LITERAL,
    K.CHARACTER_LITERAL,
    K.BOOL_LITERAL_EXPR,
    K.UNARY_EXPR,
    K.SIZE_OF_PACK_EXPR,
)


# ---------------------------------------------------------------- references


def _decl_ref(low: Lowering, cursor: Cursor) -> Expr:
    target = low.unit.referenced(cursor)
    if target is None:
        children = low.unit.operands(cursor)
        if len(children) == 1:  # a substituted template parameter
            return low.expr(children[0])
        return low.unknown("unresolved name", cursor)
    if target.kind == K.PARM_DECL:
        return Ref(low.builder.var(target, low.function))
    if target.kind == K.VAR_DECL:
        return Ref(_variable(low, target))
    if target.kind == K.UNEXPOSED_DECL:
        binding = low.builder.vars.get(target.d0 or 0)
        if binding is not None:
            return Ref(binding)
    name = low.unit.name(cursor)
    if target.kind in (K.FUNCTION_DECL, K.CXX_METHOD):
        return Const(name, OtherType("function"))
    return low.unknown(f"`{name}` has no known value", cursor)


def _variable(low: Lowering, declaration: Cursor) -> Var:
    known = low.builder.vars.get(declaration.d0 or 0)
    if known is not None:
        return known
    if low.unit.lib.clang_Cursor_hasVarDeclGlobalStorage(declaration) == 1 and _outside_functions(low, declaration):
        return global_var(low.builder, declaration)
    return low.builder.var(declaration, low.function)


def _outside_functions(low: Lowering, declaration: Cursor) -> bool:
    parent = low.unit.parent(declaration)
    return parent.kind in (
        K.NAMESPACE,
        K.STRUCT_DECL,
        K.CLASS_DECL,
        K.LINKAGE_SPEC,
        350,
        K.CLASS_TEMPLATE,
        K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )


def _member_ref(low: Lowering, cursor: Cursor) -> Expr:
    target = low.unit.referenced(cursor)
    if target is not None and target.kind == K.VAR_DECL:
        return Ref(_variable(low, target))
    if target is None or target.kind != K.FIELD_DECL:
        return low.unknown("member without a known meaning", cursor)
    base = member_base(low, cursor)
    if isinstance(base, Unknown):
        return Unknown(base.reason, low.types.of(cursor))
    return field_of(low, base, target)


def _this(low: Lowering, cursor: Cursor) -> Expr:
    if low.this is None:
        return low.unknown("`this` outside a method", cursor)
    return AddressOf(Ref(low.this), low.types.of(cursor))


def _subscript(low: Lowering, cursor: Cursor) -> Expr:
    children = low.unit.operands(cursor)
    if len(children) != 2:
        return low.unknown("subscript without operands", cursor)
    base, index = children
    if not isinstance(low.types.of(base), PointerType):
        base, index = index, base  # `2[array]`
    return Index(_decayed(low, base), low.expr(index), low.types.of(cursor))


def _decayed(low: Lowering, cursor: Cursor) -> Expr:
    """An array itself rather than the pointer to its first element, where the source names an array."""
    value = low.expr(cursor)
    if (
        isinstance(value, AddressOf)
        and isinstance(value.base, Index)
        and isinstance(value.base.base.type, ArrayType | DimsType)
    ):
        first = value.base.index
        if isinstance(first, Const) and first.value == 0:
            return value.base.base
    return value


# ---------------------------------------------------------------- implicit nodes


def _unexposed(low: Lowering, cursor: Cursor) -> Expr:
    children = low.unit.operands(cursor)
    if not children:
        return default_value(low, low.types.of(cursor), cursor)
    if len(children) > 1 or children[0].kind == K.OVERLOADED_DECL_REF:
        return lower_call(low, cursor)  # a call whose overload resolution failed
    child, target = children[0], low.types.of(cursor)
    source = low.types.of(child)
    if isinstance(source, ArrayType) and isinstance(target, PointerType):
        array = low.place(child)
        return AddressOf(Index(array, Const(0, INT), source.element), target)
    value = low.expr(child, folded=True)
    return implicit(value, target)


def implicit(value: Expr, target: object) -> Expr:
    """`value` after an implicit conversion to `target`."""
    if isinstance(target, ScalarType) and isinstance(value.type, ScalarType | PointerType):
        return convert(value, target)
    if isinstance(target, PointerType):
        if isinstance(value, Const) and (value.value is None or value.value == 0):
            return null(target)
        if (
            isinstance(value.type, PointerType)
            and isinstance(target.pointee, ScalarType)
            and not isinstance(value.type.pointee, ScalarType)
        ):
            return value
    return value


def _paren(low: Lowering, cursor: Cursor) -> Expr:
    return low.expr(low.unit.operands(cursor)[-1], folded=True)


def _cast(low: Lowering, cursor: Cursor) -> Expr:
    target = low.types.of(cursor)
    operands = low.unit.operands(cursor)
    if not operands:
        return default_value(low, target, cursor)
    operand = operands[-1]
    if isinstance(target, OtherType) and target.spelling == "void":
        low.effect(operand)
        return null(target)
    if isinstance(target, ScalarType | PointerType):
        return convert(low.expr(operand, folded=isinstance(target, ScalarType)), target, explicit=True)
    return low.expr(operand)


def _nullptr(low: Lowering, cursor: Cursor) -> Expr:
    return null(low.types.of(cursor))


def _literal(low: Lowering, cursor: Cursor) -> Expr:
    type_ = low.types.of(cursor)
    return low.fold(cursor, type_) or low.unknown("literal without a value", cursor, type_)


def _string(low: Lowering, cursor: Cursor) -> Expr:
    return Const(low.unit.name(cursor), low.types.of(cursor))


# ---------------------------------------------------------------- operators


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


def _init_list(low: Lowering, cursor: Cursor) -> Expr:
    return construct_list(low, cursor, low.types.of(cursor))


def _lambda(low: Lowering, cursor: Cursor) -> Expr:
    type_ = low.types.of(cursor)
    declaration = low.unit.lib.clang_getTypeDeclaration(low.unit.type_of(cursor))
    low.builder.closures[declaration.d0 or 0] = low.this
    return Construct(type_, ())


def _statement_expression(low: Lowering, cursor: Cursor) -> Expr:
    body = low.unit.operands(cursor)[-1]
    statements = low.unit.children(body)
    for statement in statements[:-1]:
        low.stmt(statement)
    if statements and K.FIRST_EXPR <= statements[-1].kind <= K.LAST_EXPR:
        return low.expr(statements[-1])
    for statement in statements[-1:]:
        low.stmt(statement)
    return null(low.types.of(cursor))


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
        return _binary(low, cursor)
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
    then, other = low.try_place(operands[1]), low.try_place(operands[2])
    if then is None or other is None:
        return None
    return Select(cond, then, other, low.types.of(cursor))


def _place_cast(low: Lowering, cursor: Cursor) -> Expr | None:
    operands = low.unit.operands(cursor)
    if not operands or low.types.of(operands[-1]) != low.types.of(cursor):
        return None
    return low.try_place(operands[-1])


EXPRESSIONS.update(
    {
        K.UNEXPOSED_EXPR: _unexposed,
        K.DECL_REF_EXPR: _decl_ref,
        K.MEMBER_REF_EXPR: _member_ref,
        K.CALL_EXPR: lower_call,
        K.PAREN_EXPR: _paren,
        K.UNARY_OPERATOR: _unary,
        K.BINARY_OPERATOR: _binary,
        K.COMPOUND_ASSIGNMENT_OPERATOR: _compound,
        K.CONDITIONAL_OPERATOR: _conditional,
        K.ARRAY_SUBSCRIPT_EXPR: _subscript,
        K.INIT_LIST_EXPR: _init_list,
        K.COMPOUND_LITERAL_EXPR: _cast,
        K.NULLPTR_LITERAL_EXPR: _nullptr,
        K.GNU_NULL_EXPR: _nullptr,
        K.STRING_LITERAL: _string,
        **dict.fromkeys(LITERALS, _literal),
        K.THIS_EXPR: _this,
        K.LAMBDA_EXPR: _lambda,
        K.STMT_EXPR: _statement_expression,
        **dict.fromkeys(CASTS, _cast),
    }
)
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
        **dict.fromkeys(CASTS, _place_cast),
    }
)
