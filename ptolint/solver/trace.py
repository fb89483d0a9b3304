"""How values came about on a run over plain numbers: the steps shown with a witness."""

from __future__ import annotations

from dataclasses import dataclass, field

from ptolint.ir.model import Expr, Ref
from ptolint.solver.reach import nodes


@dataclass
class Step:
    """The last assignment to a variable, or to a tile's field: `name = text = value`."""

    name: str
    text: str
    value: int
    reads: tuple[int, ...]
    order: int


@dataclass
class Trace:
    """The last step of every variable, by its id."""

    steps: dict[tuple[int, str], Step] = field(default_factory=dict)
    count: int = 0

    def record(self, var: int, name: str, part: str, text: str, value: int, reads: tuple[int, ...]) -> None:
        """Remember that a variable (or its field `part`) received `value`."""
        self.count += 1
        self.steps[(var, part)] = Step(name, text, value, reads, self.count)

    def copy(self) -> Trace:
        """The trace as it is now."""
        return Trace(dict(self.steps), self.count)

    def behind(self, variables: set[int]) -> list[Step]:
        """The steps that the values of `variables` follow from, in the order in which they happened."""
        seen: set[int] = set()
        stack = list(variables)
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
        return sorted(found.values(), key=lambda s: s.order)


def variables(*exprs: Expr | None) -> tuple[int, ...]:
    """The ids of the variables that expressions read."""
    return tuple(dict.fromkeys(n.var.id for e in exprs if e is not None for n in nodes(e) if isinstance(n, Ref)))
