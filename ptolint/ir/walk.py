"""Walking a program: every statement and expression, the calls of a function, the way from a root to it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ptolint.ir.model import (
    AddressOf,
    Assume,
    Binary,
    Block,
    Builtin,
    Call,
    Cast,
    Const,
    Construct,
    Deref,
    Evaluate,
    Expr,
    Field,
    Function,
    If,
    Index,
    Invoke,
    Let,
    Loop,
    Opaque,
    Program,
    Return,
    Select,
    Span,
    Stmt,
    Store,
    Switch,
    Unary,
)


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement of a body, nested ones included, in source order."""
    for stmt in body:
        yield stmt
        for inner in bodies(stmt):
            yield from statements(inner)


def bodies(stmt: Stmt) -> Iterator[tuple[Stmt, ...]]:
    """The statement lists that `stmt` holds."""
    if isinstance(stmt, If):
        yield stmt.then
        yield stmt.other
    elif isinstance(stmt, Loop):
        yield from (stmt.head, stmt.body, stmt.step)
    elif isinstance(stmt, Switch):
        yield from (body for _, body in stmt.cases)
    elif isinstance(stmt, Block):
        yield stmt.body


def expressions(stmt: Stmt) -> Iterator[Expr]:
    """The expressions that `stmt` itself holds, not those of nested statements."""
    if isinstance(stmt, Let | Return):
        if stmt.value is not None:
            yield stmt.value
    elif isinstance(stmt, Store):
        yield from (stmt.target, stmt.value)
    elif isinstance(stmt, Call):
        yield from (o.value for o in stmt.operands)
    elif isinstance(stmt, Evaluate | Switch):
        yield stmt.value
    elif isinstance(stmt, If | Loop | Assume):
        yield stmt.cond
    elif isinstance(stmt, Opaque):
        yield from stmt.writes


def parts(expr: Expr) -> Iterator[Expr]:
    """`expr` and every expression inside it."""
    yield expr
    for child in children(expr):
        yield from parts(child)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands of `expr`."""
    match expr:
        case Index():
            return (expr.base, expr.index)
        case Field() | Deref() | AddressOf():
            return (expr.base,)
        case Unary() | Cast():
            return (expr.operand,)
        case Binary():
            return (expr.left, expr.right)
        case Select():
            return (expr.cond, expr.then, expr.other)
        case Builtin() | Construct() | Invoke():
            return expr.args
        case _:
            return ()


def calls(function: Function) -> Iterator[Call]:
    """The instructions in a function's own body."""
    return (s for s in statements(function.body) if isinstance(s, Call))


def dead_calls(function: Function) -> set[int]:
    """Identities of the calls that no run reaches, because a branch's condition is a constant.

    They are still compiled, so what a static assertion refuses in them is refused.
    """
    return {id(s) for s in _unreached(function.body) if isinstance(s, Call)}


def _unreached(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    for stmt in body:
        for inner in bodies(stmt):
            if _never(stmt, inner):
                yield from statements(inner)
            else:
                yield from _unreached(inner)


def _never(stmt: Stmt, body: tuple[Stmt, ...]) -> bool:
    if isinstance(stmt, If) and isinstance(stmt.cond, Const):
        return body is (stmt.other if stmt.cond.value else stmt.then) and bool(body)
    return (
        isinstance(stmt, Loop)
        and isinstance(stmt.cond, Const)
        and not stmt.cond.value
        and body is stmt.body
        and not stmt.post_test
    )


def invokes(function: Function) -> Iterator[Invoke]:
    """The calls of user functions in a function's own body."""
    for stmt in statements(function.body):
        for expr in expressions(stmt):
            yield from (e for e in parts(expr) if isinstance(e, Invoke))


def ways(program: Program) -> dict[str, tuple[tuple[str, Span], ...]]:
    """For every reached function the shortest way from a root: (caller's id, where it calls on), outermost first."""
    found: dict[str, tuple[tuple[str, Span], ...]] = dict.fromkeys(program.roots, ())
    queue = deque(program.roots)
    while queue:
        here = queue.popleft()
        function = program.functions.get(here)
        for call in invokes(function) if function else ():
            if call.function not in found and call.function in program.functions:
                found[call.function] = (*found[here], (here, call.span))
                queue.append(call.function)
    return found
