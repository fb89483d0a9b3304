"""Exponents of microscaling formats on their way: which TQUANT they come from, which TMOV repacks them to ZZ.

What a repacking demands of the quantisation before it spans two calls. The pass marks the calls, so that the rules of
TQUANT and TMOV can ask: TQUANT gets `zz_axis`, the grouping axis of the TMOV that repacks its exponents; that TMOV gets
`faulty_at_source` where the shape given to TQUANT is already known to be wrong, and is then not reported again.
"""

from __future__ import annotations

from dataclasses import replace

from ptolint.ir.model import (
    AddressOf,
    Block,
    Call,
    Cast,
    Const,
    Expr,
    Function,
    If,
    Loop,
    Operand,
    Program,
    ScalarType,
    Stmt,
    Switch,
    TileType,
)
from ptolint.ir.walk import calls

COLUMNS = 1  # groups of 32 along the columns; the default of both instructions
_INT = ScalarType("int32_t", "int", 32, True)
_BOOL = ScalarType("bool", "bool", 8, False)

Marks = dict[int, tuple[str, Const]]


def mark_exponents(program: Program) -> Program:
    """The program with its TQUANT and TMOV calls marked; the same object where there is nothing to mark."""
    changed = {i: _marked(f) for i, f in program.functions.items() if any(c.instruction == "TQUANT" for c in calls(f))}
    return replace(program, functions={**program.functions, **changed}) if changed else program


def _marked(function: Function) -> Function:
    marks = _marks(list(calls(function)))
    return replace(function, body=_body(function.body, marks)) if marks else function


def _marks(sequence: list[Call]) -> Marks:
    """What to add to which call (by identity), from the order in which they are written."""
    marks: Marks = {}
    for at, quant in enumerate(sequence):
        exponents = _place(quant, "exp") if quant.instruction == "TQUANT" else None
        move = None if exponents is None else _repacking(sequence[at + 1 :], exponents)
        if move is None:
            continue
        axis = _axis(move)
        marks[id(quant)] = ("zz_axis", Const(axis, _INT))
        if _faulty(quant, axis):
            marks[id(move)] = ("faulty_at_source", Const(True, _BOOL))
    return marks


def _repacking(following: list[Call], exponents: Expr) -> Call | None:
    """The first TMOV that repacks `exponents`, unless they are written anew before."""
    for call in following:
        if call.instruction == "TQUANT" and _place(call, "exp") == exponents:
            return None
        if call.instruction == "TMOV" and call.params == ("dst", "src", "tmp") and _place(call, "src") == exponents:
            return call
    return None


def _operand(call: Call, name: str) -> Operand | None:
    return next((o for o in call.operands if o.name == name), None)


def _place(call: Call, name: str) -> Expr | None:
    """The object that an operand names or points to."""
    operand = _operand(call, name)
    value = operand.value if operand is not None else None
    while isinstance(value, AddressOf | Cast):
        value = value.base if isinstance(value, AddressOf) else value.operand
    return value


def _axis(call: Call) -> int:
    value = dict(call.template).get("grp_axis")
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else COLUMNS


def _faulty(quant: Call, axis: int) -> bool:
    """Whether the source's static extents leave a ZZ block half empty."""
    source = _operand(quant, "src")
    if source is None or not isinstance(source.type, TileType) or _axis(quant) != axis:
        return False
    extent = source.type.cols if axis == COLUMNS else source.type.valid_row
    return extent >= 0 and extent % 64 != 0


def _body(body: tuple[Stmt, ...], marks: Marks) -> tuple[Stmt, ...]:
    return tuple(_statement(s, marks) for s in body)


def _statement(stmt: Stmt, marks: Marks) -> Stmt:
    match stmt:
        case Call():
            mark = marks.get(id(stmt))
            return stmt if mark is None else replace(stmt, template=(*stmt.template, mark))
        case If():
            return replace(stmt, then=_body(stmt.then, marks), other=_body(stmt.other, marks))
        case Loop():
            head, body, step = (_body(b, marks) for b in (stmt.head, stmt.body, stmt.step))
            return replace(stmt, head=head, body=body, step=step)
        case Switch():
            return replace(stmt, cases=tuple((labels, _body(body, marks)) for labels, body in stmt.cases))
        case Block():
            return replace(stmt, body=_body(stmt.body, marks))
        case _:
            return stmt
