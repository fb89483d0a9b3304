"""Runs a root over plain numbers to see whether a witness really breaks the rule at the call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ptolint.analyses import Analysis
from ptolint.findings import Frame
from ptolint.ir.model import Assume, Call, Expr, Function, Invoke, PointerType, Program, ScalarType, Span, Var
from ptolint.rulebook.facts import Env
from ptolint.rulebook.model import Rule
from ptolint.solver.obligations import Undecided, call_env, required, rule_env
from ptolint.solver.state import State
from ptolint.solver.terms import Term
from ptolint.solver.trace import Trace
from ptolint.solver.values import Pointer, Value
from ptolint.solver.walker import Tracker, Walker, WalkLimit, WalkOptions

MAX_STEPS = 20_000  # of one run


@dataclass
class StepBudget:
    """Statements that all replays of one file may run."""

    left: int = 150_000


class _Found(Exception):
    pass


@dataclass
class Replayed:
    """The call as it was reached with the rule broken; `env` is the whole call's."""

    call: Call
    rule: Rule | Analysis
    env: Env
    frames: tuple[Frame, ...]
    function: str
    trace: Trace


@dataclass(frozen=True)
class Wanted:
    """A rule at a place that a run may break."""

    span: Span
    rule: Rule | Analysis
    operand: str = ""


class _Watch:
    """Waits until each of the wanted rules is broken."""

    def __init__(self, wanted: Iterable[Wanted], undecided: Undecided) -> None:
        self.undecided = undecided
        self.open: dict[Span, list[Wanted]] = {}
        for w in wanted:
            self.open.setdefault(w.span, []).append(w)
        self.found: dict[Wanted, Replayed] = {}

    def call(self, call: Call, state: State, walker: Walker) -> None:
        wanted = self.open.get(call.name_span)
        if not wanted or _uncertain(state):
            return
        assert isinstance(walker, Tracer)
        values = {o.name: walker.operand_value(o, state) for o in call.operands}
        form = self.undecided.of(call).form
        env = call_env(call, self.undecided.target, form, values)
        for w in list(wanted):
            if self._broken(w, call, env, state, walker):
                frames = tuple(walker.frames)
                self.found[w] = Replayed(call, w.rule, env, frames, walker.active[-1], walker.trace.copy())
                wanted.remove(w)
        if not wanted:
            del self.open[call.name_span]
        if not self.open:
            raise _Found

    def _broken(self, w: Wanted, call: Call, env: Env, state: State, walker: Walker) -> bool:
        if isinstance(w.rule, Analysis):
            tracker = walker.tracker
            return tracker is not None and tracker.requirement(call, state, walker) is False
        if (w.rule, w.operand) not in self.undecided.of(call).rules:
            return False
        return required(w.rule, rule_env(env, w.operand)) is False

    def launch(self, call: Invoke, function: Function, args: list[Value], state: State, walker: Walker) -> None:
        pass

    def mark(self) -> object:
        return None

    def rollback(self, mark: object) -> None:
        pass


def _uncertain(state: State) -> bool:
    """Whether the way here depended on something without a plain value."""
    return any(isinstance(n.cond, Term) and n.kind == "guard" for n in state.path.nodes())


class Tracer(Walker):
    """A walk that remembers how values came about."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.trace = Trace()

    def observe(self, target: Expr | Var, source: Expr, value: Value) -> None:
        """A variable or a part of one received a value."""
        self.trace.record(target, source, value)


def replay(
    program: Program,
    entry: Function,
    values: Mapping[Term, int | bool],
    wanted: Iterable[Wanted],
    undecided: Undecided,
    budget: StepBudget,
    tracker: Tracker | None = None,
) -> dict[Wanted, Replayed]:
    """Run `entry` with the inputs `values`; which of the wanted rules were seen broken, each the first time."""
    by_name = {str(s.args[0]): v for s, v in values.items()}
    watch = _Watch(wanted, undecided)
    walker = Tracer(program, watch, WalkOptions(steps=min(MAX_STEPS, budget.left), concrete=True))
    walker.tracker = tracker
    walker.inputs = block_inputs(by_name)
    try:
        walker.run(entry, arguments(entry, by_name))
    except (_Found, WalkLimit, RecursionError):
        pass
    finally:
        budget.left -= walker.steps
    return watch.found


def refuted_assumption(
    program: Program, entry: Function, values: Mapping[Term, int | bool], undecided: Undecided, budget: StepBudget
) -> Assume | None:
    """The first assumption of the kernel's author that a run with these inputs contradicts."""
    by_name = {str(s.args[0]): v for s, v in values.items()}
    walker = Walker(program, _Watch((), undecided), WalkOptions(steps=min(MAX_STEPS, budget.left), concrete=True))
    walker.inputs = block_inputs(by_name)
    try:
        walker.run(entry, arguments(entry, by_name))
    except (WalkLimit, RecursionError):
        pass
    finally:
        budget.left -= walker.steps
    return walker.refuted[0] if walker.refuted else None


def block_inputs(by_name: Mapping[str, int | bool]) -> dict[str, Value]:
    """Block indices and memory contents of a run; what the witness leaves open is the plainest value."""
    found: dict[str, Value] = {n: v for n, v in by_name.items() if "#" not in n}
    index = int(found.setdefault("block_idx", 0))
    found.setdefault("block_num", index + 1)
    found.setdefault("subblockid", 0)
    found.setdefault("subblockdim", 2 if found["subblockid"] else 1)
    return found


def arguments(entry: Function, by_name: Mapping[str, int | bool]) -> list[Value]:
    """Plain values for the parameters of a root."""
    args: list[Value] = []
    for param in entry.params:
        if isinstance(param.type, ScalarType) and param.type.kind in ("int", "enum", "bool"):
            args.append(by_name.get(param.name, False if param.type.kind == "bool" else 1))
        elif isinstance(param.type, PointerType):
            args.append(Pointer(None, param.name, 0, param.type))
        else:
            args.append(None)
    return args
