import pytest

from ptolint.rulebook.facts import Env, TileFacts
from ptolint.rulebook.messages import Template, condition
from ptolint.rulebook.predicate import PredicateError, Vocabulary, compile_predicate
from tests.rulebook.build import tile

WORDS = Vocabulary(frozenset(("dst", "src", "tmp", "mode", "grp_axis")))


@pytest.fixture
def env() -> Env:
    result = Env("a5", "pure")
    result["dst"] = TileFacts(tile("Bias", "float", 1, 2048, valid=(1, -1)))
    result["src"] = TileFacts(tile("Mat", "half", 2, 40, layout="nz"))
    result["mode"] = "DualModeSplitM"
    return result


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dst.cols * sizeof(dst.dtype) <= 4096", "dst.cols * sizeof(float) = 8192 > 4096"),
        ("src.rows == dst.rows", "src.rows = 2 != dst.rows = 1"),
        ("1 <= src.rows <= 1", "src.rows = 2 > 1"),
        ("5 < src.rows", "src.rows = 2 <= 5"),
        ("src.cols * sizeof(src.dtype) % 32 == 0", "src.cols * sizeof(half) = 80 is not a multiple of 32"),
        ("src.cols % (16 * src.rows) == 0", "src.cols = 40 is not a multiple of 32"),
        ("src.dtype in {int32_t, float}", "src.dtype = half not in {int32_t, float}"),
        (
            "(src.dtype, dst.dtype) in {(float, float)}",
            "(src.dtype, dst.dtype) = (half, float) != (float, float)",
        ),
        ("src.dtype not in {half}", "src.dtype = half"),
        ("src.rows > 2", "src.rows = 2"),
        ("src.cols in {src.rows, 2 * src.rows, 2}", "src.cols = 40 not in {2, 4}"),
        ("src.rows == 2 and src.cols == 64", "src.cols = 40 != 64"),
        ("src.rows == 1 or src.cols == 64", "src.rows = 2 != 1 and src.cols = 40 != 64"),
        ("nd(src)", "src is not ND (ColMajor, RowMajor)"),
        ("not nz(src)", "src is NZ (ColMajor, RowMajor)"),
        ("not (nz(src) and src.rows == 2)", "src is NZ (ColMajor, RowMajor) and src.rows = 2"),
        ("not (nd(src) or src.rows == 2)", "src.rows = 2"),
        ("src.is_row_major", "src.blayout = ColMajor"),
        ("has(tmp)", "not has(tmp)"),
        ("mode == DualModeSplitN", "mode = DualModeSplitM != DualModeSplitN"),
        ("src.rows == 1 if mode == DualModeSplitM else src.rows == 2", "src.rows = 2 != 1"),
        ("src.cols / 3 == 14", "src.cols / 3 = 13 != 14"),
        ("dst.valid_col < 4", "dst.valid_col >= 4"),
    ],
)
def test_condition(env, text, expected):
    assert condition(compile_predicate(text, WORDS), env) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("{{{src.rows}}}", "{2}"),
        ("{src.dtype} of {src.rows * src.cols}", "half of 80"),
        ("{(src.blayout, src.slayout)}", "(ColMajor, RowMajor)"),
        ("{src.is_row_major}", "false"),
        ("{tmp.rows} or {dst.valid_col + 1}", "tmp.rows or dst.valid_col + 1"),
        ("{1 if src.dtype in {half} else 2}", "1"),
        ("{src.cols / 0}", "src.cols / 0"),
        ("{dst}", "dst"),
    ],
)
def test_template(env, text, expected):
    assert Template(text, lambda part: compile_predicate(part, WORDS)).render(env) == expected


def test_a_solvers_term_shows_the_expression(env):
    env["src"].cols = object()
    parts = Template("{src.cols} and {src.cols + 1}", lambda part: compile_predicate(part, WORDS))
    assert parts.render(env) == "src.cols and src.cols + 1"
    assert condition(compile_predicate("src.cols <= 4", WORDS), env) == "src.cols > 4"


@pytest.mark.parametrize("text", ["{src.rows", "src.rows}", "{nothing}"])
def test_bad_template(text):
    with pytest.raises(PredicateError):
        Template(text, lambda part: compile_predicate(part, WORDS))
