"""Terms as text, in Python's syntax: for messages, for contracts, for debugging."""

from __future__ import annotations

from typing import Any

from ptolint.solver.terms import Term, linear_parts

_RANK = {"ite": 0, "or": 1, "and": 2, "not": 3, "cmp": 4, "lin": 5, "mul": 6, "atom": 9}


def show(x: Any) -> str:
    """`x` as a Python expression over its symbols' names."""
    return _text(x)[0]


def _wrap(x: Any, rank: int) -> str:
    text, own = _text(x)
    return text if own > rank else f"({text})"


def _text(x: Any) -> tuple[str, int]:
    if not isinstance(x, Term):
        return str(x), _RANK["atom"] if isinstance(x, bool) or x >= 0 else _RANK["mul"]
    a = x.args
    if x.op == "sym":
        return str(a[0]), _RANK["atom"]
    if x.op == "lin":
        return _sum(a[0], a[1])
    if x.op == "ite":
        return f"{_wrap(a[1], 0)} if {_wrap(a[0], 0)} else {_wrap(a[2], 0)}", _RANK["ite"]
    if x.op in ("and", "or"):
        return f" {x.op} ".join(_wrap(y, _RANK[x.op]) for y in a), _RANK[x.op]
    if x.op in ("le0", "eq0"):
        return _comparison(a[0], "<=" if x.op == "le0" else "=="), _RANK["cmp"]
    if x.op == "not":
        if a[0].op == "eq0":
            return _comparison(a[0].args[0], "!="), _RANK["cmp"]
        return f"not {_wrap(a[0], _RANK['not'])}", _RANK["not"]
    if x.op in ("min", "max"):
        return f"{x.op}({show(a[0])}, {show(a[1])})", _RANK["atom"]
    return _operation(x)


def _operation(x: Term) -> tuple[str, int]:
    a, b = x.args
    if x.op == "tdiv":  # towards zero, in terms of Python's rounding down
        return f"((abs({show(a)}) // abs({show(b)})) * (1 if ({show(a)} < 0) == ({show(b)} < 0) else -1))", _RANK[
            "atom"
        ]
    symbol = {"mul": "*", "div": "//", "mod": "%", "modv": "%", "bitand": "&"}[x.op]
    rank = _RANK["lin"] if x.op == "bitand" else _RANK["mul"]
    if x.op == "bitand":
        return f"({_wrap(a, rank)} & {_wrap(b, rank)})", _RANK["atom"]
    return f"{_wrap(a, _RANK['lin'])} {symbol} {_wrap(b, _RANK['mul'])}", rank


def _sum(const: int, items: Any) -> tuple[str, int]:
    ordered = sorted(items, key=lambda item: item[1] < 0)
    text = ""
    for atom, factor in ordered:
        size = abs(factor)
        bare = size == 1 and (factor > 0 or bool(text))
        part = _wrap(atom, _RANK["lin"]) if bare else ("" if size == 1 else f"{size} * ") + _wrap(atom, _RANK["mul"])
        sign = "-" if factor < 0 else "+"
        text = f"{text} {sign} {part}" if text else ("-" if factor < 0 else "") + part
    if const:
        text = f"{text} {'-' if const < 0 else '+'} {abs(const)}"
    single = len(items) == 1 and not const
    return text, _RANK["mul"] if single and items[0][1] > 0 else _RANK["lin"]


def _comparison(x: Term, op: str) -> str:
    """`x op 0` with the negative terms moved to the other side."""
    const, items = linear_parts(x)
    left = [(a, f) for a, f in items if f > 0]
    right = [(a, -f) for a, f in items if f < 0]
    if not left and op != "<=":
        left, right, const = right, left, -const
    if not left:
        below = const == 1 or ((const - 1) % 8 == 0 and const % 8)  # `> 64` reads better than `>= 65`
        return f"{_side(0, right)} > {const - 1}" if below else f"{_side(0, right)} >= {const}"
    if not right:
        if op == "<=" and (const == 1 or ((1 - const) % 8 == 0 and const % 8)):
            return f"{_side(0, left)} < {1 - const}"
        return f"{_side(0, left)} {op} {-const}"
    if op == "<=" and const == 1:
        return f"{_side(0, left)} < {_side(0, right)}"
    return f"{_side(max(const, 0), left)} {op} {_side(max(-const, 0), right)}"


def _side(const: int, items: list[tuple[Term, int]]) -> str:
    text, _ = _sum(const, items)
    return text
