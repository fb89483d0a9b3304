"""Objects from their types: what constructors and declarations make."""

from __future__ import annotations

from collections.abc import Iterator

from ptolint.executor.errors import ExecutorError, LimitError
from ptolint.executor.scalars import convert
from ptolint.executor.values import Dims, Struct, Tensor, Tile, Undefined, Value
from ptolint.ir.model import (
    DYNAMIC,
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

MAX_ARRAY = 1 << 16  # elements


def default(type_: Type) -> Value:
    """The object that a declaration without initialiser makes; scalars and pointers stay undefined."""
    if isinstance(type_, (TileType, ConvTileType, DimsType, TensorType, StructType)):
        return construct(type_, [])
    if isinstance(type_, ArrayType):
        return [default(type_.element) for _ in range(_length(type_))]
    return Undefined("a variable is read before it is set")


def construct(type_: Type, args: list[Value]) -> Value:
    """An object of `type_` from constructor arguments, as described at `ptolint.ir.model.Construct`."""
    if len(args) == 1 and type(args[0]) in (Tile, Tensor, Dims, Struct) and args[0].type == type_:
        return args[0]
    if isinstance(type_, TileType):
        return _tile(type_, args)
    if isinstance(type_, ConvTileType):
        return _conv_tile(type_, args)
    if isinstance(type_, TensorType):
        return _tensor(type_, args)
    if isinstance(type_, DimsType):
        return Dims(type_, fill_dims(type_.static, args))
    if isinstance(type_, ArrayType):
        return _array(type_, args)
    if isinstance(type_, StructType):
        return _struct(type_, args)
    if isinstance(type_, (ScalarType, PointerType)):
        return _scalar(type_, args)
    return Undefined(f"an object of type {type_.spelling}")


def _scalar(type_: ScalarType | PointerType, args: list[Value]) -> Value:
    if not args:
        return None if isinstance(type_, PointerType) else convert(0, type_)
    return convert(args[0], type_) if isinstance(args[0], (int, float)) else args[0]


def _tile(type_: TileType, args: list[Value]) -> Tile:
    given = iter(args)
    return Tile(
        type_,
        {
            "valid_row": _valid(type_.valid_row, given, "rows"),
            "valid_col": _valid(type_.valid_col, given, "columns"),
            "addr": None,
        },
    )


def _valid(static: int, given: Iterator[Value], what: str) -> Value:
    if static != DYNAMIC:
        return static
    value = next(given, Undefined(f"the valid {what} of a tile were never set"))
    return value & 0xFFFFFFFF if isinstance(value, int) else value  # the constructor takes them as unsigned


def _conv_tile(type_: ConvTileType, args: list[Value]) -> Tile:
    return Tile(type_, {"shape": fill_dims(type_.shape, args), "addr": None})


def fill_dims(static: tuple[int, ...], args: list[Value]) -> list[Value]:
    """Static dimensions, with the dynamic ones (1 unless given) from `args`: in order, or one for every dimension."""
    if len(args) == 1 and isinstance(args[0], Dims):
        args = list(args[0].items)
    if len(args) == len(static):
        return [a if s == DYNAMIC else s for s, a in zip(static, args, strict=True)]
    given = iter(args)
    return [next(given, 1) if s == DYNAMIC else s for s in static]


def _tensor(type_: TensorType, args: list[Value]) -> Tensor:
    dims = [a for a in args[1:] if isinstance(a, (Dims, list))]
    shape = next((d for d in dims if not isinstance(d, Dims) or d.type.kind == "shape"), None)
    stride = next((d for d in dims if d is not shape), None)
    return Tensor(
        type_,
        {
            "ptr": args[0] if args else None,
            "shape": fill_dims(type_.shape, _items(shape)),
            "stride": fill_dims(type_.stride, _items(stride)),
        },
    )


def _items(dims: Value) -> list[Value]:
    if dims is None:
        return []
    return list(dims.items) if isinstance(dims, Dims) else list(dims)


def _array(type_: ArrayType, args: list[Value]) -> list[Value]:
    length = _length(type_)
    if len(args) > length > 0:
        raise ExecutorError(f"{len(args)} initialisers for an array of {length}")
    missing = [_zero(type_.element) for _ in range(length - len(args))]
    return list(args) + missing


def _length(type_: ArrayType) -> int:
    if type_.length > MAX_ARRAY:
        raise LimitError(f"an array of {type_.length} elements is more than the machine holds")
    return type_.length


def _zero(type_: Type) -> Value:
    return construct(type_, []) if not isinstance(type_, ScalarType) else convert(0, type_)


def _struct(type_: StructType, args: list[Value]) -> Struct:
    fields = {name: default(field_type) for name, field_type in type_.fields}
    for (name, _), value in zip(type_.fields, args, strict=False):
        fields[name] = value
    return Struct(type_, fields)
