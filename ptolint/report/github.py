"""GitHub Actions workflow commands: one annotation per finding on the changed file."""

from __future__ import annotations

from ptolint.report.common import printable, shown_path, summary_line
from ptolint.results import RunResult

_KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(run: RunResult) -> str:
    """`::error file=…,line=…,col=…::message` lines; properties and messages are escaped as GitHub asks."""
    lines = []
    for f in run.findings:
        text = f.message + (f"\n{f.condition}" if f.condition else "") + (f"\nhint: {f.hint}" if f.hint else "")
        where = (
            f"file={_property(shown_path(f.span.file))},line={f.span.line},endLine={f.span.end_line},col={f.span.col}"
        )
        lines.append(f"::{_KINDS[f.level]} {where},title={_property(f.rule)}::{_data(text)}")
    for r in run.failures:
        lines.append(f"::error file={_property(shown_path(r.path))},title=not analysed::{_data(r.failure or '')}")
    return "\n".join([*lines, _data(summary_line(run))]) + "\n"


def _data(text: str) -> str:
    text = "\n".join(map(printable, text.split("\n")))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
