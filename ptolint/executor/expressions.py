"""Expressions of the IR: values and places."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ptolint.executor.construct import construct, default
from ptolint.executor.dtypes import element
from ptolint.executor.errors import ExecutorError
from ptolint.executor.machine import SPACES, Machine, object_size
from ptolint.executor.memory import Pointer
from ptolint.executor.scalars import COMPARISONS, binary, convert, maths, unary
from ptolint.executor.values import Dims, Place, Struct, Tensor, Tile, Undefined, Value
from ptolint.executor.window import Window
from ptolint.ir.model import (
    AddressOf,
    Binary,
    Builtin,
    Call,
    Cast,
    Const,
    Construct,
    Deref,
    Expr,
    Field,
    Index,
    Invoke,
    PointerType,
    Ref,
    ScalarType,
    Select,
    Type,
    Unary,
    Unknown,
)

_POSITION = {
    "get_block_idx": "block",
    "get_block_num": "blocks",
    "get_subblockid": "subblock",
    "get_subblockdim": "subblocks",
}
SPECIAL_VARIABLES = {"block_idx": "block", "block_num": "blocks"}  # the device's registers as the headers spell them


class MemoryPlace(Place):
    """A scalar in a memory, reached through a pointer."""

    __slots__ = ("machine", "pointer", "type")

    def __init__(self, machine: Machine, pointer: Pointer, type_: Type) -> None:
        super().__init__(None, None)
        self.machine, self.pointer, self.type = machine, pointer, type_

    def _window(self) -> Window:
        import numpy as np

        name = self.type.name if isinstance(self.type, ScalarType) else "int64_t"
        zero = np.zeros(1, np.int64)
        return Window(self.pointer.memory, self.pointer.offset, zero, zero, element(name), "pointer")

    def get(self) -> Value:
        window = self._window()
        value = window.element.decode(window.read(self.machine.log))[0, 0]
        return float(value) if window.element.is_float else int(value)

    def set(self, value: Value) -> None:
        import numpy as np

        value, window = known(value), self._window()
        dtype = np.float32 if window.element.is_float else np.uint64
        number = value if window.element.is_float else int(value) & (1 << 64) - 1
        window.write(window.element.encode(np.array([[number]], dtype)), self.machine.log)


class BitsPlace(Place):
    """A number seen through a pointer to another type of the same width: its bits, read as that type."""

    __slots__ = ("formats", "place")

    def __init__(self, place: Place, formats: tuple[str, str]) -> None:
        super().__init__(None, None)
        self.place, self.formats = place, formats

    def get(self) -> Value:
        stored, seen = self.formats
        return struct.unpack(seen, struct.pack(stored, self.place.get()))[0]

    def set(self, value: Value) -> None:
        stored, seen = self.formats
        self.place.set(struct.unpack(stored, struct.pack(seen, value))[0])


def punned(place: Place, type_: Type) -> Place:
    """`place` as an object of `type_`: its bits where a float is seen as an integer or the other way round."""
    value = place.get()
    if not isinstance(type_, ScalarType) or isinstance(value, bool) or not isinstance(value, (int, float)):
        return place
    if isinstance(value, float) == (type_.kind == "float"):
        return place
    floats, ints = {32: "<f", 64: "<d"}, {32: "<i", 64: "<q"} if type_.signed else {32: "<I", 64: "<Q"}
    if type_.bits not in floats:
        raise ExecutorError(f"a number seen as {type_.name} through a pointer has no model")
    kinds = floats[type_.bits], ints[type_.bits]
    return BitsPlace(place, kinds if isinstance(value, float) else kinds[::-1])


class Evaluator:
    """Evaluates expressions in an environment of places by variable id."""

    def __init__(self, machine: Machine, enums: dict[str, dict[str, int]] | None = None) -> None:
        self.machine = machine
        self.enums = enums or {}
        self.env: dict[int, Place] = {}

    def invoke(self, function_id: str, args: tuple[Expr, ...]) -> Value:
        """Runs a user's function; the interpreter implements it."""
        raise NotImplementedError

    def default(self, type_: Type, name: str) -> Value:
        """What a declaration without initialiser makes."""
        return self._name(default(type_), name)

    def value(self, e: Expr) -> Value:
        """The value of an expression; `Undefined` where the front end could not follow."""
        return _VALUES[type(e)](self, e)

    def number(self, e: Expr) -> Any:
        """The value of an expression that has to be known; raises `ExecutorError` when it is not."""
        return known(self.value(e))

    def truth(self, e: Expr) -> bool:
        """A condition."""
        return bool(self.number(e))

    def operands(self, call: Call) -> dict[str, Value]:
        """The operands of an instruction by name; objects themselves, not copies."""
        values: dict[str, Value] = {}
        for operand in call.operands:
            value = self.value(operand.value)
            if isinstance(value, Place):  # a pointer to a tile
                value = value.get()
            if isinstance(operand.value, Cast) and isinstance(value, int):
                self._report_cut(operand.name, operand.value, value)
            values[operand.name] = value
        return values

    def _report_cut(self, name: str, cast: Cast, value: int) -> None:
        """An implicit conversion of an operand that changes its value is a fault; an explicit one is meant."""
        given = None if cast.explicit else self.value(cast.operand)
        if isinstance(given, int) and given != value and isinstance(cast.type, ScalarType):
            text = f"{name} = {given} becomes {value} in {cast.type.name}"
            self.machine.log.add("truncated", text, operand=name, given=given, value=value)

    def _name(self, value: Value, name: str) -> Value:
        if isinstance(value, (Tile, Tensor)):
            value.name = name
            if isinstance(value, Tile):
                self.machine.tiles.append(value)
        elif isinstance(value, list):
            for i, item in enumerate(value):
                self._name(item, f"{name}[{i}]")
        return value

    def fitted(self, value: Value, target: Expr) -> Value:
        """A value converted to the place it is stored in (a tile's valid region is unsigned, 32 bits)."""
        if isinstance(target, Field) and target.name in ("valid_row", "valid_col") and isinstance(value, int):
            return value & 0xFFFFFFFF
        return convert(value, target.type) if isinstance(value, (int, float)) else value

    # ------------------------------------------------------------ places

    def place_of(self, e: Expr) -> Place:
        """The place an argument denotes; a temporary for a value."""
        if isinstance(e, (Ref, Index, Field, Deref)):
            return self.place(e)
        return Place([self.value(e)], 0)

    def place(self, e: Expr) -> Place:
        """The place of an lvalue expression."""
        if isinstance(e, Ref):
            if e.var.name in SPECIAL_VARIABLES:
                return Place([getattr(self.machine.position, SPECIAL_VARIABLES[e.var.name])], 0)
            if e.var.id not in self.env:
                raise ExecutorError(f"variable {e.var.name} is used before its declaration was seen")
            return self.env[e.var.id]
        if isinstance(e, Field):
            return self._field_place(e)
        if isinstance(e, Index):
            return self._index_place(e)
        if isinstance(e, Deref):
            return self._pointed(self.number(e.base), e.type)
        if isinstance(e, Select):
            return self.place_of(e.then if self.truth(e.cond) else e.other)
        return Place([self.value(e)], 0)

    def _field_place(self, e: Field) -> Place:
        base = known(self.value(e.base))
        if isinstance(base, Place):
            base = base.get()
        if isinstance(base, (Tile, Tensor, Struct)):
            if e.name not in base.fields and not isinstance(base, Tensor):
                base.fields[e.name] = Undefined(f"field {e.name} was never set")
            return Place(base.fields, e.name)
        raise ExecutorError(f"field {e.name} of a value that is no object")

    def _index_place(self, e: Index) -> Place:
        base, index = known(self.value(e.base)), known(self.value(e.index))
        if isinstance(base, (int, float)):  # C lets `i[array]` stand for `array[i]`
            base, index = index, base
        index = int(index)
        if isinstance(base, Dims):
            base = base.items
        if isinstance(base, list):
            if not 0 <= index < len(base):
                raise ExecutorError(f"index {index} outside an array of {len(base)}")
            return Place(base, index)
        if isinstance(base, Pointer):
            return self._pointed(base.moved(index * object_size(e.type)), e.type)
        if isinstance(base, Place) and isinstance(base.key, int):
            return Place(base.container, base.key + index)
        raise ExecutorError("an index into a value that is no array")

    def _pointed(self, pointer: Value, type_: Type) -> Place:
        if isinstance(pointer, Pointer):
            return MemoryPlace(self.machine, pointer, type_)
        if isinstance(pointer, Place):
            return punned(pointer, type_)
        raise ExecutorError("a null or unknown pointer is dereferenced")

    # ------------------------------------------------------------ values

    def _const(self, e: Const) -> Value:
        return e.value

    def _load(self, e: Ref | Index | Field | Deref) -> Value:
        return self.place(e).get()

    def _field(self, e: Field) -> Value:
        value = self.place(e).get()
        if e.name == "addr" and isinstance(e.type, PointerType) and isinstance(value, int):
            tile = known(self.value(e.base))  # `tile.data()`: the address in the tile's own memory
            return Pointer(self.machine.memory(tile.type.loc), value)
        return value

    def _address_of(self, e: AddressOf) -> Value:
        place = self.place_of(e.base)
        return place.pointer if isinstance(place, MemoryPlace) else Place(place.container, place.key)

    def _unary(self, e: Unary) -> Value:
        value = self.value(e.operand)
        return value if isinstance(value, Undefined) else unary(e.op, value, e.type)

    def _binary(self, e: Binary) -> Value:
        left = self.value(e.left)
        if e.op in ("&&", "||"):
            if isinstance(left, Undefined):
                return left
            if bool(left) is (e.op == "||"):
                return e.op == "||"
            right = self.value(e.right)
            return right if isinstance(right, Undefined) else bool(right)
        right = self.value(e.right)
        for side in (left, right):
            if isinstance(side, Undefined):
                return side
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            return binary(e.op, left, right, e.type)
        return self._binary_objects(e, left, right)

    def _binary_objects(self, e: Binary, left: Value, right: Value) -> Value:
        if isinstance(left, Pointer) and isinstance(right, int) and e.op in ("+", "-"):
            return left.moved((right if e.op == "+" else -right) * _scale(e.left.type))
        if isinstance(right, Pointer) and isinstance(left, int) and e.op == "+":
            return right.moved(left * _scale(e.right.type))
        if isinstance(left, Pointer) and isinstance(right, Pointer) and left.memory is right.memory:
            if e.op == "-":
                return (left.offset - right.offset) // _scale(e.left.type)
            return COMPARISONS[e.op](left.offset, right.offset)
        if isinstance(left, Place) and isinstance(right, int) and e.op in ("+", "-"):
            return Place(left.container, left.key + (right if e.op == "+" else -right))
        if e.op in ("==", "!="):
            same = left == right if isinstance(left, str) and isinstance(right, str) else left is right
            return same is (e.op == "==")
        raise ExecutorError(f"operator {e.op} on these values has no model")

    def _cast(self, e: Cast) -> Value:
        value = self.value(e.operand)
        if isinstance(value, (int, float)):
            if isinstance(e.type, PointerType):
                return self._pointer_at(int(value), e.type)
            return self._member(value, e.type) if _is_enum(e.type) else convert(value, e.type)
        if isinstance(value, Pointer) and isinstance(e.type, ScalarType) and value.memory.space != "gm":
            return convert(value.offset, e.type)  # an on-chip address is a plain number
        if isinstance(value, str) and not _is_enum(e.type):
            return self._enum_value(value, e.operand.type)
        return value

    def _enum_value(self, member: str, type_: Type) -> Value:
        name = type_.name if isinstance(type_, ScalarType) else ""
        number = self.enums.get(name, {}).get(member)
        return Undefined(f"the value of {member}") if number is None else number

    def _member(self, number: int | float, type_: Type) -> Value:
        members = self.enums.get(type_.name, {}) if isinstance(type_, ScalarType) else {}
        return next((name for name, value in members.items() if value == number), number)

    def _pointer_at(self, address: int, type_: PointerType) -> Value:
        if type_.space in SPACES:
            return Pointer(self.machine.memory(SPACES[type_.space]), address)
        return None if address == 0 else Undefined("a pointer made from a number")

    def _select(self, e: Select) -> Value:
        return self.value(e.then if self.truth(e.cond) else e.other)

    def _builtin(self, e: Builtin) -> Value:
        if e.name in _POSITION:
            return getattr(self.machine.position, _POSITION[e.name])
        args = [self.value(a) for a in e.args]
        undefined = next((a for a in args if isinstance(a, Undefined)), None)
        return undefined if undefined is not None else maths(e.name, args, e.type)

    def _construct(self, e: Construct) -> Value:
        return construct(e.type, [self.value(a) for a in e.args])

    def _invoke(self, e: Invoke) -> Value:
        return self.invoke(e.function, e.args)

    def _unknown(self, e: Unknown) -> Value:
        name = e.reason.removeprefix("result of ")
        return self.machine.results.get(name, Undefined(e.reason))


def known(value: Value) -> Value:
    """`value`, or an `ExecutorError` with the reason when it is undefined."""
    if isinstance(value, Undefined):
        raise ExecutorError(value.reason)
    return value


def _is_enum(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind == "enum"


def _scale(type_: Type) -> int:
    return object_size(type_.pointee) if isinstance(type_, PointerType) else 1


_VALUES: dict[type, Callable[[Evaluator, Any], Value]] = {
    Const: Evaluator._const,
    Ref: Evaluator._load,
    Index: Evaluator._load,
    Field: Evaluator._field,
    Deref: Evaluator._load,
    AddressOf: Evaluator._address_of,
    Unary: Evaluator._unary,
    Binary: Evaluator._binary,
    Cast: Evaluator._cast,
    Select: Evaluator._select,
    Builtin: Evaluator._builtin,
    Construct: Evaluator._construct,
    Invoke: Evaluator._invoke,
    Unknown: Evaluator._unknown,
}
