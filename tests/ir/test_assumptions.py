from pathlib import Path

import pytest

from ptolint.errors import InputError
from ptolint.ir.assumptions import condition_of
from ptolint.ir.model import Function, OtherType, ScalarType, Span, Var
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job

HERE = Span("k.cpp", 1, 1, 1, 2)
INT = ScalarType("int", "int", 32, True)
KERNEL = Function("k", "k", "k", (Var(1, "n", INT, HERE),), (), HERE, True, True, True, OtherType("void"))
SOURCE = Path(__file__).resolve().parents[2] / "fixtures" / "demo" / "tail_rows.cpp"


def levels(*conditions: str) -> set[str]:
    options = CheckOptions(targets=("a5",), replay=False, assume=tuple(("scale_rows", c) for c in conditions))
    result = check_job(Job(str(SOURCE), options))
    assert result.failure is None
    return {f.level for f in result.findings}


def test_an_assumed_condition_is_believed() -> None:
    assert "warning" in levels()
    assert levels("rows <= 0") == set()
    assert "warning" in levels("rows > 0 && rows % 64 == 0")


@pytest.mark.parametrize("text", ["0 < n <= 64", "n > 0 && !(n % 16 != 0)", "n == 1 or n == 2u", "-n < 3 && n * 2 < 8"])
def test_both_languages(text: str) -> None:
    condition_of(text, KERNEL)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("m > 0", "'m' is no parameter"),
        ("n >", "cannot read"),
        ("f(n)", "not understood"),
        ("n ** 2", "not understood"),
    ],
)
def test_what_cannot_be_read_is_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        condition_of(text, KERNEL)
