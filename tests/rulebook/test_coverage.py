import json

import pytest

from ptolint.rulebook.coverage import Observed, catalogue_ids, coverage, coverage_text
from ptolint.rulebook.fixtures import Expected, load_fixtures, read_fixture
from ptolint.rulebook.listing import explain, list_rules
from ptolint.rulebook.loader import Rulebook

RULES = """
[instruction]
name = "TTEST"
no_form = "ttest/forms"
[define]
limit = "16"
[[form]]
name = "pure"
operands = ["dst"]
[[rule]]
id = "ttest/forms"
message = "no form"
source = "TTEST"
[[rule]]
id = "ttest/rows"
targets = ["a5"]
when = "dst.loc == Vec"
require = "dst.rows <= limit"
message = "{dst.rows} rows"
hint = "use fewer"
source = "TTEST, rows"
enforced = "static_assert"
warning_when = "dst.cols == 1"
note = "told twice"
same_as = "ttest/other"
[[rule]]
id = "ttest/cols"
require = "dst.cols == 8"
message = "cols"
source = "TTEST"
"""


@pytest.fixture
def rules(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOLINT_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "ttest.toml").write_text(RULES)
    return Rulebook(tmp_path / "rules")


def write(tmp_path, name, *lines):
    path = tmp_path / "fixtures" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_expectations_of_a_fixture(tmp_path):
    path = write(
        tmp_path,
        "a.cpp",
        "// targets: a2a3, a5",
        "f(); // expect: a/b [a5], a/c",
        "g(); // because: expect-warning: a/d expect-note: a/e [a2a3]",
        "h(); // nothing is expected here",
    )
    assert read_fixture(path).expected == {
        Expected(2, "a/b", "error", "a5"),
        Expected(2, "a/c", "error", "a2a3"),
        Expected(2, "a/c", "error", "a5"),
        Expected(3, "a/d", "warning", "a2a3"),
        Expected(3, "a/d", "warning", "a5"),
        Expected(3, "a/e", "note", "a2a3"),
    }


def test_targets_of_a_fixture(tmp_path):
    assert read_fixture(write(tmp_path, "a.cpp", "// targets: a5", "f(); // expect: a/b")).expected == {
        Expected(2, "a/b", "error", "a5")
    }
    assert read_fixture(write(tmp_path, "b.cpp", "f();")).targets == ("a2a3", "a5")


def test_unreadable_expectation(tmp_path):
    with pytest.raises(ValueError, match="1: cannot read the expectation 'A/b'"):
        read_fixture(write(tmp_path, "a.cpp", "f(); // expect: A/b"))


def test_coverage_reports_every_gap(tmp_path, rules):
    path = write(tmp_path, "a.cpp", "// targets: a5", "f(); // expect: ttest/rows, ttest/cols", "g();")
    seen = Observed(
        frozenset([Expected(2, "ttest/rows", "error", "a5")]),
        frozenset([("ttest/rows", 2, "a5"), ("ttest/rows", 3, "a5"), ("ttest/cols", 2, "a5")]),
    )
    fixtures = load_fixtures(tmp_path / "fixtures")
    result = coverage(rules, ["ttest/rows", "ttest/gone", "memory/x"], fixtures, ["memory/x"], {path: seen})
    assert result.entries_without_rule == ("ttest/gone",)
    assert result.rules_without_failing == ("ttest/forms",)
    assert result.not_firing == ("ttest/cols",)
    assert result.rules_without_passing == ()
    assert not result.complete
    assert "catalogue entries without a rule: 1\n  ttest/gone\n" in coverage_text(result)


def test_a_rule_that_applies_where_it_is_broken_only_has_no_passing_fixture(tmp_path, rules):
    path = write(tmp_path, "a.cpp", "f(); // expect: ttest/rows")
    found = frozenset([Expected(1, "ttest/rows", "error", "a5")])
    result = coverage(
        rules,
        [],
        load_fixtures(tmp_path / "fixtures"),
        (),
        {path: Observed(found, frozenset([("ttest/rows", 1, "a5")]))},
    )
    assert result.rules_without_passing == ("ttest/cols", "ttest/rows")


def test_ids_of_a_catalogue(tmp_path):
    listed = tmp_path / "c.json"
    listed.write_text(json.dumps([{"id": "a/b"}, {"id": "a/c"}]))
    assert catalogue_ids(listed) == ("a/b", "a/c")
    plain = tmp_path / "c.yaml"
    plain.write_text("constraints:\n- id: a/b\n  note: id of something\n- id: a/c\n")
    assert catalogue_ids(plain) == ("a/b", "a/c")


def test_list_of_rules(rules):
    rows = {info.id: info for info in list_rules(rules)}
    assert list(rows) == ["ttest/cols", "ttest/forms", "ttest/rows"]
    row = rows["ttest/rows"]
    assert (row.targets, row.level, row.enforced) == (("a5",), "error", "static_assert")
    assert row.instructions == ("TTEST",)


def test_page_of_a_rule(rules):
    page = explain(rules, "ttest/rows")
    for line in (
        "ttest/rows (error)",
        "concerns:      TTEST",
        "targets:       a5",
        "applies when:  dst.loc == Vec",
        "requires:      dst.rows <= limit",
        "where:         limit = 16",
        "only a warning: when dst.cols == 1",
        "enforced:      the vendor headers reject it at compile time",
        "note:          told twice",
        "see also:      ttest/other",
    ):
        assert line in page.splitlines()


def test_page_of_an_unknown_rule_names_the_nearest(rules):
    with pytest.raises(KeyError, match="did you mean 'ttest/rows'"):
        explain(rules, "ttest/row")


def test_page_shows_a_failing_example_from_the_fixtures():
    page = explain(Rulebook(), "tmov/bias-table-bytes")
    assert "example (fixtures/tmov/bias.cpp):" in page
    assert "void bias_larger_than_the_table()" in page
    assert "expect: tmov/bias-table-bytes" in page
