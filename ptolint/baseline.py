"""A baseline: the findings that a project already has, so that only new ones count.

Entries are matched by rule, path, the line's text and their number among equal ones, never by line number, so
that edits elsewhere leave a baseline valid. The file is sorted and holds one entry a line, for readable diffs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from ptolint.errors import InputError
from ptolint.findings import IN_BASELINE, Finding
from ptolint.report.common import SourceLines, fingerprints, shown_path
from ptolint.results import RunResult

DEFAULT = "ptolint-baseline.json"


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One accepted finding."""

    path: str
    rule: str
    fingerprint: str


def entries_of(run: RunResult) -> dict[Entry, Finding]:
    """An entry for each finding of a run that nothing suppresses; notes need none."""
    findings = [f for f in run.findings if f.level != "note"]
    prints = fingerprints(findings, SourceLines())
    return {Entry(shown_path(f.span.file), f.rule, p): f for f, p in zip(findings, prints, strict=True)}


def write(file: Path, run: RunResult) -> int:
    """Write the run's findings as the new baseline; returns how many there are."""
    entries = sorted(entries_of(run))
    lines = [json.dumps({"path": e.path, "rule": e.rule, "fingerprint": e.fingerprint}) for e in entries]
    body = ",\n  ".join(lines)
    try:
        file.write_text(
            f'{{"version": 1, "entries": [\n  {body}\n]}}\n' if lines else '{"version": 1, "entries": []}\n'
        )
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    return len(entries)


def read(file: Path) -> set[Entry]:
    """The entries of a baseline file; raises `InputError` for one that is not a baseline."""
    try:
        data = json.loads(file.read_text("utf-8"))
        return {Entry(e["path"], e["rule"], e["fingerprint"]) for e in data["entries"]}
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{file}: not a ptolint baseline") from None


def apply(run: RunResult, known: set[Entry]) -> tuple[RunResult, list[Entry]]:
    """The run with known findings suppressed, and the stale entries that match nothing any more.

    Only entries of files that this run looked at can be stale.
    """
    present = entries_of(run)
    accepted = {id(f) for e, f in present.items() if e in known}
    files = tuple(
        replace(r, findings=tuple(f.with_(suppressed=IN_BASELINE) if id(f) in accepted else f for f in r.findings))
        for r in run.files
    )
    looked_at = {shown_path(r.path) for r in run.files}
    stale = sorted(e for e in known - set(present) if e.path in looked_at)
    return replace(run, files=files), stale
