"""Walks the IR of one program: statements and control flow."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from ptolint.executor.errors import ExecutorError, LimitError
from ptolint.executor.expressions import Evaluator
from ptolint.executor.instructions import execute
from ptolint.executor.machine import Machine
from ptolint.executor.values import Place, Undefined, copied
from ptolint.ir.model import (
    ArrayType,
    Assume,
    Block,
    Break,
    Call,
    Continue,
    Evaluate,
    Expr,
    Function,
    If,
    Let,
    Loop,
    Opaque,
    Program,
    Return,
    Stmt,
    Store,
    Switch,
)

MAX_DEPTH = 100


class AssumptionError(ExecutorError):
    """A condition that the kernel's author vouches for does not hold for these inputs."""


class Flow(Enum):
    """How a statement ended."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class Interpreter(Evaluator):
    """Runs functions of `program` on `machine`; `call` is the way in."""

    def __init__(self, program: Program, machine: Machine) -> None:
        super().__init__(machine, program.enums)
        self.program = program
        self._result: Any = None
        self._depth = 0
        self._active: dict[str, int] = {}
        for constant in program.globals:
            self._let(constant)

    def call(self, function: Function, places: list[Place]) -> Any:
        """Runs a function with a place for each parameter; returns its result."""
        if self._depth >= MAX_DEPTH:
            raise LimitError(f"calls nest deeper than {MAX_DEPTH} in {function.display}")
        saved = dict(self.env) if self._active.get(function.id) else None
        self._enter(function, places)
        flow = self.run(function.body)
        self._leave(function, saved)
        return self._result if flow is Flow.RETURN else None

    def _enter(self, function: Function, places: list[Place]) -> None:
        self._depth += 1
        self._active[function.id] = self._active.get(function.id, 0) + 1
        for param, place in zip(function.params, places, strict=True):
            self.env[param.id] = place
        self._result = None

    def _leave(self, function: Function, saved: dict[int, Place] | None) -> None:
        self._depth -= 1
        self._active[function.id] -= 1
        if saved is not None:
            self.env = saved

    def invoke(self, function_id: str, args: tuple[Expr, ...]) -> Any:
        """An Invoke expression: binds arguments by value or by reference and runs the body."""
        function = self.program.functions.get(function_id)
        if function is None:
            raise ExecutorError(f"function {function_id} has no body")
        places = []
        for param, arg in zip(function.params, args, strict=True):
            shared = param.by_ref or isinstance(param.type, ArrayType)  # an array parameter is a pointer
            places.append(self.place_of(arg) if shared else Place([copied(self.value(arg))], 0))
        return self.call(function, places)

    def run(self, body: tuple[Stmt, ...]) -> Flow:
        """Runs statements in order until one leaves the sequence."""
        for statement in body:
            self.machine.work.step()
            flow = _HANDLERS[type(statement)](self, statement)
            if flow is not None and flow is not Flow.NEXT:
                return flow
        return Flow.NEXT

    # ------------------------------------------------------------ statements

    def _let(self, s: Let) -> None:
        if s.value is None:
            self.env[s.var.id] = Place([self.default(s.var.type, s.var.name)], 0)
        elif s.var.by_ref:
            self.env[s.var.id] = self.place_of(s.value)
        else:
            value = copied(self.value(s.value))
            self._name(value, s.var.name)
            self.env[s.var.id] = Place([value], 0)

    def _store(self, s: Store) -> None:
        value = copied(self.value(s.value))
        self.place(s.target).set(self.fitted(value, s.target))

    def _call(self, s: Call) -> None:
        self.machine.log.instruction, self.machine.log.span = s.instruction, s.span
        before = len(self.machine.log.entries)
        execute(self.machine, s, self.operands(s), before)

    def _evaluate(self, s: Evaluate) -> None:
        self.value(s.value)

    def _if(self, s: If) -> Flow:
        return self.run(s.then if self.truth(s.cond) else s.other)

    def _loop(self, s: Loop) -> Flow:
        first = s.post_test
        while True:
            if not first:
                flow = self.run(s.head)
                if flow is not Flow.NEXT:
                    return flow
                if not self.truth(s.cond):
                    return Flow.NEXT
            first = False
            flow = self.run(s.body)
            if flow is Flow.BREAK:
                return Flow.NEXT
            if flow is Flow.RETURN:
                return flow
            self.run(s.step)
            self.machine.work.step()

    def _switch(self, s: Switch) -> Flow:
        value = self.value(s.value)
        start = next((i for i, (labels, _) in enumerate(s.cases) if labels is not None and value in labels), None)
        if start is None:
            start = next((i for i, (labels, _) in enumerate(s.cases) if labels is None), len(s.cases))
        for _, body in s.cases[start:]:
            flow = self.run(body)
            if flow is not Flow.NEXT:
                return Flow.NEXT if flow is Flow.BREAK else flow
        return Flow.NEXT

    def _block(self, s: Block) -> Flow:
        return self.run(s.body)

    def _return(self, s: Return) -> Flow:
        self._result = None if s.value is None else copied(self.value(s.value))
        return Flow.RETURN

    def _assume(self, s: Assume) -> None:
        condition = self.value(s.cond)
        if not isinstance(condition, Undefined) and not condition:
            raise AssumptionError(f"the condition of {s.source} in line {s.span.line} does not hold")

    def _opaque(self, s: Opaque) -> None:
        if not s.writes:
            raise ExecutorError(f"line {s.span.line} was not understood: {s.reason}")
        for target in s.writes:
            self.place(target).set(Undefined(f"line {s.span.line} was not understood: {s.reason}"))


def _jump(flow: Flow) -> Callable[[Interpreter, Any], Flow]:
    return lambda _interpreter, _statement: flow


_HANDLERS: dict[type, Callable[[Interpreter, Any], Flow | None]] = {
    Let: Interpreter._let,
    Store: Interpreter._store,
    Call: Interpreter._call,
    Evaluate: Interpreter._evaluate,
    If: Interpreter._if,
    Loop: Interpreter._loop,
    Switch: Interpreter._switch,
    Block: Interpreter._block,
    Return: Interpreter._return,
    Assume: Interpreter._assume,
    Opaque: Interpreter._opaque,
    Break: _jump(Flow.BREAK),
    Continue: _jump(Flow.CONTINUE),
}
