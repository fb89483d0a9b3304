"""Expressions: operators, casts, references, initialisers."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.calls import lower_call
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.conversions import convert
from ptolint.frontend.lowering import (
    EXPRESSIONS,
    Lowering,
    null,
)
from ptolint.frontend.members import field_of, member_base
from ptolint.frontend.namespace_vars import global_var
from ptolint.frontend.objects import construct_list, default_value
from ptolint.frontend.types import INT
from ptolint.ir.model import (
    AddressOf,
    ArrayType,
    Const,
    Construct,
    DimsType,
    Expr,
    Index,
    OtherType,
    PointerType,
    Ref,
    ScalarType,
    Unknown,
    Var,
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


EXPRESSIONS.update(
    {
        K.UNEXPOSED_EXPR: _unexposed,
        K.DECL_REF_EXPR: _decl_ref,
        K.MEMBER_REF_EXPR: _member_ref,
        K.CALL_EXPR: lower_call,
        K.PAREN_EXPR: _paren,
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
        **dict.fromkeys(K.CASTS, _cast),
    }
)
