"""The symbols that stand for a root's parameters."""

from __future__ import annotations

from ptolint.ir.model import ScalarType, Var
from ptolint.solver import terms as t
from ptolint.solver.terms import Term
from ptolint.solver.values import type_range


def parameter_symbol(param: Var) -> Term | None:
    """The symbol of an integer or truth parameter, named like it; None for any other type."""
    if not isinstance(param.type, ScalarType):
        return None
    if param.type.kind in ("int", "enum"):
        return t.symbol(param.name, *type_range(param.type), "param")
    return t.symbol(param.name, None, None, "param", True) if param.type.kind == "bool" else None
