"""Questions to z3: satisfiability of truth terms, with the least model by a fixed order of search.

z3 is imported by the first question only. Its work is bounded in its own units (`rlimit`), so that an
answer never depends on the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ptolint.solver.nonlinear import abstract, products, trials, with_terms
from ptolint.solver.terms import Term, Truth

SAT, UNSAT, UNKNOWN = "sat", "unsat", "unknown"


@dataclass
class Budget:
    """z3's resource units: per question, and what is left for the file."""

    question: int = 400_000
    file: int = 20_000_000


class Smt:
    """One solver for one file; answers are kept by question."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.questions = 0
        self._z3: Any = None
        self._known: dict[Term, Any] = {}
        self._answers: dict[Any, str] = {}

    @property
    def z3(self) -> Any:
        """The z3 module, imported when first needed."""
        if self._z3 is None:
            import z3

            z3.set_param("smt.random_seed", 7)
            z3.set_param("sat.random_seed", 7)
            self._z3 = z3
        return self._z3

    # ------------------------------------------------------------ translation

    def translate(self, x: Any) -> Any:
        """A term as a z3 expression."""
        if isinstance(x, bool):
            return self.z3.BoolVal(x)
        if isinstance(x, int):
            return self.z3.IntVal(x)
        if x not in self._known:
            self._known[x] = self._build(x)
        return self._known[x]

    def _build(self, x: Term) -> Any:
        z3, a = self.z3, x.args
        if x.op == "sym":
            return z3.Bool(a[0]) if x.is_bool else z3.Int(a[0])
        if x.op == "lin":
            return z3.Sum([z3.IntVal(a[0]), *(f * self.translate(y) for y, f in a[1])])
        if x.op in ("and", "or"):
            return (z3.And if x.op == "and" else z3.Or)([self.translate(y) for y in a])
        return _Z3[x.op](z3, *(self.translate(y) for y in a))

    def ranges(self, conds: Iterable[Truth]) -> list[Any]:
        """The type ranges of all symbols in `conds`."""
        found: dict[Term, None] = {}
        for cond in conds:
            if isinstance(cond, Term):
                found.update(dict.fromkeys(sorted(cond.symbols, key=lambda s: s.uid)))
        out = []
        for s in found:
            if s.lo is not None:
                out.append(self.translate(s) >= s.lo)
            if s.hi is not None:
                out.append(self.translate(s) <= s.hi)
        return out

    # ------------------------------------------------------------ questions

    def check(self, *conds: Truth) -> str:
        """Whether all of `conds` can hold at once."""
        if any(c is False for c in conds):
            return UNSAT
        terms = [c for c in conds if isinstance(c, Term)]
        if not terms:
            return SAT
        key = frozenset(terms)
        if key not in self._answers:
            self._answers[key] = self._check_nonlinear(terms) if products(terms) else self.ask(self.solver(terms))
        return self._answers[key]

    def _check_nonlinear(self, terms: list[Term]) -> str:
        """Products and divisions of unknowns: arbitrary numbers first, then small values of what is multiplied."""
        replaced = {p: abstract(p) for p in products(terms)}
        loose = [with_terms(c, replaced) for c in terms]
        if self.check(*loose) == UNSAT:
            return UNSAT
        for _, fixed in trials(terms):
            if not products([c for c in fixed if isinstance(c, Term)]) and self.check(*fixed) == SAT:
                return SAT
        return self.ask(self.solver(terms))

    def solver(self, terms: list[Term]) -> Any:
        """A fresh z3 solver that holds `terms` and their ranges."""
        solver = self.z3.SolverFor("QF_NIA") if products(terms) else self.z3.Solver()
        solver.add(self.ranges(terms))
        solver.add([self.translate(c) for c in terms])
        return solver

    def ask(self, solver: Any, *extra: Any) -> str:
        """One bounded question."""
        if self.budget.file <= 0:
            return UNKNOWN
        self.questions += 1
        limit = min(self.budget.question, self.budget.file)
        before = _spent(solver)
        solver.set("rlimit", limit)
        answer = str(solver.check(*extra))
        self.budget.file -= max(1, min(limit, _spent(solver) - before))
        return answer

    def least_model(self, conds: list[Truth], order: list[Term]) -> dict[Term, int | bool] | None:
        """A model of `conds`; symbols in `order` in turn get the friendliest value: small and positive first."""
        terms = [c for c in conds if isinstance(c, Term)]
        if any(c is False for c in conds):
            return None
        if products(terms):
            found = self._tried_model(terms, order)
            if found is not None:
                return found
        solver = self.solver(terms)
        if self.ask(solver) != SAT:
            return None
        model = solver.model()
        for s in order:
            if not s.is_bool:
                model = self._shrink(solver, s, model)
        symbols = {s for c in terms for s in c.symbols} | set(order)
        return {s: self._value(model, s) for s in sorted(symbols, key=lambda s: s.uid)}

    def _tried_model(self, terms: list[Term], order: list[Term]) -> dict[Term, int | bool] | None:
        """A model with small values for what is multiplied; one with positive parameters where there is one."""
        first = None
        for values, fixed in trials(terms):
            rest = [s for s in order if s not in values]
            found = None if products([c for c in fixed if isinstance(c, Term)]) else self.least_model(fixed, rest)
            if found is not None:
                found |= values
                if all(v > 0 for s, v in found.items() if s.args[1] == "param"):
                    return found
                first = first or found
        return first

    def _value(self, model: Any, s: Term) -> int | bool:
        value = model.eval(self.translate(s), model_completion=True)
        if s.is_bool:
            return bool(self.z3.is_true(value))
        return int(value.as_long())

    def _shrink(self, solver: Any, s: Term, model: Any) -> Any:
        """Fix `s` at its least value from 1 upwards; at 0 or the negative nearest to it where there is none."""
        x = self.translate(s)
        for low, high in ((1, None), (0, 0), (None, -1)):
            found = self._least(solver, x, low, high, self._value(model, s))
            if found is not None:
                value, model = found
                solver.add(x == value)
                return model
        return model

    def _least(self, solver: Any, x: Any, low: int | None, high: int | None, hint: int) -> tuple[int, Any] | None:
        bound = x >= low if low is not None else x <= high
        if high == 0:
            bound = x == 0
        if self.ask(solver, bound) != SAT:
            return None
        model = solver.model()
        best = int(model.eval(x, model_completion=True).as_long())
        sign = 1 if low is not None else -1
        first = low if low is not None else (high or 0)
        near, far = 0, (best - first) * sign  # distances from the friendliest value
        while near < far:
            middle = (near + far) // 2 if far - near < 64 else min(near + 8 + near, (near + far) // 2)
            limit = first + sign * middle
            if self.ask(solver, bound, (x <= limit) if sign > 0 else (x >= limit)) == SAT:
                model = solver.model()
                far = (int(model.eval(x, model_completion=True).as_long()) - first) * sign
            else:
                near = middle + 1
        return first + sign * far, model


def _spent(solver: Any) -> int:
    statistics = solver.statistics()
    return int(statistics.get_key_value("rlimit count")) if "rlimit count" in statistics.keys() else 0  # noqa: SIM118


def _tdiv(z3: Any, a: Any, b: Any) -> Any:
    size = z3.If(b > 0, b, -b)
    whole = z3.If(a >= 0, a / size, -((-a) / size))
    return z3.If(b > 0, whole, -whole)


def _bitand(z3: Any, a: Any, b: Any) -> Any:
    return z3.BV2Int(z3.Int2BV(a, 64) & z3.Int2BV(b, 64))


_Z3: dict[str, Callable[..., Any]] = {
    "mul": lambda z3, a, b: a * b,
    "div": lambda z3, a, b: a / b,
    "mod": lambda z3, a, b: a % b,
    "modv": lambda z3, a, b: a % b,
    "tdiv": _tdiv,
    "min": lambda z3, a, b: z3.If(a <= b, a, b),
    "max": lambda z3, a, b: z3.If(a >= b, a, b),
    "bitand": _bitand,
    "le0": lambda z3, a: a <= 0,
    "eq0": lambda z3, a: a == 0,
    "not": lambda z3, a: z3.Not(a),
    "ite": lambda z3, c, a, b: z3.If(c, a, b),
}
