"""Division and remainder on terms: rounding down as in Python and in rules, or towards zero as in C."""

from __future__ import annotations

from math import gcd

from ptolint.solver.terms import Bound, Num, Term, add, choose, interval, le, linear, linear_parts, make, mul, neg, sub


def floordiv(a: Num, b: Num) -> Num:
    """a // b, rounding down; b must not be 0."""
    if isinstance(b, int):
        if b == 1:
            return a
        if isinstance(a, int):
            return a // b
        if b < 0:
            return floordiv(neg(a), -b)
        return _floordiv_const(a, b)
    return make("div", (a, b), False, *_quotient_interval(a, b))


def _floordiv_const(a: Term, b: int) -> Num:
    const, items = linear_parts(a)
    whole = {atom: f // b for atom, f in items if f % b == 0}
    rest = {atom: f for atom, f in items if f % b}
    if not rest:
        return linear(const // b, whole)
    if whole or not 0 <= const < b:
        return add(linear(const // b, whole), floordiv(linear(const % b, rest), b))
    common = gcd(b, *rest.values())
    if common > 1:
        reduced = linear(const // common, {atom: f // common for atom, f in rest.items()})
        return floordiv(reduced, b // common)
    if a.op == "div" and isinstance(a.args[1], int):
        return floordiv(a.args[0], a.args[1] * b)
    lo, hi = _over(a.lo, b), _over(a.hi, b)
    return lo if lo is not None and lo == hi else make("div", (a, b), False, lo, hi)


def _over(bound: Bound, b: int) -> Bound:
    return None if bound is None else bound // b


def _quotient_interval(a: Num, b: Term) -> tuple[Bound, Bound]:
    lo, hi = (a.lo, a.hi) if isinstance(a, Term) else (a, a)
    if b.lo is not None and b.lo > 0 and lo is not None and lo >= 0:
        return 0, None if hi is None else hi // b.lo
    return None, None


def floormod(a: Num, b: Num) -> Num:
    """a % b with the sign of b; b must not be 0."""
    if isinstance(b, int):
        if b in (1, -1):
            return 0
        if isinstance(a, int):
            return a % b
        if b > 0:
            return _floormod_const(a, b)
    return sub(a, mul(b, floordiv(a, b)))


def _floormod_const(a: Term, b: int) -> Num:
    const, items = linear_parts(a)
    rest = {atom: f % b for atom, f in items if f % b}
    reduced = linear(const % b, rest)
    if isinstance(reduced, int):
        return reduced % b
    common = gcd(b, const % b, *rest.values())
    if common > 1:
        return mul(
            common, floormod(linear(const % b // common, {x: f // common for x, f in rest.items()}), b // common)
        )
    if reduced.lo is not None and reduced.hi is not None and reduced.lo // b == reduced.hi // b:
        return sub(reduced, reduced.lo // b * b)
    if reduced.op == "mod" and reduced.args[1] % b == 0:
        return floormod(reduced.args[0], b)
    return make("mod", (reduced, b), False, 0, b - 1)


def tdiv(a: Num, b: Num) -> Num:
    """C's a / b, rounding towards zero."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    if isinstance(b, int) and b < 0:
        return neg(tdiv(a, -b))
    low = a.lo if isinstance(a, Term) else a
    if low is not None and low >= 0 and (isinstance(b, int) or (b.lo is not None and b.lo > 0)):
        return floordiv(a, b)
    if isinstance(b, int):
        const, items = linear_parts(a)
        if const % b == 0 and all(f % b == 0 for _, f in items):
            return floordiv(a, b)
        return choose(le(0, a), floordiv(a, b), neg(floordiv(neg(a), b)))
    low, high = interval(a)
    down = None if low is None else min(low, 0)
    up = None if high is None else max(high, 0)
    return make("tdiv", (a, b), False, *((down, up) if b.lo is not None and b.lo > 0 else (None, None)))


def tmod(a: Num, b: Num) -> Num:
    """C's a % b, with the sign of a."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b * (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)
    if isinstance(b, int):
        b = abs(b)
        const, items = linear_parts(a)
        low = a.lo if isinstance(a, Term) else a
        if (low is not None and low >= 0) or (const % b == 0 and all(f % b == 0 for _, f in items)):
            return floormod(a, b)
        return choose(le(0, a), floormod(a, b), neg(floormod(neg(a), b)))
    low = a.lo if isinstance(a, Term) else a
    if low is not None and low >= 0 and b.lo is not None and b.lo > 0:
        high = a.hi if isinstance(a, Term) else a
        top = None if b.hi is None else b.hi - 1
        return make("modv", (a, b), False, 0, top if high is None or (top is not None and top < high) else high)
    return sub(a, mul(b, tdiv(a, b)))
