"""What a function's body contains: its instructions, and the functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ptolint.ir.model import (
    AddressOf,
    Assume,
    Binary,
    Block,
    Builtin,
    Call,
    Cast,
    Construct,
    Deref,
    Evaluate,
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
    Store,
    Switch,
    Unary,
)


@dataclass(frozen=True)
class Contents:
    """The instructions of one function (not of those it calls) and the ids of functions it calls."""

    calls: tuple[Call, ...]
    invokes: frozenset[str]


_PARTS: dict[type, tuple[str, ...]] = {
    Let: ("value",),
    Store: ("target", "value"),
    Evaluate: ("value",),
    If: ("cond", "then", "other"),
    Loop: ("head", "cond", "body", "step"),
    Block: ("body",),
    Return: ("value",),
    Assume: ("cond",),
    Opaque: ("writes",),
    Index: ("base", "index"),
    Field: ("base",),
    Deref: ("base",),
    AddressOf: ("base",),
    Unary: ("operand",),
    Binary: ("left", "right"),
    Cast: ("operand",),
    Select: ("cond", "then", "other"),
    Builtin: ("args",),
    Construct: ("args",),
    Invoke: ("args",),
}


def nodes(item: Any) -> Iterator[Any]:
    """Every statement and expression within `item`, in source order."""
    stack = [item]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(reversed(node))
            continue
        if node is None:
            continue
        yield node
        kind = type(node)
        if kind is Call:
            stack.extend(o.value for o in reversed(node.operands))
        elif kind is Switch:
            stack.extend(body for _, body in reversed(node.cases))
            stack.append(node.value)
        else:
            stack.extend(getattr(node, part) for part in reversed(_PARTS.get(kind, ())))


def contents(function: Function) -> Contents:
    """Instructions and callees of `function`."""
    calls, invokes = [], set()
    for node in nodes(function.body):
        if type(node) is Call:
            calls.append(node)
        elif type(node) is Invoke:
            invokes.add(node.function)
    return Contents(tuple(calls), frozenset(invokes))


class Graph:
    """Who calls whom in a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.contents = {name: contents(f) for name, f in program.functions.items()}

    def reached(self, root: str) -> set[str]:
        """The functions that `root` leads to, itself included; a launch of a kernel is not followed."""
        seen: set[str] = set()
        stack = [root]
        while stack:
            name = stack.pop()
            if name in seen or name not in self.contents:
                continue
            seen.add(name)
            stack += sorted(self.contents[name].invokes - seen)
        return seen

    def entries(self) -> list[Function]:
        """The functions to analyse: kernels, and device functions that no kernel reaches."""
        functions = self.program.functions
        kernels = [functions[r] for r in self.program.roots if functions[r].is_kernel]
        covered: set[str] = set()
        for kernel in kernels:
            covered |= self.reached(kernel.id)
        others = [functions[r] for r in self.program.roots if r not in covered and functions[r].is_device]
        inner: set[str] = set()
        for other in others:
            inner |= self.reached(other.id) - {other.id}
        return kernels + [f for f in others if f.id not in inner]

    def hosts(self) -> list[Function]:
        """Host functions that launch a kernel."""
        functions = self.program.functions
        return [
            f
            for f in functions.values()
            if not f.is_device
            and not f.is_kernel
            and any(functions[i].is_kernel for i in self.contents[f.id].invokes if i in functions)
        ]
