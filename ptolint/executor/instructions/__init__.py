"""Instruction models: one function per instruction, found by name.

A model gets an `Op` (the call's operands and template arguments by their names) and changes the
machine.  A name without a model stops the run: never a wrong value.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from ptolint.executor.errors import ExecutorError, NoModelError
from ptolint.executor.instructions.registry import MODELS, NO_OPS, Model, Op, model
from ptolint.executor.machine import Machine
from ptolint.ir.model import Call

__all__ = ["MODELS", "NO_OPS", "Op", "execute", "model"]

_MODULES = (
    "sync",
    "place",
    "memory",
    "move",
    "elementwise",
    "reduce",
    "convert",
    "quantize",
    "matmul",
    "rearrange",
    "gather",
    "sort",
    "raw",
)


@cache
def load() -> None:
    """Imports every model; done once, on first use."""
    for name in _MODULES:
        import_module(f"ptolint.executor.instructions.{name}")


def execute(machine: Machine, call: Call, values: dict[str, Any], since: int = 0) -> None:
    """Carries out one call; raises `NoModelError` with the instruction's name when there is no model.

    `since` is the length of the log before the operands were evaluated.
    """
    load()
    if machine.observer is not None:
        machine.observer.before(machine, call, values, since)
    if call.instruction not in NO_OPS:
        _carry_out(machine, call, values)
    if machine.observer is not None:
        machine.observer.after(machine, call)


def _carry_out(machine: Machine, call: Call, values: dict[str, Any]) -> None:
    function = _model_of(call)
    try:
        function(Op(machine, call, values))
    except (TypeError, ValueError, IndexError, KeyError, ArithmeticError, AttributeError) as error:
        # operands that no target takes, such as a shift of floats: numpy refuses them
        raise NoModelError(f"{call.instruction} with these operands has no model ({error})") from error


def _model_of(call: Call) -> Model:
    if call.problem:
        raise ExecutorError(f"no form of {call.instruction} fits the call: {call.problem}")
    function = MODELS.get(call.instruction)
    if function is None:
        raise NoModelError(f"{call.instruction} has no model")
    return function
