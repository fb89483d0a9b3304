"""Every fixture finds exactly what it expects, and rules, fixtures and catalogue cover each other."""

from pathlib import Path

import pytest

from ptolint.rulebook.fixtures import Expected, load_fixtures

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = load_fixtures(ROOT / "fixtures")


def lines(findings: frozenset[Expected]) -> list[str]:
    return [f"{e.line}: {e.level} {e.rule} [{e.target}]" for e in sorted(findings)]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda f: str(f.path.relative_to(ROOT / "fixtures")))
def test_fixture(fixture):
    from ptolint.rulebook.coverage import observe

    seen = observe(fixture)
    assert not seen.failure
    assert lines(seen.found - fixture.expected) == [], "found, not expected"
    assert lines(fixture.expected - seen.found) == [], "expected, not found"


@pytest.fixture(scope="module")
def covered():
    from ptolint.rulebook.coverage import catalogue_ids, coverage
    from ptolint.rulebook.loader import Rulebook

    return coverage(Rulebook(), catalogue_ids(ROOT / "rules" / "catalogue.json"), FIXTURES)


def test_every_entry_of_the_catalogue_has_a_rule(covered):
    assert covered.entries_without_rule == ()


def test_every_rule_has_a_failing_fixture_that_fires(covered):
    assert covered.rules_without_failing == ()
    assert covered.not_firing == ()


def test_every_rule_has_a_passing_fixture(covered):
    assert covered.rules_without_passing == ()
