"""Objects: construction, initialiser lists, and the methods of tiles, tensors and shapes."""

from __future__ import annotations

from collections.abc import Callable

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.conversions import convert
from ptolint.frontend.lowering import Lowering, null
from ptolint.frontend.types import INT, INT64, UNSIGNED
from ptolint.ir.model import (
    ArrayType,
    Const,
    Construct,
    ConvTileType,
    DimsType,
    Expr,
    Field,
    Index,
    PointerType,
    ScalarType,
    Store,
    StructType,
    TensorType,
    TileType,
    Type,
    Unknown,
)
from ptolint.targets import DTYPES

SPACES = {"Vec": "ub", "Mat": "cbuf", "Left": "ca", "Right": "cb", "Acc": "cc", "Scaling": "fbuf", "Bias": "bt"}


def scalar_of(name: str) -> ScalarType:
    """The scalar type of a tile's or tensor's element type name."""
    entry = DTYPES.get(name)
    if entry is None:
        return ScalarType(name, "int", 8, True)
    kind = "float" if entry.kind in ("float", "scale") else "int"
    return ScalarType(name, "bool" if name == "bool" else kind, entry.bits, entry.kind != "uint")


def default_value(low: Lowering, type_: Type, cursor: Cursor) -> Expr:
    """What `T{}` or a missing initialiser gives."""
    if isinstance(type_, ScalarType):
        return low.types.constant(0, type_)
    if isinstance(type_, PointerType):
        return null(type_)
    if isinstance(type_, StructType):
        declaration = low.unit.lib.clang_getTypeDeclaration(
            low.unit.lib.clang_getCanonicalType(low.unit.type_of(cursor))
        )
        return default_struct(low, type_, declaration)
    return Construct(type_, ())


def default_struct(low: Lowering, type_: StructType, declaration: Cursor) -> Expr:
    """A user's object with its default member initialisers; members without one hold no value."""
    written = member_initialisers(low, declaration)
    return Construct(type_, tuple(member_default(low, name, t, written) for name, t in type_.fields))


def member_initialisers(low: Lowering, declaration: Cursor) -> dict[str, Cursor]:
    """The data members of a class (and its bases) that have a default initialiser."""
    found: dict[str, Cursor] = {}
    for specifier in low.types.bases(declaration):
        canonical = low.unit.lib.clang_getCanonicalType(low.unit.type_of(specifier))
        found.update(member_initialisers(low, low.unit.lib.clang_getTypeDeclaration(canonical)))
    for member in low.types.members(declaration):
        values = [c for c in low.unit.children(member) if K.FIRST_EXPR <= c.kind <= K.LAST_EXPR]
        if values and _initialises(low, member, values[-1]):
            found[low.unit.name(member)] = values[-1]
    return found


def _initialises(low: Lowering, member: Cursor, value: Cursor) -> bool:
    """Whether the last expression under a member is its initialiser rather than an array bound or template argument."""
    start, text = low.unit.start_of(member), low.unit.source_of(member)[0]
    name, at = low.unit.location(member)[3], low.unit.start_of(value)
    if at <= name:
        return False
    between = text[name - start : at - start]
    return "=" in between or "{" in between or text[at - start : at - start + 1] == "{"


def member_default(low: Lowering, name: str, type_: Type, written: dict[str, Cursor]) -> Expr:
    """What a data member holds when nothing initialises it explicitly."""
    if name in written:
        return convert_to(low.expr(written[name]), type_)
    if isinstance(type_, ScalarType | PointerType):
        return Unknown("not initialised", type_)
    return Construct(type_, ())


def convert_to(value: Expr, type_: Type) -> Expr:
    """An implicit conversion where both sides are scalars."""
    return convert(value, type_) if isinstance(type_, ScalarType) and isinstance(value.type, ScalarType) else value


def construct_list(low: Lowering, cursor: Cursor, type_: Type) -> Expr:
    """A braced initialiser of an array, a struct or a scalar."""
    items = low.unit.operands(cursor)
    if isinstance(type_, ArrayType | StructType):
        if len(items) == 1 and low.types.of(items[0]) == type_ and items[0].kind != K.INIT_LIST_EXPR:
            return low.expr(items[0])
        rest = list(items)
        return _aggregate(low, rest, type_, cursor)
    if not items:
        return default_value(low, type_, cursor)
    if len(items) == 1 and not isinstance(type_, DimsType | TileType | TensorType):
        return convert_to(low.expr(items[0]), type_)
    return Construct(type_, tuple(low.expr(i) for i in items))


def _aggregate(low: Lowering, rest: list[Cursor], type_: Type, cursor: Cursor) -> Expr:
    """One aggregate filled from the front of `rest`, inner braces left out included."""
    if isinstance(type_, ArrayType):
        values: list[Expr] = []
        while rest and len(values) < type_.length:
            values.append(_element(low, rest, type_.element, cursor))
        if len(values) < type_.length and isinstance(type_.element, ScalarType):
            values += [low.types.constant(0, type_.element)] * min(type_.length - len(values), 4096)
        return Construct(type_, tuple(values))
    assert isinstance(type_, StructType)
    values = [_element(low, rest, t, cursor) for _, t in type_.fields if rest]
    if len(values) < len(type_.fields):
        declaration = low.unit.lib.clang_getTypeDeclaration(
            low.unit.lib.clang_getCanonicalType(low.unit.type_of(cursor))
        )
        written = member_initialisers(low, declaration)
        for name, t in type_.fields[len(values) :]:
            zero = isinstance(t, ScalarType) and name not in written
            values.append(low.types.constant(0, t) if zero else member_default(low, name, t, written))
    return Construct(type_, tuple(values))


def _element(low: Lowering, rest: list[Cursor], type_: Type, cursor: Cursor) -> Expr:
    item = rest[0]
    nested = isinstance(type_, ArrayType | StructType)
    if item.kind == K.INIT_LIST_EXPR:
        rest.pop(0)
        return construct_list(low, item, type_)
    if nested and isinstance(low.types.of(item), ScalarType):
        return _aggregate(low, rest, type_, cursor)
    rest.pop(0)
    return convert_to(low.expr(item), type_)


# ---------------------------------------------------------------- methods of PTO objects

Method = Callable[[Lowering, Expr, list[Cursor], Cursor, Cursor], Expr | None]


def method(low: Lowering, name: str, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
    """A method of a tile, tensor or shape; None when it has no meaning of its own here."""
    if isinstance(base.type, TileType):
        handler = _TILE.get(name)
    elif isinstance(base.type, TensorType):
        handler = _TENSOR.get(name)
    elif isinstance(base.type, ConvTileType):
        handler = _CONV_TILE.get(name)
    else:
        handler = None
    return None if handler is None else handler(low, base, args, call, callee)


def _valid(field: str) -> Method:
    def read(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
        type_ = low.types.of(call)
        static = getattr(base.type, field)
        return Const(static, type_) if static >= 0 else Field(base, field, type_)

    return read


def _set_valid(*fields: str) -> Method:
    def write(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
        if len(args) != len(fields):
            return None
        values = [low.expr(a) for a in args]
        for field, value in zip(fields, values, strict=True):
            low.emit(Store(Field(base, field, UNSIGNED), value, low.span(call)))
        return null(low.types.of(call))

    return write


def _tile_data(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
    assert isinstance(base.type, TileType | ConvTileType)
    return Field(base, "addr", PointerType(scalar_of(base.type.dtype), SPACES.get(base.type.loc, "")))


def _get_value(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
    data = _tile_data(low, base, args, call, callee)
    return Index(data, low.expr(args[0]), low.types.of(call)) if len(args) == 1 and data is not None else None


def _set_value(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
    data = _tile_data(low, base, args, call, callee)
    if len(args) != 2 or data is None:
        return None
    assert isinstance(base.type, TileType)
    low.emit(Store(Index(data, low.expr(args[0]), scalar_of(base.type.dtype)), low.expr(args[1]), low.span(call)))
    return null(low.types.of(call))


def _tensor_data(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
    assert isinstance(base.type, TensorType)
    return Field(base, "ptr", PointerType(scalar_of(base.type.dtype), "gm"))


def _dims_field(base: Expr, field: str) -> Field:
    assert isinstance(base.type, TensorType)
    return Field(base, field, DimsType(field, getattr(base.type, field)))


def _get_dim(field: str) -> Method:
    def read(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
        if len(args) != 1:
            return None
        dim = low.expr(args[0])
        static = getattr(base.type, field)
        if (
            isinstance(dim, Const)
            and isinstance(dim.value, int)
            and 0 <= dim.value < len(static)
            and static[dim.value] >= 0
        ):
            return Const(static[dim.value], INT64)
        return Index(_dims_field(base, field), dim, INT64)

    return read


def _set_dim(field: str) -> Method:
    def write(low: Lowering, base: Expr, args: list[Cursor], call: Cursor, callee: Cursor) -> Expr | None:
        dims = explicit_integers(low, call)
        if len(dims) != len(args):
            return None
        for dim, arg in zip(dims, args, strict=True):
            target = Index(_dims_field(base, field), Const(dim, INT), INT64)
            low.emit(Store(target, convert(low.expr(arg), INT64), low.span(call)))
        return null(low.types.of(call))

    return write


def explicit_integers(low: Lowering, call: Cursor) -> list[int]:
    """The integers among the template arguments written in a method call, e.g. `view.SetShape<3, 4>(r, c)`."""
    children = low.unit.children(call)
    if not children:
        return []
    values = (clang.evaluate(c) for c in low.unit.operands(children[0]) if c.kind != K.CALL_EXPR)
    found = [int(v) for v in values if v is not None]
    if found:
        return found
    text = low.unit.source_of(children[0])[0]
    inside = text[text.rfind("<") + 1 : text.rfind(">")] if "<" in text else ""
    named = [part.strip().rpartition("DIM_")[2] for part in inside.split(",")]
    return [int(n) for n in named if n.isdigit()] if all(n.isdigit() for n in named) else []


_TILE: dict[str, Method] = {
    "GetValidRow": _valid("valid_row"),
    "GetValidCol": _valid("valid_col"),
    "SetValidRow": _set_valid("valid_row"),
    "SetValidCol": _set_valid("valid_col"),
    "SetValidShape": _set_valid("valid_row", "valid_col"),
    "data": _tile_data,
    "GetValue": _get_value,
    "SetValue": _set_value,
}
_TENSOR: dict[str, Method] = {
    "data": _tensor_data,
    "GetShape": _get_dim("shape"),
    "GetStride": _get_dim("stride"),
    "SetShape": _set_dim("shape"),
    "SetStride": _set_dim("stride"),
}
_CONV_TILE: dict[str, Method] = {"data": _tile_data}
