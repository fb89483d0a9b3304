import pytest

from ptolint.ir.model import TileType
from ptolint.rulebook.facts import Env, TileFacts
from ptolint.rulebook.ops import INT_OPS
from ptolint.rulebook.predicate import Predicate, PredicateError, Vocabulary, compile_predicate
from ptolint.rulebook.values import UNKNOWN, NotApplicable

WORDS = Vocabulary(frozenset(("dst", "src", "tmp", "count", "mode")), frozenset(("pure", "relu")))


def env() -> Env:
    result = Env("a5", "pure")
    result["dst"] = TileFacts(TileType("Bias", "float", 1, 2048, 1, -1))
    result["src"] = TileFacts(TileType("Mat", "half", 1, 2048, 1, 2048, blayout="ColMajor", slayout="RowMajor"))
    result["count"] = UNKNOWN
    result["mode"] = "DualModeSplitM"
    return result


def both(text: str):
    """The value by native and by generic code, which must agree."""
    predicate = compile_predicate(text, WORDS)
    value = predicate.evaluate(env())
    generic = Predicate(predicate.text, predicate.tree, predicate.names, predicate.paths)
    generic._native = lambda e: 1 // 0
    assert generic.evaluate(env()) is value or generic.evaluate(env()) == value
    return value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("src.loc == Mat and dst.loc == Bias", True),
        ("dst.cols * sizeof(dst.dtype) <= 4096", False),
        ("dst.cols * sizeof(dst.dtype)", 8192),
        ("(src.dtype, dst.dtype) in {(half, float), (float, float)}", True),
        ("(src.dtype, dst.dtype) not in {(half, half)}", True),
        ("(src.dtype, dst.dtype) == (half, float)", True),
        ("mode in {DualModeSplitM, DualModeSplitN}", True),
        ("form == pure", True),
        ("target in {'a5', 'a2a3'}", True),
        ("1 <= src.rows <= 4 < 5", True),
        ("nz(src) and nd(dst) and not dn(dst)", True),
        ("dst.valid_col", UNKNOWN),
        ("dst.valid_col <= dst.cols", UNKNOWN),
        ("dst.rows == 2 and dst.valid_col > 3", False),
        ("dst.valid_col > 3 and dst.rows == 2", False),
        ("dst.valid_col > 3 or dst.rows == 1", True),
        ("not dst.valid_col > 3", UNKNOWN),
        ("(count, 1) in {(1, 2)}", False),
        ("(count, 1) in {(1, 1)}", UNKNOWN),
        ("5 if count == 1 else 5", 5),
        ("5 if count == 1 else 6", UNKNOWN),
        ("min(dst.cols, 7) + max(1, 2, 3) - abs(-4)", 6),
        ("min(dst.cols, count)", UNKNOWN),
        ("7 / 2", 3),
        ("7 % 0", UNKNOWN),
        ("7 // count", UNKNOWN),
        ("-count", UNKNOWN),
        ("ceil_div(33, 16) * 100 + align_up(33, 16)", 348),
        ("c0(half) + bits(float4_e2m1x2_t) + sizeof(float4_e2m1x2_t)", 21),
        ("numel(src)", 2048),
        ("src.bytes", 4096),
        ("has(dst) and not has(tmp)", True),
        ("is_tile(dst) and not is_tensor(dst) and not is_scalar(dst) and is_scalar(count)", True),
        ("same_type(dst, src)", False),
        ("is_float(half) and is_int(uint8_t) and not is_int(float)", True),
        ("buffer_bytes(Bias) + buffer_align(Bias)", 4128),
        ("supported(float8_e4m3_t)", True),
        ("dst.pad == Null and None != Null", True),
    ],
)
def test_value(text, value):
    got = both(text)
    assert got is value if value is UNKNOWN else got == value


@pytest.mark.parametrize("text", ["tmp.rows > 1", "dst.rows == 1 and tmp.rows > 1", "dst.layout == ND", "tmp == 1"])
def test_absent_operand_or_attribute_makes_it_inapplicable(text):
    with pytest.raises(NotApplicable):
        compile_predicate(text, WORDS).evaluate(env())


def test_short_circuit_hides_the_absent_operand():
    assert both("has(tmp) and tmp.rows > 1") is False
    assert both("not has(tmp) or tmp.rows > 1") is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dst.rowz == 1", "unknown attribute 'rowz', did you mean 'rows'? at column 1"),
        ("dts.rows == 1", "'dts' is not an operand, did you mean 'dst'?"),
        ("dst.loc == Bais", "unknown name 'Bais', did you mean 'Bias'? at column 12"),
        ("sizof(half)", "unknown function 'sizof', did you mean 'sizeof'?"),
        ("sizeof(half, float)", "sizeof takes 1 argument(s)"),
        ("min(1)", "min takes two or more argument(s)"),
        ("dst.rows & 1", "operator BitAnd is not part of the predicate language"),
        ("[x for x in dst]", "ListComp is not part of the predicate language"),
        ("dst.rows in src", "the right side of `in` is a set literal"),
        ("dst.rows is 1", "comparison Is is not part of the predicate language"),
        ("1.5 < 2", "literal 1.5 is neither an integer nor a name"),
        ("dst.shape[7] > 0", "an index is a literal from 0 to 5"),
        ("dst.rows[0] > 0", "have an index"),
        ("(lambda: 0)()", "unknown function"),
        ("dst.__class__", "unknown attribute '__class__'"),
        ("1 +", "invalid syntax"),
    ],
)
def test_error(text, expected):
    with pytest.raises(PredicateError) as error:
        compile_predicate(text, WORDS)
    assert expected in str(error.value)


def test_paths_tell_what_is_read():
    predicate = compile_predicate("numel(dst) <= src.rows and has(tmp)", WORDS)
    assert predicate.names == {"dst", "src", "tmp"}
    assert predicate.paths == {("dst", "valid_row"), ("dst", "valid_col"), ("src", "rows")}


class Recorder:
    """An `Ops` that notes which methods a predicate used."""

    def __init__(self):
        self.used = []

    def __getattr__(self, name):
        def method(*args):
            self.used.append(name)
            return getattr(INT_OPS, name)(*args)

        return method


def test_every_operator_goes_through_the_ops():
    ops = Recorder()
    text = "1 if not (dst.rows + 1 > 2 or dst.rows in {5}) and min(1, -src.rows) < 0 else 2"
    assert compile_predicate(text, WORDS).evaluate(env(), ops) == 1
    assert sorted(set(ops.used)) == ["and_", "arith", "compare", "in_", "min_", "neg", "not_", "or_", "select"]
