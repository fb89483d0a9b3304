"""The predicate language: Python expressions, restricted, compiled once per rule.

`compile_predicate` checks an expression against a `Vocabulary` and gives a `Predicate`. It is
evaluated in one of two ways: *native* code runs Python's own operators over plain values and is
taken whenever the arithmetic is `IntOps`; *generic* code goes through an `Ops` for every operator,
for the solver, and for three-valued logic where a value turned out to be unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ptolint.rulebook.functions import FUNCTIONS, NAME_FUNCTIONS, OPS_FUNCTIONS, VALUE_FUNCTIONS
from ptolint.rulebook.ops import INT_OPS, Ops, Value
from ptolint.rulebook.symbols import SYMBOLS, nearest
from ptolint.rulebook.values import UnknownTruth

if TYPE_CHECKING:
    from ptolint.rulebook.facts import Env

INDEXED = frozenset(("shape", "stride", "static_shape", "static_stride"))
TENSOR_ATTRIBUTES = INDEXED | {"dtype", "layout"}
CONV_TILE_ATTRIBUTES = TENSOR_ATTRIBUTES | {"loc", "bytes", "addr", "rank"}
PIPE_ATTRIBUTES = frozenset(("direction", "flag", "slots", "slot_bytes"))
TILE_ATTRIBUTES = frozenset(
    (
        *("loc", "dtype", "rows", "cols", "valid_row", "valid_col", "static_valid_row", "static_valid_col"),
        *("is_row_major", "blayout", "slayout", "fractal_size", "compact", "pad", "bytes", "addr"),
    )
)
ATTRIBUTES = TILE_ATTRIBUTES | TENSOR_ATTRIBUTES | CONV_TILE_ATTRIBUTES | PIPE_ATTRIBUTES
ALWAYS_KNOWN = frozenset(("form", "target", "operand"))
"""Names of every environment: the call's form, the target, and which operand a rule of every operand is about."""

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, type[ast.operator]]] = {
    ast.Add: ("+", ast.Add),
    ast.Sub: ("-", ast.Sub),
    ast.Mult: ("*", ast.Mult),
    ast.Div: ("//", ast.FloorDiv),
    ast.FloorDiv: ("//", ast.FloorDiv),
    ast.Mod: ("%", ast.Mod),
}


class PredicateError(ValueError):
    """An expression outside the language; the text says where and what was expected."""


@dataclass(frozen=True)
class Vocabulary:
    """What a rule file's expressions may name: operands and template parameters, further bare
    symbols (its form names), and abbreviations that stand for a whole expression."""

    names: frozenset[str]
    symbols: frozenset[str] = frozenset()
    defines: Mapping[str, ast.expr] = field(default_factory=dict)


@dataclass(frozen=True)
class _Names:
    """What an expression reads, collected while it is checked."""

    names: set[str] = field(default_factory=set)
    paths: set[tuple[str, str]] = field(default_factory=set)


class Predicate:
    """A compiled expression. `names`: operands and parameters it mentions; `paths`: (operand, attribute)."""

    __slots__ = ("_generic", "_native", "names", "paths", "text", "tree")

    def __init__(self, text: str, tree: ast.expr, names: frozenset[str], paths: frozenset[tuple[str, str]]) -> None:
        self.text = text
        self.tree = tree  # checked, abbreviations expanded
        self.names = names
        self.paths = paths
        self._native: Callable[[Env], Value] | None = None
        self._generic: Callable[[Env, Ops], Value] | None = None

    def evaluate(self, env: Env, ops: Ops = INT_OPS) -> Value:
        """The value in `env`: a plain value, `UNKNOWN`, or a term of `ops`. Raises `NotApplicable`."""
        if ops is INT_OPS:
            if self._native is None:
                self._native = _function(_Native().visit(self.tree), ("e",))
            try:
                return self._native(env)
            except (UnknownTruth, ZeroDivisionError):
                pass
        if self._generic is None:
            self._generic = _function(_Generic().visit(self.tree), ("e", "o"))
        return self._generic(env, ops)


def compile_predicate(text: str, vocabulary: Vocabulary) -> Predicate:
    """Check `text` and prepare it for evaluation; raises `PredicateError` with the position of the fault."""
    tree = parse(text, vocabulary)
    seen = _Names()
    _collect(tree, seen)
    return Predicate(text, tree, frozenset(seen.names), frozenset(seen.paths))


def parse(text: str, vocabulary: Vocabulary) -> ast.expr:
    """The checked syntax tree: symbols as string constants, abbreviations expanded, names as `Name`."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise PredicateError(f"{error.msg} at column {error.offset} of `{text}`") from None
    return _Checker(text, vocabulary).check(tree)


class _Checker:
    """Turns Python's tree into the restricted one, or raises."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary

    def fail(self, node: ast.AST, what: str) -> PredicateError:
        return PredicateError(f"{what} at column {getattr(node, 'col_offset', 0) + 1} of `{self.text}`")

    def check(self, node: ast.expr) -> ast.expr:
        method: Callable[[Any], ast.expr] | None = getattr(self, f"check_{type(node).__name__.lower()}", None)
        if method is None:
            raise self.fail(node, f"{type(node).__name__} is not part of the predicate language")
        return ast.copy_location(method(node), node)

    def check_constant(self, node: ast.Constant) -> ast.expr:
        if node.value is None:
            return ast.Constant("None")
        if isinstance(node.value, bool | int | str):
            return node
        raise self.fail(node, f"literal {node.value!r} is neither an integer nor a name")

    def check_name(self, node: ast.Name) -> ast.expr:
        words = self.vocabulary
        if node.id in words.defines:
            return words.defines[node.id]
        if node.id in words.names or node.id in ALWAYS_KNOWN:
            return node
        if node.id in words.symbols or node.id in SYMBOLS:
            return ast.Constant(node.id)
        known = words.names | words.symbols | SYMBOLS | ALWAYS_KNOWN | frozenset(words.defines)
        raise self.fail(node, f"unknown name {node.id!r}{nearest(node.id, known)}")

    def check_attribute(self, node: ast.Attribute) -> ast.expr:
        if not isinstance(node.value, ast.Name) or node.value.id not in self.vocabulary.names:
            owner = ast.unparse(node.value)
            raise self.fail(node, f"{owner!r} is not an operand{nearest(owner, self.vocabulary.names)}")
        if node.attr not in ATTRIBUTES:
            raise self.fail(node, f"unknown attribute {node.attr!r}{nearest(node.attr, ATTRIBUTES)}")
        return node

    def check_subscript(self, node: ast.Subscript) -> ast.expr:
        if not isinstance(node.value, ast.Attribute) or node.value.attr not in INDEXED:
            raise self.fail(node, f"only {', '.join(sorted(INDEXED))} have an index")
        index = node.slice
        if not isinstance(index, ast.Constant) or index.value not in range(6):
            raise self.fail(index, "an index is a literal from 0 to 5")
        return ast.Subscript(self.check(node.value), index, ast.Load())

    def check_boolop(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, [self.check(v) for v in node.values])

    def check_unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if not isinstance(node.op, ast.Not | ast.USub):
            raise self.fail(node, f"unary {type(node.op).__name__} is not part of the predicate language")
        operand = self.check(node.operand)
        if isinstance(node.op, ast.USub) and isinstance(operand, ast.Constant) and isinstance(operand.value, int):
            return ast.Constant(-operand.value)
        return ast.UnaryOp(node.op, operand)

    def check_binop(self, node: ast.BinOp) -> ast.expr:
        if type(node.op) not in _ARITHMETIC:
            raise self.fail(node, f"operator {type(node.op).__name__} is not part of the predicate language")
        return ast.BinOp(self.check(node.left), _ARITHMETIC[type(node.op)][1](), self.check(node.right))

    def check_compare(self, node: ast.Compare) -> ast.expr:
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn) and not isinstance(right, ast.Set | ast.Tuple | ast.List):
                raise self.fail(right, "the right side of `in` is a set literal")
            if not isinstance(op, ast.In | ast.NotIn) and type(op) not in _COMPARISONS:
                raise self.fail(node, f"comparison {type(op).__name__} is not part of the predicate language")
        return ast.Compare(self.check(node.left), node.ops, [self.check(c) for c in node.comparators])

    def check_ifexp(self, node: ast.IfExp) -> ast.expr:
        return ast.IfExp(self.check(node.test), self.check(node.body), self.check(node.orelse))

    def check_tuple(self, node: ast.Tuple | ast.Set | ast.List) -> ast.expr:
        return ast.Tuple([self.check(e) for e in node.elts], ast.Load())

    check_set = check_list = check_tuple

    def check_call(self, node: ast.Call) -> ast.expr:
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
            name = ast.unparse(node.func)
            raise self.fail(node, f"unknown function {name!r}{nearest(name, FUNCTIONS)}")
        name, args = node.func.id, [self.check(a) for a in node.args]
        wanted = VALUE_FUNCTIONS[name][0] if name in VALUE_FUNCTIONS else 1
        if (name in ("min", "max") and len(args) < 2) or (name not in ("min", "max") and len(args) != wanted):
            raise self.fail(node, f"{name} takes {'two or more' if name in ('min', 'max') else wanted} argument(s)")
        if name in NAME_FUNCTIONS and not isinstance(args[0], ast.Name):
            raise self.fail(node, f"{name} takes an operand's name")
        return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def _collect(node: ast.expr, seen: _Names) -> None:
    """Adds the operands, parameters and attributes that `node` reads."""
    if isinstance(node, ast.Constant):
        return
    if isinstance(node, ast.Name):
        if node.id not in ALWAYS_KNOWN:
            seen.names.add(node.id)
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        seen.paths.add((node.value.id, node.attr))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "numel":
        argument = node.args[0]
        if isinstance(argument, ast.Name):
            seen.paths.update({(argument.id, "valid_row"), (argument.id, "valid_col")})
    for child in node.args if isinstance(node, ast.Call) else _children(node):
        _collect(child, seen)


def _children(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions directly below `node`; quicker than `ast.iter_child_nodes`, which start-up would feel."""
    for name in node._fields:
        value = getattr(node, name)
        if isinstance(value, ast.expr):
            yield value
        elif isinstance(value, list):
            yield from (v for v in value if isinstance(v, ast.expr))


# ---------------------------------------------------------------- code


_GLOBALS: dict[str, Any] = {f"f_{name}": function for name, (_, function) in VALUE_FUNCTIONS.items()}
_GLOBALS |= {"INT": INT_OPS, "__builtins__": {}, "min": min, "max": max, "abs": abs}


def _function(body: ast.expr, parameters: tuple[str, ...]) -> Callable[..., Value]:
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    tree = ast.Lambda(arguments, body)
    _locate(tree)
    function: Callable[..., Value] = eval(compile(ast.Expression(tree), "<rule>", "eval"), _GLOBALS)
    return function


def _locate(node: ast.expr) -> None:
    """The positions that `compile` insists on; nobody sees them."""
    node.lineno, node.col_offset = 1, 0
    if isinstance(node, ast.Lambda):
        for argument in node.args.args:
            argument.lineno, argument.col_offset = 1, 0
    for child in _children(node):
        _locate(child)


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


class _Code(ast.NodeTransformer):
    """What native and generic code have in common: names, attributes and functions."""

    ops: ast.expr

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A copy: the checked tree stays as it is, messages are written from it."""
        return type(node)(**{name: self.copy(value) for name, value in ast.iter_fields(node)})

    def copy(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.copy(v) for v in value]
        return self.visit(value) if isinstance(value, ast.AST) else value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Subscript(_load("e"), ast.Constant(node.id), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        if name in NAME_FUNCTIONS:
            argument = node.args[0]
            assert isinstance(argument, ast.Name)
            return ast.Call(ast.Attribute(_load("e"), name, ast.Load()), [ast.Constant(argument.id)], [])
        args = [self.visit(a) for a in node.args]
        if name in OPS_FUNCTIONS:
            return ast.Call(ast.Attribute(self.ops, f"{name}_", ast.Load()), args, [])
        return ast.Call(_load(f"f_{name}"), [_load("e"), self.ops, *args], [])


class _Native(_Code):
    """Python's own operators; an unknown truth value raises and hands over to the generic code."""

    ops = _load("INT")


def _thunk(body: ast.expr) -> ast.expr:
    return ast.Lambda(ast.arguments([], [], None, [], [], None, []), body)


class _Generic(_Code):
    """Every operator is a call of the `Ops` named `o`."""

    ops = _load("o")

    def call(self, method: str, *args: ast.expr) -> ast.expr:
        return ast.Call(ast.Attribute(_load("o"), method, ast.Load()), list(args), [])

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        method = "and_" if isinstance(node.op, ast.And) else "or_"
        return self.call(method, *[_thunk(self.visit(v)) for v in node.values])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self.call("not_" if isinstance(node.op, ast.Not) else "neg", self.visit(node.operand))

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        op = ast.Constant(_ARITHMETIC[type(node.op)][0])
        return self.call("arith", op, self.visit(node.left), self.visit(node.right))

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        return self.call(
            "select", self.visit(node.test), _thunk(self.visit(node.body)), _thunk(self.visit(node.orelse))
        )

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        links, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            links.append(self.link(self.visit(left), op, self.visit(right)))
            left = right
        return links[0] if len(links) == 1 else self.call("and_", *[_thunk(link) for link in links])

    def link(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.expr:
        if isinstance(op, ast.In):
            return self.call("in_", left, right)
        if isinstance(op, ast.NotIn):
            return self.call("not_", self.call("in_", left, right))
        return self.call("compare", ast.Constant(_COMPARISONS[type(op)]), left, right)
