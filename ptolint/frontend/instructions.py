"""PTO instructions and intrinsics: operands by parameter name, template arguments, calls without a fitting overload."""

from __future__ import annotations

from ptolint.frontend import kinds as K
from ptolint.frontend.arguments import argument_value
from ptolint.frontend.builder import Callee, placed_type
from ptolint.frontend.clang_api import Cursor
from ptolint.frontend.lowering import Lowering, null
from ptolint.frontend.types import BOOL
from ptolint.ir.model import (
    Call,
    Cast,
    Const,
    Evaluate,
    Expr,
    If,
    Invoke,
    Operand,
    OtherType,
    PointerType,
    ScalarType,
    Span,
    Type,
    Unknown,
)

EVENTS = "events"
VOID = "void"


def lower_instruction(
    low: Lowering, cursor: Cursor, callee: Callee, args: list[Cursor], this: Expr | None = None
) -> Expr:
    """A call of an instruction, an intrinsic or a function without a body; its result is unknown."""
    span = low.span(cursor)
    operands: list[Operand] = [] if this is None else [Operand("this", this, this.type, span)]
    params: list[str] = []
    for i, argument in enumerate(args):
        parameter = callee.params[i] if i < len(callee.params) else None
        name = low.unit.name(parameter) if parameter is not None else str(i)
        if name == EVENTS:
            continue
        params.append(name or str(i))
        if not callee.in_headers:
            run_closures(low, argument)
        operands.append(_operand(low, argument, parameter, params[-1]))
    name = _name(low, callee, this)
    low.emit(
        Call(
            name,
            tuple(params),
            _template(low, callee, operands),
            tuple(operands),
            span,
            _name_span(low, cursor, callee.name),
        )
    )
    return _result(low, cursor, callee, name)


def _name(low: Lowering, callee: Callee, this: Expr | None) -> str:
    """Methods by their class; communication by its namespace, for it shares names with tile instructions."""
    owner = low.unit.name(low.unit.parent(callee.cursor)) if callee.in_headers else ""
    if this is not None:
        return f"{owner}.{callee.name}" if owner else callee.name
    return f"comm::{callee.name}" if owner == "comm" else callee.name


def _operand(low: Lowering, argument: Cursor, parameter: Cursor | None, name: str) -> Operand:
    value = _as_written(low, argument, argument_value(low, argument, parameter))
    type_ = value.type
    return Operand(name, value, type_, low.span(argument))


def _integer(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind == "int"


def _as_written(low: Lowering, argument: Cursor, value: Expr) -> Expr:
    """A constant that the parameter's type silently changes keeps both values: clang folds the conversion as well."""
    inner = low.unit.operands(argument)
    if not isinstance(value, Const) or argument.kind != K.UNEXPOSED_EXPR or len(inner) != 1:
        return value
    written = low.expr(inner[0])
    if (
        isinstance(written, Const)
        and isinstance(written.value, int)
        and _integer(value.type)
        and written.value != value.value
    ):
        return Cast(written, value.type)
    return value


def _result(low: Lowering, cursor: Cursor, callee: Callee, name: str) -> Expr:
    type_ = low.types.of(cursor)
    if isinstance(type_, OtherType):
        return null(type_)
    return Unknown(f"result of {name}", type_)


def _name_span(low: Lowering, cursor: Cursor, name: str) -> Span:
    """Where the name of the called function stands."""
    return low.unit.name_span(_named(low, cursor), name)


def place_arguments(low: Lowering, cursor: Cursor, callee: Callee) -> None:
    """Remember tile types spelled among the template arguments of a call."""
    if low.unit.lib.clang_Cursor_getNumTemplateArguments(callee.cursor) > 0:
        low.builder.place_arguments(_named(low, cursor), callee.cursor, low.function)


def _named(low: Lowering, cursor: Cursor) -> Cursor:
    """The part of a call that names the function."""
    for child in low.unit.operands(cursor)[:2]:
        while child.kind == K.UNEXPOSED_EXPR:
            inner = low.unit.operands(child)
            if not inner:
                break
            child = inner[0]
        if child.kind in (K.DECL_REF_EXPR, K.MEMBER_REF_EXPR):
            return child
    return cursor


def _template(low: Lowering, callee: Callee, operands: list[Operand]) -> tuple[tuple[str, Const | Type], ...]:
    """Template arguments of the chosen overload; types that merely repeat an operand's are left out."""
    count = low.unit.lib.clang_Cursor_getNumTemplateArguments(callee.cursor)
    if count <= 0:
        return ()
    parameters = low.types.template_parameters(callee.cursor)
    known = _operand_types([*(o.type for o in operands), *(low.types.of(p) for p in callee.params)])
    found: list[tuple[str, Const | Type]] = []
    for i, parameter in enumerate(parameters[:count]):
        value = low.types.template_argument(callee.cursor, i)
        if isinstance(value, int):
            found.append(
                (parameter.name, low.types.constant(value, parameter.type or ScalarType("int32_t", "int", 32, True)))
            )
        elif value is not None and value not in known and parameter.name and not _is_void(value):
            found.append((parameter.name, value))
    return tuple(found)


def _operand_types(types: list[Type]) -> set[Type]:
    """The types of operands and what they point to."""
    known: set[Type] = set()
    for type_ in types:
        known.add(type_)
        while isinstance(type_, PointerType):
            type_ = type_.pointee
            known.add(type_)
        known.add(placed_type(type_))
    return known


def _is_void(type_: Type) -> bool:
    return isinstance(type_, OtherType) and type_.spelling == VOID


# ---------------------------------------------------------------- calls that clang could not resolve


def lower_problem(low: Lowering, cursor: Cursor) -> Expr:
    """A call for which no overload fits, or that is made of parts which are not understood themselves."""
    children = low.unit.operands(cursor)
    type_ = low.types.of(cursor)
    name, at = _called_name(low, cursor)
    problem = low.builder.problems.get((at.line, at.col)) if name else None
    if not name or problem is None or not _is_instruction(low, children[0]):
        return _not_understood(low, cursor, children, name, type_)
    args = children[1:]
    operands = []
    notes = len(low.notes)
    for i, argument in enumerate(args):
        found = low.try_place(argument)
        value = found if found is not None else low.expr(argument)
        operands.append(Operand(str(i), value, value.type, low.span(argument)))
    del low.notes[notes:]
    params = tuple(str(i) for i in range(len(operands)))
    low.emit(Call(name, params, (), tuple(operands), low.span(cursor), at, problem))
    return null(type_) if isinstance(type_, OtherType) else Unknown(f"result of {name}", type_)


def _is_instruction(low: Lowering, callee: Cursor) -> bool:
    """Whether one of the overloads that a name stands for is an instruction."""
    lib = low.unit.lib
    for reference in (c for c in low.unit.children(_name_in(low, callee)) if c.kind == K.OVERLOADED_DECL_REF):
        for i in range(lib.clang_getNumOverloadedDecls(reference)):
            declaration = lib.clang_getOverloadedDecl(reference, i)
            if low.unit.annotations(declaration) & {"instruction", "intrinsic"}:
                return True
    return False


def _name_in(low: Lowering, callee: Cursor) -> Cursor:
    """The expression that spells the called name."""
    while callee.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR):
        inner = low.unit.operands(callee)
        if not inner:
            return callee
        callee = inner[0]
    return callee


def _not_understood(low: Lowering, cursor: Cursor, children: list[Cursor], name: str, type_: Type) -> Expr:
    reason = f"call of `{name}` could not be resolved" if name else "expression that clang could not resolve"
    writes = []
    for child in children[1 if name else 0 :]:
        found = low.try_place(child) if child.kind in (K.DECL_REF_EXPR, K.MEMBER_REF_EXPR) else None
        if found is not None and not isinstance(found.type, OtherType):
            writes.append(found)
    low.opaque(reason, cursor, tuple(writes))
    for child in children:
        run_closures(low, child)
    return Unknown(reason, type_)


def run_closures(low: Lowering, cursor: Cursor) -> None:
    """Lambdas handed to code that is not known here may run: their bodies are reached with unknown arguments."""
    if cursor.kind in (K.UNEXPOSED_EXPR, K.PAREN_EXPR, K.CALL_EXPR, K.FUNCTIONAL_CAST_EXPR):
        for child in low.unit.operands(cursor):
            run_closures(low, child)
    if cursor.kind != K.LAMBDA_EXPR:
        return
    low.expr(cursor)  # registers the closure
    closure = low.unit.lib.clang_getTypeDeclaration(low.unit.type_of(cursor))
    for method in low.unit.children(closure):
        if method.kind == K.CXX_METHOD and low.unit.name(method) == "operator()":
            callee = low.builder.callee(method)
            identifier = low.builder.function_id(callee)
            low.callees.append(identifier)
            span = low.span(cursor)
            values = tuple(Unknown("argument of an unknown caller", low.types.of(p)) for p in callee.params)
            call = Evaluate(Invoke(identifier, values, OtherType("void"), span), span)
            low.emit(If(Unknown("whether the lambda runs", BOOL), (call,), (), span))


def _called_name(low: Lowering, cursor: Cursor) -> tuple[str, Span]:
    """The name that an unresolved call spells, and where."""
    children = low.unit.operands(cursor)
    span = low.span(cursor)
    if not children:
        return "", span
    callee = _name_in(low, children[0])
    names = [c for c in low.unit.children(callee) if c.kind == K.OVERLOADED_DECL_REF]
    reference = names[0] if names else callee
    name = low.unit.name(reference)
    if not name or (not names and callee.kind != K.DECL_REF_EXPR):
        return "", span
    return name, low.unit.name_span(callee, name)
