"""One line per finding: `file:line:col: level rule: message`."""

from __future__ import annotations

from ptolint.report.common import place, printable, summary_line
from ptolint.results import RunResult


def render(run: RunResult) -> str:
    """Findings and files that were not analysed, then the summary line."""
    lines = [f"{_path(place(f.span))}: {f.level} {f.rule}: {printable(f.message)}" for f in run.findings]
    lines += [f"{_path(printable(r.path))}: not analysed: {printable(r.failure or '')}" for r in run.failures]
    return "\n".join([*lines, summary_line(run)]) + "\n"


def _path(text: str) -> str:
    """A path that a line may start with: two colons there would be a command to GitHub's runner."""
    return f"./{text}" if text.lstrip().startswith("::") else text
