"""Questions to z3: answers, least models, budgets."""

from __future__ import annotations

import sys

import pytest

from ptolint.solver import division
from ptolint.solver import terms as t
from ptolint.solver.smt import SAT, UNKNOWN, UNSAT, Budget, Smt


@pytest.fixture
def smt():
    return Smt(Budget())


def test_answers(smt):
    n = t.symbol("n", 0, 1000)
    assert smt.check(t.lt(n, 5), t.lt(7, n)) == UNSAT
    assert smt.check(t.eq(division.floormod(n, 7), 3), t.lt(500, n)) == SAT
    assert smt.check(False) == UNSAT
    assert smt.check(True) == SAT


def test_products_of_unknowns(smt):
    a, b = t.symbol("a", 0, 255), t.symbol("b", 0, 255)
    area = t.mul(a, b)
    assert smt.check(t.lt(32, area), t.le(area, 32)) == UNSAT
    assert smt.check(t.eq(area, 12), t.lt(b, a)) == SAT


@pytest.mark.parametrize(
    ("conds", "least"),
    [
        (lambda n: [t.lt(100, n)], 101),
        (lambda n: [t.lt(n, 5)], 1),
        (lambda n: [t.le(n, 0)], 0),
        (lambda n: [t.lt(n, -7)], -8),
        (lambda n: [t.eq(division.floormod(n, 64), 1), t.lt(200, n)], 257),
    ],
)
def test_least_model_is_small_and_positive_first(smt, conds, least):
    n = t.symbol("n", -(2**31), 2**31 - 1)
    assert smt.least_model(conds(n), [n])[n] == least


def test_budget_ends_in_unknown():
    smt = Smt(Budget(file=0))
    n = t.symbol("n", 0, 10)
    assert smt.check(t.eq(division.floormod(n, 3), 1)) == UNKNOWN


def test_constants_never_load_z3():
    import subprocess

    code = (
        "import sys; from ptolint.solver import solve, terms; "
        "from ptolint.solver.smt import Smt, Budget; Smt(Budget()).check(True, False); sys.exit('z3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
