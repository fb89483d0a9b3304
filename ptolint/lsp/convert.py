"""Findings as the protocol's diagnostics and edits; positions count UTF-16 units from 0."""

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


class Lines:
    """Lines of the open document, and of files on disk for places elsewhere."""

    def __init__(self, path: str, text: str) -> None:
        self._path, self._lines, self._disk = path, text.split("\n"), SourceLines()

    def line(self, file: str, number: int) -> str:
        """Line `number` from 1."""
        if file == self._path:
            return self._lines[number - 1] if 0 < number <= len(self._lines) else ""
        return self._disk.line(file, number)

    def position(self, file: str, line: int, col: int) -> lsp.Position:
        """A line and byte column, both from 1, as a position of the protocol."""
        before = self.line(file, line).encode()[: max(0, col - 1)].decode("utf-8", "replace")
        return lsp.Position(max(0, line - 1), len(before.encode("utf-16-le")) // 2)

    def range(self, span: Span) -> lsp.Range:
        """A span as a range."""
        start = self.position(span.file, span.line, span.col)
        return lsp.Range(start, self.position(span.file, span.end_line, span.end_col))


def uri(file: str) -> str:
    """The file URI of a path."""
    return Path(file).absolute().as_uri()


def diagnostic(f: Finding, lines: Lines) -> lsp.Diagnostic:
    """One finding; the operands' declarations and the way to the call become related information."""
    more = [f"{label}: {text}" for label, text in details(f) if label not in ("where", "called from")]
    message = "\n".join([f.message, *([f.condition] if f.condition else []), *more])
    places = [(r.message, r.span) for r in f.related] + [(f"called in {s.function}", s.span) for s in f.path]
    return lsp.Diagnostic(
        range=lines.range(f.span),
        message=message,
        severity=_SEVERITY[f.level],
        code=f.rule,
        source="ptolint",
        related_information=[
            lsp.DiagnosticRelatedInformation(lsp.Location(uri(span.file), lines.range(span)), text)
            for text, span in places
        ],
        tags=[lsp.DiagnosticTag.Unnecessary] if f.rule == "ptolint/unused-suppression" else None,
    )


def text_edit(edit: Edit, lines: Lines) -> lsp.TextEdit:
    """One edit of a fix."""
    return lsp.TextEdit(lines.range(edit.span), edit.text)
