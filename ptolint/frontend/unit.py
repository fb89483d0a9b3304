"""One parsed translation unit with the caches that make a walk over it cheap."""

from __future__ import annotations

import re
from ctypes import byref, c_char_p, c_void_p
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import CType, Cursor, SourceLocation
from ptolint.frontend.source import Buffer
from ptolint.ir.model import Span

Place = tuple[int, int, int, int]  # file handle, line, column, byte offset

KEEP_GOING = 0x200
PARSE_ERRORS = {1: "libclang failed", 2: "libclang crashed", 3: "invalid arguments", 4: "AST could not be read"}


_INSTRUCTION = re.compile(r"[TM][A-Z0-9_]{2,}|SYNCALL")


class ParseFailure(Exception):
    """libclang gave no translation unit."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message of clang's own: severity 2 warning, 3 error, 4 fatal."""

    severity: int
    message: str
    span: Span
    offset: int  # in the buffer of the file it stands in


class Unit:
    """A translation unit, released by `close`; cursors taken from it must not be used afterwards."""

    def __init__(self, path: str, buffer: Buffer, args: list[str], header_roots: tuple[str, ...]) -> None:
        self.lib: Any = clang.load()
        self.path = path
        self.buffer = buffer
        self.text = buffer.data
        self.header_roots = header_roots
        self.own_headers = len(header_roots) > 1
        self._columns_differ = bool(buffer.shifts or buffer.wide)
        self._index = self.lib.clang_createIndex(0, 0)
        self._handle = c_void_p()
        self._parse(args)
        self._files: dict[int, tuple[str, bool]] = {}
        self._names: dict[int, str] = {}
        self._operands: dict[int, list[Cursor]] = {}
        self._texts: dict[int, bytes] = {}
        self._places: dict[int, Place] = {}
        self._spans: dict[tuple[int, int], Span] = {}
        self._annotations: dict[int, frozenset[str]] = {}

    def _parse(self, args: list[str]) -> None:
        encoded = [a.encode("utf-8", "surrogateescape") for a in args]
        argv = (c_char_p * len(encoded))(*encoded)
        unsaved = (clang.UnsavedFile * 1)(
            clang.UnsavedFile(self.path.encode("utf-8", "surrogateescape"), self.text, len(self.text))
        )
        code = self.lib.clang_parseTranslationUnit2(
            self._index,
            self.path.encode("utf-8", "surrogateescape"),
            argv,
            len(encoded),
            unsaved,
            1,
            KEEP_GOING,
            byref(self._handle),
        )
        if code or not self._handle:
            self.lib.clang_disposeIndex(self._index)
            self._index = None
            raise ParseFailure(PARSE_ERRORS.get(code, "libclang gave no AST"))

    def close(self) -> None:
        """Release the AST."""
        if self._index:
            self.lib.clang_disposeTranslationUnit(self._handle)
            self.lib.clang_disposeIndex(self._index)
            self._index = None

    def __enter__(self) -> Unit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def root(self) -> Cursor:
        cursor: Cursor = self.lib.clang_getTranslationUnitCursor(self._handle)
        return cursor

    # ------------------------------------------------------------ cursors

    def children(self, cursor: Cursor) -> list[Cursor]:
        """The direct children of `cursor`."""
        return clang.children(cursor)

    def operands(self, cursor: Cursor) -> list[Cursor]:
        """The children that are expressions or statements, without references to types and namespaces."""
        key = cursor.d1 if cursor.kind >= K.FIRST_EXPR else None  # declarations keep a flag there
        found = self._operands.get(key) if key else None
        if found is None:
            found = [c for c in clang.children(cursor) if c.kind >= K.FIRST_EXPR]
            if key:
                self._operands[key] = found
        return found

    def name(self, cursor: Cursor) -> str:
        """The spelling of a declaration or reference."""
        key = cursor.d0 if cursor.kind < K.TYPE_REF else None
        if key is None:
            return clang.text(self.lib.clang_getCursorSpelling(cursor))
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = clang.text(self.lib.clang_getCursorSpelling(cursor))
        return found

    def referenced(self, cursor: Cursor) -> Cursor | None:
        """The declaration an expression refers to, a function template's specialisation included."""
        found: Cursor = self.lib.clang_getCursorReferenced(cursor)
        return None if K.INVALID_FIRST <= found.kind <= K.INVALID_LAST else found

    def parent(self, cursor: Cursor) -> Cursor:
        found: Cursor = self.lib.clang_getCursorSemanticParent(cursor)
        return found

    def type_of(self, cursor: Cursor) -> CType:
        found: CType = self.lib.clang_getCursorType(cursor)
        return found

    def annotations(self, function: Cursor) -> frozenset[str]:
        """What a declaration is marked as: "kernel", "device", "instruction", "intrinsic", "assume".

        The bundled headers leave annotations; a user's own headers do not, there the text has to tell.
        """
        key = function.d0 or 0
        found = self._annotations.get(key)
        if found is None:
            names = (
                clang.text(self.lib.clang_getCursorSpelling(c))
                for c in clang.children(function)
                if c.kind == K.ANNOTATE_ATTR
            )
            found = frozenset(n.removeprefix("ptolint.") for n in names)
            if self.own_headers:
                found |= self._marks_in_text(function)
            self._annotations[key] = found
        return found

    def _marks_in_text(self, function: Cursor) -> frozenset[str]:
        """Marks of a function from the words before its name, for headers without annotations."""
        file, _, _, offset = self.location(function)
        if self.file_of(file)[1]:
            known = _INSTRUCTION.fullmatch(self.name(function)) and function.kind == K.FUNCTION_DECL
            return frozenset(("instruction",)) if known else frozenset()
        head = self._text_of(file)[max(0, offset - 300) : offset].decode("latin-1")
        head = head[max(head.rfind(symbol) for symbol in ";{}") + 1 :]
        kernel, device = "__global__" in head, re.search(r"\b(?:AICORE|__aicore__)\b", head)
        return frozenset(name for name, on in (("kernel", kernel), ("device", device or kernel)) if on)

    # ------------------------------------------------------------ places

    def file_of(self, handle: int) -> tuple[str, bool]:
        """Path of a file handle, and whether the file belongs to the PTO headers rather than to the user."""
        found = self._files.get(handle)
        if found is None:
            name = clang.text(self.lib.clang_getFileName(handle), "surrogateescape") if handle else ""
            header = not name or any(name.startswith(root) for root in self.header_roots)
            found = self._files[handle] = (name, header)
        return found

    def place(self, location: SourceLocation) -> Place:
        """File handle, line, column and offset of a location; instantiations share locations, so they are kept."""
        found = self._places.get(location.data)
        if found is None:
            found = self._places[location.data] = clang.place(location)
        return found

    def location(self, cursor: Cursor) -> Place:
        """Where the name of a declaration or reference stands."""
        return self.place(self.lib.clang_getCursorLocation(cursor))

    def extent(self, cursor: Cursor) -> tuple[Place, Place]:
        """Begin and end of `cursor`."""
        extent = self.lib.clang_getCursorExtent(cursor)
        begin = self._places.get(extent.begin) or self.place(self.lib.clang_getRangeStart(extent))
        return begin, self._places.get(extent.end) or self.place(self.lib.clang_getRangeEnd(extent))

    def in_headers(self, declaration: Cursor) -> bool:
        """Whether a declaration stands in the PTO headers, or nowhere at all (a builtin)."""
        return self.file_of(self.location(declaration)[0])[1]

    def in_main_file(self, declaration: Cursor) -> bool:
        return self.file_of(self.location(declaration)[0])[0] == self.path

    def span(self, cursor: Cursor) -> Span:
        """Where `cursor` is written, in columns of the user's file."""
        extent = self.lib.clang_getCursorExtent(cursor)
        key = (extent.begin, extent.end)
        found = self._spans.get(key)
        if found is None:
            (file, line, col, _), (_, end_line, end_col, _) = self.extent(cursor)
            found = self._spans[key] = self._span(file, line, col, end_line, end_col)
        return found

    def _span(self, file: int, line: int, col: int, end_line: int, end_col: int) -> Span:
        name = self.file_of(file)[0]
        if line in self.buffer.appended and name == self.path:
            line = self.buffer.appended[line]
            return Span(name, line, 1, line, 1)
        if self._columns_differ and name == self.path:
            col, end_col = self.buffer.column(line, col), self.buffer.column(end_line, end_col)
        return Span(name, line, col, end_line, end_col)

    def name_span(self, cursor: Cursor, name: str) -> Span:
        """The range of `name` at the location of `cursor`."""
        file, line, col, _ = self.location(cursor)
        return self._span(file, line, col, line, col + len(name.encode()))

    def offsets(self, cursor: Cursor) -> tuple[int, int] | None:
        """Byte offsets of `cursor` in the main file's buffer, or None when it stands elsewhere."""
        (file, _, _, begin), (_, _, _, end) = self.extent(cursor)
        return (begin, end) if self.file_of(file)[0] == self.path else None

    def source_of(self, cursor: Cursor) -> tuple[str, int]:
        """The text of `cursor`, one character a byte, and its offset in its file."""
        (file, _, _, begin), (_, _, _, end) = self.extent(cursor)
        return self._text_of(file)[begin:end].decode("latin-1"), begin

    def start_of(self, cursor: Cursor) -> int:
        """The offset of `cursor` in its file."""
        return self.extent(cursor)[0][3]

    def _text_of(self, file: int) -> bytes:
        """The text of a file that the parse read; included files come from disk."""
        found = self._texts.get(file)
        if found is None:
            name = self.file_of(file)[0]
            try:
                found = self.text if name == self.path else Path(name).read_bytes()
            except OSError:
                found = b""
            self._texts[file] = found
        return found

    # ------------------------------------------------------------ whole file

    @cached_property
    def errors(self) -> list[Diagnostic]:
        """Errors of clang, in order."""
        found = []
        for i in range(self.lib.clang_getNumDiagnostics(self._handle)):
            diagnostic = self.lib.clang_getDiagnostic(self._handle, i)
            severity = self.lib.clang_getDiagnosticSeverity(diagnostic)
            if severity >= 3:
                file, line, col, offset = clang.place(self.lib.clang_getDiagnosticLocation(diagnostic))
                message = clang.text(self.lib.clang_getDiagnosticSpelling(diagnostic))
                found.append(Diagnostic(severity, message, self._span(file, line, col, line, col), offset))
            self.lib.clang_disposeDiagnostic(diagnostic)
        return found

    def user_includes(self) -> tuple[str, ...]:
        """The files the parse read that are neither the main file nor PTO headers, sorted."""
        names = {self.file_of(h) for h in clang.inclusions(self._handle.value or 0)}
        return tuple(sorted(str(Path(n)) for n, header in names if not header and n != self.path))
