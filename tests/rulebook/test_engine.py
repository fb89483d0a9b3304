from pathlib import Path

import pytest

from ptolint.ir.model import ArrayType, ConvTileType, PointerType, Span, TensorType, TypeUse
from ptolint.rulebook.engine import call_finding, check_call, check_type, type_finding, without_equals
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.values import UNKNOWN
from tests.rulebook.build import SPAN, call, operand, tile

RULES = """
[instruction]
name = "TTEST"
summary = "for the tests"
source = "TTEST"
no_form = "ttest/overload-family"

[define]
twice = "2 * dst.rows"

[[form]]
name = "pure"
operands = ["dst", "src"]

[[form]]
name = "vector"
operands = ["dst", "src", "tmp"]
when = "tmp.loc == Scaling"
alias = { tmp = "fp" }

[[form]]
name = "scratch"
operands = ["dst", "src", "tmp"]
targets = ["a5"]

[[rule]]
id = "ttest/overload-family"
message = "no overload"
source = "TTEST"

[[rule]]
id = "ttest/rows"
require = "twice == src.rows"
message = "{dst.rows} rows, not half of {src.rows}"
hint = "use {src.rows / 2} rows, {tmp.rows}"
source = "TTEST, rows"

[[rule]]
id = "ttest/valid"
when = "nd(dst)"
require = "dst.valid_row == src.valid_row"
message = "valid"
source = "TTEST"
same_as = ["ttest/valid-again"]
warning_when = "dst.cols == 8"

[[rule]]
id = "ttest/valid-again"
require = "src.valid_row == dst.valid_row"
message = "valid again"
source = "TTEST"

[[rule]]
id = "ttest/fp"
targets = ["a5"]
require = "fp.dtype == uint64_t"
message = "words of {fp.dtype}"
source = "TTEST"
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rulebook:
    monkeypatch.setenv("PTOLINT_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "ttest.toml").write_text(RULES)
    return Rulebook(folder)


def verdicts(outcomes):
    return {o.rule_id: o.verdict for o in outcomes}


def test_a_call_that_keeps_its_rules(rules):
    got = check_call(call("TTEST", dst=tile(rows=16, valid=(8, 8)), src=tile(rows=32, valid=(8, 8))), "a5", rules)
    assert verdicts(got) == {"ttest/rows": True, "ttest/valid": True, "ttest/valid-again": True}


def test_a_broken_rule_becomes_a_finding_with_values(rules):
    broken = call("TTEST", dst=tile(rows=16, valid=(8, 8)), src=tile(rows=16, valid=(8, 8)))
    outcome = next(o for o in check_call(broken, "a5", rules) if o.verdict is False)
    finding = call_finding(outcome, broken, core="vec")
    assert (finding.rule, finding.level, finding.targets, finding.cores) == ("ttest/rows", "error", ("a5",), ("vec",))
    assert finding.message == "16 rows, not half of 16"
    assert finding.condition == "2 * dst.rows = 32 != src.rows = 16"
    assert finding.hint == "use 8 rows, tmp.rows"
    assert finding.source == "TTEST, rows"
    assert finding.span.line == 7
    assert [r.message for r in finding.related] == [
        "dst: Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 8, 8>",
        "src: Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 8, 8>",
    ]


def test_equal_rules_are_reported_once_and_a_condition_lowers_the_level(rules):
    got = check_call(call("TTEST", dst=tile(cols=8, rows=8, valid=(1, 1)), src=tile()), "a5", rules)
    broken = [o for o in got if o.verdict is False]
    assert [(o.rule_id, o.level) for o in broken] == [("ttest/valid", "warning")]


def test_dynamic_valid_region_is_unknown_until_resolved(rules):
    dynamic = call("TTEST", dst=tile(rows=8, valid=(-1, 64)), src=tile())
    assert verdicts(check_call(dynamic, "a5", rules))["ttest/valid"] is UNKNOWN
    got = check_call(dynamic, "a5", rules, lambda operand, attribute: {"dst": 16}[operand.name])
    assert verdicts(got)["ttest/valid"] is True


def test_form_with_condition_and_alias(rules):
    words = tile("Scaling", "int64_t", 1, 16)
    got = check_call(call("TTEST", dst=tile(), src=tile(rows=32), tmp=words), "a5", rules)
    assert got[0].env["form"] == "vector"
    finding = call_finding(next(o for o in got if o.rule_id == "ttest/fp"), call("TTEST", dst=tile(), tmp=words))
    assert finding.message == "words of int64_t"
    assert verdicts(got)["ttest/fp"] is False


def test_no_such_overload_names_the_nearest_form(rules):
    (outcome,) = check_call(call("TTEST", dst=tile()), "a5", rules)
    assert (outcome.rule_id, outcome.verdict) == ("ttest/overload-family", False)
    assert outcome.hint == "the nearest form is TTEST(dst, src)"
    (outcome,) = check_call(call("TTEST", dst=tile(), src=tile(), tmp=tile()), "a2a3", rules)
    assert "does not exist on a2a3" in outcome.text
    (outcome,) = check_call(call("TTEST", dst=tile(), src=tile(), problem="bad operand"), "a5", rules)
    assert outcome.text == "TTEST: bad operand"


def test_instruction_without_rules_has_no_outcomes(rules):
    assert check_call(call("TOTHER", dst=tile()), "a5", rules) == []
    assert not rules.has_rules("TOTHER")


def test_a_rule_that_fails_is_a_finding_about_the_rule(tmp_path, rules):
    (rules.directory / "tbad.toml").write_text(
        '[instruction]\nname = "TBAD"\n[[form]]\nname = "pure"\noperands = ["dst"]\n'
        '[[rule]]\nid = "tbad/x"\nrequire = "dst.rowz == 1"\nmessage = "m"\nsource = "s"\n'
    )
    (outcome,) = check_call(call("TBAD", dst=tile()), "a5", Rulebook(rules.directory))
    finding = call_finding(outcome, call("TBAD", dst=tile()))
    assert finding.rule == "ptolint/rule-error"
    assert "tbad/x" in finding.message
    assert "did you mean 'rows'?" in finding.message


def test_facts_reach_through_arrays_and_pointers(rules):
    nested = ArrayType(PointerType(tile(rows=8)), 2)
    got = check_call(call("TTEST", dst=nested, src=tile(rows=16)), "a5", rules)
    assert verdicts(got)["ttest/rows"] is True


def test_null_operand_is_absent(rules):
    got = check_call(call("TTEST", dst=None, src=tile(rows=16)), "a5", rules)
    assert got == []


@pytest.fixture(scope="module")
def shipped() -> Rulebook:
    return Rulebook()


def test_valid_region_of_any_operand(shipped):
    half = call("TMUL", dst=tile(valid=(-1, 64)), src0=tile(valid=(-1, 64)), src1=tile(valid=(-1, 64)))
    got = check_call(half, "a5", shipped, lambda operand, attribute: -28)
    broken = {(o.rule_id, o.operand) for o in got if o.verdict is False}
    assert broken == {("tile/valid-row-range", name) for name in ("dst", "src0", "src1")}
    finding = call_finding(next(o for o in got if o.operand == "src0"), half)
    assert finding.message == "src0 has -28 valid rows, the tile 16"
    assert finding.condition == "src0.valid_row = -28 < 0"


def test_the_instructions_own_bound_hides_the_general_one(shipped):
    full = call("TMUL", dst=tile(valid=(-1, 64)), src0=tile(valid=(-1, 64)), src1=tile(valid=(-1, 64)))
    got = check_call(full, "a5", shipped, lambda operand, attribute: 17)
    assert {o.rule_id for o in got if o.verdict is False} == {"tmul/static-valid-row", "tmul/iteration-domain"}
    assert without_equals(got) == got


def test_a_type_is_judged_by_itself(shipped):
    bad = tile(cols=9)
    (outcome,) = [o for o in check_type(bad, "a5", shipped) if o.verdict is False]
    use = TypeUse(bad, Span("kernel.cpp", 3, 1, 3, 9), None)
    finding = type_finding(outcome, use)
    assert (finding.rule, finding.span.line) == ("tile/row-major-row-bytes", 3)
    assert finding.condition == "tile.cols * sizeof(float) = 36 is not a multiple of 32"
    assert "16 columns" in finding.hint


def test_other_types_are_legal_by_themselves(shipped):
    tensor = TensorType("float", (1, 1, 1, 16, 16), (256, 256, 256, 16, 1), "ND")
    conv = ConvTileType("Mat", "half", 1024, "NC1HWC0", (1, 1, 4, 8, 16))
    assert all(o.verdict is not False for t in (tensor, conv) for o in check_type(t, "a2a3", shipped))
    assert [o.rule_id for o in check_type(tile("ScaleLeft"), "a2a3", shipped) if o.verdict is False] == [
        "tile/location-on-target"
    ]


def test_operand_declared_by_a_callback():
    one = operand("dst", tile())
    assert one.span == SPAN
