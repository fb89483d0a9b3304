"""What rules see of a call: its operands as facts, its template parameters as values.

`environment` builds the mapping that predicates are evaluated in. Everything a type says is a plain
value; what only a run knows (valid region of a dynamic tile, addresses, dynamic shapes, scalar
operands) comes from a `Resolve` function: the static pass gives `static_resolve`, the solver its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from ptolint.ir.model import (
    DYNAMIC,
    AddressOf,
    ArrayType,
    Call,
    Cast,
    Const,
    ConvTileType,
    Expr,
    Operand,
    OtherType,
    PointerType,
    ScalarType,
    TensorType,
    TileType,
    Type,
)
from ptolint.rulebook.ops import Value
from ptolint.rulebook.values import ABSENT, UNKNOWN, NotApplicable
from ptolint.targets import TARGETS, dtype

Resolve: TypeAlias = Callable[[Operand, str], Value]
"""The run-time value of an operand's attribute: `valid_row`, `valid_col` (elements), `addr` (bytes), `shape[i]`,
`stride[i]` (elements, i from 0 to 4), or `value` for a scalar operand. It is asked for `valid_*`, `shape[i]` and
`stride[i]` only where the type leaves them dynamic, and may answer `UNKNOWN`."""


def static_resolve(operand: Operand, attribute: str) -> Value:
    """What the operand's expression says without running anything: a constant scalar, nothing else."""
    if attribute != "value":
        return UNKNOWN
    value = operand.value
    if isinstance(value, Const) and value.value is not None:
        return value.value
    return UNKNOWN


class _Facts:
    """Facts about one operand; an attribute that its kind lacks makes a rule not apply."""

    __slots__ = ("operand", "resolve", "type")
    kind = ""

    def __getattr__(self, name: str) -> Value:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotApplicable

    def _size(self, name: str) -> Value:
        known = dtype(name)
        return UNKNOWN if known is None else known.size


class TileFacts(_Facts):
    """A tile operand: `rows`, `cols`, `valid_row`, `valid_col` in elements, `bytes` and `addr` in bytes."""

    __slots__ = (
        *("blayout", "bytes", "cols", "compact", "dtype", "fractal_size", "is_row_major", "loc", "pad", "rows"),
        *("slayout", "space", "static_valid_col", "static_valid_row"),
    )
    kind = "tile"

    def __init__(self, type_: TileType, operand: Operand | None = None, resolve: Resolve = static_resolve) -> None:
        self.type = type_
        self.operand = operand
        self.resolve = resolve
        self.loc = type_.loc
        self.dtype = type_.dtype
        self.rows = type_.rows
        self.cols = type_.cols
        self.static_valid_row = type_.valid_row
        self.static_valid_col = type_.valid_col
        self.blayout = type_.blayout
        self.slayout = type_.slayout
        self.is_row_major = type_.blayout == "RowMajor"
        self.fractal_size = type_.fractal_size
        self.compact = type_.compact
        self.pad = type_.pad
        self.space = type_.loc
        self.bytes = self.rows * self.cols * self._size(type_.dtype)

    @property
    def valid_row(self) -> Value:
        return self._dynamic("valid_row") if self.static_valid_row == DYNAMIC else self.static_valid_row

    @property
    def valid_col(self) -> Value:
        return self._dynamic("valid_col") if self.static_valid_col == DYNAMIC else self.static_valid_col

    @property
    def addr(self) -> Value:
        return self._dynamic("addr")

    def _dynamic(self, attribute: str) -> Value:
        return UNKNOWN if self.operand is None else self.resolve(self.operand, attribute)


class ConvTileFacts(_Facts):
    """A convolution tile: `bytes` is its buffer, `shape[i]` in elements (-1 where the type leaves it open), `rank`
    its number of dimensions."""

    __slots__ = ("bytes", "dtype", "layout", "loc", "rank", "shape", "space", "static_shape")
    kind = "conv_tile"

    def __init__(self, type_: ConvTileType, operand: Operand | None = None, resolve: Resolve = static_resolve) -> None:
        self.type = type_
        self.operand = operand
        self.resolve = resolve
        self.loc = type_.loc
        self.space = type_.loc
        self.dtype = type_.dtype
        self.layout = type_.layout
        self.bytes = type_.buffer_bytes
        self.rank = len(type_.shape)
        self.static_shape = Dims(type_.shape, None)
        self.shape = Dims(type_.shape, self._shape)

    def _shape(self, index: int) -> Value:
        return UNKNOWN if self.operand is None else self.resolve(self.operand, f"shape[{index}]")

    @property
    def addr(self) -> Value:
        return UNKNOWN if self.operand is None else self.resolve(self.operand, "addr")


class Dims:
    """The extents, five of a tensor and up to six of a convolution tile; dynamic ones are asked for when read."""

    __slots__ = ("_dynamic", "_static")

    def __init__(self, static: tuple[int, ...], dynamic: Callable[[int], Value] | None) -> None:
        self._static = static
        self._dynamic = dynamic

    def __getitem__(self, index: int) -> Value:
        if index >= len(self._static):
            raise NotApplicable
        value = self._static[index]
        return self._dynamic(index) if value == DYNAMIC and self._dynamic is not None else value


class TensorFacts(_Facts):
    """A GlobalTensor operand: `shape[i]` and `stride[i]` in elements, outermost first."""

    __slots__ = ("dtype", "layout", "shape", "static_shape", "static_stride", "stride")
    kind = "tensor"

    def __init__(self, type_: TensorType, operand: Operand | None = None, resolve: Resolve = static_resolve) -> None:
        self.type = type_
        self.operand = operand
        self.resolve = resolve
        self.dtype = type_.dtype
        self.layout = type_.layout
        self.static_shape = Dims(type_.shape, None)
        self.static_stride = Dims(type_.stride, None)
        self.shape = Dims(type_.shape, lambda i: self._dynamic(f"shape[{i}]"))
        self.stride = Dims(type_.stride, lambda i: self._dynamic(f"stride[{i}]"))

    def _dynamic(self, attribute: str) -> Value:
        return UNKNOWN if self.operand is None else self.resolve(self.operand, attribute)


FACTS = (TileFacts, ConvTileFacts, TensorFacts)


class PipeFacts(_Facts):
    """A queue between cores (`TPipe`): `direction` by its bare name, `flag` its first flag, `slots` their number,
    `slot_bytes` the size of each."""

    __slots__ = ("direction", "flag", "slot_bytes", "slots")
    kind = "pipe"

    def __init__(self, type_: OtherType, operand: Operand | None = None, resolve: Resolve = static_resolve) -> None:
        self.type = type_
        self.operand = operand
        self.resolve = resolve
        self.flag: Value = UNKNOWN
        self.direction: Value = UNKNOWN
        self.slot_bytes: Value = UNKNOWN
        self.slots: Value = UNKNOWN
        numbers = _pipe_arguments(type_.spelling)
        if numbers is not None:
            self.flag, direction, self.slot_bytes, self.slots = numbers
            self.direction = DIRECTIONS.get(direction & 7, UNKNOWN)


DIRECTIONS = {
    1: "DIR_C2V",
    2: "DIR_V2C",
    3: "DIR_BOTH",
    4: "DIR_V2C_CTRL",
    5: "DIR_C2V_GM",
    6: "DIR_V2C_GM",
    7: "DIR_BOTH_GM",
}
_PIPE = re.compile(r"(?:pto::)?TPipe<([^,]+), ([^,]+), ([^,]+), ([^,>]+)")


def _pipe_arguments(spelling: str) -> tuple[int, ...] | None:
    """The first four template arguments of a `TPipe`; clang spells its byte-sized ones as characters."""
    found = _PIPE.match(spelling)
    if found is None:
        return None
    try:
        return tuple(_byte(text) for text in found.groups())
    except ValueError:
        return None


def _byte(text: str) -> int:
    if not text.startswith("'"):
        return int(text.rstrip("uUlL"), 0)
    character = text[1:-1].encode("latin-1").decode("unicode_escape")
    if len(character) != 1:
        raise ValueError(text)
    return ord(character)


class Env(dict[str, Value]):
    """Names to values. A name that the call's form lacks is `ABSENT`; `target` and `form` are names too."""

    __slots__ = ("computed", "target", "types")

    def __init__(self, target: str, form: str = "") -> None:
        super().__init__(target=target, form=form)
        self.target = target
        self.types: dict[str, Type] = {}
        self.computed: set[str] = set()  # operands that are no compile-time constants

    def __missing__(self, name: str) -> Value:
        return ABSENT

    def is_constant(self, name: str) -> bool:
        """Whether the call itself gives the operand or template parameter as a compile-time constant."""
        return name in self and name not in self.computed

    def dtype_of(self, name: str) -> Value:
        """The C type name of a scalar operand, of a pointer's pointee, or of a tile's or tensor's elements."""
        if name not in self.types:
            raise NotApplicable
        type_ = innermost(self.types[name])
        if isinstance(type_, ScalarType):
            return type_.name
        return getattr(type_, "dtype", UNKNOWN)


def innermost(type_: Type) -> Type:
    """The type under pointers, references and arrays."""
    while isinstance(type_, PointerType | ArrayType):
        type_ = type_.pointee if isinstance(type_, PointerType) else type_.element
    return type_


def operand_value(operand: Operand, resolve: Resolve) -> Value:
    """An operand as rules see it: facts for a tile or tensor wherever nested, else its value."""
    if _is_null(operand.value):
        return ABSENT
    facts = type_facts(operand.type, operand, resolve)
    if facts is not None:
        return facts
    return resolve(operand, "value")


def type_facts(type_: Type, operand: Operand | None = None, resolve: Resolve = static_resolve) -> Value | None:
    """Facts of a tile or tensor type; None for any other type."""
    type_ = innermost(type_)
    if isinstance(type_, TileType):
        return TileFacts(type_, operand, resolve)
    if isinstance(type_, TensorType):
        return TensorFacts(type_, operand, resolve)
    if isinstance(type_, ConvTileType):
        return ConvTileFacts(type_, operand, resolve)
    if isinstance(type_, OtherType) and _PIPE.match(type_.spelling):
        return PipeFacts(type_, operand, resolve)
    return None


def _is_null(value: Expr) -> bool:
    while isinstance(value, Cast | AddressOf):
        value = value.operand if isinstance(value, Cast) else value.base
    return isinstance(value, Const) and value.value is None


def _template_value(value: Const | Type) -> Value:
    if isinstance(value, Const):
        return value.value if value.value is not None else ABSENT
    if isinstance(value, ScalarType):
        return value.name
    facts = type_facts(value)
    return UNKNOWN if facts is None else facts


def environment(call: Call, target: str, form: str = "", resolve: Resolve = static_resolve) -> Env:
    """The environment of a call of form `form` on `target`; `resolve` supplies what only a run knows."""
    if target not in TARGETS:
        raise KeyError(target)
    env = Env(target, form)
    for name, value in call.template:
        env[name] = _template_value(value)
    for operand in call.operands:
        env[operand.name] = operand_value(operand, resolve)
        env.types[operand.name] = operand.type
        if not isinstance(operand.value, Const):
            env.computed.add(operand.name)
    return env
