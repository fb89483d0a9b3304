"""Terms: simplification, intervals, C's conversions and divisions, printing."""

from __future__ import annotations

import random

import pytest

from ptolint.solver import bits, division
from ptolint.solver import terms as t
from ptolint.solver.ranges import NOTHING, decide, simplify
from ptolint.solver.rewrite import evaluate, substitute
from ptolint.solver.show import show
from ptolint.solver.tidy import tidy


@pytest.fixture
def n():
    return t.symbol("n", -(2**31), 2**31 - 1)


@pytest.fixture
def i():
    return t.symbol("i", 0, None, "loop")


def test_equal_sums_are_one_object(n, i):
    assert t.sub(t.add(n, t.mul(64, i)), t.mul(i, 64)) is n
    assert t.eq(t.add(n, 1), t.add(1, n)) is True


def test_plain_values_stay_plain():
    assert t.add(2, 3) == 5
    assert t.le(2, 3) is True
    assert t.min_(2, 3) == 2


def test_comparison_uses_the_type(n):
    byte = t.symbol("b", 0, 255)
    assert t.le(byte, 255) is True
    assert t.lt(byte, 0) is False
    assert isinstance(t.le(n, 0), t.Term)


def test_what_cancels_in_a_choice_cancels(n):
    cond = t.lt(n, 0)
    lowered = t.ite(cond, t.sub(n, 1), n)
    assert t.ite(cond, t.add(lowered, 1), lowered) is n


def test_facts_decide_a_tail(n, i):
    rows = t.min_(64, t.sub(n, t.mul(64, i)))
    facts = NOTHING.learn(t.lt(t.mul(64, i), n))
    assert facts.interval(rows) == (1, 64)
    assert decide(t.le(1, rows), facts) is True
    assert NOTHING.learn(t.lt(n, 0)).learn(t.lt(0, n)) is None


def test_simplify_takes_decided_branches(n):
    rows = t.ite(t.lt(32, n), 32, n)
    assert simplify(rows, NOTHING.learn(t.le(n, 32))) is n


def test_conversion_to_unsigned_reads_as_a_range(n):
    rows = bits.wrap(n, 32, False)
    assert set(show(tidy(t.le(rows, 32))).split(" and ")) == {"n >= 0", "n <= 32"}


def test_show_is_python(n, i):
    text = show(t.and_(t.lt(t.sub(n, t.mul(2, i)), 5), t.ne(division.floormod(n, 16), 0)))
    assert set(text.split(" and ")) == {"n <= 2 * i + 4", "n % 16 != 0"}
    assert show(t.neg(division.floordiv(t.neg(n), 64))) == "-((-n) // 64)"


def test_a_disjunction_that_leaves_nothing_out_is_true(n):
    assert tidy(t.or_(t.le(n, 7), t.le(8, n))) is True
    assert show(tidy(t.or_(t.le(n, 7), t.le(9, n)))) == "n < 8 or n > 8"


def random_term(rng, symbols, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(symbols) if rng.random() < 0.7 else rng.randint(-9, 9)
    a, b = random_term(rng, symbols, depth - 1), random_term(rng, symbols, depth - 1)
    kind = rng.randrange(10)
    if kind < 4:
        return [t.add, t.sub, t.min_, t.max_][kind](a, b)
    if kind < 8:
        divide = [division.floordiv, division.floormod, division.tdiv, division.tmod][kind - 4]
        return divide(a, rng.choice((1, 2, 3, 4, 16, -3) if kind >= 6 else (1, 2, 3, 4, 16)))
    if kind == 8:
        return t.ite(t.le(a, b), a, t.add(b, 1))
    return bits.wrap(a, rng.choice((4, 8)), rng.random() < 0.5)


def reference(kind, a, b):
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if kind == "div" else a - b * quotient


@pytest.mark.parametrize("a", range(-9, 10))
@pytest.mark.parametrize("b", [-4, -3, 3, 4])
def test_c_division(a, b):
    x = t.symbol("x", -9, 9)
    for kind, divide in (("div", division.tdiv), ("mod", division.tmod)):
        assert divide(a, b) == reference(kind, a, b)
        assert evaluate(divide(x, b), {x: a}) == reference(kind, a, b)


def test_random_terms_keep_their_value():
    """Whatever is simplified, substituted, decided or printed agrees with plain evaluation."""
    rng = random.Random(3)
    symbols = [t.symbol("x", -9, 9), t.symbol("y", 0, 20)]
    for _ in range(600):
        term = random_term(rng, symbols, 4)
        cond = t.le(term, random_term(rng, symbols, 2))
        for _ in range(4):
            point = {symbols[0]: rng.randint(-9, 9), symbols[1]: rng.randint(0, 20)}
            value = evaluate(term, point)
            assert substitute(term, point) == value
            lo, hi = t.interval(term)
            assert (lo is None or lo <= value) and (hi is None or value <= hi)
            names = {str(s.args[0]): v for s, v in point.items()}
            assert eval(show(term), {"min": min, "max": max, "abs": abs}, names) == value
            truth = evaluate(cond, point)
            assert evaluate(tidy(cond), point) == truth
            facts = NOTHING.learn(cond) if truth else None
            assert facts is None or evaluate(simplify(term, facts), point) == value
