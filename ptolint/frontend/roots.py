"""Where a walk starts: functions of the user's file, kernels, explicit instantiations."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.builder import ALIASES, Builder, placed_type
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.source import REFERENCE_PREFIX

CONTAINERS = (K.NAMESPACE, K.LINKAGE_SPEC)
RECORDS = (K.STRUCT_DECL, K.CLASS_DECL)
FUNCTIONS = (K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR)
TEMPLATE_NOTES = frozenset(("kernel", "device"))


@dataclass(slots=True)
class Roots:
    """Definitions to lower, and the function templates of the file."""

    functions: list[Cursor] = field(default_factory=list)
    instances: list[Cursor] = field(default_factory=list)
    templates: list[Cursor] = field(default_factory=list)
    references: list[Cursor] = field(default_factory=list)  # declarations that named an instance
    unresolved: list[Cursor] = field(default_factory=list)  # and those that failed to


def find_roots(builder: Builder) -> Roots:
    """All roots in source order; type aliases of namespace scope are recorded on the way."""
    roots = Roots()
    _visit(builder, builder.unit.root, roots)
    return roots


def _visit(builder: Builder, parent: Cursor, roots: Roots) -> None:
    unit = builder.unit
    for child in unit.children(parent):
        if child.kind == K.VAR_DECL and unit.name(child).startswith(REFERENCE_PREFIX):
            _reference(builder, child, roots)
        elif not unit.in_main_file(child):
            continue
        elif child.kind in CONTAINERS or (child.kind == K.UNEXPOSED_DECL):
            _visit(builder, child, roots)
        elif child.kind in RECORDS:
            if unit.lib.clang_isCursorDefinition(child):
                _visit(builder, child, roots)
        elif child.kind in FUNCTIONS:
            if unit.lib.clang_isCursorDefinition(child):
                roots.functions.append(child)
        elif child.kind == K.FUNCTION_TEMPLATE:
            roots.templates.append(child)
        elif child.kind in ALIASES:
            builder.use_type(placed_type(builder.types.of(child)), builder.type_place(child), None)


def _reference(builder: Builder, declaration: Cursor, roots: Roots) -> None:
    """A reference that stands for an explicit instantiation."""
    initialiser = builder.unit.lib.clang_Cursor_getVarDeclInitializer(declaration)
    if not K.INVALID_FIRST <= initialiser.kind <= K.INVALID_LAST:
        found = _function_in(builder, initialiser)
        if found is not None:
            roots.instances.append(found)
            roots.references.append(declaration)
            return
    roots.unresolved.append(declaration)


def _function_in(builder: Builder, cursor: Cursor) -> Cursor | None:
    if cursor.kind == K.DECL_REF_EXPR:
        target = builder.unit.referenced(cursor)
        if target is not None and target.kind in FUNCTIONS:
            builder.place_arguments(cursor, target, None)
            return target
    for child in clang.children(cursor):
        found = _function_in(builder, child)
        if found is not None:
            return found
    return None
