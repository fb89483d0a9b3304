"""Runs a root over plain numbers to see whether a witness really breaks the rule at the call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ptolint.analyses import Analysis
from ptolint.findings import Frame
from ptolint.ir.model import Call, Function, Invoke, PointerType, Program, ScalarType, Span
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


class _Watch:
    """Waits for one rule at one place to be broken."""

    def __init__(self, span: Span, rule: Rule | Analysis, operand: str, undecided: Undecided) -> None:
        self.span = span
        self.rule = rule
        self.operand = operand
        self.undecided = undecided
        self.found: Replayed | None = None

    def call(self, call: Call, state: State, walker: Walker) -> None:
        if call.name_span != self.span:
            return
        if _uncertain(state):
            return
        if isinstance(self.rule, Analysis):
            assert walker.tracker is not None
            broken = walker.tracker.requirement(call, state, walker) is False
            env = call_env(call, self.undecided.target, None, {})
        else:
            open_ = self.undecided.of(call)
            if (self.rule, self.operand) not in open_.rules:
                return
            values = {o.name: walker.operand_value(o, state) for o in call.operands}
            env = call_env(call, self.undecided.target, open_.form, values)
            broken = required(self.rule, rule_env(env, self.operand)) is False
        if broken:
            assert isinstance(walker, Tracer)
            frames = tuple(walker.frames)
            self.found = Replayed(call, self.rule, env, frames, walker.active[-1], walker.trace)
            raise _Found

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

    def on_value(self, name: str, *rest: object) -> None:
        """A variable received a value."""


def replay(
    program: Program,
    entry: Function,
    values: Mapping[Term, int | bool],
    span: Span,
    rule: Rule | Analysis,
    operand: str,
    undecided: Undecided,
    budget: StepBudget,
    tracker: Tracker | None = None,
) -> Replayed | None:
    """Run `entry` with the witness `values`; the call at `span` with `rule` broken, or None."""
    by_name = {str(s.args[0]): v for s, v in values.items()}
    watch = _Watch(span, rule, operand, undecided)
    walker = Tracer(program, watch, WalkOptions(steps=min(MAX_STEPS, budget.left), concrete=True))
    walker.tracker = tracker
    walker.inputs = block_inputs(by_name)
    try:
        walker.run(entry, arguments(entry, by_name))
    except _Found:
        return watch.found
    except (WalkLimit, RecursionError):
        return None
    finally:
        budget.left -= walker.steps
    return None


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
