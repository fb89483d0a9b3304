"""Calls: instructions, intrinsics, the user's own functions, constructors, methods and operators."""

from __future__ import annotations

import re

from ptolint.frontend import kinds as K
from ptolint.frontend.arguments import argument_value, arguments, is_default
from ptolint.frontend.builder import Callee
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.conversions import convert
from ptolint.frontend.instructions import lower_instruction, lower_problem, place_arguments
from ptolint.frontend.lowering import Lowering, address_of, deref, is_place, null
from ptolint.frontend.members import member_base
from ptolint.frontend.objects import convert_to, default_struct, method
from ptolint.ir.model import (
    ArrayType,
    Assume,
    Builtin,
    Const,
    Construct,
    ConvTileType,
    DimsType,
    Evaluate,
    Expr,
    Index,
    Invoke,
    Let,
    OtherType,
    PointerType,
    Ref,
    ScalarType,
    Store,
    StructType,
    TensorType,
    TileType,
    Type,
)

PTO_OBJECTS = (TileType, TensorType, ConvTileType, DimsType)
PURE = frozenset(
    [
        "min",
        "max",
        "abs",
        "fmin",
        "fmax",
        "sqrt",
        "exp",
        "log",
        "pow",
        "floor",
        "ceil",
        "round",
        "fabs",
        "get_block_idx",
        "get_block_num",
        "get_subblockid",
        "get_subblockdim",
    ]
)
RENAMED = {"fabs": "abs", "fmin": "min", "fmax": "max", "sqrtf": "sqrt", "expf": "exp", "logf": "log", "fabsf": "abs"}
PASS_THROUGH = frozenset(("move", "forward", "addressof", "as_const", "launder"))
ENDS = frozenset(("__builtin_unreachable", "__builtin_trap", "abort", "trap", "exit", "_Exit", "terminate", "__trap"))


def lower_call(low: Lowering, cursor: Cursor, discarded: bool = False) -> Expr:
    """The value of a call; its effects are emitted."""
    callee = low.unit.referenced(cursor) if cursor.kind == K.CALL_EXPR else None
    if callee is None or callee.kind == K.OVERLOADED_DECL_REF:
        return lower_problem(low, cursor)
    if callee.kind == K.CONSTRUCTOR:
        return _constructed(low, cursor, callee)
    if callee.kind == K.CONVERSION_FUNCTION:
        return _converted(low, cursor)
    if callee.kind == K.CXX_METHOD:
        return _method_call(low, cursor, callee, discarded)
    if callee.kind == K.FUNCTION_DECL:
        return _function_call(low, cursor, callee, arguments(low, cursor), discarded)
    return low.unknown(f"call through `{low.unit.name(cursor)}`", cursor)


# ---------------------------------------------------------------- functions


def _function_call(low: Lowering, cursor: Cursor, declaration: Cursor, args: list[Cursor], discarded: bool) -> Expr:
    callee = low.builder.callee(declaration)
    name = callee.name
    if name.startswith("operator"):
        return _operator(low, cursor, callee, args, discarded)
    if callee.has_body and not callee.in_headers:
        return _invoke(low, cursor, callee, None, args, discarded)
    if "instruction" in callee.annotations:
        return lower_instruction(low, cursor, callee, args)
    if "assume" in callee.annotations or name == "__builtin_assume":
        return _assume(low, cursor, args)
    known = callee.in_headers or name.startswith("__builtin_")
    special = _special(low, cursor, name, args) if known else None
    if special is not None:
        return special
    if "intrinsic" not in callee.annotations and callee.has_body:
        return _invoke(low, cursor, callee, None, args, discarded)
    return lower_instruction(low, cursor, callee, args)


def _special(low: Lowering, cursor: Cursor, name: str, args: list[Cursor]) -> Expr | None:
    """Functions of the language and the standard library that have a meaning of their own."""
    type_ = low.types.of(cursor)
    if name in ENDS:
        low.emit(Assume(Const(False, ScalarType("bool", "bool", 8, False)), name, low.span(cursor)))
        return null(type_)
    short = RENAMED.get(name, name)
    if short in PURE and isinstance(type_, ScalarType):
        return Builtin(short, tuple(convert_to(low.expr(a), type_) for a in args), type_)
    if name == "clamp" and len(args) == 3 and isinstance(type_, ScalarType):
        number, least, most = (convert_to(low.expr(a), type_) for a in args)
        return Builtin("min", (Builtin("max", (number, least), type_), most), type_)
    if name in PASS_THROUGH and args:
        value = low.try_place(args[0])
        if value is None:
            value = low.expr(args[0])
        return address_of(value) if name == "addressof" else value
    if name in ("__builtin_expect", "__builtin_launder") and args:
        return low.expr(args[0])
    if name == "swap" and len(args) == 2:
        return _swap(low, cursor, args)
    return None


def _swap(low: Lowering, cursor: Cursor, args: list[Cursor]) -> Expr:
    span = low.span(cursor)
    a, b = low.place(args[0]), low.place(args[1])
    old = low.temp(a, span, "old")
    low.emit(Store(a, b, span))
    low.emit(Store(b, old, span))
    return null(low.types.of(cursor))


def _assume(low: Lowering, cursor: Cursor, args: list[Cursor]) -> Expr:
    if args:
        cond = low.expr(args[0])
        low.emit(Assume(cond, _condition_text(low.unit.source_of(args[0])[0]), low.span(cursor)))
    return null(low.types.of(cursor))


_MACRO_CALL = re.compile(r"\s*\w*(?:assert|ASSERT|CHECK|assume|ASSUME)\w*\s*\((.*)\)\s*\Z", re.S)


def _condition_text(text: str) -> str:
    """The condition of an assertion as written, without the macro around it and the message behind it."""
    match = _MACRO_CALL.match(text)
    if not match:
        return " ".join(text.split()) or "assertion"
    depth = 0
    inside = match.group(1)
    for i, symbol in enumerate(inside):
        depth += (symbol in "([{") - (symbol in ")]}")
        if symbol == "," and depth == 0:
            inside = inside[:i]
            break
    return " ".join(inside.split())


def _invoke(
    low: Lowering, cursor: Cursor, callee: Callee, this: Expr | None, args: list[Cursor], discarded: bool
) -> Expr:
    """A call of a function whose body is known."""
    values = [] if this is None else [this]
    for i, argument in enumerate(args):
        values.append(argument_value(low, argument, callee.params[i] if i < len(callee.params) else None))
    result = low.unit.lib.clang_getCursorResultType(callee.cursor)
    type_ = low.types.convert(result)
    place_arguments(low, cursor, callee)
    identifier = low.builder.function_id(callee)
    low.callees.append(identifier)
    span = low.span(cursor)
    by_reference = low.types.is_reference(result)
    invoke = Invoke(identifier, tuple(values), PointerType(type_) if by_reference else type_, span)
    if discarded or (isinstance(type_, OtherType) and type_.spelling == "void"):
        low.emit(Evaluate(invoke, span))
        return null(type_)
    value = low.temp(invoke, span, callee.name)
    return deref(value, type_) if by_reference else value


# ---------------------------------------------------------------- methods and operators


def _method_call(low: Lowering, cursor: Cursor, declaration: Cursor, discarded: bool) -> Expr:
    callee = low.builder.callee(declaration)
    args = arguments(low, cursor)
    static = bool(low.unit.lib.clang_CXXMethod_isStatic(declaration))
    children = low.unit.operands(cursor)
    member = children[0] if children and children[0].kind == K.MEMBER_REF_EXPR else None
    if callee.name.startswith("operator") and member is None:
        return _operator(low, cursor, callee, args, discarded)
    if static:
        return _function_call(low, cursor, declaration, args, discarded)
    base = _receiver(low, cursor, member)
    if callee.in_headers:
        found = method(low, callee.name, base, args, cursor, declaration)
        if found is not None:
            return found
        return lower_instruction(low, cursor, callee, args, base)
    if not callee.has_body:
        return lower_instruction(low, cursor, callee, args, base)
    return _invoke(low, cursor, callee, base, args, discarded)


def _receiver(low: Lowering, cursor: Cursor, member: Cursor | None) -> Expr:
    if member is None:
        return low.unknown("method of an unknown object", cursor)
    return member_base(low, member)


def _operator(low: Lowering, cursor: Cursor, callee: Callee, args: list[Cursor], discarded: bool) -> Expr:
    """An overloaded operator; the object is the first argument of a method operator."""
    name = callee.name.removeprefix("operator").strip()
    is_method = callee.cursor.kind == K.CXX_METHOD
    if is_method and name == "()" and _is_closure(low, callee):
        return _invoke(low, cursor, callee, None, args[1:], discarded)
    if not args:
        return low.unknown(f"operator {name} without operands", cursor)
    first = low.types.of(args[0])
    if name == "=" and is_method and (callee.in_headers or is_defaulted(low, callee)):
        return _assigned(low, cursor, args)
    if callee.in_headers:
        if name == "[]" and isinstance(first, ArrayType) and len(args) == 2:
            return Index(low.place(args[0]), low.expr(args[1]), low.types.of(cursor))
        base = low.place(args[0]) if is_method else None
        return lower_instruction(low, cursor, callee, args[1:] if is_method else args, base)
    if not callee.has_body:
        return lower_instruction(low, cursor, callee, args)
    if is_method:
        return _invoke(low, cursor, callee, low.place(args[0]), args[1:], discarded)
    return _invoke(low, cursor, callee, None, args, discarded)


def _is_closure(low: Lowering, callee: Callee) -> bool:
    return (low.unit.parent(callee.cursor).d0 or 0) in low.builder.closures or not low.unit.name(
        low.unit.parent(callee.cursor)
    )


def is_written(low: Lowering, callee: Callee) -> bool:
    """Whether the user wrote the body of a constructor or method."""
    return callee.has_body and not callee.in_headers and not is_defaulted(low, callee)


def is_defaulted(low: Lowering, callee: Callee) -> bool:
    """Whether a special member function is the compiler's own."""
    return bool(low.unit.lib.clang_CXXMethod_isDefaulted(callee.cursor)) or not callee.has_body


def _assigned(low: Lowering, cursor: Cursor, args: list[Cursor]) -> Expr:
    """Member-wise assignment; recording an instruction's event has no value of its own."""
    target = low.types.of(args[0])
    if isinstance(target, OtherType):
        low.effect(args[1])
        return null(target)
    place = low.place(args[0])
    low.emit(Store(place, low.expr(args[1]), low.span(cursor)))
    return place


def _converted(low: Lowering, cursor: Cursor) -> Expr:
    """A user-defined conversion, e.g. from a narrow float to float."""
    children = low.unit.operands(cursor)
    type_ = low.types.of(cursor)
    if len(children) == 1 and children[0].kind == K.MEMBER_REF_EXPR:
        inner = low.unit.operands(children[0])
        if inner:
            value = low.expr(inner[0])
            if isinstance(value.type, ScalarType) and isinstance(type_, ScalarType):
                return convert(value, type_)
    return low.unknown("conversion operator", cursor)


# ---------------------------------------------------------------- constructors


def _constructed(low: Lowering, cursor: Cursor, declaration: Cursor) -> Expr:
    type_ = low.types.of(cursor)
    args = arguments(low, cursor)
    lib = low.unit.lib
    copies = lib.clang_CXXConstructor_isCopyConstructor(declaration) or lib.clang_CXXConstructor_isMoveConstructor(
        declaration
    )
    callee = low.builder.callee(declaration)
    if copies and args and (callee.in_headers or not callee.has_body or is_defaulted(low, callee)):
        return _copied(low, args[0])
    if isinstance(type_, ScalarType):  # a narrow float built from a number
        return convert(low.expr(args[0]), type_) if args else low.types.constant(0, type_)
    if isinstance(type_, StructType) and is_written(low, callee):
        var = low.builder.new_var(f"tmp.{low.builder._next_var + 1}", type_, low.span(cursor))
        low.emit(Let(var, None, var.span))
        construct_into(low, Ref(var), cursor)
        return Ref(var)
    return _pto_object(low, cursor, callee, type_, args)


def _copied(low: Lowering, argument: Cursor) -> Expr:
    found = low.try_place(argument)
    return found if found is not None else low.expr(argument)


def _pto_object(low: Lowering, cursor: Cursor, callee: Callee, type_: Type, args: list[Cursor]) -> Expr:
    if isinstance(type_, StructType):
        declaration = low.unit.lib.clang_getTypeDeclaration(
            low.unit.lib.clang_getCanonicalType(low.unit.type_of(cursor))
        )
        return default_struct(low, type_, declaration)
    if isinstance(type_, DimsType) and callee.has_body:
        delegated = _delegated(low, callee, args)
        if delegated is not None:
            return Construct(type_, delegated)
    given = [a for a in args if not is_default(low, a)]
    return Construct(type_, tuple(_object_argument(low, a) for a in given))


def _object_argument(low: Lowering, argument: Cursor) -> Expr:
    found = low.try_place(argument)
    return (
        found if found is not None and is_place(found) and isinstance(found.type, PTO_OBJECTS) else low.expr(argument)
    )


def _delegated(low: Lowering, callee: Callee, args: list[Cursor]) -> tuple[Expr, ...] | None:
    """The arguments that a derived shape's constructor hands to its base, e.g. `TileShape2D(r, c)`."""
    bases = [c for c in low.unit.children(callee.cursor) if c.kind == K.CALL_EXPR]
    if len(bases) != 1 or len(args) != len(callee.params):
        return None
    for parameter, argument in zip(callee.params, args, strict=True):
        var = low.builder.var(parameter)
        low.emit(Let(var, argument_value(low, argument, parameter), low.span(argument)))
    return tuple(low.expr(a) for a in arguments(low, bases[0]))


def construct_into(low: Lowering, place: Expr, cursor: Cursor) -> None:
    """Run a user's constructor on an object that exists already."""
    declaration = low.unit.referenced(cursor)
    assert declaration is not None
    callee = low.builder.callee(declaration)
    args = arguments(low, cursor)
    values = [place]
    for i, argument in enumerate(args):
        values.append(argument_value(low, argument, callee.params[i] if i < len(callee.params) else None))
    identifier = low.builder.function_id(callee)
    low.callees.append(identifier)
    span = low.span(cursor)
    low.emit(Evaluate(Invoke(identifier, tuple(values), OtherType("void"), span), span))


# ---------------------------------------------------------------- places


def place_of_call(low: Lowering, cursor: Cursor) -> Expr | None:
    """The object that a call returns a reference to; None when it returns a value."""
    callee = low.unit.referenced(cursor)
    if callee is None or callee.kind not in (K.FUNCTION_DECL, K.CXX_METHOD):
        return None
    if not low.types.is_reference(low.unit.lib.clang_getCursorResultType(callee)):
        return None
    value = lower_call(low, cursor)
    return value if is_place(value) else low.temp(value, low.span(cursor))
