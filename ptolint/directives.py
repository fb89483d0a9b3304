"""`// ptolint:` comments that silence findings: what they say, what they cover, and which were never needed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ptolint.findings import Edit, Finding, Fix
from ptolint.ir.model import Span

UNUSED = "ptolint/unused-suppression"

# Strings and comments of C++, so that a directive inside a string literal is no directive.
_LEXEMES = re.compile(
    r'R"(?P<delim>[^()\\\s]{0,16})\(.*?\)(?P=delim)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/',
    re.S,
)
_DIRECTIVE = re.compile(
    r"ptolint:\s*(?P<kind>ignore-file|ignore-next-line|ignore)\s*"
    r"(?:\[(?P<rules>[^\]\n]*)\])?\s*(?:--\s*(?P<reason>[^\n]*?))?\s*(?:\*/)?$"
)


@dataclass(slots=True)
class Suppression:
    """One directive; `rules` are ids or prefixes (empty: all), `lines` the lines it covers (None: the file)."""

    kind: str
    rules: tuple[str, ...]
    reason: str
    span: Span
    lines: frozenset[int] | None
    alone: bool  # nothing but the comment on its line
    gap: int = 0  # blanks before it that go with it when it is removed
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Finding) -> str | None:
        """The part of the directive that silences `finding`, or None."""
        if self.lines is not None and finding.span.line not in self.lines:
            return None
        if not self.rules:
            return "*"
        return next((r for r in self.rules if finding.rule == r or finding.rule.startswith(r.rstrip("*/") + "/")), None)


def find_suppressions(file: str, text: str) -> list[Suppression]:
    """All suppression comments of a source text, in order."""
    if "ptolint:" not in text:
        return []
    found = []
    for match in _LEXEMES.finditer(text):
        comment = match.group()
        if not comment.startswith(("//", "/*")):
            continue
        directive = _DIRECTIVE.search(comment)
        if directive:
            found.append(_suppression(file, text, match.start(), match.end(), directive))
    return found


def _suppression(file: str, text: str, start: int, end: int, directive: re.Match[str]) -> Suppression:
    line = text.count("\n", 0, start) + 1
    line_start = text.rfind("\n", 0, start) + 1
    kind = directive["kind"]
    alone = not text[line_start:start].strip()
    last = line + text.count("\n", start, end)
    lines: frozenset[int] | None
    if kind == "ignore-file":
        lines = None
    elif kind == "ignore-next-line":
        lines = frozenset({last + 1})
    else:
        lines = frozenset({line, last + 1} if alone else {line})
    rules = tuple(r.strip() for r in (directive["rules"] or "").split(",") if r.strip())
    span = Span(file, line, start - line_start + 1, last, end - (text.rfind("\n", 0, end) + 1) + 1)
    before, after = text[line_start:start], text[end:].partition("\n")[0]
    gap = 0 if after.strip() else len(before) - len(before.rstrip(" \t"))
    return Suppression(kind, rules, directive["reason"] or "", span, lines, alone, gap)


def apply_suppressions(findings: list[Finding], suppressions: list[Suppression]) -> list[Finding]:
    """Mark what a directive covers with the directive's reason; each directive notes that it was used."""
    marked = []
    for finding in findings:
        for suppression in suppressions:
            part = suppression.covers(finding) if suppression.span.file == finding.span.file else None
            if part is not None:
                suppression.used.add(part)
                finding = finding.with_(suppressed=suppression.reason)
                break
        marked.append(finding)
    return marked


def unused_suppressions(suppressions: list[Suppression], judged: set[str], known: set[str]) -> list[Finding]:
    """A finding per directive (or rule in it) that silenced nothing.

    `judged` are the rule ids that were in force, `known` all ids that there are.
    """
    found = []
    for s in suppressions:
        idle = [r for r in s.rules if r not in s.used and _judged(r, judged, known)]
        if not s.rules and not s.used:
            idle = ["every rule"]
        if idle:
            found.append(_unused(s, idle))
    return found


def _judged(rule: str, judged: set[str], known: set[str]) -> bool:
    """A directive for a rule that was not run is not judged; one for an unknown rule is."""
    stem = rule.rstrip("*/")
    meant = {r for r in known if r == stem or r.startswith(stem + "/")}
    return not meant or not meant.isdisjoint(judged)


def _unused(s: Suppression, idle: list[str]) -> Finding:
    remove_all = not s.rules or len(idle) == len(s.rules)
    if remove_all:
        edit = Edit(replace(s.span, col=s.span.col - s.gap), "")
    else:
        kept = ", ".join(r for r in s.rules if r not in idle)
        reason = f" -- {s.reason}" if s.reason else ""
        edit = Edit(s.span, f"// ptolint: {s.kind}[{kept}]{reason}")
    return Finding(
        UNUSED,
        "warning",
        f"this comment silences nothing: {', '.join(idle)}",
        s.span,
        fixes=(Fix("remove the unused suppression", (edit,)),),
        hint="remove it",
    )
