"""Walks the statements of a root, forking at conditions and joining after them; user functions are inlined.

What is done at an instruction is up to a `Listener`. Loops are in `loops.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from ptolint.findings import Frame
from ptolint.ir.model import (
    Assume,
    Block,
    Break,
    Call,
    Cast,
    Const,
    Continue,
    Evaluate,
    Expr,
    Function,
    If,
    Invoke,
    Let,
    Loop,
    Opaque,
    Operand,
    PointerType,
    Program,
    Return,
    ScalarType,
    Span,
    Stmt,
    Store,
    Switch,
    Var,
)
from ptolint.solver import terms as t
from ptolint.solver.expressions import Evaluator
from ptolint.solver.parameters import parameter_symbol
from ptolint.solver.state import ROOT, Path, State, join
from ptolint.solver.terms import Term, Truth
from ptolint.solver.values import OPAQUE, Alias, Array, Place, Pointer, Record, Value, is_number

MAX_DEPTH = 40  # user functions nested deeper than this are not followed


class WalkLimit(Exception):
    """The walk took more steps than it may; what was not reached is unknown."""


class Listener(Protocol):
    """What a walk is done for."""

    def call(self, call: Call, state: State, walker: Walker) -> None:
        """An instruction is reached in `state`."""

    def launch(self, call: Invoke, function: Function, args: list[Value], state: State, walker: Walker) -> None:
        """A kernel is launched from host code."""

    def mark(self) -> object:
        """A point that `rollback` can return to."""

    def rollback(self, mark: object) -> None:
        """Forget everything since `mark`: the walk did not go that way after all."""


class Tracker(Protocol):
    """Keeps something of its own among the variables of a walk."""

    def start(self, state: State) -> None:
        """The root is entered."""

    def requirement(self, call: Call, state: State, walker: Walker) -> Truth | None:
        """What must hold at a call; None where nothing is asked or known."""

    def effect(self, call: Call, state: State, walker: Walker) -> None:
        """A call was executed; also in trials of loops."""


@dataclass(frozen=True)
class WalkOptions:
    """`unroll`: constant loops of up to this many rounds are walked round by round; `steps`: statements at most;
    `terms`: new terms at most, which bounds the time of code with many joined branches; `concrete`: every input is a
    plain number, so all loops are walked."""

    unroll: int = 16
    rounds: int = 600
    steps: int = 40_000
    terms: int = 40_000
    concrete: bool = False


@dataclass
class Flow:
    """Where control leaves a sequence of statements, collected while it is walked."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


class Walker(Evaluator):
    """One walk of one program; `run` is the way in."""

    def __init__(self, program: Program, listener: Listener, options: WalkOptions) -> None:
        super().__init__()
        self.program = program
        self.listener = listener
        self.options = options
        self.frames: list[Frame] = []
        self.active: list[str] = []
        self.steps = 0
        self.most_terms = self.options.terms
        self.rounds = 0
        self.flows: list[Flow] = [Flow()]
        self.returns: list[list[State]] = []
        self.tracker: Tracker | None = None
        self.refuted: list[Assume] = []  # assumptions that do not hold, on a run over plain values
        self.loop_writes: dict[tuple[int, tuple[str, ...]], tuple[Place, ...]] = {}
        self.unknown_parts: list[tuple[Span, str]] = []

    def run(self, function: Function, args: list[Value] | None = None) -> None:
        """Walk `function` as a root; `args` instead of a symbol for each parameter."""
        state = State({}, ROOT)
        self.active = [function.id]
        self.returns = [[]]
        self.most_terms = t.size() + self.options.terms
        for constant in self.program.globals:
            self._let(constant, state)
        if self.tracker is not None:
            self.tracker.start(state)
        for i, param in enumerate(function.params):
            given = args[i] if args is not None and i < len(args) else None
            state.env[param.id] = self.parameter(param) if given is None else given
        self.body(function.body, state)

    def parameter(self, param: Var) -> Value:
        """The symbolic value of a root's parameter: a symbol that bears its name."""
        symbol = parameter_symbol(param)
        if symbol is not None:
            return symbol
        if isinstance(param.type, PointerType):
            return Pointer(None, param.name, 0, param.type)
        return self.symbols.unknown(param.type, param.name)

    # ------------------------------------------------------------ sequences

    def body(self, statements: tuple[Stmt, ...], state: State) -> State | None:
        """Walk statements in order; the state after them, None where none of them lets control through."""
        current: State | None = state
        for statement in statements:
            if current is None:
                return None
            self.steps += 1
            if self.steps > self.options.steps or t.size() > self.most_terms:
                raise WalkLimit
            current = _STEP[type(statement)](self, statement, current)
        return current

    def observe(self, target: Expr | Var, source: Expr, value: Value) -> None:
        """A variable or a part of one received a value; a tracing walk writes that down."""

    def _let(self, s: Let, state: State) -> State | None:
        if s.value is None:
            state.env[s.var.id] = self.symbols.unknown(s.var.type, s.var.name)
            return state
        place = self.place(s.value, state) if s.var.by_ref else None
        value = Alias(place) if place is not None else self.value(s.value, state)
        state.env[s.var.id] = value
        self.observe(s.var, s.value, value)
        return state

    def _store(self, s: Store, state: State) -> State | None:
        value = self.value(s.value, state)
        place = self.place(s.target, state)
        if place is not None:
            state.write(place, value)
            self.observe(s.target, s.value, value)
        else:
            self._store_memory(s, state)
        return state

    def _store_memory(self, s: Store, state: State) -> None:
        """A store to memory: what is read there later is not the input any more."""
        name = self._memory_name(s.target, state)
        if name is not None:
            self.written.add(name.lstrip("*").split("[")[0].split("->")[0].split(".")[0])

    def _call(self, s: Call, state: State) -> State | None:
        if not self.muted:
            self.listener.call(s, state, self)
        if self.tracker is not None:
            self.tracker.effect(s, state, self)
        if s.instruction == "TASSIGN":
            self._assign_address(s, state)
        elif s.instruction in ("TRESHAPE", "TSUBVIEW", "TALIAS"):
            self._forget_address(s, state)
        return state

    def _assign_address(self, s: Call, state: State) -> None:
        tile = self.operand_place(s.operands[0], state) if s.operands else None
        if tile is None:
            return
        given = next((c.value for n, c in s.template if isinstance(c, Const) and isinstance(c.value, int)), None)
        address: Value = given
        if len(s.operands) > 1:
            address = self.value(s.operands[1].value, state)
        if isinstance(state.read(tile), Record) and is_number(address):
            state.write(tile.down("addr"), t.as_int(address))

    def _forget_address(self, s: Call, state: State) -> None:
        tile = self.operand_place(s.operands[0], state) if s.operands else None
        if tile is not None and isinstance(state.read(tile), Record):
            state.write(tile.down("addr"), self.symbols.fresh("addr", None, None, "opaque"))

    def operand_place(self, operand: Operand, state: State) -> Place | None:
        """Where an operand's tile is stored, also when its address is passed."""
        place = self.place(operand.value, state)
        if place is None or isinstance(state.read(place), Pointer):
            return self._target(self.value(operand.value, state), state)
        return place

    def operand_value(self, operand: Operand, state: State) -> Value:
        """The value of an operand, read through a pointer where its address is passed."""
        value = self.value(_as_written(operand.value), state)
        if isinstance(value, Pointer) and value.place is not None:
            target = self._target(value, state)
            return state.read(target) if target is not None else OPAQUE
        return value

    def _evaluate(self, s: Evaluate, state: State) -> State | None:
        self.value(s.value, state)
        return None if self._dead(state) else state

    @staticmethod
    def _dead(state: State) -> bool:
        return state.path.cond is False

    def _if(self, s: If, state: State) -> State | None:
        cond = state.truth(self.truth(s.cond, state))
        if not isinstance(cond, Term):
            return self.body(s.then if cond else s.other, state)
        self.note(cond)
        other = state.fork()
        ends = [
            self.body(branch, way) if way.assume(c) else None
            for way, c, branch in ((state, cond, s.then), (other, t.not_(cond), s.other))
        ]
        return join([e for e in ends if e is not None])

    def _loop(self, s: Loop, state: State) -> State | None:
        from ptolint.solver.loops import run_loop

        return run_loop(self, s, state)

    def _switch(self, s: Switch, state: State) -> State | None:
        value = self.value(s.value, state)
        labels = [x for ls, _ in s.cases if ls is not None for x in ls]
        self.note(value)
        flow = Flow(continues=self.flows[-1].continues)
        self.flows.append(flow)
        fall: State | None = None
        rest = t.not_(self._any_of(value, labels))
        for wanted, body in s.cases:
            cond = rest if wanted is None else self._any_of(value, list(wanted))
            entered = state.fork()
            entry = entered if entered.assume(cond) else None
            both = join([x for x in (fall, entry) if x is not None])
            fall = self.body(body, both) if both is not None else None
        self.flows.pop()
        ends = [x for x in (fall, *flow.breaks) if x is not None]
        skipped = state.fork()
        if all(wanted is not None for wanted, _ in s.cases) and skipped.assume(rest):
            ends.append(skipped)
        return join(ends)

    def _any_of(self, value: Value, labels: list[int]) -> Truth:
        if is_number(value):
            return t.or_(*(t.eq(t.as_int(value), x) for x in labels))
        if isinstance(value, str):
            return False
        return self.some_truth()

    def _block(self, s: Block, state: State) -> State | None:
        return self.body(s.body, state)

    def _break(self, s: Break, state: State) -> State | None:
        self.flows[-1].breaks.append(state)
        return None

    def _continue(self, s: Continue, state: State) -> State | None:
        self.flows[-1].continues.append(state)
        return None

    def _return(self, s: Return, state: State) -> State | None:
        if s.value is not None:
            state.env[-len(self.returns)] = self.value(s.value, state)
        self.returns[-1].append(state)
        return None

    def _assume(self, s: Assume, state: State) -> State | None:
        cond = state.truth(self.truth(s.cond, state))
        self.note(cond)
        if cond is False and not any(n.kind == "guard" for n in state.path.nodes() if isinstance(n.cond, Term)):
            self.refuted.append(s)
        return state if state.assume(cond) else None

    def _opaque(self, s: Opaque, state: State) -> State | None:
        if not self.muted:
            self.unknown_parts.append((s.span, s.reason))
        for target in s.writes:
            place = self.place(target, state)
            if place is not None:
                state.write(place, self.symbols.unknown(target.type, "?"))
        return state

    # ------------------------------------------------------------ user functions

    def invoke(self, call: Invoke, state: State) -> Value:
        """Inline a user's function: parameters bound by value or by reference, the result of all returns joined."""
        function = self.program.functions.get(call.function)
        if function is None or call.function in self.active or len(self.active) > MAX_DEPTH:
            return self._unfollowed(call, state)
        if function.is_kernel and self._on_host():
            if not self.muted:
                args = [self.value(a, state) for a in call.args]
                self.listener.launch(call, function, args, state, self)
            return OPAQUE
        before = set(state.env)
        shadowed = {p.id: state.env[p.id] for p in function.params if p.id in before}  # `this` of another method
        self._bind(function, call, state)
        ends = self._inline(function, call, state)
        end = join(ends)
        key = -len(self.returns) - 1
        if end is None:
            state.path = _dead_path(state)
            return self.symbols.unknown(call.type, function.name)
        result = end.env.get(key)
        state.env = {k: v for k, v in end.env.items() if k in before} | shadowed
        state.path = end.path
        return self.symbols.unknown(call.type, function.name) if result is None or result is OPAQUE else result

    def _inline(self, function: Function, call: Invoke, state: State) -> list[State]:
        self.active.append(function.id)
        self.frames.append(Frame(function.display or function.name, call.span))
        self.returns.append([])
        self.flows.append(Flow())
        under, self.under = self.under, []
        try:
            end = self.body(function.body, state.fork())
        finally:
            self.under = under
            self.flows.pop()
            ends = self.returns.pop()
            self.frames.pop()
            self.active.pop()
        return [*ends, end] if end is not None else ends

    def _bind(self, function: Function, call: Invoke, state: State) -> None:
        bound: list[tuple[int, Value]] = []
        for param, arg in zip(function.params, call.args, strict=False):
            place = self.place(arg, state) if param.by_ref else None
            bound.append((param.id, Alias(place) if place is not None else self.value(arg, state)))
        state.env.update(bound)
        for param, arg, (_, value) in zip(function.params, call.args, bound, strict=False):
            self.observe(param, arg, value)

    def _on_host(self) -> bool:
        root = self.program.functions.get(self.active[0])
        return root is not None and not root.is_kernel and not root.is_device

    def _unfollowed(self, call: Invoke, state: State) -> Value:
        """A function without a body, or one that calls itself: its result and what it may write are unknown."""
        if not self.muted:
            self.unknown_parts.append((call.span, f"call of {call.function} is not followed"))
        for arg in call.args:
            value = self.value(arg, state)
            place = self._target(value, state) if isinstance(value, Pointer) else self.place(arg, state)
            if place is not None and not is_number(value):
                state.write(place, _forgotten(state.read(place), self))
        return self.symbols.unknown(call.type, "?")


def _forgotten(value: Value, walker: Walker) -> Value:
    """`value` with every number replaced by a fresh symbol."""
    if isinstance(value, Record):
        return Record(value.type, {k: _forgotten(v, walker) for k, v in value.fields.items()})
    if isinstance(value, Array):
        return Array(tuple(_forgotten(v, walker) for v in value.slots))
    return walker.symbols.fresh("?", None, None, "opaque") if is_number(value) else value


def _dead_path(state: State) -> Path:
    return Path(state.path, False, "fact", frozenset(), state.facts)


_STEP: dict[type, Callable[..., State | None]] = {
    Let: Walker._let,
    Store: Walker._store,
    Call: Walker._call,
    Evaluate: Walker._evaluate,
    If: Walker._if,
    Loop: Walker._loop,
    Switch: Walker._switch,
    Block: Walker._block,
    Break: Walker._break,
    Continue: Walker._continue,
    Return: Walker._return,
    Assume: Walker._assume,
    Opaque: Walker._opaque,
}


def _as_written(value: Expr) -> Expr:
    """An operand before the conversions that its parameter makes unasked: a value too wide for an index is a fault."""
    while isinstance(value, Cast) and not value.explicit and isinstance(value.operand.type, ScalarType):
        value = value.operand
    return value
