"""What is known on a path, as bounds of linear forms: a cheap decision before any solver is asked.

`Facts` maps the variable part of a linear form (`n - 64*i`) to an interval. `decide` answers a
condition from these, from the intervals of symbols, and by looking at both branches of a choice.
"""

from __future__ import annotations

from typing import TypeAlias

from ptolint.solver import terms as t
from ptolint.solver.rewrite import rebuild
from ptolint.solver.terms import Bound, Num, Term, Truth, linear_parts, scaled

Key: TypeAlias = tuple[tuple[Term, int], ...]
Interval: TypeAlias = tuple[Bound, Bound]

_DEPTH = 6  # choices nested deeper than this are not split


class Facts:
    """Bounds known to hold. Immutable: `learn` gives a new object, or None for a contradiction."""

    __slots__ = ("_cache", "bounds", "truths")

    def __init__(self, bounds: dict[Key, Interval] | None = None, truths: frozenset[Term] = frozenset()) -> None:
        self.bounds = bounds or {}
        self.truths = truths
        self._cache: dict[Term, Interval] = {}

    def learn(self, cond: Truth) -> Facts | None:
        """These facts and `cond`."""
        if not isinstance(cond, Term):
            return self if cond else None
        bounds = dict(self.bounds)
        truths = set(self.truths)
        for item in cond.args if cond.op == "and" else (cond,):
            if not _note(bounds, truths, item):
                return None
        return Facts(bounds, frozenset(truths))

    def interval(self, x: Num, depth: int = 0) -> Interval:
        """The interval of an integer under these facts."""
        if not isinstance(x, Term):
            return int(x), int(x)
        if x not in self._cache:
            self._cache[x] = self._compute(x, depth)
        return self._cache[x]

    def _compute(self, x: Term, depth: int) -> Interval:
        const, items = linear_parts(x)
        lo: Bound = const
        hi: Bound = const
        depth += max(0, sum(a.op == "ite" for a, _ in items) - 1)  # each choice beside others multiplies the ways
        for atom, factor in items:
            low, high = self._atom(atom, depth)
            if factor < 0:
                low, high = high, low
            low, high = scaled(low, factor), scaled(high, factor)
            lo = None if lo is None or low is None else lo + low
            hi = None if hi is None or high is None else hi + high
        known = _lookup(self.bounds, items)
        return _meet((lo, hi), (_plus(known[0], const), _plus(known[1], const)))

    def _atom(self, x: Term, depth: int) -> Interval:
        base = _meet((x.lo, x.hi), self.bounds.get(((x, 1),), (None, None)))
        if x.op == "ite" and depth < _DEPTH:
            return _meet(base, self._choice(x, depth))
        if x.op in ("min", "max"):
            return _meet(base, _extreme(x.op, self.interval(x.args[0], depth), self.interval(x.args[1], depth)))
        if x.op == "div" and isinstance(x.args[1], int):
            lo, hi = self.interval(x.args[0], depth)
            return _meet(base, (_over(lo, x.args[1]), _over(hi, x.args[1])))
        if x.op == "mod":
            lo, hi = self.interval(x.args[0], depth)
            if lo is not None and hi is not None and lo // x.args[1] == hi // x.args[1]:
                return _meet(base, (lo % x.args[1], hi % x.args[1]))
        if x.op == "mul":
            return _meet(base, _product(self.interval(x.args[0], depth), self.interval(x.args[1], depth)))
        return base

    def _choice(self, x: Term, depth: int) -> Interval:
        cond, then, other = x.args
        known = decide(cond, self, depth + 1)
        if known is not None:
            return self.interval(then if known else other, depth + 1)
        yes, no = self.learn(cond), self.learn(t.not_(cond))
        if yes is None or no is None:
            return (None, None) if yes is no else (yes or no or self).interval(other if yes is None else then)
        return _hull(yes.interval(then, depth + 1), no.interval(other, depth + 1))


NOTHING = Facts()


def decide(cond: Truth, facts: Facts, depth: int = 0) -> bool | None:
    """Whether `cond` holds wherever the facts do (True), nowhere (False), or is not known (None)."""
    if not isinstance(cond, Term):
        return bool(cond)
    if cond in facts.truths:
        return True
    if cond.op in ("le0", "eq0"):
        lo, hi = facts.interval(cond.args[0], depth)
        return _sign(cond.op, lo, hi)
    if cond.op == "not":
        inner = decide(cond.args[0], facts, depth)
        if inner is None and cond.args[0] in facts.truths:
            return False
        return None if inner is None else not inner
    if cond.op in ("and", "or"):
        return _decide_junction(cond, facts, depth)
    opposite = t.not_(cond)
    return False if isinstance(opposite, Term) and opposite in facts.truths else None


def _decide_junction(cond: Term, facts: Facts, depth: int) -> bool | None:
    stop = cond.op == "or"
    open_ = False
    for item in cond.args:
        known = decide(item, facts, depth)
        if known is stop:
            return stop
        open_ = open_ or known is None
    return None if open_ else not stop


def simplify(x: Num | Truth, facts: Facts) -> Num | Truth:
    """`x` with every choice that the facts decide made."""
    known: dict[Term, Num | Truth] = {}

    def change(y: Num | Truth) -> Num | Truth:
        if not isinstance(y, Term) or y.op == "sym":
            return y
        if y not in known:
            known[y] = step(y)
        return known[y]

    def step(y: Term) -> Num | Truth:
        if y.is_bool:
            answer = decide(y, facts)
            if answer is not None:
                return answer
        elif y.op == "ite":
            answer = decide(y.args[0], facts)
            if answer is not None:
                return change(y.args[1] if answer else y.args[2])
        elif y.op in ("min", "max"):
            answer = decide(t.le(y.args[0], y.args[1]), facts)
            if answer is not None:
                return change(y.args[0] if answer is (y.op == "min") else y.args[1])
        elif y.op == "mod":
            lo, hi = facts.interval(y.args[0])
            if lo is not None and hi is not None and lo // y.args[1] == hi // y.args[1]:
                return t.sub(t.as_int(change(y.args[0])), lo // y.args[1] * y.args[1])
        built: Num | Truth = rebuild(y, change)
        return built

    return change(x)


# ---------------------------------------------------------------- intervals


def _sign(op: str, lo: Bound, hi: Bound) -> bool | None:
    if op == "le0":
        if hi is not None and hi <= 0:
            return True
        return False if lo is not None and lo > 0 else None
    if lo == 0 and hi == 0:
        return True
    return False if (lo is not None and lo > 0) or (hi is not None and hi < 0) else None


def _lookup(bounds: dict[Key, Interval], items: Key) -> Interval:
    if not items:
        return None, None
    if items[0][1] > 0:
        return bounds.get(items, (None, None))
    lo, hi = bounds.get(tuple((a, -f) for a, f in items), (None, None))
    return scaled(hi, -1), scaled(lo, -1)


def _note(bounds: dict[Key, Interval], truths: set[Term], cond: Term) -> bool:
    truths.add(cond)
    if cond.op == "not" and cond.args[0].op == "eq0":
        return _note_unequal(bounds, cond.args[0].args[0])
    if cond.op not in ("le0", "eq0"):
        return True
    const, items = linear_parts(cond.args[0])
    ends: Interval = (-const if cond.op == "eq0" else None, -const)
    return _narrow(bounds, items, ends)


def _narrow(bounds: dict[Key, Interval], items: Key, ends: Interval) -> bool:
    lo, hi = ends
    if items[0][1] < 0:
        items = tuple((a, -f) for a, f in items)
        lo, hi = scaled(hi, -1), scaled(lo, -1)
    base: Interval = (None, None)
    if len(items) == 1:
        atom, factor = items[0]
        if factor != 1:
            lo, hi = (None if lo is None else -(-lo // factor)), _over(hi, factor)
            items = ((atom, 1),)
        base = (atom.lo, atom.hi)
    lo, hi = _meet((lo, hi), _meet(base, bounds.get(items, (None, None))))
    bounds[items] = (lo, hi)
    return lo is None or hi is None or lo <= hi


def _note_unequal(bounds: dict[Key, Interval], x: Term) -> bool:
    const, items = linear_parts(x)
    flip = items[0][1] < 0
    if flip:
        items, const = tuple((a, -f) for a, f in items), -const
    base = (items[0][0].lo, items[0][0].hi) if len(items) == 1 and items[0][1] == 1 else (None, None)
    lo, hi = _meet(base, bounds.get(items, (None, None)))
    if lo is not None and lo == -const:
        lo += 1
    if hi is not None and hi == -const:
        hi -= 1
    if lo is not None or hi is not None:
        bounds[items] = (lo, hi)
    return lo is None or hi is None or lo <= hi


def _meet(a: Interval, b: Interval) -> Interval:
    lo = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
    hi = b[1] if a[1] is None else a[1] if b[1] is None else min(a[1], b[1])
    return lo, hi


def _hull(a: Interval, b: Interval) -> Interval:
    lo = None if a[0] is None or b[0] is None else min(a[0], b[0])
    hi = None if a[1] is None or b[1] is None else max(a[1], b[1])
    return lo, hi


def _extreme(op: str, a: Interval, b: Interval) -> Interval:
    meet, hull = _meet(a, b), _hull(a, b)
    return (hull[0], meet[1]) if op == "min" else (meet[0], hull[1])


def _product(a: Interval, b: Interval) -> Interval:
    if None not in a and None not in b:
        ends = [x * y for x in a for y in b]  # type: ignore[operator]
        return min(ends), max(ends)
    if a[0] is not None and b[0] is not None and a[0] >= 0 and b[0] >= 0:
        return a[0] * b[0], None
    return None, None


def _plus(bound: Bound, const: int) -> Bound:
    return None if bound is None else bound + const


def _over(bound: Bound, by: int) -> Bound:
    return None if bound is None else bound // by
