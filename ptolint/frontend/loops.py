"""Telling the parts of `for` and `if` apart: libclang leaves out absent ones, the text says which."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.source import blank
from ptolint.frontend.unit import Unit


@dataclass(slots=True)
class ForParts:
    init: Cursor | None
    cond: Cursor | None
    step: Cursor | None
    body: Cursor
    declarations: list[Cursor] = field(default_factory=list)


@dataclass(slots=True)
class IfParts:
    declarations: list[Cursor]
    cond: Cursor
    then: Cursor
    other: Cursor | None
    is_constexpr: bool


def for_parts(unit: Unit, cursor: Cursor) -> ForParts:
    """Initialiser, condition, step and body of a `for`."""
    children = unit.children(cursor)
    *heads, body = children
    declarations = [c for c in heads if c.kind == K.VAR_DECL]
    heads = [c for c in heads if c.kind != K.VAR_DECL]
    if len(heads) == 3:
        return ForParts(heads[0], heads[1], heads[2], body, declarations)
    semicolons = _semicolons(unit, cursor)
    parts: list[Cursor | None] = [None, None, None]
    for head in heads:
        parts[_part(unit, head, semicolons, parts)] = head
    return ForParts(parts[0], parts[1], parts[2], body, declarations)


def _part(unit: Unit, head: Cursor, semicolons: list[int], parts: list[Cursor | None]) -> int:
    """0, 1 or 2: initialiser, condition or step, by position or else by what it looks like."""
    if len(semicolons) == 2:
        start = unit.start_of(head)
        return sum(start > s for s in semicolons)
    if head.kind == K.DECL_STMT:
        return 0
    changes = (K.COMPOUND_ASSIGNMENT_OPERATOR, K.UNARY_OPERATOR)
    return 2 if head.kind in changes or parts[1] is not None else 1


def _semicolons(unit: Unit, cursor: Cursor) -> list[int]:
    """Offsets of the two semicolons in the head of a `for`; [] where the text cannot tell (macros)."""
    text, start = unit.source_of(cursor)
    text = blank(text)
    if not text.startswith("for"):
        return []
    found, depth = [], 0
    for i, symbol in enumerate(text):
        if symbol in "([{":
            depth += 1
        elif symbol in ")]}":
            depth -= 1
            if depth == 0:
                break
        elif symbol == ";" and depth == 1:
            found.append(start + i)
    return found if len(found) == 2 else []


_HEAD = re.compile(r"if\s*(constexpr\b)?")


def if_parts(unit: Unit, cursor: Cursor) -> IfParts | None:
    """Declarations, condition and branches of an `if`; None when the tree is incomplete."""
    children = unit.children(cursor)
    declared = [c for c in children if c.kind == K.VAR_DECL]
    rest = [c for c in children if c.kind != K.VAR_DECL]
    while rest and rest[0].kind == K.DECL_STMT:  # an init-statement
        declared.append(rest.pop(0))
    head = _HEAD.match(unit.source_of(cursor)[0])
    is_constexpr = bool(head and head.group(1))
    if len(rest) == 4:  # an init-statement that is an expression
        declared.append(rest.pop(0))
    if len(rest) not in (2, 3) or rest[0].kind >= K.UNEXPOSED_STMT:
        return None
    declared.sort(key=unit.start_of)
    return IfParts(declared, rest[0], rest[1], rest[2] if len(rest) == 3 else None, is_constexpr)
