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
