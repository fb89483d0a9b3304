"""A program as text: C-like, with resolved types, constants and template arguments.

What was not understood is marked `???` with the reason, so that a reader sees at once what no check covers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ptolint.ir import model as ir

INDENT = "    "

_PRECEDENCE = {
    "*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7, "==": 6, "!=": 6,
    "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1,
}  # fmt: skip
_UNARY, _PRIMARY = 11, 12


def format_type(type_: ir.Type) -> str:
    """A type in C++ notation; dimensions known at run time only print as `?`."""
    match type_:
        case ir.ScalarType():
            return type_.name
        case ir.TileType():
            return _tile(type_)
        case ir.ConvTileType():
            return f"ConvTile<{type_.loc}, {type_.dtype}, {type_.buffer_bytes}, {type_.layout}, {_dims(type_.shape)}>"
        case ir.TensorType():
            shape, stride = _dims(type_.shape), _dims(type_.stride)
            return f"GlobalTensor<{type_.dtype}, Shape<{shape}>, Stride<{stride}>, {type_.layout}>"
        case ir.DimsType():
            return f"{type_.kind.capitalize()}<{_dims(type_.static)}>"
        case ir.PointerType():
            space = f"__{type_.space}__ " if type_.space else ""
            return f"{space}{format_type(type_.pointee)} *"
        case ir.ArrayType():
            return f"{format_type(type_.element)}[{type_.length}]"
        case ir.StructType():
            return type_.name
        case ir.OtherType():
            return type_.spelling


def _tile(t: ir.TileType) -> str:
    parts = [t.loc, t.dtype, str(t.rows), str(t.cols), t.blayout, _dim(t.valid_row), _dim(t.valid_col)]
    rest = [t.slayout, str(t.fractal_size), t.pad, t.compact]
    defaults = ["NoneBox", "512", "Null", "Null"]
    while rest and rest[-1] == defaults[len(rest) - 1]:
        rest.pop()
    return f"Tile<{', '.join(parts + rest)}>"


def _dim(value: int) -> str:
    return "?" if value == ir.DYNAMIC else str(value)


def _dims(values: Iterable[int]) -> str:
    return ", ".join(map(_dim, values))


# ---------------------------------------------------------------- expressions


def format_expr(expr: ir.Expr) -> str:
    """An expression with the brackets it needs."""
    return _expr(expr)[0]


def _inner(expr: ir.Expr, least: int) -> str:
    text, precedence = _expr(expr)
    return text if precedence >= least else f"({text})"


def _list(values: Iterable[ir.Expr]) -> str:
    return ", ".join(format_expr(v) for v in values)


def _constant(expr: ir.Const) -> str:
    value = expr.value
    if value is None:
        return "nullptr"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value if isinstance(expr.type, ir.ScalarType | ir.OtherType) else f'"{value}"'
    return str(value)


def _expr(expr: ir.Expr) -> tuple[str, int]:
    """The text of an expression and how tightly it binds."""
    match expr:
        case ir.Const():
            return _constant(expr), _PRIMARY
        case ir.Ref():
            return expr.var.name, _PRIMARY
        case ir.Index():
            return f"{_inner(expr.base, _PRIMARY)}[{format_expr(expr.index)}]", _PRIMARY
        case ir.Field():
            return f"{_inner(expr.base, _PRIMARY)}.{expr.name}", _PRIMARY
        case ir.Deref():
            return f"*{_inner(expr.base, _UNARY)}", _UNARY
        case ir.AddressOf():
            return f"&{_inner(expr.base, _UNARY)}", _UNARY
        case ir.Unary():
            return f"{expr.op}{_inner(expr.operand, _UNARY)}", _UNARY
        case ir.Binary():
            level = _PRECEDENCE.get(expr.op, 0)
            return f"{_inner(expr.left, level)} {expr.op} {_inner(expr.right, level + 1)}", level
        case _:
            return _compound_expr(expr)


def _compound_expr(expr: ir.Expr) -> tuple[str, int]:
    match expr:
        case ir.Cast():
            # an implicit conversion that can change the value is as important as a written one: both show
            mark = "" if expr.explicit else " /* implicit */"
            return f"({format_type(expr.type)}{mark}){_inner(expr.operand, _UNARY)}", _UNARY
        case ir.Select():
            return f"{_inner(expr.cond, 1)} ? {_inner(expr.then, 1)} : {_inner(expr.other, 0)}", 0
        case ir.Builtin():
            return f"{expr.name}({_list(expr.args)})", _PRIMARY
        case ir.Construct():
            return f"{format_type(expr.type)}{{{_list(expr.args)}}}", _PRIMARY
        case ir.Invoke():
            return f"{expr.function}({_list(expr.args)})", _PRIMARY
        case ir.Unknown():
            return f"??? {expr.reason} ???", _PRIMARY
        case _:
            return f"??? {type(expr).__name__} ???", _PRIMARY


# ---------------------------------------------------------------- statements


def format_statements(statements: Iterable[ir.Stmt], depth: int = 1) -> list[str]:
    """The lines of a sequence of statements at an indentation depth."""
    lines: list[str] = []
    for statement in statements:
        lines += _FORMATS[type(statement)](statement, depth)
    return lines


def _line(depth: int, text: str) -> list[str]:
    return [INDENT * depth + text]


def _braces(head: str, body: Iterable[ir.Stmt], depth: int) -> list[str]:
    return [f"{INDENT * depth}{head}{{", *format_statements(body, depth + 1), INDENT * depth + "}"]


def _let(s: ir.Let, depth: int) -> list[str]:
    name = f"&{s.var.name}" if s.var.by_ref else s.var.name
    value = "" if s.value is None else f" = {format_expr(s.value)}"
    return _line(depth, f"{format_type(s.var.type)} {name}{value};")


def _call(s: ir.Call, depth: int) -> list[str]:
    arguments = ", ".join(f"{name}={_template_value(value)}" for name, value in s.template)
    template = f"<{arguments}>" if arguments else ""
    operands = ", ".join(f"{o.name}: {format_expr(o.value)}" for o in s.operands)
    problem = f"  ??? {s.problem}" if s.problem else ""
    return _line(depth, f"{s.instruction}{template}({operands});  // line {s.span.line}{problem}")


def _template_value(value: ir.Const | ir.Type) -> str:
    return _constant(value) if isinstance(value, ir.Const) else format_type(value)


def _if(s: ir.If, depth: int) -> list[str]:
    lines = _braces(f"if ({format_expr(s.cond)}) ", s.then, depth)
    if s.other:
        lines[-1] += " else {"
        lines += [*format_statements(s.other, depth + 1), INDENT * depth + "}"]
    return lines


def _loop(s: ir.Loop, depth: int) -> list[str]:
    if s.post_test:
        lines = _braces("do ", (*s.body, *s.head), depth)
        lines[-1] += f" while ({format_expr(s.cond)});"
        return lines
    if s.head:
        test = f"{INDENT * (depth + 1)}if (!({format_expr(s.cond)})) break;"
        lines = [INDENT * depth + "while (true) {", *format_statements(s.head, depth + 1), test]
        return [*lines, *format_statements((*s.body, *s.step), depth + 1), INDENT * depth + "}"]
    if not s.step:
        return _braces(f"while ({format_expr(s.cond)}) ", s.body, depth)
    step = " ".join(line.strip() for line in format_statements(s.step, 0))
    return _braces(f"for (; {format_expr(s.cond)}; {step.rstrip(';')}) ", s.body, depth)


def _switch(s: ir.Switch, depth: int) -> list[str]:
    lines = _line(depth, f"switch ({format_expr(s.value)}) {{")
    for labels, body in s.cases:
        head = "default:" if labels is None else " ".join(f"case {label}:" for label in labels)
        lines += [INDENT * depth + head, *format_statements(body, depth + 1)]
    return [*lines, INDENT * depth + "}"]


def _opaque(s: ir.Opaque, depth: int) -> list[str]:
    writes = f"; may write {_list(s.writes)}" if s.writes else ""
    return _line(depth, f"??? {s.reason} (line {s.span.line}){writes}")


_FORMATS: dict[type, Callable[[Any, int], list[str]]] = {
    ir.Let: _let,
    ir.Store: lambda s, d: _line(d, f"{format_expr(s.target)} = {format_expr(s.value)};"),
    ir.Call: _call,
    ir.Evaluate: lambda s, d: _line(d, f"{format_expr(s.value)};"),
    ir.If: _if,
    ir.Loop: _loop,
    ir.Switch: _switch,
    ir.Block: lambda s, d: _braces("", s.body, d),
    ir.Break: lambda _, d: _line(d, "break;"),
    ir.Continue: lambda _, d: _line(d, "continue;"),
    ir.Return: lambda s, d: _line(d, "return;" if s.value is None else f"return {format_expr(s.value)};"),
    ir.Assume: lambda s, d: _line(d, f"assume({format_expr(s.cond)});  // {s.source}"),
    ir.Opaque: _opaque,
}


# ---------------------------------------------------------------- programs


def format_function(function: ir.Function) -> str:
    """One function instantiation with its signature and body."""
    marks = [
        name
        for name, on in (("kernel", function.is_kernel), ("device", function.is_device), ("root", function.is_root))
        if on
    ]
    head = f"// {', '.join(marks) or 'host'}; line {function.span.line}"
    parameters = ", ".join(f"{format_type(p.type)} {'&' if p.by_ref else ''}{p.name}" for p in function.params)
    signature = f"{format_type(function.returns)} {function.id}({parameters})"
    return "\n".join([head, f"{signature} {{", *format_statements(function.body), "}"])


def format_program(program: ir.Program) -> str:
    """The whole program: globals, functions in source order, notes."""
    parts = [f"// {program.file}, target {program.target}, core {program.core}"]
    if program.globals:
        parts.append("\n".join(format_statements(program.globals, 0)))
    functions = sorted(program.functions.values(), key=lambda f: (f.span, f.id))
    parts += [format_function(f) for f in functions]
    if program.notes:
        parts.append("\n".join(f"// line {n.span.line}: {n.kind}: {n.reason}" for n in program.notes))
    return "\n\n".join(parts) + "\n"
