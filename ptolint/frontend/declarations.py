"""Declarations in a body: variables, type aliases, structured bindings."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.builder import ALIASES, placed_type
from ptolint.frontend.calls import construct_into, is_written
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import STATEMENTS, Lowering
from ptolint.frontend.namespace_vars import static_var
from ptolint.frontend.objects import convert_to
from ptolint.frontend.operators import invoked
from ptolint.frontend.source import blank
from ptolint.frontend.types import INT
from ptolint.ir.model import (
    ArrayType,
    Const,
    Expr,
    Field,
    Index,
    Let,
    Ref,
    StructType,
    Unknown,
    Var,
)

STATIC = 3  # CX_SC_Static


def _declaration(low: Lowering, cursor: Cursor) -> None:
    for child in low.unit.children(cursor):
        if child.kind == K.VAR_DECL:
            declare(low, child)
        elif child.kind in ALIASES:
            _alias(low, child)
        elif child.kind == K.UNEXPOSED_DECL:
            _bindings(low, child)


def _bindings(low: Lowering, cursor: Cursor) -> None:
    """`auto [a, b] = value;`: the names refer to members or elements of one hidden object."""
    children = low.unit.children(cursor)
    names = [c for c in children if c.kind == K.UNEXPOSED_DECL]
    values = [c for c in children if K.FIRST_EXPR <= c.kind <= K.LAST_EXPR]
    if not names or not values:
        low.opaque("declaration that is not understood", cursor)
        return
    by_reference = low.types.is_reference(low.unit.type_of(cursor))
    value = values[-1]
    if not by_reference and isinstance(low.types.of(cursor), ArrayType):
        value = (low.unit.operands(value) or [value])[0]  # an element-wise copy
    source = low.place(value) if by_reference else low.temp(low.expr(value), low.span(cursor), "bound")
    for i, name in enumerate(names):
        part = _part(source, i)
        if part is None:
            low.opaque("declaration that is not understood", cursor)
            return
        span = low.span(name)
        var = low.builder.new_var(low.unit.name(name), part.type, span, by_ref=True)
        low.builder.vars[name.d0 or 0] = var
        low.locals[var.name] = var
        low.emit(Let(var, part, span))


def _part(source: Expr, i: int) -> Expr | None:
    """The `i`-th member or element of an object."""
    if isinstance(source.type, ArrayType):
        return Index(source, Const(i, INT), source.type.element)
    if isinstance(source.type, StructType) and i < len(source.type.fields):
        name, type_ = source.type.fields[i]
        return Field(source, name, type_)
    return None


def _alias(low: Lowering, cursor: Cursor) -> None:
    type_ = placed_type(low.types.of(cursor))
    refs = [c for c in low.unit.children(cursor) if K.FIRST_REF <= c.kind <= K.LAST_REF]
    if any(c.kind == K.TEMPLATE_REF for c in refs):
        low.builder.use_type(type_, low.builder.type_place(cursor), low.function)


def declare(low: Lowering, cursor: Cursor) -> None:
    """A local variable with its initialiser."""
    lib = low.unit.lib
    if lib.clang_Cursor_getStorageClass(cursor) == STATIC:
        static_var(low.builder, cursor)
        return
    var = low.builder.var(cursor, low.function)
    low.locals[var.name] = var
    span = low.span(cursor)
    initialiser = lib.clang_Cursor_getVarDeclInitializer(cursor)
    if K.INVALID_FIRST <= initialiser.kind <= K.INVALID_LAST:
        low.emit(Let(var, _without_initialiser(low, cursor, var), span))
        return
    if var.by_ref:
        low.emit(Let(var, low.place(initialiser), span))
        return
    if _constructs_user_object(low, initialiser, var.type):
        low.emit(Let(var, None, span))
        construct_into(low, Ref(var), _call_inside(low, initialiser))
        return
    value = invoked(low, initialiser)
    low.emit(Let(var, convert_to(value, var.type), span))


def _without_initialiser(low: Lowering, cursor: Cursor, var: Var) -> Unknown | None:
    """Nothing for a variable left uninitialised; unknown for one whose initialiser clang had to drop."""
    if not low.unit.errors:
        return None
    text = blank(low.unit.source_of(cursor)[0])
    dropped = any(symbol in text for symbol in "={(")
    if not dropped and not low.unit.lib.clang_isInvalidDeclaration(cursor):
        return None
    span = low.span(cursor)
    messages = [e.message for e in low.unit.errors if (e.span.file, e.span.line) == (span.file, span.line)]
    reason = messages[0] if messages else f"declaration of `{var.name}` could not be resolved"
    low.note(reason, span)
    return Unknown(reason, var.type)


def _call_inside(low: Lowering, cursor: Cursor) -> Cursor:
    while cursor.kind in (K.UNEXPOSED_EXPR, K.FUNCTIONAL_CAST_EXPR, K.PAREN_EXPR):
        inner = low.unit.operands(cursor)
        if not inner:
            return cursor
        cursor = inner[-1]
    return cursor


def _constructs_user_object(low: Lowering, initialiser: Cursor, type_: object) -> bool:
    """Whether an initialiser runs a constructor that the user wrote."""
    if not isinstance(type_, StructType):
        return False
    call = _call_inside(low, initialiser)
    target = low.unit.referenced(call) if call.kind == K.CALL_EXPR else None
    if target is None or target.kind != K.CONSTRUCTOR or low.types.of(call) != type_:
        return False
    return is_written(low, low.builder.callee(target))


STATEMENTS[K.DECL_STMT] = _declaration
