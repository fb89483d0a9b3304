"""Loops: small constant ones round by round, all others summarised by the state at the start of round k.

A summary is exact for counters (`i = i0 + k * step`), for what is computed anew in each round, for what
goes round in a cycle (ping-pong flags), and for what keeps its first value as long as another round
follows; anything else is a fresh symbol within the bounds that hold by construction.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ptolint.ir.model import Loop
from ptolint.solver import terms as t
from ptolint.solver.induction import Classifier, Start, number_of
from ptolint.solver.rewrite import substitute
from ptolint.solver.state import State, join
from ptolint.solver.terms import Term, Truth
from ptolint.solver.values import OPAQUE, Alias, Array, Place, Pointer, Record, Value, get, is_number
from ptolint.solver.walker import Flow, Walker

MAX_PASSES = 14
MAX_ROUNDS = 1 << 33


def run_loop(walker: Walker, loop: Loop, state: State) -> State | None:
    """The state after `loop`, None where it is never left."""
    done, end = _unrolled(walker, loop, state)
    return end if done else _summarised(walker, loop, state)


# ---------------------------------------------------------------- round by round


def _unrolled(walker: Walker, loop: Loop, state: State) -> tuple[bool, State | None]:
    concrete = walker.options.concrete
    limit = walker.options.steps if concrete else walker.options.unroll
    mark, rounds, written = walker.listener.mark(), walker.rounds, set(walker.written)
    exits: list[State] = []
    current: State | None = state.fork()
    for count in range(limit + 1):
        cond: Truth = True
        if count or not loop.post_test:
            current = walker.body(loop.head, current) if current is not None else None
            cond = True if current is None else current.truth(walker.truth(loop.cond, current))
        if current is None:
            return True, join(exits)
        if cond is False:
            return True, join([*exits, current])
        if isinstance(cond, Term) or count == limit or (not concrete and walker.rounds >= walker.options.rounds):
            break
        walker.rounds += 1
        current = _round(walker, loop, current, exits)
    walker.listener.rollback(mark)
    walker.rounds, walker.written = rounds, written
    return False, None


def _round(walker: Walker, loop: Loop, state: State, exits: list[State]) -> State | None:
    """Body and step once; what breaks out is added to `exits`."""
    flow = Flow()
    walker.flows.append(flow)
    end = walker.body(loop.body, state)
    walker.flows.pop()
    exits += flow.breaks
    end = join([s for s in (*flow.continues, end) if s is not None])
    return walker.body(loop.step, end) if end is not None else None


# ---------------------------------------------------------------- summary


@dataclass
class Rounds:
    """One symbolic round: the state at its end (before the next test), the ways out of it."""

    start: State
    end: State | None
    breaks: list[State] = field(default_factory=list)
    again: State | None = None  # the end where another round follows
    done: State | None = None  # the end where none does


def _summarised(walker: Walker, loop: Loop, state: State) -> State | None:
    skipped = _skipped(walker, loop, state)
    key = (id(loop), tuple(walker.active))
    age = walker.symbols.count
    number = walker.symbols.fresh("k", 0, MAX_ROUNDS, "loop")
    starts = {p: Start() for p in walker.loop_writes.get(key, ())}
    returns = len(walker.returns[-1])
    walker.muted += 1
    try:
        trial = _settle(walker, loop, state, number, starts, age)
        if trial is None:
            for start in starts.values():
                start.status, start.facts = "lost", []
    finally:
        walker.muted -= 1
        del walker.returns[-1][returns:]
    walker.loop_writes[key] = tuple(starts)
    went_on = True if trial is None else _went_on(trial, number, age)
    rounds = _one_round(walker, loop, state, number, starts, went_on)
    left = len(walker.returns[-1]) > returns
    return _after(state, skipped, rounds, left, age)


def _settle(
    walker: Walker, loop: Loop, state: State, number: Term, starts: dict[Place, Start], age: int
) -> Rounds | None:
    """Improve the start values until they last; the round walked from them, None where that takes too long."""
    for _ in range(MAX_PASSES):
        rounds = _one_round(walker, loop, state, number, starts)
        new = [p for p in _changed(state, rounds) if p not in starts]
        if new:
            starts |= {p: Start() for p in new}
        elif not Classifier(walker, state, rounds, number, age).improve(starts):
            return rounds
    return None


def _went_on(rounds: Rounds, number: Term, age: int) -> Truth:
    """What the round before round `number` left behind by going on: it did not break out."""
    if rounds.again is None or not rounds.breaks:
        return True
    conds = [n.cond for n in rounds.again.path.nodes(rounds.start.path) if n.kind == "guard"]
    known = t.and_(*(c for c in conds if isinstance(c, Term) and all(_lasts(s, number, age) for s in c.symbols)))
    return t.or_(t.eq(number, 0), substitute(known, {number: t.sub(number, 1)}))


def _lasts(symbol: Term, number: Term, age: int) -> bool:
    """Whether a symbol means the same in every round, apart from the round's number."""
    return symbol is number or symbol.args[1] in ("param", "block", "memory") or number_of(symbol) <= age


def _skipped(walker: Walker, loop: Loop, state: State) -> State | None:
    """The state where not even one round is run."""
    if loop.post_test:
        return None
    walker.muted += 1
    try:
        skipped = walker.body(loop.head, state.fork())
        if skipped is None or not skipped.assume(t.not_(walker.truth(loop.cond, skipped))):
            return None
    finally:
        walker.muted -= 1
    return skipped


def _one_round(
    walker: Walker, loop: Loop, state: State, number: Term, starts: dict[Place, Start], went_on: Truth = True
) -> Rounds:
    """Walk round `number` from the start values known so far; `went_on` holds before it."""
    start = state.fork()
    for place, known in starts.items():
        start.write(place, known.value(walker, get(state.env.get(place.var, OPAQUE), place.path)))
        for fact in known.facts:
            start.assume(fact, "fact")
    start.assume(went_on, "fact")
    rounds = Rounds(start.fork(), None)
    current = _tested(walker, loop, start, number)
    if current is None:
        return rounds
    rounds.end = _round(walker, loop, current, rounds.breaks)
    if rounds.end is None:
        return rounds
    test = walker.body(loop.head, rounds.end.fork())
    if test is None:
        return rounds
    cond = test.truth(walker.truth(loop.cond, test))
    again, done = test, test.fork()
    rounds.again = again if again.assume(cond) else None
    rounds.done = done if done.assume(t.not_(cond)) else None
    return rounds


def _tested(walker: Walker, loop: Loop, start: State, number: Term) -> State | None:
    """The state in which round `number` is entered."""
    first = t.eq(number, 0)
    if loop.post_test:
        probe = walker.body(loop.head, start.fork())
        cond = walker.truth(loop.cond, probe) if probe is not None else True
        walker.note(cond)
        return start if start.assume(t.or_(first, cond)) else None
    current = walker.body(loop.head, start)
    if current is None:
        return None
    cond = current.truth(walker.truth(loop.cond, current))
    walker.note(cond)
    passed = _never_zero(cond, number)
    return current if current.assume(cond) and current.assume(passed, "fact") else None


def _never_zero(cond: Truth, number: Term) -> Truth:
    """What `x != 0` says of all rounds so far where x moves by one: it has the sign that it started with."""
    if not isinstance(cond, Term) or cond.op != "not" or cond.args[0].op != "eq0":
        return True
    x = cond.args[0].args[0]
    step = t.sub(substitute(x, {number: t.add(number, 1)}), x)
    if step not in (1, -1):
        return True
    first = substitute(x, {number: 0})
    return t.or_(t.and_(t.lt(0, first), t.lt(0, x)), t.and_(t.lt(first, 0), t.lt(x, 0)))


def _after(state: State, skipped: State | None, rounds: Rounds, left: bool, age: int) -> State | None:
    """The state behind the loop: it was skipped, or round k was its last."""
    result = join([s for s in (skipped, *rounds.breaks, rounds.done) if s is not None])
    if result is None or left or result.path is state.path:
        return result
    cond = t.and_(*(n.cond for n in result.path.nodes(state.path)))
    after = State(result.env, state.path)
    if isinstance(cond, Term):
        own = frozenset(s for s in cond.symbols if s.args[1] in ("loop", "opaque") and number_of(s) > age)
        after.assume(cond, "exit", own)
    return after


def _changed(state: State, rounds: Rounds) -> list[Place]:
    """The places that a round changes, of the variables that exist before the loop."""
    found: dict[Place, None] = {}
    if rounds.end is not None:
        for var, before in state.env.items():
            start = rounds.start.env.get(var, before)
            after = rounds.end.env.get(var, start)
            if after is not start:
                _differences(Place(var), start, after, found)
    return list(found)


def _differences(place: Place, a: Value, b: Value, found: dict[Place, None]) -> None:
    if a is b:
        return
    if isinstance(a, Record) and isinstance(b, Record) and a.type == b.type:
        for name, value in a.fields.items():
            _differences(place.down(name), value, b.fields.get(name, OPAQUE), found)
    elif isinstance(a, Array) and isinstance(b, Array) and len(a.slots) == len(b.slots):
        for i, (x, y) in enumerate(zip(a.slots, b.slots, strict=True)):
            _differences(place.down(i), x, y, found)
    elif not _equal(a, b):
        found[place] = None


def _equal(a: Value, b: Value) -> bool:
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        return (a.place, a.name) == (b.place, b.name) and _equal(a.offset, b.offset)
    if isinstance(a, Alias) and isinstance(b, Alias):
        return a == b
    return is_number(a) and is_number(b) and not isinstance(a, Term) and not isinstance(b, Term) and bool(a == b)
