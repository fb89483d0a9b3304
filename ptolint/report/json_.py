"""The whole run as one JSON object, for programs."""

from __future__ import annotations

import json

from ptolint import __version__
from ptolint.report.common import SourceLines, finding_dict, fingerprints, summary_dict
from ptolint.results import RunResult


def render(run: RunResult) -> str:
    """`{"version", "targets", "findings", "notes", "not_analysed", "skipped", "summary"}`."""
    findings = [f for r in run.files for f in r.findings]
    prints = fingerprints(findings, SourceLines())
    data = {
        "version": __version__,
        "targets": list(run.targets),
        "findings": [{**finding_dict(f), "fingerprint": p} for f, p in zip(findings, prints, strict=True)],
        "notes": [n for r in run.files for n in r.notes] + list(run.notes),
        "not_analysed": [{"file": r.path, "reason": r.failure} for r in run.failures],
        "skipped": [{"file": r.path, "reason": r.skipped} for r in run.files if r.skipped is not None],
        "summary": summary_dict(run),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
