"""A second chance for functions whose body clang dropped because of one statement it could not make sense of.

When a statement of a template cannot be instantiated, clang throws the whole body away.  Blanking that statement
and parsing again keeps the rest; the statement itself is reported as not understood.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.source import Buffer, blank
from ptolint.frontend.unit import Unit
from ptolint.ir.model import Note

_BOUNDARY = re.compile(r"[;{}]")


def lost_bodies(unit: Unit, functions: list[Cursor]) -> list[tuple[int, int]]:
    """Offsets of the functions in the main file that are written with a body but have none in the AST."""
    found = []
    for cursor in functions:
        if any(c.kind == K.COMPOUND_STMT for c in unit.children(cursor)):
            continue
        at = unit.offsets(cursor)
        if at is not None and b"{" in unit.text[at[0] : at[1]]:
            found.append(at)
    return found


@dataclass(frozen=True, slots=True)
class Blanked:
    """A statement that was taken out of the buffer: its semicolon's offset tells where it stood."""

    text: str
    note: Note


def repair(unit: Unit, lost: list[tuple[int, int]]) -> tuple[Buffer, dict[int, Blanked]] | None:
    """A buffer without the statements that errors inside `lost` point at; None when there is nothing to blank."""
    text = unit.text.decode("latin-1")
    plain = blank(text)
    edited = list(text)
    taken: dict[int, Blanked] = {}
    seen: set[tuple[int, int]] = set()
    for diagnostic in unit.errors:
        if diagnostic.span.file != unit.path or not any(a <= diagnostic.offset < b for a, b in lost):
            continue
        statement = _statement(plain, diagnostic.offset, lost)
        if statement is None or statement in seen:
            continue
        seen.add(statement)
        start, end = statement
        edited[start:end] = re.sub(r"[^\n]", " ", text[start:end])
        edited[end - 1] = ";"
        taken[end - 1] = Blanked(plain[start:end], Note("not-understood", diagnostic.message, diagnostic.span))
    if not taken:
        return None
    return replace(unit.buffer, data="".join(edited).encode("latin-1")), taken


def _statement(plain: str, offset: int, lost: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The simple statement around `offset`: from the boundary before it to its semicolon."""
    begin, limit = next((a, b) for a, b in lost if a <= offset < b)
    body = plain.find("{", begin, limit)
    if body < 0 or offset <= body:
        return None
    start = max(plain.rfind(symbol, body, offset) for symbol in ";{}") + 1
    depth = 0
    for i in range(start, limit):
        symbol = plain[i]
        if symbol in "([{":
            depth += 1
        elif symbol in ")]}":
            depth -= 1
            if depth < 0:
                return None
        elif symbol == ";" and depth == 0:
            start += len(plain[start:i]) - len(plain[start:i].lstrip())
            return start, i + 1
    return None
