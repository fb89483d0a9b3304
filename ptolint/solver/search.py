"""Tries plain inputs where the solver's own model of a loop was too coarse to give a witness."""

from __future__ import annotations

from itertools import product

from ptolint.solver import terms as t
from ptolint.solver.obligations import Group, Instance
from ptolint.solver.parameters import parameter_symbol
from ptolint.solver.replay import Wanted
from ptolint.solver.terms import Term, linear_parts
from ptolint.solver.verdicts import Judge, Verdict, order_of, path_conditions

MAX_RUNS = 80
USUAL = (1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64, 65, 100, 128, 129, 256, 0, -1)
KINDS = ("param", "block", "memory")


def search(judge: Judge, verdicts: list[tuple[Group, Verdict]]) -> list[tuple[Group, Verdict]]:
    """`verdicts` with warnings in place of those unknown ones that some run was seen to break."""
    pending = {
        Wanted(g.span, g.rule, g.operand): v.instance
        for g, v in verdicts
        if v.kind == "unknown" and v.instance is not None and _depends_on_loop(v.instance)
    }
    if not pending:
        return verdicts
    found: dict[Wanted, Verdict] = {}
    for values in _inputs(judge, list(pending.values())):
        left = [w for w in pending if w not in found]
        if not left or judge.steps.left <= 0:
            break
        for wanted, seen in judge.replay_all(left, values).items():
            found[wanted] = Verdict("warning", "", values, seen, pending[wanted])
    return [(g, found.get(Wanted(g.span, g.rule, g.operand), v)) for g, v in verdicts]


def _depends_on_loop(instance: Instance) -> bool:
    conds = path_conditions(instance.path, instance.cond)
    symbols = {s for c in (*conds, instance.cond) if isinstance(c, Term) for s in c.symbols}
    return any(s.args[1] == "loop" for s in symbols)


def _inputs(judge: Judge, instances: list[Instance]) -> list[dict[Term, int | bool]]:
    """Inputs to try: usual sizes and what the conditions compare with, the plainest first."""
    symbols: set[Term] = set()
    numbers: dict[int, None] = {}
    for instance in instances:
        for cond in (*path_conditions(instance.path, instance.cond), instance.cond):
            if isinstance(cond, Term):
                symbols |= {s for s in cond.symbols if s.args[1] in KINDS}
                numbers |= dict.fromkeys(_numbers(cond))
    for param in judge.entry.params:
        symbol = parameter_symbol(param)
        if symbol is not None:
            symbols.add(symbol)
    order = order_of(symbols, judge.entry)
    if not order or len(order) > 3:
        return []
    near = [v for c in sorted(numbers) if 1 < c < 5000 for v in (c - 1, c, c + 1)]
    values = list(dict.fromkeys((*USUAL, *near)))
    sides = [_allowed(s, values if len(order) == 1 else values[:12]) for s in order]
    points = sorted(product(*sides), key=lambda p: (any(v < 0 for v in p), max(map(abs, p)), sum(map(abs, p))))
    return [dict(zip(order, point, strict=True)) for point in points[:MAX_RUNS]]


def _allowed(s: Term, values: list[int]) -> list[int | bool]:
    if s.is_bool:
        return [False, True]
    return [v for v in values if (s.lo is None or s.lo <= v) and (s.hi is None or v <= s.hi)]


def _numbers(cond: Term) -> set[int]:
    found: set[int] = set()
    seen: set[Term] = set()
    stack = [cond]
    while stack:
        x = stack.pop()
        if x in seen:
            continue
        seen.add(x)
        if x.op in ("le0", "eq0"):
            found.add(abs(linear_parts(x.args[0])[0]))
        found |= {abs(a) for a in x.args if isinstance(a, int) and x.op in ("ite", "min", "max", "div", "mod")}
        stack += t.children(x)
    return found
