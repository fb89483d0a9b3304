"""Contract conditions, which are Python expressions, as C++ for an `assume` comment."""

from __future__ import annotations

import ast

_OPERATORS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Mod: "%",
    ast.FloorDiv: "/",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
    ast.USub: "-",
    ast.Invert: "~",
    ast.Not: "!",
}


class _NotCpp(Exception):
    """The expression uses something that has no short C++ form."""


def cpp_condition(text: str) -> str | None:
    """The condition in C++, comparison chains taken apart; None where it cannot be said exactly."""
    try:
        tree = ast.parse(text, mode="eval").body
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return " && ".join(_text(v, inner=not isinstance(v, ast.Compare)) for v in tree.values)
        return _text(tree, inner=False)
    except (SyntaxError, _NotCpp):
        return None


def _text(node: ast.expr, inner: bool = True) -> str:
    """One node; `inner` puts parentheses around what has operators."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        return str(node.value).lower()
    if isinstance(node, ast.UnaryOp):
        return f"{_operator(node.op)}{_text(node.operand)}"
    body = _joined(node)
    return f"({body})" if inner else body


def _joined(node: ast.expr) -> str:
    if isinstance(node, ast.BinOp):
        return f"{_text(node.left)} {_operator(node.op)} {_text(node.right)}"
    if isinstance(node, ast.BoolOp):
        return f" {_operator(node.op)} ".join(_text(v) for v in node.values)
    if isinstance(node, ast.Compare):
        operands = [_text(o) for o in (node.left, *node.comparators)]
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        return " && ".join(f"{a} {_operator(op)} {b}" for a, op, b in pairs)
    if isinstance(node, ast.IfExp):
        return f"{_text(node.test)} ? {_text(node.body)} : {_text(node.orelse)}"
    raise _NotCpp


def _operator(op: ast.AST) -> str:
    if type(op) not in _OPERATORS:
        raise _NotCpp
    return _OPERATORS[type(op)]
