"""JUnit XML: a test case per checked file, failed by errors and warnings."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from ptolint.findings import Finding
from ptolint.report.common import place, printable, shown_path, summary_line
from ptolint.results import FileResult, RunResult


def render(run: RunResult) -> str:
    """`<testsuites>` with one suite; findings are `<failure>`, files that were not analysed are `<error>`."""
    by_file: dict[str, list[Finding]] = defaultdict(list)
    for result in run.files:
        by_file[result.path] = [f for f in result.findings if f.suppressed is None and f.level != "note"]
    shown = [r for r in run.files if r.skipped is None]
    failures = sum(bool(by_file[r.path]) for r in shown)
    totals = {"tests": str(len(shown)), "failures": str(failures), "errors": str(len(run.failures))}
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(root, "testsuite", {"name": "ptolint", "skipped": "0", **totals})
    for result in shown:
        _case(suite, result, by_file[result.path])
    ET.SubElement(suite, "system-out").text = printable(summary_line(run))
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, result: FileResult, findings: list[Finding]) -> None:
    name = printable(shown_path(result.path))
    case = ET.SubElement(suite, "testcase", name=name, classname="ptolint", time="0")
    if result.failure is not None:
        ET.SubElement(case, "error", message=printable(result.failure), type="not-analysed")
    if findings:
        text = "\n".join(f"{place(f.span)}: {f.level} {f.rule}: {printable(f.message)}" for f in findings)
        first = findings[0]
        ET.SubElement(case, "failure", message=printable(first.message), type=first.rule).text = text
