"""Findings per rule: how a port stands, at a glance."""

from __future__ import annotations

import json
from collections import defaultdict

from ptolint.findings import LEVELS, Finding
from ptolint.report.common import plural, shown_path, summary_dict, summary_line
from ptolint.results import RunResult


def render(run: RunResult, format_: str = "text") -> str:
    """A table sorted by number of findings (text), or the same as JSON."""
    groups: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    for finding in run.findings:
        groups[(finding.level, finding.rule)].append(finding)
    rows = sorted(groups.items(), key=lambda g: (LEVELS.index(g[0][0]), -len(g[1]), g[0][1]))
    if format_ == "json":
        data = [
            {"rule": rule, "level": level, "findings": len(fs), "files": sorted({shown_path(f.span.file) for f in fs})}
            for (level, rule), fs in rows
        ]
        return json.dumps({"statistics": data, "summary": summary_dict(run)}, indent=1) + "\n"
    lines = [_row(level, rule, findings) for (level, rule), findings in rows]
    return "\n".join([*lines, summary_line(run)]) + "\n"


def _row(level: str, rule: str, findings: list[Finding]) -> str:
    files = {f.span.file for f in findings}
    example = min(findings, key=lambda f: (shown_path(f.span.file), f.span.line))
    where = f"{shown_path(example.span.file)}:{example.span.line}"
    return f"{len(findings):6}  {level:7}  {rule:40}  {plural(len(files), 'file')}, first {where}: {example.message}"
