"""What was understood of a file, as data for `ptolint ir --format json`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ptolint.ir.model import Call, Invoke, Program
from ptolint.ir.walk import calls as calls_of
from ptolint.ir.walk import statements


def calls(program: Program) -> Iterator[Call]:
    """Every call of an instruction or intrinsic in a program."""
    for function in program.functions.values():
        yield from calls_of(function)


def summary(programs: Iterable[Program]) -> dict[str, Any]:
    """`{"files": [...]}`: per file and target the calls, and what was not understood; the cores are merged.

    `instances` of a call is the number of different tuples of operand types and template arguments.
    """
    grouped: dict[tuple[str, str], list[Program]] = {}
    for program in programs:
        grouped.setdefault((program.file, program.target), []).append(program)
    return {"files": [_file(file, target, group) for (file, target), group in grouped.items()]}


_INSTRUCTION = re.compile(r"[A-Z][A-Z0-9_]{2,}")


def _wrapped(program: Program) -> Iterator[tuple[Invoke, str]]:
    """Calls of the user's own overloads of an instruction, e.g. a `TMOV` that pushes into a pipe."""
    for function in program.functions.values():
        for statement in statements(function.body):
            value = getattr(statement, "value", None)
            if isinstance(value, Invoke) and value.function in program.functions:
                name = program.functions[value.function].name
                if _INSTRUCTION.fullmatch(name):
                    yield value, name


def _file(file: str, target: str, programs: list[Program]) -> dict[str, Any]:
    instances: dict[tuple[int, str], set[Any]] = {}
    missing: dict[tuple[int, str], None] = {}
    for program in programs:
        for call in calls(program):
            if call.name_span.file == file:
                key = (tuple(o.type for o in call.operands), call.template)
                instances.setdefault((call.name_span.line, call.instruction), set()).add(key)
        for invoke, name in _wrapped(program):
            if invoke.span.file == file:
                types = tuple(a.type for a in invoke.args)
                instances.setdefault((invoke.span.line, name), set()).add((types, invoke.function))
        missing |= {(n.span.line, n.reason): None for n in program.notes if n.kind == "not-understood"}
    # a template that one core's code instantiates is checked there
    unchecked = [{(n.span.line, n.reason) for n in p.notes if n.kind == "not-instantiated"} for p in programs]
    return {
        "file": file,
        "target": target,
        "calls": [{"line": n, "instruction": i, "instances": len(s)} for (n, i), s in sorted(instances.items())],
        "not_understood": [{"line": line, "reason": reason} for line, reason in sorted(missing)],
        "not_checked": [{"line": line, "reason": reason} for line, reason in sorted(set.intersection(*unchecked))],
        "statements": max((p.statements for p in programs), default=0),
    }
