"""One finding per place the user can act on: equal ones of several targets, cores and instances become one."""

from __future__ import annotations

from collections.abc import Iterable

from ptolint.findings import LEVELS, Finding


def merge(findings: Iterable[Finding]) -> list[Finding]:
    """Merge, then sort by file, line, column and rule, so that the output never depends on the order of work.

    Findings are equal when rule, place and level agree and, between targets, the message as well: two targets
    with different limits stay two findings. Within one target the first instance speaks for all, except in notes.
    """
    per_target: dict[tuple[object, ...], list[Finding]] = {}
    for f in findings:
        said = f.message if f.level == "note" else ""  # instances of a kernel have contracts of their own
        per_target.setdefault((f.span, f.rule, f.targets, f.suppressed, said), []).append(f)
    joined: dict[tuple[object, ...], list[Finding]] = {}
    for group in per_target.values():
        f = _join(group)
        joined.setdefault((f.span, f.rule, f.level, f.message, f.suppressed), []).append(f)
    return sorted((_join(group) for group in joined.values()), key=sort_key)


def sort_key(f: Finding) -> tuple[object, ...]:
    """The order of every report."""
    return (f.span.file, f.span.line, f.span.col, f.rule, LEVELS.index(f.level), f.targets, f.message)


def _join(group: list[Finding]) -> Finding:
    if len(group) == 1:
        return group[0]
    group = sorted(group, key=lambda f: (LEVELS.index(f.level), f.witness is None, f.instances, f.message))
    first = group[0]
    return first.with_(
        targets=_union(f.targets for f in group),
        cores=_union(f.cores for f in group),
        instances=_union(f.instances for f in group),
        evidence=next((f.evidence for f in group if f.evidence), None),
    )


def _union(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({item for part in parts for item in part}))
