"""The table of models, and what a model is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ptolint.executor.errors import ExecutorError, NoModelError
from ptolint.executor.expressions import known
from ptolint.executor.machine import Machine
from ptolint.executor.operands import ConvOperand, TensorOperand, TileOperand
from ptolint.executor.values import Tensor, Tile
from ptolint.ir.model import Call, Const, ConvTileType


class Op:
    """One executed call: operands by name (or position, for names that differ between forms)."""

    def __init__(self, machine: Machine, call: Call, values: dict[str, Any]) -> None:
        self.machine, self.call, self.values = machine, call, values
        self._template = dict(call.template)

    @property
    def name(self) -> str:
        """The instruction."""
        return self.call.instruction

    def has(self, name: str) -> bool:
        """Whether the operand was given (and is no null pointer)."""
        return self.values.get(name) is not None

    def value(self, name: str) -> Any:
        """The operand's value; raises `ExecutorError` when it is absent or unknown."""
        if name not in self.values:
            raise NoModelError(f"{self.name} without operand {name} has no model")
        try:
            return known(self.values[name])
        except ExecutorError as reason:
            raise ExecutorError(f"operand {name} of {self.name} is not known: {reason}") from None

    def at(self, position: int) -> Any:
        """The operand at a position, counted from 0."""
        names = list(self.values)
        if position >= len(names):
            raise NoModelError(f"{self.name} with {len(names)} operands has no model")
        return self.value(names[position])

    def tile(self, name: str) -> TileOperand:
        """A tile operand."""
        value = self.value(name)
        if not isinstance(value, Tile):
            raise NoModelError(f"{self.name} with an operand {name} that is no tile has no model")
        return TileOperand(self.machine, value, value.name or name)

    def is_tile(self, name: str) -> bool:
        """Whether the operand is there and a tile."""
        return isinstance(self.values.get(name), Tile)

    def is_conv(self, name: str) -> bool:
        """Whether the operand is a convolution tile."""
        value = self.values.get(name)
        return isinstance(value, Tile) and isinstance(value.type, ConvTileType)

    def conv(self, name: str) -> ConvOperand:
        """A convolution tile operand."""
        return ConvOperand(self.machine, self.value(name), name)

    def tensor(self, name: str) -> TensorOperand:
        """A global tensor operand."""
        value = self.value(name)
        if not isinstance(value, Tensor):
            raise NoModelError(f"{self.name} with an operand {name} that is no global tensor has no model")
        return TensorOperand(self.machine, value, value.name or name)

    def number(self, name: str) -> int | float:
        """A scalar operand."""
        value = self.value(name)
        if isinstance(value, (bool, int, float)):
            return value
        raise NoModelError(f"{self.name} with a scalar {name} = {value!r} has no model")

    def index(self, name: str) -> int:
        """A 16-bit index operand: a larger value is cut, as the implicit conversion does."""
        return int(self.number(name)) & 0xFFFF

    def template(self, name: str, default: Any = None) -> Any:
        """A template argument: an enum member's name, a number, or a type."""
        value = self._template.get(name, default)
        return value.value if isinstance(value, Const) else value

    def choice(self, name: str, members: tuple[str, ...], default: str | None = None) -> str | None:
        """A template argument that is a member of an enum, which may come as its number."""
        value = self.template(name, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return members[value] if 0 <= value < len(members) else str(value)
        return None if value is None else str(value)

    def option(self, name: str, default: Any) -> Any:
        """An enum given as an operand or as a template argument."""
        if name in self.values:
            return self.value(name)
        return self.template(name, default)


Model: TypeAlias = Callable[[Op], None]

MODELS: dict[str, Model] = {}

# Without an effect on data: execution is in order, so waiting and flushing change nothing.
NO_OPS: set[str] = set()


def model(*names: str) -> Callable[[Model], Model]:
    """Registers a model for the instructions `names`."""

    def register(function: Model) -> Model:
        for name in names:
            MODELS[name] = function
        return function

    return register
