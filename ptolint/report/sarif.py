"""SARIF 2.1.0: one run, one result per finding, with code flows, fingerprints, fixes and suppressions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from ptolint import __version__
from ptolint.findings import IN_BASELINE, Finding, Fix
from ptolint.ir.model import Span
from ptolint.report.common import (
    SourceLines,
    evidence_dict,
    fingerprints,
    shown_path,
    summary_dict,
    summary_line,
    witness_dict,
)
from ptolint.results import RunResult

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(run: RunResult, rules: Sequence[dict[str, Any]] = ()) -> str:
    """The SARIF log as text; `rules` describe the rule set with `id`, `summary`, `source` and `level`.

    Only the rules that were found broken are listed as descriptors, in id order.
    """
    findings = [f for r in run.files for f in r.findings]
    sources = SourceLines()
    used = sorted({f.rule for f in findings})
    known = {r["id"]: r for r in rules}
    index = {rule: i for i, rule in enumerate(used)}
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ptolint",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_descriptor(rule, known.get(rule, {})) for rule in used],
                    }
                },
                "columnKind": "utf16CodeUnits",
                "invocations": [_invocation(run)],
                "results": [
                    _result(f, index[f.rule], p, sources)
                    for f, p in zip(findings, fingerprints(findings, sources), strict=True)
                ],
                "properties": {"targets": list(run.targets), "summary": summary_dict(run)},
            }
        ],
    }
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def _descriptor(rule: str, data: dict[str, Any]) -> dict[str, Any]:
    descriptor: dict[str, Any] = {"id": rule, "name": rule.replace("/", "-")}
    if data:
        descriptor["shortDescription"] = {"text": data["summary"]}
        descriptor["help"] = {"text": f"Source: {data['source']}. `ptolint explain {rule}` says more."}
        descriptor["defaultConfiguration"] = {"level": data["level"]}
    return descriptor


def _invocation(run: RunResult) -> dict[str, Any]:
    notices = [
        {"level": "error", "message": {"text": f"{r.path}: not analysed: {r.failure}"}, "locations": [_file(r.path)]}
        for r in run.failures
    ]
    notices += [{"level": "note", "message": {"text": n}} for r in run.files for n in r.notes]
    return {
        "executionSuccessful": not run.failures and not run.interrupted,
        "toolExecutionNotifications": [*notices, {"level": "note", "message": {"text": summary_line(run)}}],
    }


def _result(f: Finding, index: int, fingerprint: str, sources: SourceLines) -> dict[str, Any]:
    text = f.message + (f" ({f.condition})" if f.condition else "") + (f". Hint: {f.hint}" if f.hint else "")
    result: dict[str, Any] = {
        "ruleId": f.rule,
        "ruleIndex": index,
        "level": f.level,
        "message": {"text": text},
        "locations": [{"physicalLocation": _physical(f.span, sources)}],
        "partialFingerprints": {"ptolint/v1": fingerprint},
        "properties": _properties(f),
    }
    if f.related:
        result["relatedLocations"] = [
            {"id": i, "message": {"text": r.message}, "physicalLocation": _physical(r.span, sources)}
            for i, r in enumerate(f.related, 1)
        ]
    if f.path:
        result["codeFlows"] = [_flow(f, sources)]
    if f.fixes:
        result["fixes"] = [_fix(x, sources) for x in f.fixes]
    if f.suppressed is not None:
        kind = "external" if f.suppressed == IN_BASELINE else "inSource"
        result["suppressions"] = [{"kind": kind, **({"justification": f.suppressed} if f.suppressed else {})}]
    return result


def _properties(f: Finding) -> dict[str, Any]:
    data: dict[str, Any] = {"target": ",".join(f.targets), "core": ",".join(f.cores), "source": f.source}
    if f.instances:
        data["instances"] = list(f.instances)
    if f.witness:
        data["witness"] = witness_dict(f)
    if f.evidence:
        data["evidence"] = evidence_dict(f)
    return data


def _flow(f: Finding, sources: SourceLines) -> dict[str, Any]:
    steps = [(f"in {s.function}", s.span) for s in f.path] + [(f.message, f.span)]
    return {
        "threadFlows": [
            {
                "locations": [
                    {"location": {"message": {"text": t}, "physicalLocation": _physical(s, sources)}} for t, s in steps
                ]
            }
        ]
    }


def _fix(fix: Fix, sources: SourceLines) -> dict[str, Any]:
    files: dict[str, list[dict[str, Any]]] = {}
    for e in fix.edits:
        files.setdefault(e.span.file, []).append(
            {"deletedRegion": _region(e.span, sources), "insertedContent": {"text": e.text}}
        )
    changes = [{"artifactLocation": {"uri": _uri(f)}, "replacements": r} for f, r in files.items()]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _physical(span: Span, sources: SourceLines) -> dict[str, Any]:
    return {"artifactLocation": {"uri": _uri(span.file)}, "region": _region(span, sources)}


def _region(span: Span, sources: SourceLines) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(1, span.line), "startColumn": _utf16(span.line, span.col, span, sources)}
    region["endLine"] = max(span.end_line, region["startLine"])
    region["endColumn"] = _utf16(span.end_line, span.end_col, span, sources)
    if region["endLine"] == region["startLine"]:
        region["endColumn"] = max(region["endColumn"], region["startColumn"])
    return region


def _utf16(line: int, column: int, span: Span, sources: SourceLines) -> int:
    """A column in characters as a column of UTF-16 units, as SARIF viewers count."""
    text = sources.line(span.file, line)
    if text.isascii():
        return max(1, column)
    return len(text[: column - 1].encode("utf-16-le")) // 2 + 1


def _file(path: str) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}


def _uri(path: str) -> str:
    """A relative URI where possible, so that a log made in CI fits any checkout; else a file URI."""
    shown = shown_path(path)
    quoted = quote(shown, errors="surrogateescape")
    return f"file://{quoted}" if shown.startswith("/") else quoted
