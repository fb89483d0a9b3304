"""Statements: declarations, branches, loops, switches, jumps."""

from __future__ import annotations

import re

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.declarations import declare
from ptolint.frontend.loops import IfParts, for_parts, if_parts
from ptolint.frontend.lowering import STATEMENTS, Lowering, address_of
from ptolint.frontend.objects import convert_to
from ptolint.frontend.operators import invoked
from ptolint.frontend.types import BOOL, INT
from ptolint.ir.model import (
    ArrayType,
    Binary,
    Block,
    Break,
    Const,
    Continue,
    Expr,
    If,
    Index,
    Let,
    Loop,
    Opaque,
    OtherType,
    Ref,
    Return,
    Stmt,
    Store,
    Switch,
)

TRUE = Const(True, BOOL)


def _compound(low: Lowering, cursor: Cursor) -> None:
    body = low.block(cursor)
    if body:
        low.emit(Block(body, low.span(cursor)))


# ---------------------------------------------------------------- branches


def _if(low: Lowering, cursor: Cursor) -> None:
    parts = if_parts(low.unit, cursor)
    if parts is None:
        low.opaque("branch that is not understood", cursor)
        return
    if parts.declarations:
        inner = low.captured(lambda: _if_parts(low, cursor, parts))
        low.emit(Block(inner, low.span(cursor)))
    else:
        _if_parts(low, cursor, parts)


def _if_parts(low: Lowering, cursor: Cursor, parts: IfParts) -> None:
    for declaration in parts.declarations:
        declare(low, declaration) if declaration.kind == K.VAR_DECL else low.stmt(declaration)
    cond = low.expr(parts.cond)
    if parts.is_constexpr and isinstance(cond, Const):
        chosen = parts.then if cond.value else parts.other
        if chosen is not None:
            for statement in low.block(chosen):
                low.emit(statement)
        return
    then = low.block(parts.then)
    other = low.block(parts.other) if parts.other is not None else ()
    low.emit(If(cond, then, other, low.span(cursor)))


def _switch(low: Lowering, cursor: Cursor) -> None:
    *heads, body = low.unit.operands(cursor) or [cursor]
    declared = [c for c in low.unit.children(cursor) if c.kind == K.VAR_DECL]
    for declaration in declared:
        declare(low, declaration)
    heads = [h for h in heads if h.kind < K.UNEXPOSED_STMT]
    if not heads or body.kind != K.COMPOUND_STMT:
        low.opaque("switch that is not understood", cursor)
        return
    value = low.expr(heads[-1])
    if isinstance(value, Const) and isinstance(value.value, str):
        value = Const(low.types.enums.get(getattr(value.type, "name", ""), {}).get(value.value, 0), value.type)
    low.emit(Switch(value, _cases(low, body), low.span(cursor)))


def _cases(low: Lowering, body: Cursor) -> tuple[tuple[tuple[int, ...] | None, tuple[Stmt, ...]], ...]:
    """The cases of a switch; several labels in a row share one entry."""
    cases: list[tuple[tuple[int, ...] | None, tuple[Stmt, ...]]] = []
    labels: list[int] | None = []
    statements: list[Stmt] = []
    started = False

    def close() -> None:
        if started:
            cases.append((None if labels is None else tuple(labels), tuple(statements)))

    for child in low.unit.children(body):
        if child.kind in (K.CASE_STMT, K.DEFAULT_STMT):
            close()
            labels, inner = _labels(low, child)
            statements, started = [], True
            if inner is not None:
                statements.extend(_one(low, inner))
        elif started:
            statements.extend(_one(low, child))
    close()
    return tuple(cases)


def _one(low: Lowering, cursor: Cursor) -> tuple[Stmt, ...]:
    return low.captured(lambda: low.stmt(cursor))


def _labels(low: Lowering, cursor: Cursor) -> tuple[list[int] | None, Cursor | None]:
    """All labels that stand before one statement; None when `default` is among them."""
    labels: list[int] | None = []
    current: Cursor | None = cursor
    while current is not None and current.kind in (K.CASE_STMT, K.DEFAULT_STMT):
        children = low.unit.operands(current)
        if current.kind == K.DEFAULT_STMT:
            labels = None
        else:
            values = [clang.evaluate(c) for c in children[:-1]]
            numbers = [int(v) for v in values if v is not None]
            if labels is not None:
                labels += (
                    range(numbers[0], numbers[-1] + 1)
                    if len(numbers) == 2 and numbers[1] - numbers[0] < 4096
                    else numbers
                )
        current = children[-1] if children else None
    return labels, current


# ---------------------------------------------------------------- loops


def _while(low: Lowering, cursor: Cursor) -> None:
    children = low.unit.children(cursor)
    declared = [c for c in children if c.kind == K.VAR_DECL]
    cond, body = children[-2], children[-1]
    _loop(low, cursor, [], cond if not declared or len(children) > 2 else None, None, body, declared)


def _do(low: Lowering, cursor: Cursor) -> None:
    body, cond = low.unit.operands(cursor)[:2]
    span = low.span(cursor)
    statements = low.block(body)
    values: list[Expr] = []
    head = low.captured(lambda: values.append(low.expr(cond)))
    low.emit(Loop(head, values[0], statements, (), span, post_test=True))


def _for(low: Lowering, cursor: Cursor) -> None:
    parts = for_parts(low.unit, cursor)
    if parts.init is None:
        _loop(low, cursor, [], parts.cond, parts.step, parts.body, parts.declarations)
        return

    def lower() -> None:
        assert parts.init is not None
        low.stmt(parts.init)
        _loop(low, cursor, [], parts.cond, parts.step, parts.body, parts.declarations)

    low.emit(Block(low.captured(lower), low.span(cursor)))


def _loop(
    low: Lowering,
    cursor: Cursor,
    head: list[Stmt],
    cond: Cursor | None,
    step: Cursor | None,
    body: Cursor,
    declared: list[Cursor],
) -> None:
    values: list[Expr] = []

    def before() -> None:
        for declaration in declared:
            declare(low, declaration)
        values.append(low.expr(cond) if cond is not None else TRUE)

    heads = low.captured(before)
    statements = low.block(body)
    steps = low.captured(lambda: low.effect(step)) if step is not None else ()
    low.emit(Loop(heads, values[0], statements, steps, low.span(cursor)))


def _for_range(low: Lowering, cursor: Cursor) -> None:
    """`for (x : array)`: an index runs over the elements."""
    children = low.unit.children(cursor)
    variables = [c for c in children if c.kind == K.VAR_DECL]
    expressions = [c for c in children if c.kind >= K.FIRST_EXPR]
    if len(variables) != 1 or len(expressions) < 2:
        low.opaque("range-based loop that is not understood", cursor)
        return
    span = low.span(cursor)

    def lower() -> None:
        array = low.place(expressions[-2])
        if isinstance(array.type, ArrayType):
            _over_array(low, cursor, variables[0], array, array.type, expressions[-1])
        else:
            low.opaque("range-based loop over something other than an array", cursor)

    low.emit(Block(low.captured(lower), span))


def _over_array(low: Lowering, cursor: Cursor, variable: Cursor, array: Expr, type_: ArrayType, body: Cursor) -> None:
    span = low.span(cursor)
    index = Ref(low.builder.new_var(f"index.{low.builder._next_var + 1}", INT, span))
    low.emit(Let(index.var, Const(0, INT), span))
    var = low.builder.var(variable, low.function)
    element = Index(array, index, type_.element)
    first = Let(var, element if var.by_ref else convert_to(element, var.type), low.span(variable))
    statements = (first, *low.block(body))
    cond = Binary("<", index, Const(type_.length, INT), BOOL)
    step = Store(index, Binary("+", index, Const(1, INT), INT), span)
    low.emit(Loop((), cond, statements, (step,), span))


# ---------------------------------------------------------------- jumps


def _break(low: Lowering, cursor: Cursor) -> None:
    low.emit(Break(low.span(cursor)))


def _continue(low: Lowering, cursor: Cursor) -> None:
    low.emit(Continue(low.span(cursor)))


def _return(low: Lowering, cursor: Cursor) -> None:
    values = low.unit.operands(cursor)
    span = low.span(cursor)
    if not values:
        low.emit(Return(None, span))
        return
    if low.returns_reference:
        low.emit(Return(address_of(low.place(values[0])), span))
        return
    value = invoked(low, values[0])
    void = isinstance(value.type, OtherType) and value.type.spelling == "void"
    low.emit(Return(None if void else value, span))


_WORD = re.compile(r"[A-Za-z_]\w*")


def _null(low: Lowering, cursor: Cursor) -> None:
    """Nothing, or the place of a statement that had to be taken out so that clang could make sense of the rest."""
    at = low.unit.offsets(cursor) if low.builder.blanked else None
    taken = low.builder.blanked.get(at[0]) if at is not None else None
    if taken is None:
        return
    low.places.add((taken.note.span.file, taken.note.span.line, taken.note.span.col))
    low.notes.append(taken.note)
    words = set(_WORD.findall(taken.text))
    writes = tuple(Ref(var) for name, var in low.locals.items() if name in words)
    low.emit(Opaque(taken.note.reason, writes, taken.note.span))


def _labelled(low: Lowering, cursor: Cursor) -> None:
    low.opaque("label: jumps are not followed", cursor)
    for child in low.unit.operands(cursor):
        low.stmt(child)


def _goto(low: Lowering, cursor: Cursor) -> None:
    low.opaque("goto", cursor)


def _unexposed(low: Lowering, cursor: Cursor) -> None:
    """An attributed statement (`[[likely]]`, `#pragma unroll`): the statement inside counts."""
    children = [c for c in low.unit.operands(cursor) if not K.FIRST_ATTR <= c.kind <= K.LAST_ATTR]
    if len(children) == 1:
        low.stmt(children[0])
    elif children:
        low.opaque("statement that is not understood", cursor)


def _asm(low: Lowering, cursor: Cursor) -> None:
    low.opaque("inline assembly", cursor)


STATEMENTS.update(
    {
        K.COMPOUND_STMT: _compound,
        K.IF_STMT: _if,
        K.SWITCH_STMT: _switch,
        K.WHILE_STMT: _while,
        K.DO_STMT: _do,
        K.FOR_STMT: _for,
        K.FOR_RANGE_STMT: _for_range,
        K.BREAK_STMT: _break,
        K.CONTINUE_STMT: _continue,
        K.RETURN_STMT: _return,
        K.NULL_STMT: _null,
        K.LABEL_STMT: _labelled,
        K.GOTO_STMT: _goto,
        K.UNEXPOSED_STMT: _unexposed,
        K.ASM_STMT: _asm,
        K.CASE_STMT: _unexposed,
        K.DEFAULT_STMT: _unexposed,
    }
)
