"""Variables of namespace scope and static members: constants go into `Program.globals`, the rest is unknown."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.builder import Builder
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import Lowering
from ptolint.ir.model import Expr, Let, ScalarType, Unknown, Var

EXTERN = 2  # CX_SC_Extern


def global_var(builder: Builder, declaration: Cursor) -> Var:
    """The variable of a namespace-scope declaration, with its initialiser among the program's globals."""
    canonical = builder.unit.lib.clang_getCursorDefinition(declaration)
    if not K.INVALID_FIRST <= canonical.kind <= K.INVALID_LAST:
        declaration = canonical
    known = builder.vars.get(declaration.d0 or 0)
    if known is not None:
        return known
    var = builder.var(declaration)
    builder.globals.append(Let(var, _initial(builder, declaration, var), var.span))
    return var


def static_var(builder: Builder, declaration: Cursor) -> Var:
    """A static local: a global that starts with its initialiser and keeps what functions store in it."""
    known = builder.vars.get(declaration.d0 or 0)
    if known is not None and any(g.var is known for g in builder.globals):
        return known
    var = builder.var(declaration)
    builder.globals.append(Let(var, _value(builder, declaration, var), var.span))
    return var


def _initial(builder: Builder, declaration: Cursor, var: Var) -> Expr:
    if not is_constant(builder, declaration):
        return Unknown(f"`{var.name}` can change anywhere", var.type)
    return _value(builder, declaration, var)


def _value(builder: Builder, declaration: Cursor, var: Var) -> Expr:
    initialiser = builder.unit.lib.clang_Cursor_getVarDeclInitializer(declaration)
    if K.INVALID_FIRST <= initialiser.kind <= K.INVALID_LAST:
        if builder.unit.lib.clang_Cursor_getStorageClass(declaration) == EXTERN or not isinstance(var.type, ScalarType):
            return Unknown(f"`{var.name}` has no initialiser here", var.type)
        return builder.types.constant(0, var.type)
    low = Lowering(builder, "")
    value = low.expr(initialiser)
    return value if not low.out else Unknown(f"`{var.name}` is computed at start-up", var.type)


def is_constant(builder: Builder, declaration: Cursor) -> bool:
    """Whether a variable is const, an array of const elements included."""
    lib = builder.unit.lib
    ctype = lib.clang_getCanonicalType(builder.unit.type_of(declaration))
    while ctype.kind == K.T_CONSTANT_ARRAY:
        if lib.clang_isConstQualifiedType(ctype):
            return True
        ctype = lib.clang_getArrayElementType(ctype)
    return bool(lib.clang_isConstQualifiedType(ctype))
