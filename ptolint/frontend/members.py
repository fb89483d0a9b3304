"""Access to data members: of tiles, shapes and user classes, through objects and pointers."""

from __future__ import annotations

from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import Lowering, deref
from ptolint.ir.model import DimsType, Expr, Field, PointerType, Ref


def field_of(low: Lowering, base: Expr, declaration: Cursor) -> Expr:
    """The data member `declaration` of the object `base`."""
    ctype = low.unit.type_of(declaration)
    type_ = low.types.convert(ctype)
    name = low.unit.name(declaration)
    if isinstance(base.type, DimsType) and name == base.type.kind:
        return base  # the numbers of a shape are the shape
    if low.types.is_reference(ctype):
        return deref(Field(base, name, PointerType(type_)), type_)
    return Field(base, name, type_)


def member_base(low: Lowering, cursor: Cursor) -> Expr:
    """The object of a member expression, `*this` when none is written."""
    children = low.unit.operands(cursor)
    if not children:
        return Ref(low.this) if low.this is not None else low.unknown("member of an unknown object", cursor)
    return object_of(low, children[0])


def object_of(low: Lowering, cursor: Cursor) -> Expr:
    """The object that `cursor` denotes, also through a pointer (`p->`)."""
    type_ = low.types.of(cursor)
    if isinstance(type_, PointerType):
        return deref(low.expr(cursor), type_.pointee)
    return low.place(cursor)
