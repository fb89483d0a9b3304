"""The rules among themselves: every overload has a legal call; questions and repairs answer from rules alone."""

from __future__ import annotations

import pytest

from ptolint.pipeline import rulebook_for
from ptolint.solver.legal import LegalError, Question, legal

RULES = rulebook_for(())
FORMS = [
    (instruction, form.name, target)
    for file in RULES.files()
    for instruction in file.instructions[:1]
    for form in file.forms
    for target in ("a2a3", "a5")
    if form.exists_on(target) and instruction[:1].isupper()
]


NULL_OPERANDS = {("TQUANT", "int8", "a2a3")}  # legal only with nullptr for an operand, which a question cannot say


@pytest.mark.parametrize(("instruction", "form", "target"), sorted(set(FORMS) - NULL_OPERANDS))
def test_all_rules_of_an_overload_hold_together(instruction, form, target):
    file = RULES.file(instruction)
    one = next(f for f in file.forms if f.name == form and f.exists_on(target))
    question = Question(instruction, target, one, RULES)
    if question.search({}) is None and question.nodes >= 0:
        assert any(refuses(instruction, target, one, r) for r in question.rules), (
            f"no call satisfies {sorted(question.blocking)} at once"
        )


def refuses(instruction, target, form, rule):
    """Whether one rule by itself says that the overload is of no use on the target."""
    question = Question(instruction, target, form, RULES)
    question.rules, question.type_rules = [rule], []
    return question.search({}) is None


def test_what_remains_for_a_bias_move():
    answer = legal("TMOV", "a5", {"src.loc": "Mat", "dst.loc": "Bias", "src.dtype": "half"}, RULES)
    assert answer.values["dst.dtype"] == ("float",)
    assert answer.values["src.rows"] == (1,)


def test_nothing_remains():
    answer = legal("TMUL", "a2a3", {"dst.dtype": "uint8_t"}, RULES)
    assert answer.example is None
    assert answer.broken == ("tmul/dtype-a2a3",)


def test_unknown_words_are_named():
    with pytest.raises(LegalError, match="no operand or parameter 'nowhere'"):
        legal("TMUL", "a5", {"nowhere.loc": "Vec"}, RULES)
    with pytest.raises(LegalError, match="unknown attribute 'colour'"):
        legal("TMUL", "a5", {"dst.colour": "red"}, RULES)
