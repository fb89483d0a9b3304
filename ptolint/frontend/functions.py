"""One function instantiation: parameters, member initialisers, body."""

from __future__ import annotations

import ptolint.frontend.expressions
import ptolint.frontend.operators
import ptolint.frontend.places
import ptolint.frontend.statements  # noqa: F401  (all four register their handlers)
from ptolint.frontend import kinds as K
from ptolint.frontend.arguments import arguments
from ptolint.frontend.builder import Builder, Lowered
from ptolint.frontend.calls import is_written
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import Lowering
from ptolint.frontend.objects import convert_to, member_default, member_initialisers
from ptolint.ir.model import (
    Evaluate,
    Field,
    Function,
    Invoke,
    Opaque,
    OtherType,
    Ref,
    Store,
    StructType,
    Unknown,
    Var,
)

KERNEL, DEVICE = "kernel", frozenset(("kernel", "device", "cube", "vector"))


def lower_function(builder: Builder, identifier: str, cursor: Cursor, is_root: bool = False) -> Lowered:
    """Lower the definition at `cursor`."""
    unit = builder.unit
    this = _this(builder, cursor)
    low = Lowering(builder, identifier, this)
    result = unit.lib.clang_getCursorResultType(cursor)
    low.returns_reference = builder.types.is_reference(result)
    children = unit.children(cursor)
    params = [this] if this is not None and not _in_closure(builder, cursor) else []
    params += [builder.var(c, identifier) for c in children if c.kind == K.PARM_DECL]
    low.locals = {p.name: p for p in params}
    if cursor.kind == K.CONSTRUCTOR and this is not None:
        _member_inits(low, cursor, children, this)
    bodies = [c for c in children if c.kind == K.COMPOUND_STMT]
    for statement in unit.children(bodies[0]) if bodies else ():
        low.stmt(statement)
    if not bodies:
        low.note("the body could not be resolved", low.span(cursor))
        low.emit(Opaque("the body could not be resolved", (), low.span(cursor)))
    notes = unit.annotations(cursor)
    function = Function(
        identifier,
        unit.name(cursor),
        identifier.partition("#")[0],
        tuple(params),
        tuple(low.out),
        low.span(cursor),
        KERNEL in notes,
        bool(notes & DEVICE),
        is_root,
        OtherType("void") if cursor.kind == K.CONSTRUCTOR else builder.types.convert(result),
    )
    return Lowered(function, low.notes, low.places, low.callees)


def _in_closure(builder: Builder, cursor: Cursor) -> bool:
    return (builder.unit.parent(cursor).d0 or 0) in builder.closures


def _this(builder: Builder, cursor: Cursor) -> Var | None:
    """The object of a method; a lambda's body sees the object of the method around it."""
    if cursor.kind not in (K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.CONVERSION_FUNCTION):
        return None
    parent = builder.unit.parent(cursor)
    key = parent.d0 or 0
    if key in builder.closures:
        return builder.closures[key]
    if cursor.kind == K.CXX_METHOD and builder.unit.lib.clang_CXXMethod_isStatic(cursor):
        return None
    return builder.this_of(parent)


def _member_inits(low: Lowering, cursor: Cursor, children: list[Cursor], this: Var) -> None:
    """Member initialisers in the order of the members, defaults for those that have none."""
    written, bases = _written(low, children)
    parent = low.unit.parent(cursor)
    for base in bases:
        _base_init(low, base, this)
    if not isinstance(this.type, StructType):
        return
    defaults = member_initialisers(low, parent)
    inherited = _inherited(low, parent) if bases else set()
    for name, type_ in this.type.fields:
        target = Field(Ref(this), name, type_)
        if name in written:
            value = convert_to(low.expr(written[name]), type_)
            low.emit(Store(target, value, low.span(written[name])))
        elif name not in inherited:
            value = member_default(low, name, type_, defaults)
            if not isinstance(value, Unknown):
                low.emit(Store(target, value, low.span(cursor)))


def _written(low: Lowering, children: list[Cursor]) -> tuple[dict[str, Cursor], list[Cursor]]:
    """Initialisers by member name, and the calls of base constructors."""
    written: dict[str, Cursor] = {}
    bases: list[Cursor] = []
    member: str | None = None
    for child in children:
        if child.kind == K.MEMBER_REF:
            member = low.unit.name(child)
        elif K.FIRST_EXPR <= child.kind <= K.LAST_EXPR:
            if member is not None:
                written[member] = child
                member = None
            elif child.kind == K.CALL_EXPR:
                bases.append(child)
    return written, bases


def _base_init(low: Lowering, call: Cursor, this: Var) -> None:
    target = low.unit.referenced(call)
    if target is None or target.kind != K.CONSTRUCTOR:
        return
    callee = low.builder.callee(target)
    if not is_written(low, callee):
        return
    values = tuple(low.expr(a) for a in arguments(low, call))
    identifier = low.builder.function_id(callee)
    low.callees.append(identifier)
    span = low.span(call)
    low.emit(Evaluate(Invoke(identifier, (Ref(this), *values), OtherType("void"), span), span))


def _inherited(low: Lowering, parent: Cursor) -> set[str]:
    names: set[str] = set()
    for specifier in low.types.bases(parent):
        base = low.types.of(specifier)
        if isinstance(base, StructType):
            names |= {n for n, _ in base.fields}
    return names
