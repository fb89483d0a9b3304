"""Code actions: the finding's own fixes, a suppression, and the contract as an assume line."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from ptolint.findings import Finding
from ptolint.lsp.convert import Lines, diagnostic, place_in, text_edit
from ptolint.lsp.cpp import cpp_condition


def touched(findings: list[Finding], wanted: lsp.Range, lines: Lines) -> list[Finding]:
    """The findings that show at the wanted range."""
    return [f for f in findings if _touches(lines.range(place_in(f, lines.path)), wanted)]


def _touches(a: lsp.Range, b: lsp.Range) -> bool:
    return (a.start.line, a.start.character) <= (b.end.line, b.end.character) and (b.start.line, b.start.character) <= (
        a.end.line,
        a.end.character,
    )


def actions(f: Finding, lines: Lines) -> Iterator[lsp.CodeAction]:
    """What an author may do about a finding."""
    shown = [diagnostic(f, lines)]
    for fix in f.fixes:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in fix.edits:
            changes.setdefault(lines.uri_of(edit.span.file), []).append(text_edit(edit, lines))
        yield _action(fix.title, changes, shown, preferred=fix.safe)
    contract = f.properties.get("contract")
    condition = cpp_condition(contract) if isinstance(contract, str) else None
    assumed = _assume(f, condition, lines) if condition else None
    if assumed is not None:
        title = f"assume the contract of {', '.join(f.targets)}: {condition}"
        yield _action(title, {lines.uri_of(f.span.file): [assumed]}, shown)
    if f.rule != "ptolint/unused-suppression":
        edits = {lines.uri_of(f.span.file): [_suppression(f, lines)]}
        yield _action(f"silence {f.rule} here", edits, shown)


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


def _suppression(f: Finding, lines: Lines) -> lsp.TextEdit:
    """A comment above the finding's line; at its end where the line goes on from the one above (a macro)."""
    before = lines.line(f.span.file, f.span.line - 1)
    if before.rstrip().endswith("\\"):
        code = lines.line(f.span.file, f.span.line)
        end = lines.position(f.span.file, f.span.line, len(code) + 1)
        return lsp.TextEdit(lsp.Range(end, end), f" /* ptolint: ignore[{f.rule}] */")
    indent = _indent(lines.line(f.span.file, f.span.line))
    return _insertion(f.span.line - 1, f"{indent}// ptolint: ignore-next-line[{f.rule}]\n")


def _assume(f: Finding, condition: str, lines: Lines) -> lsp.TextEdit | None:
    """The contract as the first line of the kernel's body."""
    line = _after_brace(f, lines)
    if line is None:
        return None
    indent = _indent(lines.line(f.span.file, line + 1)) or "    "
    return _insertion(line, f"{indent}// ptolint: assume({condition})\n")


def _insertion(line: int, text: str) -> lsp.TextEdit:
    """An insertion before line `line`, counted from 0."""
    place = lsp.Position(line, 0)
    return lsp.TextEdit(lsp.Range(place, place), text)


def _after_brace(f: Finding, lines: Lines) -> int | None:
    """The line after the kernel's opening brace, counted from 0; a contract stands at the kernel's head."""
    for number in range(f.span.line, f.span.line + 40):
        code = lines.line(f.span.file, number).split("//")[0].rstrip()
        if "{" in code:
            return number if code.endswith("{") else None  # a body on the brace's own line has no line to go before
    return None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
