"""Evaluation of terms at plain values, substitution, and collection of what a term mentions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ptolint.solver import bits
from ptolint.solver import terms as t
from ptolint.solver.division import floordiv, floormod, tdiv, tmod
from ptolint.solver.terms import Num, Term, Truth


class Missing(Exception):
    """A symbol without a value was needed."""


def evaluate(x: Any, values: Mapping[Term, int | bool]) -> Any:
    """The plain value of `x` where every symbol has the value that `values` gives it."""
    return _Evaluation(values).of(x)


class _Evaluation:
    def __init__(self, values: Mapping[Term, int | bool]) -> None:
        self.values = values
        self.known: dict[Term, Any] = {}

    def of(self, x: Any) -> Any:
        if not isinstance(x, Term):
            return x
        if x not in self.known:
            self.known[x] = self.compute(x)
        return self.known[x]

    def compute(self, x: Term) -> Any:
        a = x.args
        if x.op == "sym":
            if x not in self.values:
                raise Missing(a[0])
            return self.values[x]
        if x.op == "ite":
            return self.of(a[1]) if self.of(a[0]) else self.of(a[2])
        if x.op == "and":
            return all(self.of(y) for y in a)
        if x.op == "or":
            return any(self.of(y) for y in a)
        if x.op == "lin":
            return a[0] + sum(f * int(self.of(y)) for y, f in a[1])
        return _PLAIN[x.op](*(self.of(y) for y in a))


_PLAIN: dict[str, Callable[..., Any]] = {
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b,
    "modv": lambda a, b: a % b if b else 0,
    "tdiv": lambda a, b: tdiv(a, b) if b else 0,
    "min": min,
    "max": max,
    "bitand": lambda a, b: a & b,
    "le0": lambda a: a <= 0,
    "eq0": lambda a: a == 0,
    "not": lambda a: not a,
}

_BUILD: dict[str, Callable[..., Any]] = {
    "mul": t.mul,
    "div": floordiv,
    "mod": floormod,
    "modv": tmod,
    "tdiv": tdiv,
    "min": t.min_,
    "max": t.max_,
    "bitand": bits.bit_and,
    "le0": lambda a: t.le(a, 0),
    "eq0": lambda a: t.eq(a, 0),
    "not": t.not_,
    "and": t.and_,
    "or": t.or_,
    "ite": t.ite,
}


def rebuild(x: Term, change: Callable[[Any], Any]) -> Any:
    """`x` with every child replaced by what `change` makes of it."""
    if x.op == "lin":
        total: Num = x.args[0]
        for atom, factor in x.args[1]:
            total = t.add(total, t.mul(factor, t.as_int(change(atom))))
        return total
    return _BUILD[x.op](*(change(a) for a in x.args))


def substitute(x: Any, values: Mapping[Term, Any]) -> Any:
    """`x` with symbols replaced by terms or plain values."""
    known: dict[Term, Any] = {}
    wanted = frozenset(values)

    def change(y: Any) -> Any:
        if not isinstance(y, Term) or not (y.symbols & wanted):
            return y
        if y in values:
            return values[y]
        if y not in known:
            known[y] = rebuild(y, change)
        return known[y]

    return change(x)


def choices(x: Any) -> set[Term]:
    """Symbols that `x` compares in order to choose: in the condition of an `ite`, under a `min` or `max`."""
    found: set[Term] = set()
    seen: set[Term] = set()
    stack = [x] if isinstance(x, Term) else []
    while stack:
        y = stack.pop()
        if y in seen:
            continue
        seen.add(y)
        if y.op == "ite":
            found |= y.args[0].symbols
        elif y.op in ("min", "max"):
            found |= y.symbols
        stack += t.children(y)
    return found


def conjuncts(x: Truth) -> list[Truth]:
    """The operands of a conjunction, or `x` alone."""
    return list(x.args) if isinstance(x, Term) and x.op == "and" else [x]
