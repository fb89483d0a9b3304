"""What was understood of a file, as data for `ptolint ir --format json`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ptolint.ir.model import Block, Call, If, Loop, Program, Stmt, Switch


def walk(statements: Iterable[Stmt]) -> Iterator[Stmt]:
    """All statements, nested ones included, in source order."""
    for statement in statements:
        yield statement
        match statement:
            case If():
                yield from walk((*statement.then, *statement.other))
            case Loop():
                yield from walk((*statement.head, *statement.body, *statement.step))
            case Switch():
                for _, body in statement.cases:
                    yield from walk(body)
            case Block():
                yield from walk(statement.body)


def calls(program: Program) -> Iterator[Call]:
    """Every call of an instruction or intrinsic in a program."""
    for function in program.functions.values():
        for statement in walk(function.body):
            if isinstance(statement, Call):
                yield statement


def summary(programs: Iterable[Program]) -> dict[str, Any]:
    """`{"files": [...]}`: per file and target the calls, and what was not understood; the cores are merged.

    `instances` of a call is the number of different tuples of operand types and template arguments.
    """
    grouped: dict[tuple[str, str], list[Program]] = {}
    for program in programs:
        grouped.setdefault((program.file, program.target), []).append(program)
    return {"files": [_file(file, target, group) for (file, target), group in grouped.items()]}


def _file(file: str, target: str, programs: list[Program]) -> dict[str, Any]:
    instances: dict[tuple[int, str], set[Any]] = {}
    missing: dict[tuple[int, str], None] = {}
    unchecked: dict[tuple[int, str], None] = {}
    for program in programs:
        for call in calls(program):
            if call.name_span.file == file:
                key = (tuple(o.type for o in call.operands), call.template)
                instances.setdefault((call.name_span.line, call.instruction), set()).add(key)
        for note in program.notes:
            into = missing if note.kind == "not-understood" else unchecked
            into[(note.span.line, note.reason)] = None
    return {
        "file": file,
        "target": target,
        "calls": [{"line": n, "instruction": i, "instances": len(s)} for (n, i), s in sorted(instances.items())],
        "not_understood": [{"line": line, "reason": reason} for line, reason in sorted(missing)],
        "not_checked": [{"line": line, "reason": reason} for line, reason in sorted(unchecked)],
        "statements": max((p.statements for p in programs), default=0),
    }
