"""Findings as the protocol's diagnostics and edits; positions count units of the negotiated encoding from 0."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from ptolint.findings import Edit, Finding
from ptolint.ir.model import Span
from ptolint.report.common import SourceLines
from ptolint.report.text import details

_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


def clean(text: str) -> str:
    """`text` without lone surrogates, which JSON can carry and UTF-8 cannot; every position stays where it is."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class Lines:
    """Lines of the open document, and of files on disk for places elsewhere."""

    def __init__(self, path: str, text: str, uri: str, encoding: str = "utf-16") -> None:
        self.path, self.uri = path, uri
        self._lines, self._disk = text.split("\n"), SourceLines()
        self._codec, self._width = _UNITS.get(encoding, _UNITS["utf-16"])

    def line(self, file: str, number: int) -> str:
        """Line `number` from 1."""
        if file == self.path:
            return self._lines[number - 1].rstrip("\r") if 0 < number <= len(self._lines) else ""
        return self._disk.line(file, number)

    def position(self, file: str, line: int, col: int) -> lsp.Position:
        """A line and column in characters, both from 1, as a position of the protocol."""
        before = self.line(file, line)[: max(0, col - 1)]
        return lsp.Position(max(0, line - 1), len(before.encode(self._codec)) // self._width)

    def column(self, position: lsp.Position) -> int:
        """The column in characters, from 1, of a position in the document."""
        raw = self.line(self.path, position.line + 1).encode(self._codec)
        return len(raw[: self._width * position.character].decode(self._codec, "ignore")) + 1

    def range(self, span: Span) -> lsp.Range:
        """A span as a range."""
        start = self.position(span.file, span.line, span.col)
        return lsp.Range(start, self.position(span.file, span.end_line, span.end_col))

    def uri_of(self, file: str) -> str:
        """The document's own URI, as the editor spelled it, or the file URI of another path."""
        return self.uri if file == self.path else Path(file).absolute().as_uri()

    def location(self, span: Span) -> lsp.Location:
        """A span as a location."""
        return lsp.Location(self.uri_of(span.file), self.range(span))


def place_in(f: Finding, path: str) -> Span:
    """Where a finding shows in the document: its own place, else the last call on the way to it, else the top."""
    if f.span.file == path:
        return f.span
    return next((s.span for s in reversed(f.path) if s.span.file == path), Span(path, 1, 1, 1, 1))


def diagnostic(f: Finding, lines: Lines) -> lsp.Diagnostic:
    """One finding; the operands' declarations and the way to the call become related information."""
    more = [f"{label}: {text}" for label, text in details(f) if label not in ("where", "called from", "source")]
    target = f"on {', '.join(f.targets)}" if f.targets else ""
    message = "\n".join(part for part in (f.message, f.condition, target, *more) if part)
    places = [(r.message, r.span) for r in f.related] + [(f"called in {s.function}", s.span) for s in f.path]
    if f.span.file != lines.path:
        places.insert(0, ("the call stands here", f.span))
    return lsp.Diagnostic(
        range=lines.range(place_in(f, lines.path)),
        message=message,
        severity=_SEVERITY[f.level],
        code=f.rule,
        source="ptolint",
        related_information=[lsp.DiagnosticRelatedInformation(lines.location(span), text) for text, span in places],
        tags=[lsp.DiagnosticTag.Unnecessary] if f.rule == "ptolint/unused-suppression" else None,
    )


def text_edit(edit: Edit, lines: Lines) -> lsp.TextEdit:
    """One edit of a fix."""
    return lsp.TextEdit(lines.range(edit.span), edit.text)
