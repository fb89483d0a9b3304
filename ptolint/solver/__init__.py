"""Decides what depends on run-time values: symbolic walk, z3, witnesses, contracts."""

from __future__ import annotations

from ptolint.solver.result import Contract, SolverOptions, SolverResult
from ptolint.solver.solve import solve

__all__ = ["Contract", "SolverOptions", "SolverResult", "solve"]
