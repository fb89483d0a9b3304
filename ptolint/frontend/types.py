"""From clang's types to the IR's, each type converted once per translation unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ptolint.frontend import clang_api as clang
from ptolint.frontend import kinds as K
from ptolint.frontend.clang_api import CType, Cursor
from ptolint.frontend.unit import Unit
from ptolint.ir.model import (
    ArrayType,
    Const,
    ConvTileType,
    DimsType,
    OtherType,
    PointerType,
    ScalarType,
    StructType,
    TensorType,
    TileType,
    Type,
)
from ptolint.targets import DTYPES

VOID = OtherType("void")
INT = ScalarType("int32_t", "int", 32, True)
INT64 = ScalarType("int64_t", "int", 64, True)
BOOL = ScalarType("bool", "bool", 8, False)
UNSIGNED = ScalarType("uint32_t", "int", 32, False)
BFLOAT16 = ScalarType("bfloat16_t", "float", 16, True)

CLOSURE = OtherType("closure")

TemplateValue = int | Type | None


@dataclass(frozen=True, slots=True)
class TemplateParameter:
    """A template parameter; `type` is None for type parameters."""

    name: str
    type: ScalarType | None


class TypeTable:
    """Converts types and template arguments; knows the members of every enum it met."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.enums: dict[str, dict[str, int]] = {}
        self._types: dict[int | None, Type] = {}
        self._members: dict[str, dict[int, str]] = {}
        self._user_enums: set[str] = set()
        self._open: set[int] = set()
        self._parameters: dict[int, list[TemplateParameter]] = {}
        self._records: dict[str, Callable[[Cursor], Type]] = {
            "Tile": self._tile,
            "ConvTile": self._conv_tile,
            "GlobalTensor": self._tensor,
            "Shape": lambda c: DimsType("shape", self._integers(c)),
            "Stride": lambda c: DimsType("stride", self._integers(c)),
        }

    def of(self, cursor: Cursor) -> Type:
        """The type of an expression or declaration."""
        return self.convert(self.unit.lib.clang_getCursorType(cursor))

    def convert(self, ctype: CType) -> Type:
        """The IR type for `ctype`; references become what they refer to."""
        key = ctype.d0
        if key is None:
            return VOID
        found = self._types.get(key)
        if found is None:
            canonical = self.unit.lib.clang_getCanonicalType(ctype)
            found = self._types.get(canonical.d0)  # sugar such as an alias has a key of its own
            if found is None:
                found = self._types[canonical.d0] = self._convert(canonical)
            self._types[key] = found
        return found

    def is_reference(self, ctype: CType) -> bool:
        kind = self.unit.lib.clang_getCanonicalType(ctype).kind
        return kind in (K.T_LVALUE_REFERENCE, K.T_RVALUE_REFERENCE)

    def is_mutable_reference(self, ctype: CType) -> bool:
        """Whether a function can change its caller's object through a parameter of this type."""
        canonical = self.unit.lib.clang_getCanonicalType(ctype)
        if canonical.kind not in (K.T_LVALUE_REFERENCE, K.T_RVALUE_REFERENCE):
            return False
        return not self.unit.lib.clang_isConstQualifiedType(self.unit.lib.clang_getPointeeType(canonical))

    def spelling(self, ctype: CType) -> str:
        """A type as clang spells it, with the element types under their PTO names."""
        canonical = self.unit.lib.clang_getCanonicalType(ctype)
        text = clang.text(self.unit.lib.clang_getTypeSpelling(canonical))
        return text.replace("_Float16", "half").replace("__bf16", "bfloat16_t") if "_" in text else text

    def _convert(self, ctype: CType) -> Type:
        lib, kind = self.unit.lib, ctype.kind
        builtin = K.BUILTIN_TYPES.get(kind)
        if builtin:
            return ScalarType(*builtin)
        if kind in (K.T_LVALUE_REFERENCE, K.T_RVALUE_REFERENCE):
            return self.convert(lib.clang_getPointeeType(ctype))
        if kind == K.T_POINTER:
            return PointerType(self.convert(lib.clang_getPointeeType(ctype)))
        if kind == K.T_CONSTANT_ARRAY:
            return ArrayType(self.convert(lib.clang_getArrayElementType(ctype)), lib.clang_getArraySize(ctype))
        if kind == K.T_INCOMPLETE_ARRAY:
            return PointerType(self.convert(lib.clang_getArrayElementType(ctype)))
        if kind == K.T_ENUM:
            return self._enum(lib.clang_getTypeDeclaration(ctype))
        if kind == K.T_RECORD:
            return self._record(lib.clang_getTypeDeclaration(ctype))
        spelling = clang.text(lib.clang_getTypeSpelling(ctype))
        if spelling == "__bf16":  # libclang 18 has no type kind for it
            return BFLOAT16
        return VOID if kind == K.T_VOID else OtherType(spelling)

    # ------------------------------------------------------------ enums

    def _enum(self, declaration: Cursor) -> ScalarType:
        lib = self.unit.lib
        underlying = self.convert(lib.clang_getEnumDeclIntegerType(declaration))
        name = self.unit.name(declaration)
        if name not in self.enums:
            unsigned = isinstance(underlying, ScalarType) and not underlying.signed
            value = lib.clang_getEnumConstantDeclUnsignedValue if unsigned else lib.clang_getEnumConstantDeclValue
            members = [c for c in self.unit.children(declaration) if c.kind == K.ENUM_CONSTANT_DECL]
            self.enums[name] = {self.unit.name(c): value(c) for c in members}
            self._members[name] = {v: n for n, v in reversed(self.enums[name].items())}
            if not self.unit.in_headers(declaration):
                self._user_enums.add(name)
        bits, signed = (underlying.bits, underlying.signed) if isinstance(underlying, ScalarType) else (32, True)
        return ScalarType(name, "enum", bits, signed)

    def constant(self, value: int | float, type_: Type) -> Const:
        """A folded value in the form the IR gives it: enum members of PTO by name, booleans as bool."""
        if isinstance(type_, ScalarType):
            if type_.kind == "bool":
                return Const(bool(value), type_)
            if type_.kind == "enum":
                return Const(self.enumerator(int(value), type_.name), type_)
            if type_.kind == "float":
                return Const(float(value), type_)
            return Const(int(value), type_)
        return Const(value, type_)

    def enumerator(self, value: int, enum: str) -> int | str:
        """The name of a PTO enum's member; the number for a user's own enum or a value without a name."""
        if enum in self._user_enums:
            return value
        return self._members.get(enum, {}).get(value, value)

    # ------------------------------------------------------------ records

    def _record(self, declaration: Cursor) -> Type:
        name = self.unit.name(declaration)
        if self.unit.in_headers(declaration):
            return self._header_record(declaration, name)
        return self._dims_base(declaration) or self._struct(declaration, name)

    def _header_record(self, declaration: Cursor, name: str) -> Type:
        entry = DTYPES.get(name)
        if entry is not None:
            return ScalarType(name, "float" if entry.kind in ("float", "scale") else "int", entry.bits, True)
        build = self._records.get(name)
        if build is not None:
            return build(declaration)
        if name == "array":
            arguments = self.template_arguments(declaration)
            if len(arguments) == 2 and isinstance(arguments[1], int) and not isinstance(arguments[0], int | str):
                return ArrayType(arguments[0] or VOID, arguments[1])
        based = self._dims_base(declaration)
        if based is not None:
            return based
        if self.template_arguments(declaration):
            return OtherType(self.spelling(self.unit.lib.clang_getCursorType(declaration)))
        return self._struct(declaration, name)

    def _dims_base(self, declaration: Cursor) -> Type | None:
        """The PTO type that a class is derived from, e.g. `TileShape2D` from `Shape`."""
        for field in clang.fields(self.unit.lib.clang_getCursorType(declaration)):
            if self.unit.name(field) == "ptolint_base":  # the bases of an instantiation are not to be had
                return self.of(field)
        for specifier in self.bases(declaration):
            base = self.convert(self.unit.lib.clang_getCursorType(specifier))
            if isinstance(base, DimsType | TensorType | TileType | ConvTileType):
                return base
        return None

    def definition(self, declaration: Cursor) -> Cursor:
        found: Cursor = self.unit.lib.clang_getCursorDefinition(declaration)
        return declaration if K.INVALID_FIRST <= found.kind <= K.INVALID_LAST else found

    def _struct(self, declaration: Cursor, name: str) -> Type:
        spelling = self.spelling(self.unit.lib.clang_getCursorType(declaration))
        key = declaration.d0 or 0
        if spelling.startswith("(lambda"):
            return CLOSURE
        if spelling.startswith("(") or key in self._open or declaration.kind == K.UNION_DECL:
            return OtherType(name or "union")  # a class inside itself, unions, classes without a name
        self._open.add(key)
        try:
            return StructType(spelling, tuple(self.fields(declaration)))
        finally:
            self._open.discard(key)

    def fields(self, declaration: Cursor) -> list[tuple[str, Type]]:
        """Names and types of the data members, those of base classes first."""
        found: list[tuple[str, Type]] = []
        for base in self.bases(declaration):
            type_ = self.convert(self.unit.lib.clang_getCursorType(base))
            found.extend(type_.fields if isinstance(type_, StructType) else ())
        for field in self.members(declaration):
            ctype = self.unit.lib.clang_getCursorType(field)
            type_ = self.convert(ctype)
            found.append((self.unit.name(field), PointerType(type_) if self.is_reference(ctype) else type_))
        return found

    def members(self, declaration: Cursor) -> list[Cursor]:
        """The data members that a class itself declares, also of an instantiation, whose body libclang hides."""
        return clang.fields(self.unit.lib.clang_getCursorType(declaration))

    def bases(self, declaration: Cursor) -> list[Cursor]:
        """The base classes; those of an instantiation come from the template, where they do not depend on it."""
        children = self.unit.children(self.definition(declaration))
        if not children:
            template = self.unit.lib.clang_getSpecializedCursorTemplate(declaration)
            children = self.unit.children(template) if template.kind == K.CLASS_TEMPLATE else []
        return [c for c in children if c.kind == K.BASE_SPECIFIER]

    def template_arguments(self, declaration: Cursor) -> list[TemplateValue]:
        """Arguments of a class specialisation: types, integers (enums too), None for anything else."""
        lib = self.unit.lib
        count = lib.clang_Cursor_getNumTemplateArguments(declaration)
        return [self.template_argument(declaration, i) for i in range(max(0, count))]

    def template_argument(self, declaration: Cursor, i: int) -> TemplateValue:
        lib = self.unit.lib
        kind = lib.clang_Cursor_getTemplateArgumentKind(declaration, i)
        if kind == K.ARG_INTEGRAL:
            value: int = lib.clang_Cursor_getTemplateArgumentValue(declaration, i)
            return value
        if kind == K.ARG_TYPE:
            return self.convert(lib.clang_Cursor_getTemplateArgumentType(declaration, i))
        return None

    def _integers(self, declaration: Cursor) -> tuple[int, ...]:
        return tuple(a for a in self.template_arguments(declaration) if isinstance(a, int))

    def _tile(self, declaration: Cursor) -> Type:
        values, names = self.template_arguments(declaration), self._members_of(declaration)
        if len(values) < 11 or len(names) < 11:
            return OtherType(self.spelling(self.unit.lib.clang_getCursorType(declaration)))
        _, dtype, rows, cols, _, valid_row, valid_col, _, fractal, _, _ = values[:11]
        return TileType(
            names[0],
            self.dtype_name(dtype),
            _int(rows),
            _int(cols),
            _int(valid_row),
            _int(valid_col),
            blayout=names[4],
            slayout=names[7],
            fractal_size=_int(fractal),
            pad=names[9],
            compact=names[10],
        )

    def _conv_tile(self, declaration: Cursor) -> Type:
        values, names = self.template_arguments(declaration), self._members_of(declaration)
        if len(values) < 5 or len(names) < 5:
            return OtherType(self.spelling(self.unit.lib.clang_getCursorType(declaration)))
        dims = self.unit.lib.clang_Cursor_getTemplateArgumentType(declaration, 4)
        shape = self._pack_integers(self.spelling(dims))
        return ConvTileType(names[0], self.dtype_name(values[1]), _int(values[2]), names[3], shape)

    def _pack_integers(self, spelling: str) -> tuple[int, ...]:
        inside = spelling[spelling.find("<") + 1 : spelling.rfind(">")]
        return tuple(int(part) for part in inside.split(",") if part.strip().lstrip("-").isdigit())

    def _tensor(self, declaration: Cursor) -> Type:
        dtype, shape, stride, _ = (*self.template_arguments(declaration), *[None] * 4)[:4]
        layout = (*self._members_of(declaration), *["ND"] * 4)[3]
        return TensorType(
            self.dtype_name(dtype),
            shape.static if isinstance(shape, DimsType) else (),
            stride.static if isinstance(stride, DimsType) else (),
            layout,
        )

    def template_parameters(self, specialisation: Cursor) -> list[TemplateParameter]:
        """The parameters of the template that a class or function specialisation comes from."""
        template = self.unit.lib.clang_getSpecializedCursorTemplate(specialisation)
        if K.INVALID_FIRST <= template.kind <= K.INVALID_LAST:
            return []
        key = template.d0 or 0
        found = self._parameters.get(key)
        if found is None:
            kinds = (K.TEMPLATE_TYPE_PARAMETER, K.TEMPLATE_NON_TYPE_PARAMETER, K.TEMPLATE_TEMPLATE_PARAMETER)
            members = [c for c in self.unit.children(template) if c.kind in kinds]
            found = self._parameters[key] = [self._parameter(c) for c in members]
        return found

    def _parameter(self, cursor: Cursor) -> TemplateParameter:
        name = self.unit.name(cursor)
        if cursor.kind != K.TEMPLATE_NON_TYPE_PARAMETER:
            return TemplateParameter(name, None)
        type_ = self.of(cursor)
        if not isinstance(type_, ScalarType):  # `auto mode = Mode::Default`: the default tells the type
            for child in self.unit.operands(cursor):
                type_ = self.of(child)
        return TemplateParameter(name, type_ if isinstance(type_, ScalarType) else INT)

    def _members_of(self, declaration: Cursor) -> list[str]:
        """Template arguments as text, enum members by their bare names."""
        found = []
        parameters = self.template_parameters(declaration)
        for value, parameter in zip(self.template_arguments(declaration), parameters, strict=False):
            enum = parameter.type.name if parameter.type is not None and parameter.type.kind == "enum" else None
            found.append(str(self.enumerator(value, enum)) if isinstance(value, int) and enum else str(value))
        return found

    @staticmethod
    def dtype_name(type_: TemplateValue) -> str:
        """The element type of a tile or tensor as rules spell it."""
        if isinstance(type_, ScalarType):
            return type_.name
        if isinstance(type_, OtherType):
            return type_.spelling.rpartition("::")[2]
        return type_.name.rpartition("::")[2] if isinstance(type_, StructType) else str(type_)


def _int(value: TemplateValue) -> int:
    return value if isinstance(value, int) else 0
