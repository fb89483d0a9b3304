"""The numbers around which a condition can change: what it compares with, and with which period."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ptolint.solver import terms as t
from ptolint.solver.terms import Term, linear_parts

USUAL = 64  # greater factors and divisors are sizes in bytes, not numbers of rows
FAR = 1 << 33


def period(conds: Iterable[Term]) -> int:
    """The greatest of the usual factors and divisors in the conditions: what is legal may recur with it."""
    found = 1
    for x in _parts(conds):
        numbers = [f for _, f in linear_parts(x)[1]] if x.op == "lin" else x.args if x.op in ("div", "mod") else ()
        found = max(found, *(abs(f) for f in numbers if isinstance(f, int) and abs(f) <= USUAL), 1)
    return found


def landmarks(conds: Iterable[Term]) -> list[int]:
    """The numbers at which the conditions can change: constants of comparisons, over their factors."""
    found: set[int] = {0}
    for x in _parts(conds):
        if x.op in ("le0", "eq0"):
            const, items = linear_parts(x.args[0])
            for f in {1, *(abs(f) for _, f in items)}:
                found.update((-const // f, const // f))
        elif x.op in ("ite", "min", "max", "div", "mod"):
            found.update(a for a in x.args if isinstance(a, int))
    return sorted(c for c in found if abs(c) < FAR)


def _parts(conds: Iterable[Term]) -> Iterator[Term]:
    seen: set[Term] = set()
    stack = list(conds)
    while stack:
        x = stack.pop()
        if x not in seen:
            seen.add(x)
            yield x
            stack += t.children(x)
