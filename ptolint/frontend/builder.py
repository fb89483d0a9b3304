"""What one lowering of a translation unit accumulates: variables, functions, notes, type uses."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import dataclass, field

from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.repair import Blanked
from ptolint.frontend.types import TypeTable
from ptolint.frontend.unit import Unit
from ptolint.ir.model import (
    ArrayType,
    ConvTileType,
    Function,
    Let,
    Note,
    PointerType,
    Span,
    TensorType,
    TileType,
    Type,
    TypeUse,
    Var,
)

PLACED_TYPES = (TileType, TensorType, ConvTileType)
SPACES = {
    "gm": "gm",
    "ubuf": "ub",
    "cbuf": "cbuf",
    "ca": "ca",
    "cb": "cb",
    "cc": "cc",
    "fbuf": "fbuf",
    "biasbuf": "bt",
}
_SPACE = re.compile(rb"__(" + "|".join(SPACES).encode() + rb")__")
ALIASES = (K.TYPEDEF_DECL, K.TYPE_ALIAS_DECL)


@dataclass(slots=True)
class Callee:
    """What is known of a called function, once per instantiation."""

    cursor: Cursor
    name: str
    in_headers: bool
    annotations: frozenset[str]
    params: list[Cursor]
    has_body: bool


@dataclass(slots=True)
class Lowered:
    """A function with what was found while lowering it; notes only count if it turns out to be device code."""

    function: Function
    notes: list[Note]
    places: set[tuple[str, int, int]]
    callees: list[str]


@dataclass(slots=True)
class Builder:
    """Shared state of all function lowerings of one translation unit."""

    unit: Unit
    types: TypeTable
    vars: dict[int, Var] = field(default_factory=dict)
    globals: list[Let] = field(default_factory=list)
    lowered: dict[str, Lowered] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    queue: deque[tuple[str, Cursor]] = field(default_factory=deque)
    closures: dict[int, Var | None] = field(default_factory=dict)
    this_vars: dict[int, Var] = field(default_factory=dict)
    type_uses: dict[tuple[Type, Span], TypeUse] = field(default_factory=dict)
    placed: set[Type] = field(default_factory=set)
    unplaced: dict[Type, TypeUse] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    problems: dict[tuple[int, int], str] = field(default_factory=dict)
    blanked: dict[int, Blanked] = field(default_factory=dict)
    instances: dict[str, Cursor] = field(default_factory=dict)
    _spaces: dict[int, str] = field(default_factory=dict)
    _callees: dict[int, Callee] = field(default_factory=dict)
    _taken: Counter[str] = field(default_factory=Counter)
    _next_var: int = 0

    # ------------------------------------------------------------ variables

    def new_var(self, name: str, type_: Type, span: Span, by_ref: bool = False, type_span: Span | None = None) -> Var:
        self._next_var += 1
        return Var(self._next_var, name, type_, span, by_ref, type_span)

    def var(self, declaration: Cursor, function: str | None = None) -> Var:
        """The variable of a declaration, created when first met."""
        key = declaration.d0 or 0
        found = self.vars.get(key)
        if found is None:
            ctype = self.unit.type_of(declaration)
            type_ = self.types.convert(ctype)
            name = self.unit.name(declaration)
            by_ref = self.types.is_reference(ctype)
            span = self.unit.name_span(declaration, name)
            type_span = None
            if isinstance(placed_type(type_), PLACED_TYPES):
                type_span = self.type_place(declaration)
                self.use_type(placed_type(type_), type_span, function)
                if type_span is None:
                    self.unplaced.setdefault(placed_type(type_), TypeUse(placed_type(type_), span, function))
            if isinstance(type_, PointerType) and not type_.space:
                type_ = PointerType(type_.pointee, self.memory_space(declaration))
            found = self.vars[key] = self.new_var(name, type_, span, by_ref, type_span)
        return found

    def memory_space(self, declaration: Cursor) -> str:
        """The memory a pointer is declared to point to: the qualifiers are macros, so the text has to say."""
        file, _, _, offset = self.unit.location(declaration)
        if self.unit.file_of(file)[0] != self.unit.path:
            return ""
        found = self._spaces.get(offset)
        if found is None:
            head = self.unit.text[max(0, offset - 160) : offset]
            cut = max(head.rfind(symbol) for symbol in (b",", b"(", b";", b"{"))
            match = _SPACE.search(head, cut + 1)
            found = self._spaces[offset] = SPACES[match.group(1).decode()] if match else ""
        return found

    def this_of(self, record: Cursor) -> Var:
        """The object that methods of a class work on."""
        key = record.d0 or 0
        found = self.this_vars.get(key)
        if found is None:
            type_ = self.types.convert(self.unit.type_of(record))
            found = self.this_vars[key] = self.new_var("this", type_, self.unit.span(record), by_ref=True)
        return found

    # ------------------------------------------------------------ types as spelled

    def type_place(self, declaration: Cursor) -> Span | None:
        """Where the type of a declaration is spelled: at the alias it uses, or in the declaration itself."""
        for child in self.unit.children(declaration):
            if child.kind == K.TYPE_REF:
                target = self.unit.referenced(child)
                if target is not None and target.kind in ALIASES and not self.unit.in_headers(target):
                    return self.type_place(target) or self.unit.span(target)
                if target is not None and target.kind == K.TEMPLATE_TYPE_PARAMETER:
                    return None
                return self.unit.span(child)
            if child.kind == K.TEMPLATE_REF:
                start, whole = self.unit.span(child), self.unit.span(declaration)
                end = self._end_of_type(declaration) or (whole.end_line, whole.end_col)
                return Span(start.file, start.line, start.col, *end)
        return None

    def _end_of_type(self, declaration: Cursor) -> tuple[int, int] | None:
        """Where the spelled type of a variable ends: before its name."""
        if declaration.kind in ALIASES:
            return None
        start = self.unit.offsets(declaration)
        file, line, col, offset = self.unit.location(declaration)
        if start is None or self.unit.file_of(file)[0] != self.unit.path or offset <= start[0]:
            return None
        text = self.unit.text[start[0] : offset]
        trailing = len(text) - len(text.rstrip(b" \t&*"))
        return (line, self.unit.buffer.column(line, col) - trailing) if b"\n" not in text[-trailing - 1 :] else None

    def use_type(self, type_: Type, place: Span | None, function: str | None) -> None:
        """Remember that the user spells a tile or tensor type at `place`."""
        if place is not None and isinstance(type_, PLACED_TYPES):
            self.placed.add(type_)
            self.type_uses.setdefault((type_, place), TypeUse(type_, place, function))

    def place_arguments(self, named: Cursor, callee: Cursor, function: str | None) -> None:
        """Tile and tensor types spelled as template arguments in `named`, where nothing else spells them."""
        known = self.placed
        count = self.unit.lib.clang_Cursor_getNumTemplateArguments(callee)
        arguments = [self.types.template_argument(callee, i) for i in range(count)]
        wanted = [a for a in arguments if isinstance(a, PLACED_TYPES) and a not in known]
        if not wanted:
            return
        refs = [c for c in self.unit.children(named) if c.kind == K.TEMPLATE_REF]
        for i, type_ in enumerate(wanted):
            if refs:
                self.use_type(type_, self.unit.span(refs[min(i, len(refs) - 1)]), function)

    def all_type_uses(self) -> tuple[TypeUse, ...]:
        """Every type once per place; a type that is spelled nowhere stands at the first variable that has it."""
        return (*self.type_uses.values(), *(u for type_, u in self.unplaced.items() if type_ not in self.placed))

    # ------------------------------------------------------------ functions

    def callee(self, cursor: Cursor) -> Callee:
        """Facts about a called function."""
        key = cursor.d0 or 0
        found = self._callees.get(key)
        if found is None:
            found = self._callees[key] = self._describe(cursor)
        return found

    def _describe(self, cursor: Cursor) -> Callee:
        definition = self.unit.lib.clang_getCursorDefinition(cursor)
        if not K.INVALID_FIRST <= definition.kind <= K.INVALID_LAST:
            cursor = definition
        params, body = [], False
        for child in self.unit.children(cursor):
            if child.kind == K.PARM_DECL:
                params.append(child)
            elif child.kind == K.COMPOUND_STMT:
                body = True
        marks = self.unit.annotations(cursor)
        return Callee(cursor, self.unit.name(cursor), self.unit.in_headers(cursor), marks, params, body)

    def function_id(self, callee: Callee) -> str:
        """The id of a user's function; its body is lowered later, once."""
        key = callee.cursor.d0 or 0
        found = self.ids.get(key)
        if found is None:
            base = self.display(callee.cursor)
            self._taken[base] += 1
            count = self._taken[base]
            found = self.ids[key] = base if count == 1 else f"{base}#{count}"
            self.instances[found] = callee.cursor
            self.queue.append((found, callee.cursor))
        return found

    def display(self, cursor: Cursor) -> str:
        """A function's name with its scopes and template arguments, as a user reads it."""
        name = self.unit.name(cursor) + self._arguments(cursor)
        parent = self.unit.parent(cursor)
        while parent.kind in (K.NAMESPACE, K.STRUCT_DECL, K.CLASS_DECL):
            scope = self.unit.name(parent)
            if parent.kind != K.NAMESPACE:
                scope = scope or self.types.spelling(self.unit.type_of(parent)).rpartition("::")[2]
                scope += self._arguments(parent)
            if scope and not scope.startswith("(lambda"):
                name = f"{scope}::{name}"
            elif "operator()" in name:
                name = f"lambda:{self.unit.span(cursor).line}::{name}"
            parent = self.unit.parent(parent)
        return name

    def _arguments(self, cursor: Cursor) -> str:
        count = self.unit.lib.clang_Cursor_getNumTemplateArguments(cursor)
        if count <= 0:
            return ""
        parameters = self.types.template_parameters(cursor)
        shown = []
        for i in range(count):
            value = self.types.template_argument(cursor, i)
            parameter = parameters[i].type if i < len(parameters) else None
            if isinstance(value, int) and parameter is not None:
                value = self.types.constant(value, parameter).value  # type: ignore[assignment]
                shown.append(str(value).lower() if isinstance(value, bool) else str(value))
            elif value is None:
                shown.append("...")
            elif isinstance(value, int):
                shown.append(str(value))
            else:
                shown.append(short_type(value))
        return f"<{', '.join(shown)}>"


def placed_type(type_: Type) -> Type:
    """The tile or tensor type behind arrays and pointers."""
    while isinstance(type_, ArrayType | PointerType):
        type_ = type_.element if isinstance(type_, ArrayType) else type_.pointee
    return type_


def short_type(type_: Type) -> str:
    """A type in a few characters, for names of instantiations."""
    if isinstance(type_, TileType):
        return f"Tile<{type_.loc}, {type_.dtype}, {type_.rows}, {type_.cols}>"
    if isinstance(type_, TensorType):
        return f"GlobalTensor<{type_.dtype}, {type_.layout}>"
    if isinstance(type_, PointerType):
        return f"{short_type(type_.pointee)} *"
    if isinstance(type_, ArrayType):
        return f"{short_type(type_.element)}[{type_.length}]"
    if isinstance(type_, ConvTileType):
        return f"ConvTile<{type_.loc}, {type_.dtype}>"
    return str(getattr(type_, "name", None) or getattr(type_, "spelling", None) or getattr(type_, "kind", "?"))
