"""The state while one function body is lowered, and what expressions, calls and statements share."""

from __future__ import annotations

from collections.abc import Callable

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.builder import Builder
from ptolint.frontend.clang_api import Cursor
from ptolint.ir.model import (
    AddressOf,
    Const,
    Deref,
    Expr,
    Field,
    Index,
    Let,
    Note,
    Opaque,
    PointerType,
    Ref,
    ScalarType,
    Span,
    Stmt,
    Type,
    Unknown,
    Var,
)

MAX_DEPTH = 200  # nested expressions and statements; deeper code is not understood

ExprHandler = Callable[["Lowering", Cursor], Expr]
StmtHandler = Callable[["Lowering", Cursor], None]

EXPRESSIONS: dict[int, ExprHandler] = {}
PLACES: dict[int, Callable[[Lowering, Cursor], Expr | None]] = {}
STATEMENTS: dict[int, StmtHandler] = {}
EFFECT = -1  # the key of the handler for expressions as statements

_NEVER_CONSTANT = frozenset(
    (K.THIS_EXPR, K.LAMBDA_EXPR, K.INIT_LIST_EXPR, K.STRING_LITERAL, K.COMPOUND_ASSIGNMENT_OPERATOR)
)
_SAME_VALUE = frozenset((K.PAREN_EXPR, K.UNEXPOSED_EXPR))


class Lowering:
    """Lowers one function; statements go to `out`, side effects of expressions before the statement that uses them."""

    def __init__(self, builder: Builder, function: str, this: Var | None = None) -> None:
        self.builder = builder
        self.unit = builder.unit
        self.types = builder.types
        self.function = function
        self.this = this
        self.returns_reference = False
        self.out: list[Stmt] = []
        self.notes: list[Note] = []
        self.places: set[tuple[str, int, int]] = set()
        self.callees: list[str] = []
        self.locals: dict[str, Var] = {}
        self._depth = 0
        self._statement: Span | None = None

    # ------------------------------------------------------------ output

    def emit(self, statement: Stmt) -> None:
        self.out.append(statement)

    def captured(self, work: Callable[[], object]) -> tuple[Stmt, ...]:
        """The statements that `work` emits."""
        outer, self.out = self.out, []
        try:
            work()
            return tuple(self.out)
        finally:
            self.out = outer

    def span(self, cursor: Cursor) -> Span:
        return self.unit.span(cursor)

    def temp(self, value: Expr, span: Span, name: str = "tmp") -> Ref:
        """A new variable that holds `value`."""
        var = self.builder.new_var(f"{name}.{self.builder._next_var + 1}", value.type, span)
        self.emit(Let(var, value, span))
        return Ref(var)

    def note(self, reason: str, span: Span) -> None:
        self.notes.append(Note("not-understood", reason, self._statement or span))

    def unknown(self, reason: str, cursor: Cursor, type_: Type | None = None) -> Unknown:
        """A value that could not be expressed; counted as not understood."""
        self.note(reason, self.span(cursor))
        return Unknown(reason, type_ if type_ is not None else self.types.of(cursor))

    def opaque(self, reason: str, cursor: Cursor, writes: tuple[Expr, ...] = ()) -> None:
        span = self.span(cursor)
        self.note(reason, span)
        self.emit(Opaque(reason, writes, span))

    # ------------------------------------------------------------ expressions

    def fold(self, cursor: Cursor, type_: Type) -> Const | None:
        """The constant that clang computes for an expression of scalar type."""
        if not isinstance(type_, ScalarType):
            return None
        value = clang.evaluate(cursor)
        return None if value is None else self.types.constant(value, type_)

    def expr(self, cursor: Cursor, folded: bool = False) -> Expr:
        """The value of an expression. `folded`: clang already failed to compute an expression with the same value."""
        kind = cursor.kind
        type_ = self.types.of(cursor)
        if not folded and kind not in _NEVER_CONSTANT and not self._varies(cursor):
            constant = self.fold(cursor, type_)
            if constant is not None:
                return constant
        handler = EXPRESSIONS.get(kind)
        if handler is None:
            return self.unknown(f"expression of kind {kind}", cursor, type_)
        if self._depth > MAX_DEPTH:
            return self.unknown("expression nested too deeply", cursor, type_)
        self._depth += 1
        try:
            return handler(self, cursor)
        finally:
            self._depth -= 1

    def _varies(self, cursor: Cursor) -> bool:
        """Whether an expression plainly reads a variable, so that folding need not be tried."""
        while cursor.kind in _SAME_VALUE:
            inner = self.unit.operands(cursor)
            if len(inner) != 1:
                return False
            cursor = inner[0]
        if cursor.kind != K.DECL_REF_EXPR:
            return False
        target = self.unit.referenced(cursor)
        if target is None or target.kind not in (K.PARM_DECL, K.VAR_DECL):
            return False
        return target.kind == K.PARM_DECL or not self.unit.lib.clang_isConstQualifiedType(self.unit.type_of(target))

    def place(self, cursor: Cursor, span: Span | None = None) -> Expr:
        """The object an expression denotes; a value without an object gets a temporary."""
        found = self.try_place(cursor)
        if found is not None:
            return found
        return self.temp(self.expr(cursor), span or self.span(cursor))

    def try_place(self, cursor: Cursor) -> Expr | None:
        """The object an expression denotes, or None for a pure value."""
        handler = PLACES.get(cursor.kind)
        if handler is None or self._depth > MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return handler(self, cursor)
        finally:
            self._depth -= 1

    def effect(self, cursor: Cursor) -> None:
        """An expression as a statement."""
        STATEMENTS[EFFECT](self, cursor)

    # ------------------------------------------------------------ statements

    def stmt(self, cursor: Cursor) -> None:
        """One statement."""
        if self._depth > MAX_DEPTH:
            self.opaque("statement nested too deeply", cursor)
            return
        self._depth += 1
        outer = self._statement
        if cursor.kind not in (K.COMPOUND_STMT, K.NULL_STMT, K.CASE_STMT, K.DEFAULT_STMT):
            self._statement = self.span(cursor)
            self.places.add((self._statement.file, self._statement.line, self._statement.col))
        try:
            handler = STATEMENTS.get(cursor.kind)
            if handler is not None:
                handler(self, cursor)
            elif K.FIRST_EXPR <= cursor.kind <= K.LAST_EXPR:
                self.effect(cursor)
            else:
                self.opaque(f"statement of kind {cursor.kind}", cursor)
        finally:
            self._depth -= 1
            self._statement = outer

    def block(self, cursor: Cursor) -> tuple[Stmt, ...]:
        """The statements of a branch or loop body."""
        inner = self.unit.children(cursor) if cursor.kind == K.COMPOUND_STMT else [cursor]

        def lower() -> None:
            for statement in inner:
                self.stmt(statement)

        return self.captured(lower)


# ---------------------------------------------------------------- small builders


def deref(pointer: Expr, type_: Type) -> Expr:
    """`*pointer`, simplified when the pointer is the address of something."""
    return pointer.base if isinstance(pointer, AddressOf) else Deref(pointer, type_)


def address_of(place: Expr) -> Expr:
    """`&place`, simplified when the place is what a pointer points to."""
    return place.base if isinstance(place, Deref) else AddressOf(place, PointerType(place.type))


def is_place(value: Expr) -> bool:
    """Whether an expression denotes an object that can be assigned to."""
    return isinstance(value, Ref | Index | Field | Deref)


def null(type_: Type) -> Const:
    """A null pointer, or the value of something that has none."""
    return Const(None, type_)
