"""Code actions: the finding's own fixes, a suppression, and the contract as an assume line."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from ptolint.findings import Finding
from ptolint.lsp.convert import Lines, diagnostic, text_edit, uri


def actions(findings: list[Finding], params: lsp.CodeActionParams, lines: Lines, current: bool) -> list[lsp.CodeAction]:
    """The actions for the findings that touch the requested range; none while the findings are older than the text."""
    if not current:
        return []
    touched = [f for f in findings if _touches(lines.range(f.span), params.range)]
    return [a for f in touched for a in _of_finding(f, params.text_document.uri, lines)]


def _touches(a: lsp.Range, b: lsp.Range) -> bool:
    return (a.start.line, a.start.character) <= (b.end.line, b.end.character) and (b.start.line, b.start.character) <= (
        a.end.line,
        a.end.character,
    )


def _of_finding(f: Finding, document: str, lines: Lines) -> Iterator[lsp.CodeAction]:
    shown = [diagnostic(f, lines)]
    for fix in f.fixes:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in fix.edits:
            target = document if edit.span.file == f.span.file else uri(edit.span.file)
            changes.setdefault(target, []).append(text_edit(edit, lines))
        yield _action(fix.title, changes, shown, preferred=fix.safe)
    contract = f.properties.get("contract")
    if isinstance(contract, str):
        line = _after_brace(f, lines)
        if line is not None:
            inserted = _insertion(line, f"{_indent(lines.line(f.span.file, line + 1))}// ptolint: assume({contract})\n")
            yield _action("state the launch contract as an assumption", {document: [inserted]}, shown)
    if f.rule != "ptolint/unused-suppression":
        indent = _indent(lines.line(f.span.file, f.span.line))
        comment = _insertion(f.span.line - 1, f"{indent}// ptolint: ignore-next-line[{f.rule}]\n")
        yield _action(f"silence {f.rule} here", {document: [comment]}, shown)


def _action(
    title: str, changes: dict[str, list[lsp.TextEdit]], shown: list[lsp.Diagnostic], preferred: bool = False
) -> lsp.CodeAction:
    return lsp.CodeAction(
        title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=shown,
        edit=lsp.WorkspaceEdit(changes=dict(changes)),
        is_preferred=preferred,
    )


def _insertion(line: int, text: str) -> lsp.TextEdit:
    """An insertion before line `line`, counted from 0."""
    place = lsp.Position(line, 0)
    return lsp.TextEdit(lsp.Range(place, place), text)


def _after_brace(f: Finding, lines: Lines) -> int | None:
    """The line after the kernel's opening brace, counted from 0; a contract stands at the kernel's head."""
    for number in range(f.span.line, f.span.line + 40):
        if "{" in lines.line(f.span.file, number):
            return number
    return None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
