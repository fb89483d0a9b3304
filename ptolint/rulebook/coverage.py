"""How completely the rules cover a catalogue, and the fixtures the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ptolint.rulebook.fixtures import Expected, Fixture, load_fixtures
from ptolint.rulebook.loader import Rulebook


@dataclass(frozen=True, slots=True)
class Observed:
    """What a run over one fixture saw: its findings, and (rule, line, target) wherever a rule applied."""

    found: frozenset[Expected]
    applied: frozenset[tuple[str, int, str]]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """All four are empty in a complete rule set; each is sorted by id."""

    entries_without_rule: tuple[str, ...]
    rules_without_failing: tuple[str, ...]
    rules_without_passing: tuple[str, ...]
    not_firing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        return not (
            self.entries_without_rule or self.rules_without_failing or self.rules_without_passing or self.not_firing
        )


def catalogue_ids(path: Path) -> tuple[str, ...]:
    """The ids of a catalogue: a JSON list of entries with `id`, or any text with lines `- id: ...`."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return tuple(entry["id"] for entry in json.loads(text))
    marks = (line.strip().removeprefix("- ").partition(":") for line in text.splitlines())
    return tuple(value.strip() for key, _, value in marks if key == "id")


def coverage(
    rulebook: Rulebook,
    catalogue: Iterable[str],
    fixtures: Iterable[Fixture],
    other_ids: Iterable[str] = (),
    observations: Mapping[Path, Observed] | None = None,
) -> Coverage:
    """Compare catalogue, rules and fixtures; `other_ids` are those of analyses, which have no entry in a rule file.

    A rule has a failing fixture where some line expects it, and a passing one where it applies on a line that
    does not. Without `observations` each fixture is run.
    """
    fixtures = list(fixtures)
    seen = observations if observations is not None else {f.path: observe(f) for f in fixtures}
    rules = {r.id for f in rulebook.files() for r in f.rules}
    expected = {e.rule for f in fixtures for e in f.expected}
    found = {e.rule for o in seen.values() for e in o.found}
    passing = {rule for f in fixtures if f.path in seen for rule in _passing(f, seen[f.path])}
    unseen = {r.id for f in rulebook.files() for r in f.rules if r.require_text is None}  # no condition to satisfy
    return Coverage(
        tuple(sorted(set(catalogue) - rules - set(other_ids))),
        tuple(sorted(rules - expected)),
        tuple(sorted(rules - passing - unseen)),
        tuple(sorted((rules & expected) - found)),
    )


def _passing(fixture: Fixture, seen: Observed) -> set[str]:
    broken = {(e.rule, e.line, e.target) for e in seen.found}
    return {rule for rule, line, target in seen.applied if (rule, line, target) not in broken}


@cache
def observe(fixture: Fixture) -> Observed:
    """Run the checker over a fixture, without replay and without the cache of results."""
    from ptolint.options import CheckOptions
    from ptolint.pipeline import Job, check_file

    options = CheckOptions(targets=fixture.targets, replay=False)
    result = check_file(Job(str(fixture.path), options))
    found = frozenset(
        Expected(f.span.line, f.rule, f.level, t) for f in result.findings if f.suppressed is None for t in f.targets
    )
    return Observed(found, frozenset(_applied(fixture, options)), result.failure or "")


def _applied(fixture: Fixture, options: object) -> Iterable[tuple[str, int, str]]:
    """Every rule at every line where it applies, whatever it says there."""
    from ptolint.ir.walk import calls
    from ptolint.pipeline import programs, rulebook_for
    from ptolint.rulebook.engine import check_call, check_type

    rulebook = rulebook_for(())
    text = fixture.path.read_text(encoding="utf-8")
    for target in fixture.targets:
        for program in programs(str(fixture.path), text, target, options):  # type: ignore[arg-type]
            for function in program.functions.values():
                for call in calls(function):
                    for outcome in check_call(call, target, rulebook):
                        yield outcome.rule_id, call.name_span.line, target
            for use in program.type_uses:
                for outcome in check_type(use.type, target, rulebook):
                    yield outcome.rule_id, use.span.line, target


def coverage_of(catalogue: Path, fixtures: Path) -> Coverage:
    """The coverage of the shipped rules over a catalogue file and a directory of fixtures."""
    from ptolint.pipeline import rulebook_for

    return coverage(rulebook_for(()), catalogue_ids(catalogue), load_fixtures(fixtures))


def coverage_text(result: Coverage) -> str:
    """The coverage as lines for a terminal."""
    parts = (
        ("catalogue entries without a rule", result.entries_without_rule),
        ("rules without a failing fixture", result.rules_without_failing),
        ("rules without a passing fixture", result.rules_without_passing),
        ("rules whose failing fixture does not fire", result.not_firing),
    )
    lines = []
    for title, ids in parts:
        lines.append(f"{title}: {len(ids)}")
        lines += [f"  {i}" for i in ids]
    return "\n".join(lines) + "\n"
