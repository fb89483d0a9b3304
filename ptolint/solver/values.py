"""What a variable holds on the walk: numbers, records, arrays, pointers. All values are immutable.

Numbers are `int | Term`, truth values `bool | Term`, an enum member its bare name. A tile, a tensor,
a shape or a struct is a `Record` (dims under the key "dims"), an array an `Array`. `OPAQUE` is a value
that is not modelled (floating point, events); nothing is ever concluded from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ptolint.ir.model import (
    ArrayType,
    ConvTileType,
    DimsType,
    PointerType,
    ScalarType,
    StructType,
    TensorType,
    TileType,
    Type,
)
from ptolint.solver import terms as t
from ptolint.solver.terms import Num, Term, Truth

Value: TypeAlias = Any
MAX_SLOTS = 64  # longer arrays are not followed slot by slot


class Opaque:
    """A value that is not modelled."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "OPAQUE"

    def __reduce__(self) -> str:
        return "OPAQUE"


OPAQUE = Opaque()


class Record:
    """Fields by name."""

    __slots__ = ("fields", "type")

    def __init__(self, type_: Type, fields: dict[str, Value]) -> None:
        self.type = type_
        self.fields = fields

    def with_field(self, name: str, value: Value) -> Record:
        """A copy with one field changed."""
        return Record(self.type, {**self.fields, name: value})


class Array:
    """Slots by number."""

    __slots__ = ("slots",)

    def __init__(self, slots: tuple[Value, ...]) -> None:
        self.slots = slots

    def with_slot(self, index: int, value: Value) -> Array:
        """A copy with one slot changed."""
        return Array((*self.slots[:index], value, *self.slots[index + 1 :]))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is stored: a variable and the way into it by field names and indices."""

    var: int
    path: tuple[str | int | Term, ...] = ()

    def down(self, step: str | int | Term) -> Place:
        """The place one step further in."""
        return self.into((step,))

    def into(self, path: tuple[str | int | Term, ...]) -> Place:
        """The place further in along `path`."""
        return Place(self.var, self.path + path)


@dataclass(frozen=True, slots=True)
class Choice(Place):
    """One of two places: `then` where `cond` holds, else `other`; its own variable is none."""

    cond: Term = field(kw_only=True)
    then: Place = field(kw_only=True)
    other: Place = field(kw_only=True)

    def into(self, path: tuple[str | int | Term, ...]) -> Place:
        """The same step into both places."""
        return either(self.cond, self.then.into(path), self.other.into(path))


def either(cond: Truth, then: Place, other: Place) -> Place:
    """`then` where `cond` holds, else `other`."""
    if not isinstance(cond, Term) or then == other:
        return then if cond else other
    return Choice(-1, cond=cond, then=then, other=other)


def shifted(place: Place, offset: Num) -> Place | None:
    """The place `offset` elements further on in its array; None where it is no element."""
    if isinstance(place, Choice):
        then, other = shifted(place.then, offset), shifted(place.other, offset)
        return None if then is None or other is None else either(place.cond, then, other)
    if isinstance(offset, int) and offset == 0:
        return place
    if place.path and not isinstance(place.path[-1], str):
        return Place(place.var, (*place.path[:-1], t.add(place.path[-1], offset)))
    return None


@dataclass(frozen=True, slots=True)
class Alias:
    """What a reference variable holds: the place it stands for."""

    place: Place


class Pointer:
    """An address: of a local object (`place`) or into memory behind `name`; `offset` counts elements."""

    __slots__ = ("name", "offset", "place", "type")

    def __init__(self, place: Place | None, name: str, offset: Num, type_: Type) -> None:
        self.place = place
        self.name = name
        self.offset = offset
        self.type = type_

    def same_base(self, other: Pointer) -> bool:
        """Whether both point into the same known object or memory."""
        return (self.place, self.name) == (other.place, other.name) and bool(self.place or self.name)


# ---------------------------------------------------------------- symbols for unknown values


class Symbols:
    """Makes the symbols of one walk: named inputs, and fresh ones for what is not known."""

    def __init__(self) -> None:
        self.count = 0

    def fresh(self, name: str, lo: int | None, hi: int | None, kind: str) -> Term:
        """A new symbol; the number behind its name tells it from others."""
        self.count += 1
        return t.symbol(f"{name}#{self.count}", lo, hi, kind)

    def unknown(self, type_: Type, name: str, kind: str = "opaque") -> Value:
        """An arbitrary value of `type_`: fresh symbols wherever there are numbers."""
        if isinstance(type_, ScalarType):
            return self._scalar(type_, name, kind)
        if isinstance(type_, ArrayType):
            if type_.length > MAX_SLOTS:
                return OPAQUE
            return Array(tuple(self.unknown(type_.element, f"{name}[{i}]", kind) for i in range(type_.length)))
        if isinstance(type_, StructType):
            return Record(type_, {n: self.unknown(f, f"{name}.{n}", kind) for n, f in type_.fields})
        if isinstance(type_, PointerType):
            return Pointer(None, f"{name}#{self.count}", 0, type_)
        return self._object(type_, name, kind)

    def _scalar(self, type_: ScalarType, name: str, kind: str) -> Value:
        if type_.kind == "bool":
            self.count += 1
            return t.symbol(f"{name}#{self.count}", None, None, kind, True)
        if type_.kind == "float":
            return OPAQUE
        return self.fresh(name, *type_range(type_), kind)

    def _object(self, type_: Type, name: str, kind: str) -> Value:
        def number(part: str) -> Term:
            return self.fresh(f"{name}.{part}", None, None, kind)

        if isinstance(type_, TileType):
            rows = type_.valid_row if type_.valid_row >= 0 else number("valid_row")
            cols = type_.valid_col if type_.valid_col >= 0 else number("valid_col")
            return Record(type_, {"valid_row": rows, "valid_col": cols, "addr": number("addr")})
        if isinstance(type_, DimsType):
            return Record(type_, {"dims": self.dims(type_.static, name, kind)})
        if isinstance(type_, TensorType):
            shape, stride = (
                self.dims(type_.shape, f"{name}.shape", kind),
                self.dims(type_.stride, f"{name}.stride", kind),
            )
            return Record(type_, {"ptr": OPAQUE, "shape": shape, "stride": stride})
        if isinstance(type_, ConvTileType):
            return Record(type_, {"addr": number("addr"), "shape": self.dims(type_.shape, f"{name}.shape", kind)})
        return OPAQUE

    def dims(self, static: tuple[int, ...], name: str, kind: str) -> Array:
        """Extents: static ones as they are, fresh symbols for the dynamic ones."""
        return Array(tuple(s if s >= 0 else self.fresh(f"{name}[{i}]", None, None, kind) for i, s in enumerate(static)))


def type_range(type_: ScalarType) -> tuple[int, int]:
    """The least and the greatest value of a C integer type."""
    if type_.kind == "bool":
        return 0, 1
    bits = type_.bits or 32
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_.signed else (0, (1 << bits) - 1)


# ---------------------------------------------------------------- reading, writing, merging


def is_number(value: Value) -> bool:
    """Whether `value` is a number or a truth value, plain or symbolic."""
    return isinstance(value, int | Term)


def merge(cond: Truth, a: Value, b: Value) -> Value:
    """`a` where `cond` holds, else `b`."""
    if a is b:
        return a
    if is_number(a) and is_number(b):
        return t.ite(cond, a, b)
    if isinstance(a, Record) and isinstance(b, Record) and a.type == b.type:
        return Record(a.type, {k: merge(cond, v, b.fields[k]) for k, v in a.fields.items() if k in b.fields})
    if isinstance(a, Array) and isinstance(b, Array) and len(a.slots) == len(b.slots):
        return Array(tuple(merge(cond, x, y) for x, y in zip(a.slots, b.slots, strict=True)))
    if isinstance(a, Pointer) and isinstance(b, Pointer) and a.name == b.name:
        return _merged_pointer(cond, a, b)
    if isinstance(a, Alias) and isinstance(b, Alias):
        return Alias(either(cond, a.place, b.place))
    if a == b and isinstance(a, str | float | type(None)):
        return a
    return OPAQUE


def _merged_pointer(cond: Truth, a: Pointer, b: Pointer) -> Value:
    offset = t.ite(cond, a.offset, b.offset)
    if a.place == b.place:
        return Pointer(a.place, a.name, offset, a.type)
    if a.place is None or b.place is None:
        return OPAQUE
    return Pointer(either(cond, a.place, b.place), a.name, offset, a.type)


def get(value: Value, path: tuple[str | int | Term, ...]) -> Value:
    """The part of `value` at `path`; a symbolic index chooses among all slots."""
    for depth, step in enumerate(path):
        if isinstance(step, str):
            if not isinstance(value, Record) or step not in value.fields:
                return OPAQUE
            value = value.fields[step]
            continue
        if isinstance(value, Record):
            value = value.fields.get("dims", OPAQUE)
        if not isinstance(value, Array):
            return OPAQUE
        if isinstance(step, int):
            value = value.slots[step] if 0 <= step < len(value.slots) else OPAQUE
            continue
        return _choose(value, step, path[depth + 1 :])
    return value


def _choose(array: Array, index: Term, rest: tuple[str | int | Term, ...]) -> Value:
    inside = possible(index, len(array.slots))
    if not inside:
        return OPAQUE
    result = get(array.slots[inside[-1]], rest)
    for i in reversed(inside[:-1]):
        result = merge(t.eq(index, i), get(array.slots[i], rest), result)
    return result


def possible(index: Term, length: int) -> range:
    """The slots that an index may mean; one outside the array is not considered (that would be undefined)."""
    lo = 0 if index.lo is None else max(0, index.lo)
    hi = length - 1 if index.hi is None else min(length - 1, index.hi)
    return range(lo, hi + 1)


def put(value: Value, path: tuple[str | int | Term, ...], new: Value) -> Value:
    """`value` with its part at `path` replaced."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        if not isinstance(value, Record):
            return OPAQUE
        return value.with_field(step, put(value.fields.get(step, OPAQUE), rest, new))
    if isinstance(value, Record) and "dims" in value.fields:
        return value.with_field("dims", put(value.fields["dims"], path, new))
    if not isinstance(value, Array):
        return OPAQUE
    if isinstance(step, int):
        if not 0 <= step < len(value.slots):
            return value
        return value.with_slot(step, put(value.slots[step], rest, new))
    result = value
    for i in possible(step, len(value.slots)):
        old = value.slots[i]
        result = result.with_slot(i, merge(t.eq(step, i), put(old, rest, new), old))
    return result
