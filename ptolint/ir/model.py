"""The kernel IR: a small, typed C in plain frozen dataclasses.

One `Program` is what the front end understood of one source file for one target and one core.
It holds one `Function` per *instantiation* that a root reaches; a body is a tuple of statements, an
expression is pure (the lowering hoists side effects into statements of their own).  The solver
and the executor both walk this structure, binding parameters to arguments at each `Invoke`.

Conventions every producer and consumer relies on:

- A `Var` is identified by `id`, unique within its `Program`.  A lambda's body refers to captured
  variables by the same `Var` as the function that encloses it, so an environment is one flat
  mapping from variable id to value, saved and restored around a call that re-enters a function.
- A tile object is a record with the fields `valid_row`, `valid_col` (elements), `addr` (bytes) and,
  for MX operands, whatever else an instruction documents.  `SetValidRow(x)` is
  `Store(Field(tile, "valid_row"), x)`; `GetValidRow()` is a `Field` read, or a `Const` when static.
- A tensor object (`GlobalTensor`) is a record with `ptr` (a pointer value), `shape` and `stride`
  (five integers each, in elements); `GetShape(d)` is `Index(Field(tensor, "shape"), d)`.
- `Shape<...>` and `Stride<...>` objects have a `DimsType` and the five integers under `Index`.
- Whatever the lowering does not understand is an `Unknown` expression or an `Opaque` statement that
  names the reason and the variables it may write.  Nothing is left out silently.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

DYNAMIC = -1  # a dimension known at run time only (pto::DYNAMIC)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A source range; lines and columns count from 1, `end_col` is one past the last character."""

    file: str
    line: int
    col: int
    end_line: int
    end_col: int


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A C scalar. `name` is the canonical C++ name (`int32_t`, `half`, `uint64_t`, `bool`)."""

    name: str
    kind: str  # "int", "float", "bool", "enum"
    bits: int
    signed: bool


@dataclass(frozen=True, slots=True)
class TileType:
    """`pto::Tile<...>`; enum members by their bare names, dimensions in elements, -1 = dynamic."""

    loc: str
    dtype: str
    rows: int
    cols: int
    valid_row: int
    valid_col: int
    blayout: str = "RowMajor"
    slayout: str = "NoneBox"
    fractal_size: int = 512  # bytes
    pad: str = "Null"
    compact: str = "Null"


@dataclass(frozen=True, slots=True)
class ConvTileType:
    """`pto::ConvTile<...>`: a multi-dimensional tile; `buffer_bytes` is its storage, shape -1 = dynamic."""

    loc: str
    dtype: str
    buffer_bytes: int
    layout: str
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TensorType:
    """`pto::GlobalTensor<...>`; shape and stride in elements, outermost first, -1 = dynamic."""

    dtype: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    layout: str


@dataclass(frozen=True, slots=True)
class DimsType:
    """`pto::Shape<...>` (kind "shape") or `pto::Stride<...>` (kind "stride")."""

    kind: str
    static: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PointerType:
    """A pointer or a reference to storage; `space` is "gm", "ub", "cbuf", "ca", "cb", "cc", "fbuf" or ""."""

    pointee: Type
    space: str = ""


@dataclass(frozen=True, slots=True)
class ArrayType:
    """A C array or std::array of `length` elements."""

    element: Type
    length: int


@dataclass(frozen=True, slots=True)
class StructType:
    """A user-defined class; base-class fields come first, static constants are folded away."""

    name: str
    fields: tuple[tuple[str, Type], ...]


@dataclass(frozen=True, slots=True)
class OtherType:
    """Any other type by its spelling (events, pipes, closures, void)."""

    spelling: str


Type: TypeAlias = (
    ScalarType | TileType | ConvTileType | TensorType | DimsType | PointerType | ArrayType | StructType | OtherType
)


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Var:
    """A declared variable or parameter. `by_ref`: binds to the caller's object instead of a copy."""

    id: int
    name: str
    type: Type
    span: Span
    by_ref: bool = False
    type_span: Span | None = None  # where the user spells or aliases the type


@dataclass(frozen=True, slots=True)
class Const:
    """A folded constant; an enum member is its bare name as a string, nullptr is None."""

    value: int | float | str | bool | None
    type: Type


@dataclass(frozen=True, slots=True)
class Ref:
    var: Var

    @property
    def type(self) -> Type:
        return self.var.type


@dataclass(frozen=True, slots=True)
class Index:
    """`base[index]` of an array, a pointer, or of a shape/stride."""

    base: Expr
    index: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Field:
    """`base.name`, also through a pointer after `Deref`; see the module text for tiles and tensors."""

    base: Expr
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Deref:
    base: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class AddressOf:
    base: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    """op in "-", "+", "~", "!"."""

    op: str
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """C's binary operators on operands already converted to a common type; pointer + integer counts elements."""

    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion that may change the value; `explicit` where the user wrote it."""

    operand: Expr
    type: Type
    explicit: bool = False


@dataclass(frozen=True, slots=True)
class Select:
    cond: Expr
    then: Expr
    other: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Builtin:
    """A pure function known to every consumer: "min", "max", "abs", "get_block_idx", "get_block_num",
    "get_subblockid", "get_subblockdim", and float maths such as "sqrt", "exp"."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Construct:
    """An object built from arguments: Tile(valid_row, valid_col) with only the dynamic ones given,
    tensor(ptr[, shape[, stride]]), dims(dynamic values in order, or all five), array/struct initialisers."""

    type: Type
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Invoke:
    """A call of a user's function; `args` line up with the function's `params` (`this` first for methods)."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that the front end could not express."""

    reason: str
    type: Type


Expr: TypeAlias = (
    Const
    | Ref
    | Index
    | Field
    | Deref
    | AddressOf
    | Unary
    | Binary
    | Cast
    | Select
    | Builtin
    | Construct
    | Invoke
    | Unknown
)


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    """Declares `var`; `value` None leaves it uninitialised."""

    var: Var
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Store:
    """`target = value`; target is a Ref, Index, Field or Deref."""

    target: Expr
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Operand:
    """One argument of an instruction under the parameter name of the overload that was chosen."""

    name: str
    value: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """One PTO instruction or intrinsic (`set_flag`, `pipe_barrier` ...) as the user wrote it.

    `template` maps the overload's template parameter names to values (enum members as bare names, types
    as Type); type parameters deduced from operands are left out.  `params` are the names of the
    overload's parameters, which tell the form.  `problem` says why no overload fits, then operands
    are named "0", "1", ... by position.
    `span` covers the whole call, `name_span` the instruction's name.
    """

    instruction: str
    params: tuple[str, ...]
    template: tuple[tuple[str, Const | Type], ...]
    operands: tuple[Operand, ...]
    span: Span
    name_span: Span
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Evaluate:
    """An expression for its effect, i.e. an Invoke."""

    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    cond: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """`while (true) { head; if (!cond) break; body; step; }`; `continue` goes to `step`.
    With `post_test` (do-while) the first pass skips head and cond.  `for` initialisers precede the loop inside a
    Block."""

    head: tuple[Stmt, ...]
    cond: Expr
    body: tuple[Stmt, ...]
    step: tuple[Stmt, ...]
    span: Span
    post_test: bool = False


@dataclass(frozen=True, slots=True)
class Switch:
    """Cases in source order, falling through unless they end with Break; `labels` None is `default`."""

    value: Expr
    cases: tuple[tuple[tuple[int, ...] | None, tuple[Stmt, ...]], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Block:
    body: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Break:
    span: Span


@dataclass(frozen=True, slots=True)
class Continue:
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assume:
    """A condition the author vouches for: assert, PTO_ASSERT, __builtin_assume, `// ptolint: assume(...)`."""

    cond: Expr
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Opaque:
    """A statement that was not understood; afterwards `writes` hold unknown values."""

    reason: str
    writes: tuple[Expr, ...]
    span: Span


Stmt: TypeAlias = (
    Let | Store | Call | Evaluate | If | Loop | Switch | Block | Break | Continue | Return | Assume | Opaque
)


# ---------------------------------------------------------------- programs


@dataclass(frozen=True, slots=True)
class Function:
    """One function instantiation. `display` shows template arguments as a user reads them."""

    id: str
    name: str
    display: str
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    span: Span
    is_kernel: bool  # __global__: runs on the device once per block; an Invoke of it is a launch
    is_device: bool  # AICORE / __aicore__ or reached from a kernel
    is_root: bool
    returns: Type


@dataclass(frozen=True, slots=True)
class TypeUse:
    """A tile or tensor type where the user spells it, once per type and place."""

    type: Type
    span: Span
    function: str | None  # id of the instantiation it was seen in


@dataclass(frozen=True, slots=True)
class Note:
    """What was not understood or not checked, and where.

    `kind` is "not-understood", "not-instantiated" or, beside the former, "missing-include".
    """

    kind: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class Fault:
    """A constraint that a declaration of the model headers found broken where the user asked for it."""

    rule: str
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """What the front end understood of one file for one target and core."""

    file: str
    target: str
    core: str
    functions: dict[str, Function]
    roots: tuple[str, ...]
    globals: tuple[Let, ...]  # constants of namespace scope that bodies refer to
    type_uses: tuple[TypeUse, ...]
    notes: tuple[Note, ...]
    statements: int  # statements of device functions, each instantiation's source line counted once
    includes: tuple[str, ...] = field(default=())  # user files the parse read, for caching
    enums: dict[str, dict[str, int]] = field(default_factory=dict)  # members of every enum met, by its bare name
    faults: tuple[Fault, ...] = ()
