"""The arithmetic under the predicate language: the `Ops` protocol and its instance for plain values.

A predicate is compiled once (`predicate.py`) into a function of an environment and an `Ops`.
`IntOps` evaluates with Python values and three-valued logic; the solver's instance builds z3 terms.

**Values.** An environment maps names to

- `int` or `bool`: numbers and truth values (`float` for a constant floating-point scalar operand),
- `str`: an enum member by its bare name (`"Mat"`), a dtype by its C++ name (`"half"`),
- `TileFacts`, `TensorFacts` (`facts.py`): operands; `facts.valid_row` and friends give values again,
- `UNKNOWN`: not known here; `ABSENT`: the call's form has no such operand or parameter,
- and, with another `Ops`, that solver's terms, wherever a number or truth value may stand.

Locations, layouts, dtypes and template parameters are never terms. So an `Ops` has to deal with
terms in the methods below only; every argument may as well be a plain value (or `UNKNOWN`), and a
method given plain values only should return what `IntOps` returns. Tuples reach `compare`
(`==`/`!=`) and `in_` only.

**Laziness.** Arguments called `*thunks` are functions without arguments. They must be called from
left to right and not beyond the first that decides the result as a plain value: later ones may
touch an absent operand, which raises `NotApplicable`. That exception passes through. `ABSENT` itself
as an argument of any method raises it too.

**Division.** `//` and `/` are floor division, `%` the remainder that goes with it (sign of the
divisor); sizes, counts and addresses are non-negative wherever rules divide. A divisor that is
unknown, or zero, gives `UNKNOWN`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from ptolint.rulebook.values import UNKNOWN

Value: TypeAlias = Any
Thunk: TypeAlias = Callable[[], Value]


class Ops(Protocol):
    """What a compiled predicate needs of its arithmetic; see the module text for the rules."""

    def and_(self, *thunks: Thunk) -> Value:
        """Conjunction, lazily from the left."""

    def or_(self, *thunks: Thunk) -> Value:
        """Disjunction, lazily from the left."""

    def not_(self, value: Value) -> Value:
        """Negation of a truth value (a number counts as `!= 0`)."""

    def select(self, cond: Value, then: Thunk, other: Thunk) -> Value:
        """`then` if `cond` else `other`; only the branch that a plain condition selects is evaluated."""

    def compare(self, op: str, left: Value, right: Value) -> Value:
        """`op` is one of `== != < <= > >=`; a chain arrives as a conjunction."""

    def in_(self, value: Value, items: tuple[Value, ...]) -> Value:
        """Whether `value` equals one of `items` (`not in` arrives as `not_` around it)."""

    def arith(self, op: str, left: Value, right: Value) -> Value:
        """`op` is one of `+ - * // %`."""

    def neg(self, value: Value) -> Value:
        """Arithmetic negation."""

    def min_(self, *values: Value) -> Value:
        """The least of two or more numbers."""

    def max_(self, *values: Value) -> Value:
        """The greatest of two or more numbers."""

    def abs_(self, value: Value) -> Value:
        """The absolute value."""


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_ARITH: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
}


class IntOps:
    """Plain Python values with Kleene's three-valued logic: `False and UNKNOWN` is False."""

    def and_(self, *thunks: Thunk) -> Value:
        result: Value = True
        for thunk in thunks:
            value = thunk()
            if value is UNKNOWN:
                result = UNKNOWN
            elif not value:
                return False
        return result

    def or_(self, *thunks: Thunk) -> Value:
        result: Value = False
        for thunk in thunks:
            value = thunk()
            if value is UNKNOWN:
                result = UNKNOWN
            elif value:
                return True
        return result

    def not_(self, value: Value) -> Value:
        return UNKNOWN if value is UNKNOWN else not value

    def select(self, cond: Value, then: Thunk, other: Thunk) -> Value:
        if cond is not UNKNOWN:
            return then() if cond else other()
        left, right = then(), other()
        return left if left is not UNKNOWN and right is not UNKNOWN and left == right else UNKNOWN

    def compare(self, op: str, left: Value, right: Value) -> Value:
        if isinstance(left, tuple) and isinstance(right, tuple):
            equal = len(left) == len(right) and self._all_equal(left, right)
            return self.not_(equal) if op == "!=" else equal
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        return _COMPARE[op](left, right)

    def _all_equal(self, left: tuple[Value, ...], right: tuple[Value, ...]) -> Value:
        return self.and_(*[lambda a=a, b=b: self.compare("==", a, b) for a, b in zip(left, right, strict=True)])

    def in_(self, value: Value, items: tuple[Value, ...]) -> Value:
        return self.or_(*[lambda item=item: self.compare("==", value, item) for item in items])

    def arith(self, op: str, left: Value, right: Value) -> Value:
        if left is UNKNOWN or right is UNKNOWN or (op in ("//", "%") and right == 0):
            return UNKNOWN
        return _ARITH[op](left, right)

    def neg(self, value: Value) -> Value:
        return -value

    def min_(self, *values: Value) -> Value:
        return UNKNOWN if any(v is UNKNOWN for v in values) else min(values)

    def max_(self, *values: Value) -> Value:
        return UNKNOWN if any(v is UNKNOWN for v in values) else max(values)

    def abs_(self, value: Value) -> Value:
        return abs(value)


INT_OPS = IntOps()
