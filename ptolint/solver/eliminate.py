"""Takes out of a violation what every run chooses for itself, such as the rounds of its loops.

A round's number k that occurs in linear comparisons only has an integer value between its greatest lower bound
ceil(l / a) and its least upper bound floor(u / b) exactly if each lower bound is at most each upper one. That needs
neither samples nor a solver.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ptolint.solver import terms as t
from ptolint.solver.division import floordiv, floormod
from ptolint.solver.ranges import NOTHING, decide
from ptolint.solver.show import show
from ptolint.solver.terms import Num, Term, Truth, linear_parts
from ptolint.solver.tidy import choice_of

MAX_WAYS = 48
FAR = 1 << 16  # bounds of a symbol from here on are no bounds: as many rounds or blocks as one likes
Bounds = list[tuple[Num, int]]


def without(conds: tuple[Truth, ...], symbols: list[Term]) -> list[list[Truth]] | None:
    """Which values of the other symbols let `conds` hold for some values of `symbols`: a list of conjunctions.

    None where `symbols` cannot be taken out, or not in a short form.
    """
    ways: list[list[Truth]] = [list(conds)]
    for symbol in symbols:
        left: list[list[Truth]] = []
        for way in ways:
            split = _split(way, symbol)
            if split is None or len(left) + len(split) > MAX_WAYS:
                return None
            for part in split:
                rest = _projected(part, symbol)
                if rest is None:
                    return None
                left.append(rest)
        ways = left
    return ways


def lean(ways: list[list[Truth]], follows: Callable[[list[Truth], Truth], bool]) -> list[list[Truth]]:
    """`ways` without the conditions that follow from others of their conjunction, and without ways inside others."""
    shorter = []
    for way in ways:
        left = sorted(dict.fromkeys(way), key=lambda c: -len(show(c)))
        for cond in list(left):
            others = [c for c in left if c is not cond]
            if follows(others, cond):
                left = others
        shorter.append(left)
    for way in list(shorter):
        others_ = [w for w in shorter if w is not way]
        if any(follows(way, t.and_(*w)) for w in others_):
            shorter = others_
    return shorter


def _split(conds: list[Truth], symbol: Term) -> list[list[Truth]] | None:
    """Conjunctions that together mean `conds`, in which `symbol` is in no choice and in no disjunction."""
    done: list[list[Truth]] = []
    open_ = [conds]
    while open_:
        way = open_.pop()
        if len(done) + len(open_) > MAX_WAYS:
            return None
        cond = t.and_(*way)
        facts = NOTHING.learn(cond)
        if facts is None or decide(cond, NOTHING) is False:
            continue
        parts = list(cond.args) if isinstance(cond, Term) and cond.op == "and" else [cond]
        ways = next((w for p in parts if (w := _ways(p, symbol)) is not None), None)
        if ways is None:
            done.append(parts)
            continue
        chosen, replaced = ways
        rest = [p for p in parts if p is not replaced]
        open_ += [[*rest, *c] for c in chosen]
    return done


def _ways(cond: Truth, symbol: Term) -> tuple[list[list[Truth]], Truth] | None:
    """The alternatives that a condition on `symbol` stands for, and the condition; None for a plain comparison."""
    if not isinstance(cond, Term) or symbol not in cond.symbols:
        return None
    if cond.op == "or":
        return [[c] for c in cond.args], cond
    if cond.op == "not" and cond.args[0].op == "eq0":
        x = cond.args[0].args[0]
        return [[t.lt(x, 0)], [t.lt(0, x)]], cond
    if cond.op not in ("le0", "eq0"):
        return None
    for atom, factor in linear_parts(cond.args[0])[1]:
        if atom.op in ("ite", "min", "max") and symbol in atom.symbols:
            return _opened(cond, atom, factor), cond
    return None


def _opened(cond: Term, atom: Term, factor: int) -> list[list[Truth]]:
    """The alternatives of a comparison with a choice, a minimum or a maximum in it."""
    rest = t.sub(cond.args[0], t.mul(factor, atom))
    given, then, other = choice_of(atom)
    op = "le" if cond.op == "le0" else "eq"
    yes, no = (t.compare_zero(t.add(rest, t.mul(factor, value)), op) for value in (then, other))
    if op == "le" and atom.op != "ite":  # the lesser of two is small if one of them is, and great if both are
        return [[yes], [no]] if (atom.op == "min") is (factor > 0) else [[yes, no]]
    return [[given, yes], [t.not_(given), no]]


def _projected(parts: list[Truth], symbol: Term) -> list[Truth] | None:
    """What a conjunction of comparisons says of the other symbols."""
    lower: Bounds = [] if symbol.lo is None or symbol.lo <= -FAR else [(symbol.lo, 1)]
    upper: Bounds = [] if symbol.hi is None or symbol.hi >= FAR else [(symbol.hi, 1)]
    kept: list[Truth] = []
    for part in parts:
        if not isinstance(part, Term) or symbol not in part.symbols:
            kept.append(part)
            continue
        if part.op not in ("le0", "eq0"):
            return None
        x = part.args[0]
        factor = dict(linear_parts(x)[1]).get(symbol, 0)
        rest = t.sub(x, t.mul(factor, symbol))
        if factor == 0 or (isinstance(rest, Term) and symbol in rest.symbols):
            return None
        value = t.neg(rest) if factor > 0 else rest  # factor * symbol <= -rest, from above or from below
        if factor > 0 or part.op == "eq0":
            upper.append((value, abs(factor)))
        if factor < 0 or part.op == "eq0":
            lower.append((value, abs(factor)))
    exact = next((low for low in lower if low in upper), None)
    if exact is not None:
        return [*kept, *_at(exact, lower, upper)]
    return [*kept, *(_room(low, up) for low, up in product(lower, upper))]


def _at(exact: tuple[Num, int], lower: Bounds, upper: Bounds) -> list[Truth]:
    """That exact[0] / exact[1] is a whole number within all bounds."""
    x, p = exact
    return [
        t.eq(floormod(x, p), 0),
        *(t.le(t.mul(a, p), t.mul(x, q)) for a, q in lower),
        *(t.le(t.mul(x, q), t.mul(b, p)) for b, q in upper),
    ]


def _room(low: tuple[Num, int], up: tuple[Num, int]) -> Truth:
    """Whether there is a whole number from low[0] / low[1] up to up[0] / up[1]."""
    (a, p), (b, q) = low, up
    if p == 1 or q == 1:
        return t.le(t.mul(a, q), t.mul(b, p))
    slack = t.sub(b, a)
    if p == q and isinstance(slack, int):
        if slack < 0 or slack >= p - 1:
            return slack >= 0
        return t.eq(floormod(a, p), 0) if slack == 0 else t.le(floormod(t.neg(a), p), slack)
    return t.le(t.neg(floordiv(t.neg(a), p)), floordiv(b, q))
