"""Generated kernels: the solver's verdict on a required range of one value against running every input."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptolint.ir.model import (
    Binary,
    Block,
    Break,
    Builtin,
    Call,
    Const,
    Continue,
    Expr,
    Function,
    If,
    Let,
    Loop,
    Operand,
    OtherType,
    Program,
    Ref,
    ScalarType,
    Select,
    Span,
    Stmt,
    Store,
    Var,
)
from ptolint.solver import terms as t
from ptolint.solver.smt import UNSAT, Budget, Smt
from ptolint.solver.verdicts import path_conditions
from ptolint.solver.walker import Walker, WalkLimit, WalkOptions

INT = ScalarType("int32_t", "int", 32, True)
BOOL = ScalarType("bool", "bool", 8, False)
HERE = Span("generated.cpp", 1, 1, 1, 1)
RANGE = range(-6, 30)


def const(value: int) -> Const:
    return Const(value, INT)


def binary(op: str, a: Expr, b: Expr) -> Binary:
    return Binary(op, a, b, BOOL if op in ("<", "<=", "==", "!=", ">", ">=") else INT)


@dataclass
class Names:
    """The variables of one generated kernel: its parameter, scalars, a loop counter."""

    n: Var = field(default_factory=lambda: Var(1, "n", INT, HERE))
    a: Var = field(default_factory=lambda: Var(2, "a", INT, HERE))
    b: Var = field(default_factory=lambda: Var(3, "b", INT, HERE))
    i: Var = field(default_factory=lambda: Var(4, "i", INT, HERE))
    j: Var = field(default_factory=lambda: Var(5, "j", INT, HERE))


NAMES = Names()
SCALARS = [NAMES.n, NAMES.a, NAMES.b]


def expressions(variables):
    leaf = st.one_of(st.sampled_from(variables).map(Ref), st.integers(-4, 20).map(const))

    def extend(inner):
        return st.one_of(
            st.builds(binary, st.sampled_from(["+", "-"]), inner, inner),
            st.builds(lambda e, c: binary("*", e, const(c)), inner, st.integers(2, 8)),
            st.builds(lambda op, e, c: binary(op, e, const(c)), st.sampled_from(["/", "%"]), inner, st.integers(2, 8)),
            st.builds(lambda f, x, y: Builtin(f, (x, y), INT), st.sampled_from(["min", "max"]), inner, inner),
            st.builds(lambda c, x, y: Select(c, x, y, INT), conditions(variables), inner, inner),
        )

    return st.recursive(leaf, extend, max_leaves=4)


def conditions(variables):
    leaf = st.one_of(st.sampled_from(variables).map(Ref), st.integers(-4, 20).map(const))
    return st.builds(binary, st.sampled_from(["<", "<=", "==", "!=", ">"]), leaf, leaf)


def check(e: Expr) -> Call:
    return Call("CHECK", ("x",), (), (Operand("x", e, INT, HERE),), HERE, HERE)


def assignments(variables):
    return st.builds(lambda v, e: Store(Ref(v), e, HERE), st.sampled_from([NAMES.a, NAMES.b]), expressions(variables))


def statements(variables, depth: int, in_loop: bool):
    simple = [assignments(variables), st.builds(check, expressions(variables))]
    if in_loop:
        jump = st.sampled_from([Break(HERE), Continue(HERE)])
        simple.append(st.builds(lambda c, s: If(c, (s,), (), HERE), conditions(variables), jump))
    if depth == 0:
        return st.one_of(*simple)
    inner = st.lists(statements(variables, depth - 1, in_loop), min_size=1, max_size=2).map(tuple)
    branch = st.builds(lambda c, x, y: If(c, x, y, HERE), conditions(variables), inner, inner)
    return st.one_of(*simple, branch, loops(variables, depth))


def loops(variables, depth: int):
    counter = NAMES.i if NAMES.i not in variables else NAMES.j
    if counter in variables:
        return st.builds(check, expressions(variables))
    inside = [*variables, counter]
    body = st.lists(statements(inside, depth - 1, True), min_size=1, max_size=3).map(tuple)

    def build(start: int, step: int, bound: Expr, content: tuple[Stmt, ...]) -> Block:
        advance = Store(Ref(counter), binary("+", Ref(counter), const(step)), HERE)
        head = Let(counter, const(start), HERE)
        return Block((head, Loop((), binary("<", Ref(counter), bound), content, (advance,), HERE)), HERE)

    bounds = st.one_of(st.just(Ref(NAMES.n)), st.builds(lambda c: const(c), st.integers(0, 40)))
    return st.builds(build, st.integers(0, 3), st.sampled_from([1, 2, 3, 7]), bounds, body)


kernels = st.lists(statements(SCALARS, 2, False), min_size=1, max_size=4).map(
    lambda body: (Let(NAMES.a, const(3), HERE), Let(NAMES.b, Ref(NAMES.n), HERE), *body)
)


class Checks:
    """Collects or runs `CHECK(x)`: x must be at most 12."""

    def __init__(self) -> None:
        self.instances: list[tuple[object, object]] = []

    def call(self, call, state, walker):
        value = walker.operand_value(call.operands[0], state)
        cond = t.le(t.as_int(value), 12)
        self.instances.append((state.truth(cond), state.path))

    def launch(self, *_):
        pass

    def mark(self):
        return len(self.instances)

    def rollback(self, mark):
        del self.instances[mark:]


def program(body) -> tuple[Program, Function]:
    function = Function("k", "k", "k", (NAMES.n,), tuple(body), HERE, True, True, True, OtherType("void"))
    return Program("generated.cpp", "a5", "vec", {"k": function}, ("k",), (), (), (), 0), function


def solver_says(body) -> bool:
    """Whether the solver proves every check."""
    prog, function = program(body)
    checks, smt = Checks(), Smt(Budget())
    Walker(prog, checks, WalkOptions(unroll=4)).run(function)
    for cond, path in checks.instances:
        broken = t.not_(cond)
        if broken is not False and smt.check(*path_conditions(path, broken), broken) != UNSAT:
            return False
    return True


def runs_break(body) -> bool | None:
    """Whether some input breaks a check; None where a run does not end soon."""
    prog, function = program(body)
    for n in RANGE:
        checks = Checks()
        walker = Walker(prog, checks, WalkOptions(steps=4000, concrete=True))
        try:
            walker.run(function, [n])
        except WalkLimit:
            return None
        if any(cond is False for cond, _ in checks.instances):
            return True
    return False


@settings(max_examples=2000, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(kernels)
def test_what_is_proved_is_never_broken(body):
    """Soundness: a check that the solver proves holds in every run."""
    if solver_says(body):
        assert runs_break(body) is not True


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(kernels)
def test_the_walk_does_not_depend_on_earlier_ones(body):
    """The same kernel gives the same conditions again."""
    texts = []
    for _ in range(2):
        t.reset()
        prog, function = program(body)
        checks = Checks()
        Walker(prog, checks, WalkOptions(unroll=4)).run(function)
        texts.append([str(cond) for cond, _ in checks.instances])
    assert texts[0] == texts[1]
