"""GitLab code quality report: a JSON list that merge requests show beside the changed lines."""

from __future__ import annotations

import json

from ptolint.report.common import SourceLines, fingerprints, shown_path
from ptolint.results import RunResult

_SEVERITY = {"error": "critical", "warning": "minor", "note": "info"}


def render(run: RunResult) -> str:
    """One entry per finding; a file that was not analysed is a blocker of its own."""
    findings = run.findings
    entries = [
        {
            "description": f"{f.message}" + (f" ({f.condition})" if f.condition else ""),
            "check_name": f.rule,
            "fingerprint": print_,
            "severity": _SEVERITY[f.level],
            "location": {
                "path": shown_path(f.span.file),
                "lines": {"begin": max(1, f.span.line), "end": max(1, f.span.end_line)},
            },
        }
        for f, print_ in zip(findings, fingerprints(findings, SourceLines()), strict=True)
    ]
    entries += [
        {
            "description": f"not analysed: {r.failure}",
            "check_name": "ptolint/not-analysed",
            "fingerprint": f"not-analysed:{shown_path(r.path)}",
            "severity": "blocker",
            "location": {"path": shown_path(r.path), "lines": {"begin": 1}},
        }
        for r in run.failures
    ]
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"
