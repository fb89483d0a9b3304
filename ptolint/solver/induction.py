"""What a place holds at the start of round k of a loop, found from what one symbolic round does to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ptolint.solver import terms as t
from ptolint.solver.division import floormod
from ptolint.solver.ranges import NOTHING, Facts
from ptolint.solver.rewrite import evaluate, substitute
from ptolint.solver.state import State, settle
from ptolint.solver.terms import Num, Term, Truth
from ptolint.solver.values import OPAQUE, Place, Pointer, Value, get, is_number

if TYPE_CHECKING:
    from ptolint.solver.loops import Rounds
    from ptolint.solver.walker import Walker

MAX_CYCLE = 16


class Start:
    """The value of one place at the start of a round.

    status: "free" (a symbol, `facts` bound it), "formula" (a term over the round's number),
    "same" (still the value before the loop), "lost" (not a number).
    """

    __slots__ = ("bounded", "facts", "formula", "status", "symbol", "tried")

    def __init__(self) -> None:
        self.status = "free"
        self.symbol: Term | None = None
        self.formula: Num | Truth | None = None
        self.facts: list[Truth] = []
        self.bounded = False  # facts were looked for
        self.tried = False  # that it stays the same was refuted

    def value(self, walker: Walker, before: Value) -> Value:
        """The value to start the round with; `before` is the one before the loop."""
        if self.status == "same":
            return before
        number = numeric(before)
        if self.status == "lost" or number is None:
            return OPAQUE
        if self.status == "formula":
            return like(before, self.formula)
        if self.symbol is None:
            walker.symbols.count += 1
            boolean = number.is_bool if isinstance(number, Term) else isinstance(number, bool)
            self.symbol = t.symbol(f"start#{walker.symbols.count}", None, None, "loop", boolean)
        return like(before, self.symbol)


def numeric(value: Value) -> Num | Truth | None:
    """The number in a value: itself, or a pointer's offset; None where there is none."""
    if isinstance(value, Pointer):
        return value.offset
    return value if is_number(value) else None


def like(before: Value, number: Num | Truth | None) -> Value:
    """`number` in place of the number in `before`."""
    if isinstance(before, Pointer):
        return Pointer(before.place, before.name, t.as_int(number), before.type)
    return number


def _same_base(before: Value, after: Value) -> bool:
    if isinstance(before, Pointer) or isinstance(after, Pointer):
        return (
            isinstance(before, Pointer)
            and isinstance(after, Pointer)
            and (before.place, before.name) == (after.place, after.name)
        )
    return is_number(before) and is_number(after)


def number_of(symbol: Term) -> int:
    """When a fresh symbol was made: symbols are numbered in order."""
    return int(symbol.args[0].rsplit("#", 1)[1])


class Classifier:
    """One look at a symbolic round; `improve` says whether the start values changed and another round is needed."""

    def __init__(self, walker: Walker, state: State, rounds: Rounds, number: Term, age: int) -> None:
        self.walker = walker
        self.state = state
        self.number = number
        self.age = age  # symbols made before the loop have smaller numbers
        self.again = rounds.again
        self.facts: Facts = rounds.again.facts if rounds.again else NOTHING

    def improve(self, starts: dict[Place, Start]) -> bool:
        """Find better start values, or withdraw ones that do not last."""
        ends = {p: self._end(p) for p in starts}
        failed = [p for p, s in starts.items() if s.status == "same" and not self._still_same(p, ends[p])]
        if failed:
            for p, s in starts.items():
                s.tried = s.tried or p in failed
                s.bounded, s.facts = False, []
                if s.status in ("same", "formula"):
                    s.status, s.formula = "free", None
            return True
        changed = False
        for find in (self._lost, self._counter, self._renewed):
            for place, start in starts.items():
                if start.status == "free" and find(place, start, ends[place]):
                    changed = True
            if changed:
                return True
        if self._cycles(starts, ends):
            return True
        for start in starts.values():
            if start.status == "free" and not start.tried:
                start.status, changed = "same", True
        if changed:
            return True
        return self._bound(starts, ends)

    def _end(self, place: Place) -> Value:
        """What the place holds when the next round starts."""
        if self.again is None:
            return None
        value = get(self.again.env.get(place.var, OPAQUE), place.path)
        number = numeric(value)
        return value if number is None else like(value, settle(number, self.facts))

    def _before(self, place: Place) -> Value:
        return get(self.state.env.get(place.var, OPAQUE), place.path)

    def _still_same(self, place: Place, end: Value) -> bool:
        if self.again is None:
            return True
        before = self._before(place)
        if not _same_base(before, end):
            return before is end
        same = t.eq(numeric(before), numeric(end))
        if same is True:
            return True
        from ptolint.solver.ranges import decide

        return decide(same, self.facts) is True

    # ------------------------------------------------------------ kinds of start values

    def _lost(self, place: Place, start: Start, end: Value) -> bool:
        if self.again is None or _same_base(self._before(place), end):
            return False
        start.status = "same" if self._before(place) is end else "lost"
        return True

    def _lasting(self, symbol: Term) -> bool:
        """Whether a symbol means the same in every round."""
        return symbol.args[1] in ("param", "block", "memory") or number_of(symbol) <= self.age

    def _counter(self, place: Place, start: Start, end: Value) -> bool:
        """Each round adds the same amount."""
        before, after, symbol = numeric(self._before(place)), numeric(end), start.symbol
        if symbol is None or symbol.is_bool or after is None:
            return False
        step = t.sub(t.as_int(after), symbol)
        if isinstance(step, Term) and not all(map(self._lasting, step.symbols)):
            return False
        start.status, start.formula = "formula", t.add(t.as_int(before), t.mul(self.number, step))
        return True

    def _renewed(self, place: Place, start: Start, end: Value) -> bool:
        """Each round computes it from the round's number alone; the next starts with the last one's value."""
        after = numeric(end)
        if after is None:
            return False
        if isinstance(after, Term) and not all(s is self.number or self._lasting(s) for s in after.symbols):
            return False
        last = substitute(after, {self.number: t.sub(self.number, 1)})
        start.status, start.formula = "formula", t.ite(t.eq(self.number, 0), numeric(self._before(place)), last)
        return True

    def _cycles(self, starts: dict[Place, Start], ends: dict[Place, Value]) -> bool:
        """Places whose next values follow from their present ones alone, and come back to the first together."""
        group = self._closed(starts, ends)
        first = {p: numeric(self._before(p)) for p in group}
        orbit = [first]
        while group and len(orbit) <= MAX_CYCLE:
            now = {starts[p].symbol: v for p, v in orbit[-1].items()}
            following = {p: evaluate(numeric(ends[p]), now) for p in group}  # type: ignore[arg-type]
            if following == first:
                where = floormod(self.number, len(orbit))
                for p in group:
                    starts[p].status = "formula"
                    starts[p].formula = _at([step[p] for step in orbit], where)  # type: ignore[misc]
                return True
            orbit.append(following)
        return False

    def _closed(self, starts: dict[Place, Start], ends: dict[Place, Value]) -> list[Place]:
        """The free places that start with plain values and depend on each other only."""
        group = [p for p, s in starts.items() if s.status == "free" and s.symbol is not None]
        while True:
            symbols = {starts[p].symbol for p in group}
            kept = [p for p in group if self._depends_on(p, ends[p], symbols)]
            if len(kept) == len(group):
                return group
            group = kept

    def _depends_on(self, place: Place, end: Value, symbols: set[Term | None]) -> bool:
        after = numeric(end)
        if after is None or isinstance(numeric(self._before(place)), Term):
            return False
        return not isinstance(after, Term) or all(s in symbols for s in after.symbols)

    def _bound(self, starts: dict[Place, Start], ends: dict[Place, Value]) -> bool:
        """Bounds of what is left free, found once and from what does not rest on such bounds itself."""
        changed = False
        for place, start in starts.items():
            if start.status != "free" or start.symbol is None or start.symbol.is_bool or start.bounded:
                continue
            start.bounded = True
            start.facts = self._bounds(t.as_int(numeric(self._before(place))), start.symbol, numeric(ends[place]))
            changed = changed or bool(start.facts)
        return changed

    def _bounds(self, before: Num, symbol: Term, after: Num | Truth | None) -> list[Truth]:
        if after is None:
            return []
        leaves = list(_leaves(t.as_int(after), self.facts))
        facts: list[Truth] = []
        steps = [t.sub(leaf, symbol) for leaf, _ in leaves]
        if all(not isinstance(s, Term) or symbol not in s.symbols for s in steps):
            intervals = [known.interval(s) for s, (_, known) in zip(steps, leaves, strict=True)]
            facts += self._between(symbol, before, intervals, self.number)
        others = [known.interval(leaf) for leaf, known in leaves if leaf is not symbol]
        return facts + self._between(symbol, 0, [self.state.facts.interval(before), *others], 1)

    @staticmethod
    def _between(symbol: Term, base: Num, intervals: list[tuple[int | None, int | None]], times: Num) -> list[Truth]:
        lows, highs = [lo for lo, _ in intervals], [hi for _, hi in intervals]
        facts: list[Truth] = []
        if None not in lows:
            facts.append(t.le(t.add(base, t.mul(times, min(lo for lo in lows if lo is not None))), symbol))
        if None not in highs:
            facts.append(t.le(symbol, t.add(base, t.mul(times, max(hi for hi in highs if hi is not None)))))
        return facts


def _leaves(x: Num, facts: Facts) -> Iterator[tuple[Num, Facts]]:
    """The values that `x` may have by its choices, each with what is known when it is chosen."""
    choice, rest, factor = _choice_in(x)
    if choice is None:
        yield x, facts
        return
    cond, then, other = choice.args
    for given, value in ((cond, then), (t.not_(cond), other)):
        known = facts.learn(given)
        if known is not None:
            yield from _leaves(t.add(rest, t.mul(factor, value)), known)


def _choice_in(x: Num) -> tuple[Term | None, Num, int]:
    if isinstance(x, Term) and x.op == "ite":
        return x, 0, 1
    if isinstance(x, Term) and x.op == "lin":
        for atom, factor in x.args[1]:
            if atom.op == "ite":
                return atom, t.sub(x, t.mul(factor, atom)), factor
    return None, 0, 1


def _at(orbit: list[int | bool], where: Num) -> Num | Truth:
    """The element of a cycle at position `where`."""
    first = orbit[0]
    if not isinstance(first, bool) and len(orbit) > 2:
        step = orbit[1] - first
        if all(v == first + i * step for i, v in enumerate(orbit)):
            return t.add(first, t.mul(step, where))
    result: Num | Truth = orbit[-1]
    for i in reversed(range(len(orbit) - 1)):
        result = t.ite(t.eq(where, i), orbit[i], result)
    return result
