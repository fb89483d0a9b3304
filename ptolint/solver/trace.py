"""How values came about on a run over plain numbers: the steps shown with a witness."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ptolint.ir.model import (
    Binary,
    Builtin,
    Cast,
    Construct,
    Deref,
    Expr,
    Field,
    Index,
    Invoke,
    Ref,
    Select,
    Unary,
    Var,
)
from ptolint.ir.printer import format_expr
from ptolint.solver.reach import nodes
from ptolint.solver.values import Array, Record, Value

MAX_STEPS = 10  # the last ones before the call
SHOWN_FIELDS = ("valid_row", "valid_col", "addr")


@dataclass(frozen=True)
class Step:
    """The last assignment to a variable or a part of one; `value` None only leads on to what it was made from."""

    name: str
    text: str
    value: int | None
    reads: tuple[int, ...]
    order: int


@dataclass
class Trace:
    """The last step of every variable and part, by variable id and part."""

    steps: dict[tuple[int, str], Step] = field(default_factory=dict)
    count: int = 0

    def record(self, target: Expr | Var, source: Expr, value: Value) -> None:
        """Remember an assignment."""
        var, part = (target, "") if isinstance(target, Var) else _split(target)
        if var is None:
            return
        if not part:
            for key in [k for k in self.steps if k[0] == var.id]:
                del self.steps[key]
        self.count += 1
        name = var.name + part
        if isinstance(value, Record):
            self._record_object(var, name, source, value)
            return
        number = int(value) if isinstance(value, int) else None
        self.steps[(var.id, part)] = Step(name, text_of(source), number, variables(source), self.count)

    def _record_object(self, var: Var, name: str, source: Expr, value: Record) -> None:
        reads = variables(source)
        self.steps[(var.id, "")] = Step(name, "", None, reads, self.count)
        args = list(source.args) if isinstance(source, Construct) else []
        dynamic = [f for f in SHOWN_FIELDS[:2] if f in value.fields]
        for i, arg in enumerate(args):
            part = dynamic[i] if len(args) == len(dynamic) and i < len(dynamic) else None
            if part is None or not isinstance(value.fields[part], int) or isinstance(value.fields.get("dims"), Array):
                continue
            number = int(value.fields[part])
            self.steps[(var.id, f".{part}")] = Step(f"{name}.{part}", text_of(arg), number, variables(arg), self.count)

    def copy(self) -> Trace:
        """The trace as it is now."""
        return Trace(dict(self.steps), self.count)

    def behind(self, roots: set[int]) -> list[Step]:
        """The steps with numbers that the variables `roots` follow from, in the order in which they happened."""
        seen: set[int] = set()
        stack = list(roots)
        found: dict[tuple[int, str], Step] = {}
        while stack:
            var = stack.pop()
            if var in seen:
                continue
            seen.add(var)
            for key, step in self.steps.items():
                if key[0] == var:
                    found[key] = step
                    stack += step.reads
        kept = [s for s in sorted(found.values(), key=lambda s: s.order) if s.value is not None and s.text != s.name]
        return kept[-MAX_STEPS:]


def _split(target: Expr) -> tuple[Var | None, str]:
    """The variable that an assignment changes, and which part of it."""
    if isinstance(target, Ref):
        return target.var, ""
    if isinstance(target, Cast):
        return _split(target.operand)
    if isinstance(target, Field | Index | Deref):
        var, part = _split(target.base)
        if isinstance(target, Field):
            return var, f"{part}.{target.name}"
        return var, f"{part}[{text_of(target.index)}]" if isinstance(target, Index) else part
    return None, ""


def variables(*exprs: Expr | None) -> tuple[int, ...]:
    """The ids of the variables that expressions read."""
    return tuple(dict.fromkeys(n.var.id for e in exprs if e is not None for n in nodes(e) if isinstance(n, Ref)))


def text_of(e: Expr) -> str:
    """An expression as its author wrote it, without the conversions that the language adds."""
    return format_expr(_bare(e))


def _bare(e: Any) -> Any:
    if isinstance(e, Cast):
        return replace(e, operand=_bare(e.operand)) if e.explicit else _bare(e.operand)
    if isinstance(e, Binary):
        return replace(e, left=_bare(e.left), right=_bare(e.right))
    if isinstance(e, Unary):
        return replace(e, operand=_bare(e.operand))
    if isinstance(e, Select):
        return replace(e, cond=_bare(e.cond), then=_bare(e.then), other=_bare(e.other))
    if isinstance(e, Builtin | Invoke | Construct):
        return replace(e, args=tuple(_bare(a) for a in e.args))
    return e
