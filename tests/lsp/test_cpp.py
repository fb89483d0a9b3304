import pytest

from ptolint.lsp.cpp import cpp_condition


@pytest.mark.parametrize(
    ("python", "cpp"),
    [
        ("n > 0 and n <= 16", "n > 0 && n <= 16"),
        ("n % 16 == 0 and 1 <= n <= 4095", "(n % 16) == 0 && 1 <= n && n <= 4095"),
        ("not (a or b == -1)", "!(a || (b == -1))"),
        ("n // 2 == (4 if m else 8)", "(n / 2) == (m ? 4 : 8)"),
        ("True", "true"),
        ("f(n) > 1", None),
        ("n ** 2 > 1", None),
        ("n >", None),
    ],
)
def test_condition(python: str, cpp: str | None) -> None:
    assert cpp_condition(python) == cpp
