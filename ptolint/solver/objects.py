"""Objects made by constructors and initialisers: tiles, tensors, shapes, arrays, structs."""

from __future__ import annotations

from ptolint.ir.model import ArrayType, ConvTileType, DimsType, StructType, TensorType, TileType, Type
from ptolint.solver import terms as t
from ptolint.solver.values import MAX_SLOTS, OPAQUE, Array, Record, Symbols, Value, is_number


def construct(symbols: Symbols, type_: Type, args: list[Value]) -> Value:
    """The object that a constructor or an initialiser makes of its arguments; a single scalar as it is."""
    if isinstance(type_, TileType):
        return _tile(symbols, type_, args)
    if isinstance(type_, DimsType):
        return Record(type_, {"dims": _dims(symbols, type_.static, args)})
    if isinstance(type_, TensorType):
        return _tensor(symbols, type_, args)
    if isinstance(type_, ConvTileType):
        empty = symbols.unknown(type_, "?")
        return empty.with_field("shape", _dims(symbols, type_.shape, args))
    if isinstance(type_, ArrayType):
        missing = [symbols.unknown(type_.element, "?") for _ in range(len(args), min(type_.length, MAX_SLOTS))]
        return Array(tuple(args + missing)) if type_.length <= MAX_SLOTS else OPAQUE
    if isinstance(type_, StructType):
        return Record(
            type_,
            {n: args[i] if i < len(args) else symbols.unknown(f, n) for i, (n, f) in enumerate(type_.fields)},
        )
    return symbols.unknown(type_, "?")


def _tile(symbols: Symbols, type_: TileType, args: list[Value]) -> Record:
    tile = symbols.unknown(type_, "tile")
    dynamic = [n for n, v in (("valid_row", type_.valid_row), ("valid_col", type_.valid_col)) if v < 0]
    if len(args) == 2 and len(dynamic) == 1:
        args = args[:1] if dynamic[0] == "valid_row" else args[1:]
    for name, value in zip(dynamic, args, strict=False):
        if is_number(value):
            tile = tile.with_field(name, t.as_int(value))
    assert isinstance(tile, Record)
    return tile


def _dims(symbols: Symbols, static: tuple[int, ...], args: list[Value]) -> Array:
    dims = list(symbols.dims(static, "?", "opaque").slots)
    dynamic = [i for i, s in enumerate(static) if s < 0]
    where = list(range(len(static))) if len(args) == len(static) and len(args) != len(dynamic) else dynamic
    for i, value in zip(where, args, strict=False):
        if is_number(value) and static[i] < 0:
            dims[i] = t.as_int(value)
    return Array(tuple(dims))


def _tensor(symbols: Symbols, type_: TensorType, args: list[Value]) -> Record:
    tensor = symbols.unknown(type_, "tensor")
    assert isinstance(tensor, Record)
    if args:
        tensor = tensor.with_field("ptr", args[0])
    for name, static, arg in zip(("shape", "stride"), (type_.shape, type_.stride), args[1:], strict=False):
        if isinstance(arg, Record) and isinstance(dims := arg.fields.get("dims"), Array):
            known = zip(static, dims.slots, strict=False)
            tensor = tensor.with_field(name, Array(tuple(s if s >= 0 else d for s, d in known)))
    return tensor
