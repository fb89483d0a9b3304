"""Run-time objects of the interpreter: places, tiles, tensors, arrays and structs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ptolint.executor.memory import Memory, Pointer
from ptolint.ir.model import ConvTileType, DimsType, StructType, TensorType, TileType

Value: TypeAlias = Any  # int, float, bool, str (enum member), None (nullptr), or one of the classes below

_numbers = itertools.count(1)


@dataclass(slots=True)
class Place:
    """Where a value lives: an entry of a list or dict. `by_ref` parameters and `&x` are places."""

    container: Any
    key: Any

    def get(self) -> Value:
        """The value that is there now."""
        return self.container[self.key]

    def set(self, value: Value) -> None:
        """Replaces it."""
        self.container[self.key] = value


@dataclass(slots=True, eq=False)
class Tile:
    """A tile object. `fields` holds valid_row, valid_col, addr and whatever else the kernel sets.

    `home` is the private memory of a tile that no TASSIGN placed.
    """

    type: TileType | ConvTileType
    fields: dict[str, Value]
    name: str = ""  # of the variable, where there is one
    number: int = field(default_factory=lambda: next(_numbers))
    home: Memory | None = None


@dataclass(slots=True, eq=False)
class Tensor:
    """A GlobalTensor object; `shape` and `stride` under those names in `fields`, `ptr` a Pointer or None."""

    type: TensorType
    fields: dict[str, Value]
    name: str = ""


@dataclass(slots=True, eq=False)
class Dims:
    """A Shape or Stride object: five integers."""

    type: DimsType
    items: list[int]


@dataclass(slots=True, eq=False)
class Struct:
    """An object of a user's class."""

    type: StructType
    fields: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Undefined:
    """The value of a variable that nothing set, or that the front end could not follow."""

    reason: str


def copied(value: Value) -> Value:
    """What C++'s copy of an object is: its own fields, the same memory behind pointers and tiles."""
    if isinstance(value, list):
        return [copied(v) for v in value]
    if isinstance(value, Tile):
        return Tile(value.type, _copied_fields(value.fields), value.name, value.number, value.home)
    if isinstance(value, Tensor):
        return Tensor(value.type, _copied_fields(value.fields), value.name)
    if isinstance(value, Dims):
        return Dims(value.type, list(value.items))
    if isinstance(value, Struct):
        return Struct(value.type, _copied_fields(value.fields))
    if isinstance(value, Pointer):
        return Pointer(value.memory, value.offset)
    if isinstance(value, Place):
        return Place(value.container, value.key)
    return value


def _copied_fields(fields: dict[str, Value]) -> dict[str, Value]:
    return {k: copied(v) for k, v in fields.items()}
