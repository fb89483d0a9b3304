"""The report a person reads: message, code frame with caret range, operands, way to the call, witness, hint.

Lines are built from (text, style) pieces; without a terminal the styles are dropped, so piped output is plain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ptolint.findings import Finding
from ptolint.ir.model import Span
from ptolint.report.common import SourceLines, place, printable, summary_line
from ptolint.results import RunResult

Piece = tuple[str, str]
Line = list[Piece]
_STYLES = {"error": "red", "warning": "yellow", "note": "cyan", "frame": "blue", "dim": "bright_black"}
_MAX_RELATED = 6


def render(run: RunResult, color: bool = False, width: int = 100) -> str:
    """The whole report with its summary line; `width` limits code lines, `color` adds ANSI styles."""
    sources = SourceLines()
    paint = _painter(color)
    out: list[str] = []
    for finding in run.findings:
        out += ["".join(paint(*p) for p in line) for line in _finding(finding, sources, width)]
        out.append("")
    out += [paint(line, "dim") for line in _notes(run)]
    for result in run.failures:
        out.append(paint("not analysed", "error") + f": {printable(result.path)}: {printable(result.failure or '')}")
    out.append(summary_line(run))
    return "\n".join(out) + "\n"


def _painter(color: bool) -> Callable[[str, str], str]:
    if not color:
        return lambda text, style: text
    from click import style as ansi

    def paint(text: str, style: str) -> str:
        return ansi(text, fg=_STYLES.get(style), bold=style in ("error", "warning", "bold")) if style else text

    return paint


def _notes(run: RunResult) -> Iterator[str]:
    for result in run.files:
        for note in result.notes:
            yield f"note: {printable(note)}"
        if result.skipped is not None:
            yield f"note: {printable(result.path)}: {result.skipped}"
    for note in run.notes:
        yield f"note: {printable(note)}"


def _finding(f: Finding, sources: SourceLines, width: int) -> Iterator[Line]:
    yield [(f"{f.level}[{f.rule}]", f.level), (": ", ""), (printable(f.message), "bold")]
    where = f" [{', '.join(f.targets)}]" if f.targets else ""
    yield [("  --> ", "frame"), (place(f.span), ""), (where, "dim")]
    yield from _frame(f, sources, width)
    gutter = " " * len(str(f.span.line)) + " = "
    for label, text in details(f):
        yield [(gutter, "frame"), (f"{label}: ", "bold"), (printable(text), "")]


def _frame(f: Finding, sources: SourceLines, width: int) -> Iterator[Line]:
    """The line with the caret range below it; a call over several lines is underlined to the end of its first."""
    raw = sources.line(f.span.file, f.span.line)
    if not raw:
        return
    number = str(f.span.line)
    pad = " " * len(number)
    before, marked = split_line(raw, f.span)
    code, start, length = _window(printable(before), printable(marked), printable(raw), width - len(number) - 3)
    yield [(f"{pad} |", "frame")]
    yield [(f"{number} | ", "frame"), (code, "")]
    carets: Line = [(f"{pad} | ", "frame"), (" " * start + "^" * length, f.level)]
    if f.condition and f.condition not in f.message:
        carets.append((" " + printable(f.condition), f.level))
    yield carets


def split_line(raw: str, span: Span) -> tuple[str, str]:
    """Text before the span and the marked text on its first line."""
    end = span.end_col - 1 if span.end_line == span.line else len(raw)
    return raw[: span.col - 1], raw[span.col - 1 : end].rstrip()


def _window(before: str, marked: str, whole: str, width: int) -> tuple[str, int, int]:
    """The part of a long line that shows the marked text, with where it starts and how long it is there."""
    start, length = len(before), max(1, len(marked))
    if len(whole) <= width or width < 20:
        return whole, start, length
    left = max(0, min(start - 8, len(whole) - width))
    cut = whole[left : left + width]
    if left:
        cut = "…" + cut[1:]
    if left + width < len(whole):
        cut = cut[:-1] + "…"
    return cut, start - left, min(length, width - (start - left))


def details(f: Finding) -> Iterator[tuple[str, str]]:
    """What is worth knowing beyond message and code, as (label, text)."""
    for related in f.related[:_MAX_RELATED]:
        yield "where", f"{related.message} ({place(related.span)})"
    for frame in f.path:
        yield "called from", f"{frame.function} at {place(frame.span)}"
    if f.instances:
        shown = ", ".join(f.instances[:4])
        more = f" and {len(f.instances) - 4} more" if len(f.instances) > 4 else ""
        yield "in", shown + more
    if f.witness:
        yield from _witness(f)
    if f.evidence and f.evidence.status != "none":
        yield f"replay ({f.evidence.status})", f.evidence.text
    if f.hint:
        yield "hint", f.hint
    if f.source:
        yield "source", f.source


def _witness(f: Finding) -> Iterator[tuple[str, str]]:
    """Inputs on one line, then each value that follows from them."""
    if f.witness is None:
        return
    if f.witness.inputs:
        yield "for example", ", ".join(f"{name} = {value}" for name, value in f.witness.inputs)
    for name, expression, value in f.witness.steps:
        yield "then", f"{name} = {expression} = {value}" if expression else f"{name} = {value}"
