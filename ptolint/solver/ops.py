"""The rule language's arithmetic over terms: plain values as `IntOps` has them, terms elsewhere."""

from __future__ import annotations

from typing import Any

from ptolint.rulebook.ops import INT_OPS, Thunk, Value
from ptolint.rulebook.values import UNKNOWN
from ptolint.solver import terms as t
from ptolint.solver.division import floordiv, floormod
from ptolint.solver.terms import Term


def _symbolic(*values: Value) -> bool:
    return any(isinstance(v, Term) for v in values)


def _unknown(*values: Value) -> bool:
    return any(v is UNKNOWN for v in values)


class TermOps:
    """See `ptolint.rulebook.ops.Ops`. Unknown parts stay unknown: a conjunction with one is never true."""

    def and_(self, *thunks: Thunk) -> Value:
        return self._junction(thunks, False)

    def or_(self, *thunks: Thunk) -> Value:
        return self._junction(thunks, True)

    def _junction(self, thunks: tuple[Thunk, ...], stop: bool) -> Value:
        parts: list[Any] = []
        unknown = False
        for thunk in thunks:
            value = thunk()
            if value is UNKNOWN:
                unknown = True
                continue
            value = t.as_truth(value) if not isinstance(value, str) else bool(value)
            if value is stop:
                return stop
            parts.append(value)
        known = t.or_(*parts) if stop else t.and_(*parts)
        if known is stop:
            return stop
        return UNKNOWN if unknown else known

    def not_(self, value: Value) -> Value:
        return t.not_(t.as_truth(value)) if isinstance(value, Term) else INT_OPS.not_(value)

    def select(self, cond: Value, then: Thunk, other: Thunk) -> Value:
        if not isinstance(cond, Term):
            return INT_OPS.select(cond, then, other)
        left, right = then(), other()
        if _symbolic(left, right) or (isinstance(left, int) and isinstance(right, int)):
            return UNKNOWN if _unknown(left, right) else t.ite(t.as_truth(cond), left, right)
        return left if not _unknown(left, right) and left == right else UNKNOWN

    def compare(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, tuple) and isinstance(right, tuple) and _symbolic(*left, *right):
            pairs = zip(left, right, strict=True)
            equal = self.and_(*[lambda a=a, b=b: self.compare("==", a, b) for a, b in pairs])
            return self.not_(equal) if op == "!=" else equal
        if not _symbolic(left, right):
            return INT_OPS.compare(op, left, right)
        if _unknown(left, right):
            return UNKNOWN
        if not isinstance(left, int | Term) or not isinstance(right, int | Term):
            return UNKNOWN if op not in ("==", "!=") else op == "!="
        return _COMPARE[op](left, right)

    def in_(self, value: Value, items: tuple[Value, ...]) -> Value:
        return self.or_(*[lambda item=item: self.compare("==", value, item) for item in items])

    def arith(self, op: str, left: Value, right: Value) -> Value:
        if not _symbolic(left, right):
            return INT_OPS.arith(op, left, right)
        if _unknown(left, right) or not isinstance(left, int | Term) or not isinstance(right, int | Term):
            return UNKNOWN
        left, right = t.as_int(left), t.as_int(right)
        if op in ("//", "%"):
            low = right.lo if isinstance(right, Term) else right
            if low is None or low <= 0:
                return UNKNOWN
            return floordiv(left, right) if op == "//" else floormod(left, right)
        return {"+": t.add, "-": t.sub, "*": t.mul}[op](left, right)

    def neg(self, value: Value) -> Value:
        return t.neg(t.as_int(value)) if isinstance(value, Term) else INT_OPS.neg(value)

    def min_(self, *values: Value) -> Value:
        return self._extreme(t.min_, INT_OPS.min_, values)

    def max_(self, *values: Value) -> Value:
        return self._extreme(t.max_, INT_OPS.max_, values)

    def _extreme(self, symbolic: Any, plain: Any, values: tuple[Value, ...]) -> Value:
        if not _symbolic(*values):
            return plain(*values)
        if _unknown(*values):
            return UNKNOWN
        result = t.as_int(values[0])
        for value in values[1:]:
            result = symbolic(result, t.as_int(value))
        return result

    def abs_(self, value: Value) -> Value:
        return t.abs_(t.as_int(value)) if isinstance(value, Term) else INT_OPS.abs_(value)


_COMPARE: dict[str, Any] = {
    "==": t.eq,
    "!=": t.ne,
    "<": t.lt,
    "<=": t.le,
    ">": lambda a, b: t.lt(b, a),
    ">=": lambda a, b: t.le(b, a),
}

TERM_OPS = TermOps()
