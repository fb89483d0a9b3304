"""Products and quotients of unknowns, hard for a solver: replaced by arbitrary numbers, or tried at small ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ptolint.solver import terms as t
from ptolint.solver.rewrite import rebuild, substitute
from ptolint.solver.terms import Term, Truth

SMALL = (1, 2, 3, 4, 8)
FIRST = (0, 1, 2, 3)
MAX_TRIALS = 40


def products(terms: list[Term]) -> list[Term]:
    """The nonlinear terms within `terms`, innermost first."""
    found: dict[Term, None] = {}
    seen: set[Term] = set()
    stack: list[tuple[Term, bool]] = [(x, False) for x in reversed(terms)]
    while stack:
        x, done = stack.pop()
        if done:
            if _is_product(x):
                found[x] = None
            continue
        if x in seen:
            continue
        seen.add(x)
        stack.append((x, True))
        stack += [(y, False) for y in t.children(x)]
    return list(found)


def _is_product(x: Term) -> bool:
    return x.op in ("mul", "modv", "tdiv") or (x.op == "div" and isinstance(x.args[1], Term))


def abstract(x: Term) -> Term:
    """A symbol that stands for a nonlinear term, with no more than its interval known."""
    return t.symbol(f"@{x.uid}", x.lo, x.hi, "opaque")


def with_terms(x: Truth, replaced: dict[Term, Term]) -> Truth:
    """`x` with whole terms replaced."""
    known: dict[Term, Any] = {}

    def change(y: Any) -> Any:
        if not isinstance(y, Term):
            return y
        if y in replaced:
            return replaced[y]
        if y.op == "sym":
            return y
        if y not in known:
            known[y] = rebuild(y, change)
        return known[y]

    result: Truth = change(x)
    return result


def trials(terms: list[Term]) -> Iterator[tuple[dict[Term, int | bool], list[Truth]]]:
    """Small values for the symbols that are multiplied or divided by, and what is left to ask with them."""
    chosen = _multiplied(terms)
    if not chosen or len(chosen) > 3:
        return
    values = [[v for v in (SMALL if s.lo != 0 else FIRST) if _allowed(s, v)] for s in chosen]
    for count, choice in enumerate(sorted(product(*values), key=lambda c: (max(c), sum(c)))):
        if count >= MAX_TRIALS:
            return
        given: dict[Term, int | bool] = dict(zip(chosen, choice, strict=True))
        yield given, [substitute(c, given) for c in terms]


def _allowed(s: Term, value: int) -> bool:
    return (s.lo is None or s.lo <= value) and (s.hi is None or value <= s.hi)


def _multiplied(terms: list[Term]) -> list[Term]:
    """Symbols that make the terms linear once they have values: divisors, and one side of every product."""
    found: dict[Term, None] = {}
    for x in products(terms):
        sides = [s for s in x.args if isinstance(s, Term)]
        if x.op != "mul":
            sides = [s for s in x.args[1:] if isinstance(s, Term)]
        if not any(all(s in found for s in side.symbols) for side in sides):
            side = min(sides, key=lambda s: (_rank(s), len(s.symbols), s.uid))
            found.update(dict.fromkeys(sorted(side.symbols, key=lambda s: s.uid)))
    return sorted(found, key=lambda s: s.uid)


def _rank(x: Term) -> int:
    """Block numbers before rounds before parameters."""
    order = {"block": 0, "loop": 1, "param": 2, "memory": 2, "opaque": 3}
    return max((order[s.args[1]] for s in x.symbols), default=0)
