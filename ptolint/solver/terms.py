"""Symbolic integers and truth values: hash-consed terms that simplify themselves.

A number is an `int` or a `Term`, a truth value a `bool` or a `Term`; whatever can be computed is a
plain value, so a walk over constants never builds a term and never needs z3. Integer terms are
mathematical integers; wrapping at a C type's width is explicit (`wrap`). Sums are kept in linear
normal form, so that equal values are mostly the same object and a comparison of them is decided at once.

Every integer term knows an interval that follows from its symbols' types alone; `ranges.py` sharpens
it by what is known on a path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd
from typing import Any, TypeAlias

Bound: TypeAlias = int | None
"""An end of an interval; None is infinite."""


class Term:
    """One node. `op` and `args` tell what it is; `lo`, `hi` bound an integer, None = unbounded."""

    __slots__ = ("args", "hi", "is_bool", "lo", "op", "symbols", "uid")

    def __init__(self, op: str, args: tuple[Any, ...], is_bool: bool, lo: Bound, hi: Bound, uid: int) -> None:
        self.op = op
        self.args = args
        self.is_bool = is_bool
        self.lo = lo
        self.hi = hi
        self.uid = uid
        found: set[Term] = set()
        for child in children(self):
            found |= child.symbols
        self.symbols: frozenset[Term] = frozenset(found) if op != "sym" else frozenset((self,))

    def __repr__(self) -> str:
        from ptolint.solver.show import show

        return f"<{show(self)}>"


Num: TypeAlias = int | Term
Truth: TypeAlias = bool | Term

_TABLE: dict[tuple[Any, ...], Term] = {}
_NEGATED: dict[Term, Truth] = {}  # results of `not_` and of `_junction`: deep conditions share their parts
_JUNCTIONS: dict[tuple[str, tuple[Truth, ...]], Truth] = {}


def reset() -> None:
    """Forget all terms; their order, and with it every result, then depends on the input alone."""
    _TABLE.clear()
    _NEGATED.clear()
    _JUNCTIONS.clear()


def size() -> int:
    """How many terms there are: the measure of a walk's work that does not depend on the machine."""
    return len(_TABLE)


def make(op: str, args: tuple[Any, ...], is_bool: bool = False, lo: Bound = None, hi: Bound = None) -> Term:
    """The one term with this operation and these arguments."""
    key = (op, *args)
    term = _TABLE.get(key)
    if term is None:
        term = _TABLE[key] = Term(op, args, is_bool, lo, hi, len(_TABLE))
    return term


def children(term: Term) -> list[Term]:
    """The terms directly below `term`."""
    if term.op == "lin":
        return [atom for atom, _ in term.args[1]]
    return [a for a in term.args if isinstance(a, Term)]


def symbol(name: str, lo: Bound, hi: Bound, kind: str = "param", is_bool: bool = False) -> Term:
    """The symbol called `name`, for every integer from `lo` to `hi` (inclusive).

    `kind`: "param" (a kernel's parameter), "block" (block or sub-block index), "memory" (data read
    from global memory), "loop" (an iteration's number), "opaque" (anything not understood).
    """
    return make("sym", (name, kind), is_bool, lo, hi)


# ---------------------------------------------------------------- sums


def linear_parts(x: Num) -> tuple[int, tuple[tuple[Term, int], ...]]:
    """The constant and the (atom, factor) pairs that `x` is the sum of."""
    if not isinstance(x, Term):
        return int(x), ()
    if x.op == "lin":
        return x.args[0], x.args[1]
    if x.is_bool:
        return linear_parts(ite(x, 1, 0))
    return 0, ((x, 1),)


def scaled(bound: Bound, factor: int) -> Bound:
    """`bound * factor`, infinite where the bound is."""
    return None if bound is None else bound * factor


def _lin_interval(const: int, items: tuple[tuple[Term, int], ...]) -> tuple[Bound, Bound]:
    lo: Bound = const
    hi: Bound = const
    for atom, factor in items:
        low, high = (atom.lo, atom.hi) if factor > 0 else (atom.hi, atom.lo)
        lo = None if lo is None or low is None else lo + low * factor
        hi = None if hi is None or high is None else hi + high * factor
    return lo, hi


def linear(const: int, factors: dict[Term, int]) -> Num:
    """`const` plus the sum of atom times factor."""
    items = tuple(sorted(((a, f) for a, f in factors.items() if f), key=lambda item: item[0].uid))
    if not items:
        return const
    if const == 0 and len(items) == 1 and items[0][1] == 1:
        return items[0][0]
    lo, hi = _lin_interval(const, items)
    return lo if lo is not None and lo == hi else make("lin", (const, items), False, lo, hi)


def _combine(a: Num, b: Num, factor: int) -> Num:
    const, items = linear_parts(a)
    other, more = linear_parts(b)
    factors = dict(items)
    for atom, f in more:
        factors[atom] = factors.get(atom, 0) + f * factor
    return linear(const + other * factor, factors)


def add(a: Num, b: Num) -> Num:
    """a + b"""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    return _combine(a, b, 1)


def sub(a: Num, b: Num) -> Num:
    """a - b"""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    return _combine(a, b, -1)


def neg(a: Num) -> Num:
    """-a"""
    return sub(0, a)


def mul(a: Num, b: Num) -> Num:
    """a * b; a product of two unknowns is a term of its own."""
    if isinstance(a, int):
        if isinstance(b, int):
            return a * b
        const, items = linear_parts(b)
        return linear(const * a, {atom: f * a for atom, f in items})
    if isinstance(b, int):
        return mul(b, a)
    total: Num = 0
    const, items = linear_parts(a)
    other, more = linear_parts(b)
    if len(items) * len(more) > 6:
        return _product(a, b)
    total = add(mul(const, linear(0, dict(more))), mul(other, linear(0, dict(items))))
    total = add(total, const * other)
    for x, f in items:
        for y, g in more:
            total = add(total, mul(f * g, _product(x, y)))
    return total


def _product(a: Term, b: Term) -> Term:
    if b.uid < a.uid:
        a, b = b, a
    ends = [None if x is None or y is None else x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    lo: Bound = None
    hi: Bound = None
    if all(e is not None for e in ends):
        lo, hi = min(e for e in ends if e is not None), max(e for e in ends if e is not None)
    elif a.lo is not None and b.lo is not None and a.lo >= 0 and b.lo >= 0:
        lo = a.lo * b.lo
    return make("mul", (a, b), False, lo, hi)


# ---------------------------------------------------------------- truth


def compare_zero(x: Num, op: str) -> Truth:
    """`x <= 0` ("le") or `x == 0` ("eq")."""
    if not isinstance(x, Term):
        return x <= 0 if op == "le" else x == 0
    const, items = linear_parts(x)
    common = gcd(*(f for _, f in items))
    if op == "le":
        return _le_zero(-(-const // common), items, common)
    if const % common or (x.lo is not None and x.lo > 0) or (x.hi is not None and x.hi < 0):
        return False
    if items[0][1] < 0:
        common = -common
    return _eq_zero(linear(const // common, {a: f // common for a, f in items}))


def _le_zero(const: int, items: tuple[tuple[Term, int], ...], common: int) -> Truth:
    x = linear(const, {a: f // common for a, f in items})
    if isinstance(x, int):
        return x <= 0
    if x.hi is not None and x.hi <= 0:
        return True
    if x.lo is not None and x.lo > 0:
        return False
    return make("le0", (x,), True)


def _eq_zero(x: Num) -> Truth:
    if isinstance(x, int):
        return x == 0
    return make("eq0", (x,), True)


def le(a: Num, b: Num) -> Truth:
    """a <= b"""
    return compare_zero(sub(a, b), "le")


def lt(a: Num, b: Num) -> Truth:
    """a < b"""
    return compare_zero(add(sub(a, b), 1), "le")


def eq(a: Any, b: Any) -> Truth:
    """a == b, of numbers or of truth values."""
    if a is b:
        return True
    if _is_truth(a) and _is_truth(b):
        return or_(and_(a, b), and_(not_(a), not_(b)))
    return compare_zero(sub(a, b), "eq")


def ne(a: Any, b: Any) -> Truth:
    """a != b"""
    return not_(eq(a, b))


def _is_truth(x: Any) -> bool:
    return x.is_bool if isinstance(x, Term) else isinstance(x, bool)


def not_(a: Truth) -> Truth:
    """Negation, pushed down to the comparisons."""
    if not isinstance(a, Term):
        return not a
    if a not in _NEGATED:
        _NEGATED[a] = _negation(a)
    return _NEGATED[a]


def _negation(a: Term) -> Truth:
    if a.op == "not":
        return a.args[0]  # type: ignore[no-any-return]
    if a.op == "le0":
        return compare_zero(sub(1, a.args[0]), "le")
    if a.op == "and":
        return or_(*(not_(x) for x in a.args))
    if a.op == "or":
        return and_(*(not_(x) for x in a.args))
    if a.op == "ite":
        chosen: Truth = ite(a.args[0], not_(a.args[1]), not_(a.args[2]))
        return chosen
    return make("not", (a,), True)


def and_(*args: Truth) -> Truth:
    """Conjunction."""
    return _junction("and", args)


def or_(*args: Truth) -> Truth:
    """Disjunction."""
    return _junction("or", args)


def _junction(op: str, args: Iterable[Truth]) -> Truth:
    key = (op, tuple(args))
    if key not in _JUNCTIONS:
        _JUNCTIONS[key] = _joined(*key)
    return _JUNCTIONS[key]


def _joined(op: str, args: tuple[Truth, ...]) -> Truth:
    stop = op == "or"
    items: dict[Term, None] = {}
    for arg in args:
        if isinstance(arg, Term):
            items.update(dict.fromkeys(arg.args if arg.op == op else (arg,)))
        elif bool(arg) is stop:
            return stop
    kept = _absorb(op, list(items))
    if kept is None:
        return stop
    if not kept:
        return not stop
    return kept[0] if len(kept) == 1 else make(op, tuple(sorted(kept, key=lambda t: t.uid)), True)


def _absorb(op: str, items: list[Term]) -> list[Term] | None:
    """Drop what the single literals make redundant; None when two contradict each other."""
    if len(items) < 2:
        return items
    opposite = {t for t in map(not_, items) if isinstance(t, Term)}
    if any(t in opposite for t in items):
        return None
    dual = "and" if op == "or" else "or"
    if not any(t.op == dual for t in items):
        return items
    present, result = set(items), []
    for item in items:
        if item.op != dual:
            result.append(item)
        elif not any(x in present for x in item.args):
            rest = [x for x in item.args if x not in opposite]
            if len(rest) == len(item.args):
                result.append(item)
            else:
                smaller = _junction(dual, rest)
                if not isinstance(smaller, Term):
                    return None if smaller is (op == "or") else _absorb(op, [i for i in items if i is not item])
                result += list(smaller.args) if smaller.op == op else [smaller]
    return list(dict.fromkeys(result)) if result == items else _absorb(op, list(dict.fromkeys(result)))


# ---------------------------------------------------------------- choices


def choose(cond: Truth, then: Num, other: Num) -> Num:
    """`then` if `cond` else `other`, of two numbers."""
    result: Num = ite(cond, then, other)
    return result


def ite(cond: Truth, then: Any, other: Any) -> Any:
    """`then` if `cond` else `other`, of two numbers or two truth values."""
    if not isinstance(cond, Term):
        return then if cond else other
    if then is other or (not isinstance(then, Term) and not isinstance(other, Term) and then == other):
        return then
    if _is_truth(then) and _is_truth(other):
        return or_(and_(cond, then), and_(not_(cond), other))
    then, other = as_int(then), as_int(other)
    if isinstance(then, Term) and then.op == "ite" and then.args[0] is cond:
        then = then.args[1]
    if isinstance(other, Term) and other.op == "ite":
        if other.args[0] is cond:
            other = other.args[2]
        elif other.args[1] is then or (isinstance(then, int) and other.args[1] == then):
            return ite(or_(cond, other.args[0]), then, other.args[2])
    if cond.op == "not":
        return ite(cond.args[0], other, then)
    if isinstance(then, Term) and isinstance(other, Term):
        step = sub(then, other)
        if isinstance(step, int):  # so that what one branch adds and another takes away cancels out
            return add(other, mul(step, as_int(cond)))
    return make("ite", (cond, then, other), False, *_hull(then, other))


def interval(x: Num) -> tuple[Bound, Bound]:
    """The interval that follows from the symbols' types."""
    return (x.lo, x.hi) if isinstance(x, Term) else (int(x), int(x))


def _hull(a: Num, b: Num) -> tuple[Bound, Bound]:
    (al, ah), (bl, bh) = interval(a), interval(b)
    lo = None if al is None or bl is None else min(al, bl)
    hi = None if ah is None or bh is None else max(ah, bh)
    return lo, hi


def as_int(x: Any) -> Num:
    """A number as C sees a truth value."""
    if isinstance(x, Term):
        return make("ite", (x, 1, 0), False, 0, 1) if x.is_bool else x
    return int(x)


def as_truth(x: Any) -> Truth:
    """A truth value as C sees a number."""
    if isinstance(x, Term):
        return x if x.is_bool else ne(x, 0)
    return bool(x)


def min_(a: Num, b: Num) -> Num:
    """The smaller of two numbers."""
    smaller = le(a, b)
    return choose(smaller, a, b) if not isinstance(smaller, Term) else _extreme("min", a, b)


def max_(a: Num, b: Num) -> Num:
    """The larger of two numbers."""
    smaller = le(a, b)
    return choose(smaller, b, a) if not isinstance(smaller, Term) else _extreme("max", a, b)


def _extreme(op: str, a: Num, b: Num) -> Term:
    if isinstance(a, int) or (isinstance(b, Term) and b.uid < a.uid):
        a, b = b, a
    (al, ah), (bl, bh) = interval(a), interval(b)
    pick: Callable[..., int] = min if op == "min" else max
    known_low = [x for x in (al, bl) if x is not None]
    known_high = [x for x in (ah, bh) if x is not None]
    if op == "min":
        lo = pick(known_low) if len(known_low) == 2 else None
        hi = pick(known_high) if known_high else None
    else:
        lo = pick(known_low) if known_low else None
        hi = pick(known_high) if len(known_high) == 2 else None
    return make(op, (a, b), False, lo, hi)


def abs_(a: Num) -> Num:
    """The absolute value."""
    return choose(le(0, a), a, neg(a))
