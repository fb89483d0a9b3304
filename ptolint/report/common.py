"""What the renderers share: source lines, safe text, paths, fingerprints, the plain-data form of a finding."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ptolint.findings import Finding
from ptolint.ir.model import Span
from ptolint.results import Counts, RunResult, count_levels


class SourceLines:
    """Lines of source files, read once; a file that cannot be read has none."""

    def __init__(self) -> None:
        self._files: dict[str, list[str]] = {}

    def line(self, file: str, number: int) -> str:
        """Line `number` (from 1) without its end, or an empty string."""
        if file not in self._files:
            try:
                text = Path(file).read_bytes().decode("utf-8", "replace")
            except (OSError, ValueError):  # a NUL in the name
                text = ""
            self._files[file] = text.split("\n")
        lines = self._files[file]
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


def printable(text: str) -> str:
    """`text` with control and direction-changing characters made visible: source text never drives a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_visible(c) for c in text)


def _visible(c: str) -> str:
    if c == "\t":
        return "    "
    if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        return f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}"
    return c


def shown_path(file: str) -> str:
    """The path as the user would type it: relative to the working directory where it lies below it."""
    if not Path(file).is_absolute():
        return Path(file).as_posix()
    relative = os.path.relpath(file)
    return file if relative.startswith("..") else Path(relative).as_posix()


def place(span: Span) -> str:
    """`file:line:col`."""
    return f"{printable(shown_path(span.file))}:{span.line}:{span.col}"


def fingerprints(findings: Iterable[Finding], sources: SourceLines) -> list[str]:
    """One stable id per finding: rule, path, the line's text without white space, and how many equal ones precede it.

    No line number enters, so that an edit elsewhere in the file changes no fingerprint.
    """
    seen: dict[str, int] = {}
    result = []
    for f in findings:
        text = "".join(sources.line(f.span.file, f.span.line).split())
        base = "\0".join((f.rule, shown_path(f.span.file), text))
        number = seen[base] = seen.get(base, -1) + 1
        result.append(hashlib.sha256(f"{base}\0{number}".encode("utf-8", "surrogatepass")).hexdigest()[:32])
    return result


def finding_dict(f: Finding) -> dict[str, Any]:
    """A finding as plain JSON data; absent parts are left out."""
    data: dict[str, Any] = {
        "rule": f.rule,
        "level": f.level,
        "message": f.message,
        **span_dict(f.span),
        "targets": list(f.targets),
        "cores": list(f.cores),
        "instances": list(f.instances),
        "condition": f.condition,
        "hint": f.hint,
        "source": f.source,
        "entry": f.entry,
        "path": [{"function": s.function, **span_dict(s.span)} for s in f.path],
        "related": [{"message": r.message, **span_dict(r.span)} for r in f.related],
    }
    if f.witness:
        data["witness"] = witness_dict(f)
    if f.evidence:
        data["evidence"] = evidence_dict(f)
    if f.fixes:
        data["fixes"] = [
            {"title": x.title, "safe": x.safe, "edits": [{**span_dict(e.span), "text": e.text} for e in x.edits]}
            for x in f.fixes
        ]
    if f.suppressed is not None:
        data["suppressed"] = f.suppressed
    return {k: v for k, v in data.items() if v not in ("", [])}


def witness_dict(f: Finding) -> dict[str, Any]:
    """The values that break the constraint: kernel inputs, then what follows from them."""
    if f.witness is None:
        return {}
    return {
        "inputs": dict(f.witness.inputs),
        "steps": [{"name": n, "expression": e, "value": v} for n, e, v in f.witness.steps],
    }


def evidence_dict(f: Finding) -> dict[str, Any]:
    """What the replay saw."""
    if f.evidence is None:
        return {}
    return {"status": f.evidence.status, "text": f.evidence.text, "facts": dict(f.evidence.facts)}


def span_dict(span: Span) -> dict[str, Any]:
    """A span as plain data; columns count characters from 1, the end is exclusive."""
    return {
        "file": shown_path(span.file),
        "line": span.line,
        "column": span.col,
        "end_line": span.end_line,
        "end_column": span.end_col,
    }


def summary_dict(run: RunResult) -> dict[str, Any]:
    """The numbers of the summary line."""
    c: Counts = run.counts
    return {
        "files": len(run.analysed),
        "kernels": c.kernels,
        "calls": c.calls,
        "obligations": c.obligations,
        "not_decided": c.undecided,
        "statements": c.statements,
        "not_understood": c.not_understood,
        "not_analysed": len(run.failures),
        "skipped": sum(r.skipped is not None for r in run.files),
        "suppressed": sum(f.suppressed is not None for r in run.files for f in r.findings),
        **{f"{level}s": n for level, n in count_levels(run.findings).items()},
    }


def summary_line(run: RunResult) -> str:
    """One line that always says how much was looked at and what could not be."""
    s = summary_dict(run)
    found = ", ".join(plural(s[f"{level}s"], level) for level in ("error", "warning", "note") if s[f"{level}s"])
    parts = [
        f"{found or 'no findings'} in {plural(s['files'], 'file')} for {', '.join(run.targets)}",
        f"{plural(s['kernels'], 'kernel')}, {plural(s['calls'], 'call')}, "
        f"{plural(s['obligations'], 'obligation')} checked",
        f"{s['not_decided']} not decided",
        f"{plural(s['not_understood'], 'statement')} not understood",
    ]
    if s["not_analysed"]:
        parts.append(f"{plural(s['not_analysed'], 'file')} NOT analysed")
    if s["suppressed"]:
        parts.append(f"{s['suppressed']} suppressed")
    if run.interrupted:
        parts.append("interrupted")
    return "; ".join(parts)


def plural(n: int, word: str) -> str:
    """`3 files`, `1 file`."""
    return f"{n:,} {word}{'' if n == 1 else 's'}"
