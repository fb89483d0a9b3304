"""Constraints that the IR cannot show, told by the model headers themselves.

A view that is built from rows and columns keeps only its five extents, and an access to a tile's elements is a plain
expression; what they demand is a `static_assert` in the model headers whose text is `ptolint:` and the id of the
rule. The rules' texts are in `rules/` like all others.
"""

from __future__ import annotations

import re
from ctypes import c_uint, c_void_p
from functools import cache
from typing import Any

from ptolint.frontend import clang_api as clang
from ptolint.frontend.unit import Unit
from ptolint.ir.model import Fault, Span

_RULE = re.compile(r"static assertion failed.*ptolint:([a-z0-9_-]+/[a-z0-9_-]+)")
_NAME = re.compile(rb"[A-Za-z0-9_]+")


def find_faults(unit: Unit) -> tuple[Fault, ...]:
    """Each broken constraint at the first place of the user that asked for it, in source order."""
    found: dict[Fault, None] = {}
    lib = _library()
    for i in range(lib.clang_getNumDiagnostics(unit._handle)):
        diagnostic = lib.clang_getDiagnostic(unit._handle, i)
        rule = _RULE.search(clang.text(lib.clang_getDiagnosticSpelling(diagnostic)))
        span = _place(unit, diagnostic) if rule else None
        if rule and span is not None:
            found[Fault(rule.group(1), span)] = None
        lib.clang_disposeDiagnostic(diagnostic)
    return tuple(sorted(found, key=lambda f: (f.span, f.rule)))


def _place(unit: Unit, diagnostic: int) -> Span | None:
    """The first place outside the model headers on the way that a diagnostic's notes describe."""
    lib = _library()
    notes = lib.clang_getChildDiagnostics(diagnostic)
    for i in range(lib.clang_getNumDiagnosticsInSet(notes)):
        note = lib.clang_getDiagnosticInSet(notes, i)
        file, line, col, offset = clang.place(lib.clang_getDiagnosticLocation(note))
        requested = clang.text(lib.clang_getDiagnosticSpelling(note)).startswith(("in instantiation", "while "))
        lib.clang_disposeDiagnostic(note)
        if requested and not unit.file_of(file)[1]:
            name = _NAME.match(unit._text_of(file), offset)
            return unit._span(file, line, col, line, col + (len(name.group()) if name else 1))
    return None


@cache
def _library() -> Any:
    lib = clang.load()
    lib.clang_getChildDiagnostics.argtypes = [c_void_p]
    lib.clang_getChildDiagnostics.restype = c_void_p
    lib.clang_getNumDiagnosticsInSet.argtypes = [c_void_p]
    lib.clang_getNumDiagnosticsInSet.restype = c_uint
    lib.clang_getDiagnosticInSet.argtypes = [c_void_p, c_uint]
    lib.clang_getDiagnosticInSet.restype = c_void_p
    return lib
