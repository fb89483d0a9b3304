"""What a walk collects: for every call and rule, under which conditions it is reached and what must hold then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ptolint.analyses import ANALYSES, Analysis
from ptolint.findings import Frame
from ptolint.ir.model import Call, Function, Invoke, Operand, Program, Span
from ptolint.rulebook.engine import Outcome, apply_rule, check_call, match_form
from ptolint.rulebook.facts import Env, environment
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import Form, Rule
from ptolint.rulebook.values import UNKNOWN
from ptolint.solver import terms as t
from ptolint.solver.ops import TERM_OPS
from ptolint.solver.state import Path, State
from ptolint.solver.terms import Term
from ptolint.solver.tidy import tidy
from ptolint.solver.values import Array, Record, Value, is_number
from ptolint.solver.walker import Walker

WAIT = ANALYSES["sync/wait-without-set"]


@dataclass(frozen=True)
class Open:
    """The rules of one call that its types alone do not decide."""

    form: Form | None
    rules: tuple[tuple[Rule, str], ...]  # with the operand that a rule of every tile operand concerns


class Undecided:
    """Which rules of which calls are left to decide, found once per call."""

    def __init__(self, target: str, rulebook: Rulebook) -> None:
        self.target = target
        self.rulebook = rulebook
        self._known: dict[int, tuple[Call, Open]] = {}

    def of(self, call: Call) -> Open:
        """The open rules of `call`; none where no overload fits."""
        found = self._known.get(id(call))
        if found is None:
            found = self._known[id(call)] = (call, self._find(call))
        return found[1]

    def _find(self, call: Call) -> Open:
        if call.problem is not None:
            return Open(None, ())
        outcomes = check_call(call, self.target, self.rulebook)
        rules = tuple((o.rule, o.operand) for o in outcomes if o.verdict is UNKNOWN and o.rule is not None)
        if not rules:
            return Open(None, ())
        file = self.rulebook.file(call.instruction)
        form = match_form(file, call, environment(call, self.target)) if file is not None and file.forms else None
        return Open(form, rules)


@dataclass
class Instance:
    """One way of reaching a call: `cond` must hold there. `values` are the operands' values at that point."""

    call: Call
    rule: Rule | Analysis
    cond: Any  # truth term, False, or UNKNOWN
    path: Path
    frames: tuple[Frame, ...]
    function: str
    mentioned: frozenset[Term]
    values: dict[str, Value]
    operand: str = ""


@dataclass
class Group:
    """All instances of one rule at one call of the source."""

    span: Span
    rule: Rule | Analysis
    operand: str = ""
    instances: list[Instance] = field(default_factory=list)
    holds: int = 0  # how often it was reached with the rule known to hold


@dataclass
class Launch:
    """A kernel launch in host code."""

    invoke: Invoke
    function: Function
    args: list[Value]
    frames: tuple[Frame, ...]
    path: Path
    mentioned: frozenset[Term]


def operand_reader(call: Call, values: dict[str, Value]) -> Any:
    """A `Resolve` over operand values."""

    def resolve(operand: Operand, attribute: str) -> Value:
        value = values.get(operand.name)
        if attribute == "value":
            if isinstance(value, str | float):
                return value
            return (
                t.as_int(value)
                if is_number(value) and not isinstance(value, bool)
                else value
                if is_number(value)
                else UNKNOWN
            )
        if not isinstance(value, Record):
            return UNKNOWN
        if attribute.endswith("]"):
            name, index = attribute[:-1].split("[")
            dims = value.fields.get(name)
            found = dims.slots[int(index)] if isinstance(dims, Array) and int(index) < len(dims.slots) else UNKNOWN
        else:
            found = value.fields.get(attribute, UNKNOWN)
        return found if is_number(found) else UNKNOWN

    return resolve


def call_env(call: Call, target: str, form: Form | None, values: dict[str, Value]) -> Env:
    """The environment of a call with the given operand values."""
    env = environment(call, target, form.name if form else "", operand_reader(call, values))
    for old, new in form.alias if form else ():
        env[new], env.types[new] = env[old], env.types[old]
    return env


def rule_env(env: Env, operand: str) -> Env:
    """The environment of a rule: the call's, or one operand's for a rule of every tile operand."""
    if not operand:
        return env
    own = Env(env.target, env["form"])
    own.update(tile=env[operand], operand=operand)
    return own


class Collector:
    """The listener that collects obligations and launches."""

    def __init__(self, program: Program, undecided: Undecided) -> None:
        self.program = program
        self.undecided = undecided
        self.events: list[Instance | tuple[Span, Rule | Analysis, str]] = []
        self.launches: list[Launch] = []

    def mark(self) -> object:
        return len(self.events), len(self.launches)

    def rollback(self, mark: object) -> None:
        assert isinstance(mark, tuple)
        del self.events[mark[0] :]
        del self.launches[mark[1] :]

    def launch(self, call: Invoke, function: Function, args: list[Value], state: State, walker: Walker) -> None:
        frames, mentioned = tuple(walker.frames), frozenset(walker.mentioned)
        self.launches.append(Launch(call, function, args, frames, state.path, mentioned))

    def call(self, call: Call, state: State, walker: Walker) -> None:
        if walker.tracker is not None:
            cond = walker.tracker.requirement(call, state, walker)
            if cond is not None:
                self._add(call, WAIT, "", state.truth(cond), state, walker, {})
        open_ = self.undecided.of(call)
        if not open_.rules:
            return
        values = {o.name: _settled(walker.operand_value(o, state), state) for o in call.operands}
        env = call_env(call, self.undecided.target, open_.form, values)
        for rule, operand in open_.rules:
            cond = required(rule, rule_env(env, operand))
            if cond is None or (cond is False and rule.varying):
                continue
            if cond is not UNKNOWN:
                cond = state.truth(cond)
                cond = state.truth(tidy(cond)) if isinstance(cond, Term) else cond
            self._add(call, rule, operand, cond, state, walker, values)

    def _add(
        self,
        call: Call,
        rule: Rule | Analysis,
        operand: str,
        cond: Any,
        state: State,
        walker: Walker,
        values: dict[str, Value],
    ) -> None:
        if cond is True:
            self.events.append((call.name_span, rule, operand))
            return
        frames, mentioned = tuple(walker.frames), frozenset(walker.mentioned)
        self.events.append(
            Instance(call, rule, cond, state.path, frames, walker.active[-1], mentioned, values, operand)
        )

    def groups(self) -> dict[tuple[Span, str, str], Group]:
        """The obligations by place, rule and operand."""
        found: dict[tuple[Span, str, str], Group] = {}
        for event in self.events:
            if isinstance(event, Instance):
                span, rule, operand = event.call.name_span, event.rule, event.operand
            else:
                span, rule, operand = event
            group = found.setdefault((span, rule.id, operand), Group(span, rule, operand))
            if isinstance(event, Instance):
                group.instances.append(event)
            else:
                group.holds += 1
        return found


def required(rule: Rule, env: Env) -> Any:
    """What must hold for `rule` to be kept: a truth value, `UNKNOWN`, or None where it does not apply."""
    outcome = apply_rule(rule, env, TERM_OPS)
    if outcome is None:
        return None
    verdict, guard = outcome.verdict, outcome.guard
    if verdict is UNKNOWN or guard is UNKNOWN:
        return UNKNOWN
    if guard is True:
        return t.as_truth(verdict)
    return t.or_(t.not_(t.as_truth(guard)), t.as_truth(verdict))


def broken_outcome(instance: Instance, env: Env) -> Outcome:
    """The outcome to report for a broken instance; `env` holds plain values."""
    if isinstance(instance.rule, Analysis):
        return Outcome(None, False, env, instance.rule.id, text=instance.rule.summary)
    return Outcome(instance.rule, False, env, instance.rule.id, operand=instance.operand)


def _settled(value: Value, state: State) -> Value:
    """Operand values with the choices made that the path decides."""
    from ptolint.solver.state import settle

    if isinstance(value, Term):
        return settle(value, state.facts)
    if isinstance(value, Record):
        return Record(value.type, {k: _settled(v, state) for k, v in value.fields.items()})
    if isinstance(value, Array):
        return Array(tuple(_settled(v, state) for v in value.slots))
    return value
