"""Conditions on a kernel's parameters that stand in the configuration instead of in the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from ptolint.errors import InputError, nearest
from ptolint.ir.model import Assume, Binary, Cast, Const, Expr, Function, Program, Ref, ScalarType, Unary

_INT = ScalarType("int64_t", "int", 64, True)
_BOOL = ScalarType("bool", "bool", 8, False)
_ARITHMETIC: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: dict[type, str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def with_assumptions(program: Program, assumed: Iterable[tuple[str, str]]) -> Program:
    """The program with `(kernel, condition)` pairs believed at the head of the kernels; conditions in C++ or Python.

    Raises `InputError` for a condition that cannot be read or names no parameter. Kernels of other files are ignored.
    """
    conditions: dict[str, list[str]] = {}
    for kernel, condition in assumed:
        conditions.setdefault(kernel, []).append(condition)
    if not conditions:
        return program
    functions = {
        key: _assuming(
            f, [*conditions.get(f.name, []), *(conditions.get(f.display, []) if f.display != f.name else [])]
        )
        for key, f in program.functions.items()
    }
    return replace(program, functions=functions)


def _assuming(function: Function, conditions: list[str]) -> Function:
    if not conditions:
        return function
    believed = tuple(Assume(condition_of(c, function), f"assume({c})", function.span) for c in conditions)
    return replace(function, body=(*believed, *function.body))


def condition_of(text: str, function: Function) -> Expr:
    """The condition as an IR expression over the function's parameters."""
    python = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    python = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", python)
    try:
        return _Reader(text, function).read(ast.parse(python.strip(), mode="eval").body)
    except SyntaxError:
        raise InputError(f"assume for {function.name}: cannot read {text!r}") from None


class _Reader:
    def __init__(self, text: str, function: Function) -> None:
        self.text, self.function = text, function
        self.params = {p.name: p for p in function.params}

    def read(self, node: ast.expr) -> Expr:
        match node:
            case ast.BoolOp():
                return self._chain("&&" if isinstance(node.op, ast.And) else "||", [self.read(v) for v in node.values])
            case ast.Compare():
                sides = [self.read(n) for n in (node.left, *node.comparators)]
                links: list[Expr] = [
                    Binary(self._op(_COMPARE, op), a, b, _BOOL)
                    for op, a, b in zip(node.ops, sides, sides[1:], strict=False)
                ]
                return self._chain("&&", links)
            case ast.BinOp():
                return Binary(self._op(_ARITHMETIC, node.op), self.read(node.left), self.read(node.right), _INT)
            case ast.UnaryOp(op=ast.Not()):
                return Unary("!", self.read(node.operand), _BOOL)
            case ast.UnaryOp(op=ast.USub()):
                return Unary("-", self.read(node.operand), _INT)
            case ast.Constant(value=bool() | int()):
                value = node.value
                assert isinstance(value, int)
                return Const(value, _BOOL if isinstance(value, bool) else _INT)
            case ast.Name():
                return self._parameter(node.id)
            case _:
                raise InputError(
                    f"assume for {self.function.name}: {ast.unparse(node)!r} in {self.text!r} is not understood"
                )

    def _parameter(self, name: str) -> Expr:
        if name not in self.params:
            near = nearest(name, list(self.params))
            raise InputError(f"assume for {self.function.name}: {name!r} is no parameter{near}")
        return Cast(Ref(self.params[name]), _INT)

    def _op(self, table: dict[type, str], op: ast.AST) -> str:
        if type(op) not in table:
            raise InputError(f"assume for {self.function.name}: an operator in {self.text!r} is not understood")
        return table[type(op)]

    @staticmethod
    def _chain(op: str, parts: list[Expr]) -> Expr:
        result = parts[0]
        for part in parts[1:]:
            result = Binary(op, result, part, _BOOL)
        return result
