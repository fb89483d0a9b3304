"""Texts with values: `{dst.cols * sizeof(dst.dtype)} bytes`, and a broken condition in numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from ptolint.ir.model import DYNAMIC
from ptolint.rulebook.facts import Env
from ptolint.rulebook.ops import INT_OPS, Value
from ptolint.rulebook.predicate import Predicate, PredicateError
from ptolint.rulebook.values import UNKNOWN, NotApplicable

_NEGATED = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<"}
_AFFIRMED = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE},
    **{ast.Eq: ast.Eq, ast.NotEq: ast.NotEq},
}
_LAYOUT_FUNCTIONS = ("nd", "dn", "nz", "zn", "zz")


class Template:
    """A text whose `{...}` parts are expressions; `{{` and `}}` stand for braces."""

    __slots__ = ("parts",)

    def __init__(self, text: str, compile_: Callable[[str], Predicate]) -> None:
        self.parts: list[str | Predicate] = []
        for literal, expression in split(text):
            if literal:
                self.parts.append(literal)
            if expression is not None:
                self.parts.append(compile_(expression))

    def render(self, env: Env) -> str:
        """The text with the values of `env`; a part that has no value shows its expression."""
        return "".join(p if isinstance(p, str) else _shown(p, env) for p in self.parts)


def split(text: str) -> Iterator[tuple[str, str | None]]:
    """(literal text, expression after it) pairs; raises `PredicateError` for an unbalanced brace."""
    literal, i = "", 0
    while i < len(text):
        if text[i : i + 2] in ("{{", "}}"):
            literal, i = literal + text[i], i + 2
        elif text[i] == "{":
            end = _closing(text, i)
            yield literal, text[i + 1 : end]
            literal, i = "", end + 1
        elif text[i] == "}":
            raise PredicateError(f"'}}' without '{{' in {text!r}")
        else:
            literal, i = literal + text[i], i + 1
    yield literal, None


def _closing(text: str, start: int) -> int:
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise PredicateError(f"'{{' without '}}' in {text!r}")


_LONGEST = 60  # characters of a formula that are worth showing beside its value


def evaluate(predicate: Predicate, env: Env) -> Value:
    """The value, or `UNKNOWN` where there is none: no such operand, or a term that plain arithmetic refuses."""
    try:
        return predicate.evaluate(env, INT_OPS)
    except (NotApplicable, TypeError, ValueError, ArithmeticError, AttributeError):
        return UNKNOWN


def show(value: Any) -> str:
    """A value as users write it: an enum member or dtype bare, a layout pair in parentheses.

    A 32-bit number that stands for a negative one shows the one that was meant.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and 1 << 31 <= value < 1 << 32:
        return f"{value - (1 << 32)} (as unsigned {value})"
    if isinstance(value, tuple):
        return f"({', '.join(show(v) for v in value)})"
    return str(value)


def _shown(predicate: Predicate, env: Env) -> str:
    value = evaluate(predicate, env)
    if isinstance(value, int) and value == DYNAMIC and _is_static(predicate.tree):
        return "DYNAMIC"
    if not _plain(value):
        return _Condition(env).text(predicate.tree)
    return show(value)


def _plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_plain(v) for v in value)
    return isinstance(value, int | float | str) and value is not UNKNOWN


def condition(predicate: Predicate, env: Env) -> str:
    """What is broken, with the actual values: `dst.cols * sizeof(float) = 8192 > 4096`."""
    return _Condition(env).broken(predicate.tree)


class _Condition:
    """Writes a condition that does not hold (`broken`) or that does (`holds`)."""

    def __init__(self, env: Env) -> None:
        self.env = env

    def value(self, node: ast.expr) -> Value:
        return evaluate(Predicate("", node, frozenset(), frozenset()), self.env)

    def text(self, node: ast.expr) -> str:
        """The expression with dtypes filled in."""
        return ast.unparse(_Plain(self).visit(node))

    def sided(self, node: ast.expr) -> str:
        """One side of a comparison: `dst.cols * sizeof(half) = 40`, or just `40` for a literal or a long formula."""
        text, value = self.text(node), self.value(node)
        if isinstance(value, int) and value == DYNAMIC and _is_static(node):
            return f"{text} = DYNAMIC"
        if not _plain(value) or show(value) == text:
            return text
        if len(text) > _LONGEST:
            return show(value)
        return f"{text} = {show(value)}"

    def broken(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            if isinstance(node.op, ast.Or):
                return " and ".join(self.broken(v) for v in node.values)
            false = [v for v in node.values if self.value(v) is False]
            return " and ".join(self.broken(v) for v in false) if false else self.text(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.holds(node.operand)
        if isinstance(node, ast.Compare):
            return self.comparison(node, False)
        if isinstance(node, ast.IfExp):
            return self.broken(node.body if self.value(node.test) is True else node.orelse)
        return self.atom(node, False)

    def holds(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            if isinstance(node.op, ast.And):
                return " and ".join(self.holds(v) for v in node.values)
            true = [v for v in node.values if self.value(v) is True]
            return self.holds(true[0]) if true else self.text(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.broken(node.operand)
        return self.comparison(node, True) if isinstance(node, ast.Compare) else self.atom(node, True)

    def atom(self, node: ast.expr, truth: bool) -> str:
        """A bare truth value: a layout function, `has`, or an attribute."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _LAYOUT_FUNCTIONS:
            tile, name = self.value(node.args[0]), self.text(node.args[0])
            have = f"{tile.blayout}, {tile.slayout}" if hasattr(type(tile), "kind") else "unknown layout"
            return f"{name} is {'' if truth else 'not '}{node.func.id.upper()} ({have})"
        if isinstance(node, ast.Attribute) and node.attr == "is_row_major":
            return f"{ast.unparse(node.value)}.blayout = {'RowMajor' if truth else 'ColMajor'}"
        return self.text(node) if truth else f"not {self.text(node)}"

    def comparison(self, node: ast.Compare, truth: bool) -> str:
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            link = ast.Compare(left, [op], [right])
            if truth or len(node.ops) == 1 or self.value(link) is False:
                return self.link(left, op, right, truth)
            left = right
        return self.text(node)

    def link(self, left: ast.expr, op: ast.cmpop, right: ast.expr, truth: bool) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            return self.member(left, right, isinstance(op, ast.In) == truth)
        if isinstance(op, ast.Eq) and not truth and _is_zero(right) and _is_remainder(left):
            assert isinstance(left, ast.BinOp)
            return f"{self.sided(left.left)} is not a multiple of {self.number(left.right)}"
        if isinstance(left, ast.Constant) and not isinstance(right, ast.Constant) and type(op) in _MIRRORED:
            left, op, right = right, _MIRRORED[type(op)](), left
        sign = (_AFFIRMED if truth else _NEGATED)[type(op)]
        if "=" in sign and sign != "!=" and isinstance(right, ast.Constant) and self.number(left) == self.text(right):
            return self.sided(left)  # `src.valid_row = 0` rather than `src.valid_row = 0 <= 0`
        return f"{self.sided(left)} {sign} {self.sided(right)}"

    def member(self, left: ast.expr, right: ast.expr, inside: bool) -> str:
        """Whether a value is among others: each of them once, by its value."""
        items = list(dict.fromkeys(self.number(e) for e in getattr(right, "elts", [])))
        if inside:
            return self.sided(left)
        return (
            f"{self.sided(left)} != {items[0]}"
            if len(items) == 1
            else f"{self.sided(left)} not in {{{', '.join(items)}}}"
        )

    def number(self, node: ast.expr) -> str:
        value = self.value(node)
        return show(value) if _plain(value) else self.text(node)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0


def _is_static(node: ast.expr) -> bool:
    """An extent of a type, which may be left to the run: `tile.static_valid_row`, `dst.static_shape[3]`."""
    node = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(node, ast.Attribute) and node.attr.startswith("static_")


def _is_remainder(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


class _Plain(ast.NodeTransformer):
    """A copy for printing: symbols without quotes, `dst.dtype` inside a function as its dtype, `/` for `//`."""

    def __init__(self, condition_: _Condition) -> None:
        self.condition = condition_

    def generic_visit(self, node: ast.AST) -> ast.AST:
        return type(node)(**{name: self.copy(value) for name, value in ast.iter_fields(node)})

    def copy(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.copy(v) for v in value]
        return self.visit(value) if isinstance(value, ast.AST) else value

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(node.value, ast.Load()) if isinstance(node.value, str) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Only the branch that counts, where the test has a value."""
        test = self.condition.value(node.test)
        if test is True or test is False:
            return self.visit(node.body if test else node.orelse)  # type: ignore[no-any-return]
        return self.generic_visit(node)

    def visit_FloorDiv(self, _node: ast.FloorDiv) -> ast.operator:
        return ast.Div()

    def visit_Call(self, node: ast.Call) -> ast.expr:
        args = [self._dtype(a) or self.visit(a) for a in node.args]
        return ast.Call(node.func, args, [])

    def _dtype(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Attribute) and node.attr == "dtype":
            value = self.condition.value(node)
            if isinstance(value, str):
                return ast.Name(value, ast.Load())
        return None
