"""Kernels built straight as IR, so that these tests need no C++ front end."""

from __future__ import annotations

from typing import Any

import numpy as np

from ptolint.executor.machine import Limits
from ptolint.executor.memory import Violation
from ptolint.executor.session import Launch, Session
from ptolint.ir.model import (
    Call,
    Const,
    Construct,
    Expr,
    Function,
    Let,
    Operand,
    OtherType,
    PointerType,
    Program,
    Ref,
    ScalarType,
    Span,
    Stmt,
    TensorType,
    TileType,
    Type,
    Var,
)
from ptolint.targets import get_target

SPAN = Span("k.cpp", 1, 1, 1, 2)
INT = ScalarType("int32_t", "int", 32, True)
U64 = ScalarType("uint64_t", "int", 64, False)
FLOAT = ScalarType("float", "float", 32, True)
VOID = OtherType("void")


def scalar(name: str) -> ScalarType:
    kind = "float" if "float" in name or name in ("half", "bfloat16_t", "double") else "int"
    bits = {"half": 16, "bfloat16_t": 16, "float": 32, "double": 64}.get(name, 8)
    digits = "".join(c for c in name if c.isdigit())
    if kind == "int" and digits:
        bits = int(digits)
    return ScalarType(name, kind, bits, not name.startswith("u"))


def number(value: float | str, type_: Type = INT) -> Const:
    return Const(value, type_)


def tile_type(loc: str, dtype: str, rows: int, cols: int, layout: str = "ND", **more: Any) -> TileType:
    block = {"N": "ColMajor", "Z": "RowMajor"}
    blayout, slayout = {
        "ND": ("RowMajor", "NoneBox"),
        "DN": ("ColMajor", "NoneBox"),
        "NZ": ("ColMajor", "RowMajor"),
        "ZN": ("RowMajor", "ColMajor"),
        "ZZ": ("RowMajor", "RowMajor"),
        "NN": ("ColMajor", "ColMajor"),
    }[layout]
    assert blayout in block.values()
    valid_row, valid_col = more.pop("valid", (rows, cols))
    fractal = more.pop("fractal", 1024 if loc == "Acc" else 512)
    return TileType(loc, dtype, rows, cols, valid_row, valid_col, blayout, slayout, fractal, **more)


class Kernel:
    """Builds one kernel; `call` adds instructions, `run` executes it."""

    def __init__(self, target: str = "a5", core: str = "vec") -> None:
        self.target, self.core = target, core
        self.params: list[Var] = []
        self.body: list[Stmt] = []
        self.functions: dict[str, Function] = {}
        self.globals: tuple[Let, ...] = ()
        self._ids = 0
        self.log: list[Violation] = []

    def var(self, name: str, type_: Type, *, by_ref: bool = False) -> Var:
        self._ids += 1
        return Var(self._ids, name, type_, SPAN, by_ref)

    def pointer(self, name: str, dtype: str) -> Var:
        param = self.var(name, PointerType(scalar(dtype), "gm"))
        self.params.append(param)
        return param

    def number(self, name: str, type_: ScalarType = INT) -> Var:
        param = self.var(name, type_)
        self.params.append(param)
        return param

    def let(self, name: str, type_: Type, value: Expr | None) -> Var:
        var = self.var(name, type_)
        self.body.append(Let(var, value, SPAN))
        return var

    def tile(self, name: str, type_: TileType, addr: int | None = 0, *valid: int | Expr) -> Var:
        args = tuple(number(v) if isinstance(v, int) else v for v in valid)
        var = self.let(name, type_, Construct(type_, args))
        if addr is not None:
            self.call("TASSIGN", obj=var, addr=number(addr))
        return var

    def tensor(
        self,
        name: str,
        pointer: Var | Expr,
        shape: tuple[int, ...],
        stride: tuple[int, ...] | None = None,
        layout: str = "ND",
    ) -> Var:
        shape = (*(1,) * (5 - len(shape)), *shape)
        if stride is None:
            steps, size = [], 1
            for d in reversed(shape):
                steps.append(size)
                size *= d
            stride = tuple(reversed(steps))
        source = Ref(pointer) if isinstance(pointer, Var) else pointer
        assert isinstance(source.type, PointerType)
        dtype = source.type.pointee.name  # type: ignore[union-attr]
        return self.let(
            name,
            TensorType(dtype, shape, stride, layout),
            Construct(TensorType(dtype, shape, stride, layout), (source,)),
        )

    def call(
        self, instruction: str, template: dict[str, Any] | None = None, **operands: Var | Expr | float | None
    ) -> None:
        items = tuple(Operand(name, _expr(value), _type(value), SPAN) for name, value in operands.items())
        given = tuple((n, v if isinstance(v, Const) else Const(v, INT)) for n, v in (template or {}).items())
        self.body.append(Call(instruction, tuple(operands), given, items, SPAN, SPAN))

    def function(self) -> Function:
        return Function("k", "k", "k", tuple(self.params), tuple(self.body), SPAN, True, True, True, VOID)

    def program(self) -> Program:
        functions = {"k": self.function(), **self.functions}
        return Program("k.cpp", self.target, self.core, functions, ("k",), self.globals, (), (), 0)

    def run(
        self, *, blocks: int = 1, limits: Limits | None = None, track: bool = False, **args: Any
    ) -> dict[str, np.ndarray]:
        program = self.program()
        arrays = {n: v for n, v in args.items() if isinstance(v, np.ndarray)}
        numbers = {n: v for n, v in args.items() if n not in arrays}
        launch = Launch(arrays, numbers, blocks, limits=limits or Limits(), track=track)
        session = Session({self.core: program}, get_target(self.target), launch)
        try:
            session.run({self.core: program.functions["k"]})
        finally:
            self.log = session.log.entries
        return {p.name: session.result(p) for p in self.params if isinstance(p.type, PointerType)}

    def kinds(self) -> list[str]:
        return [v.kind for v in self.log]


def _expr(value: Any) -> Expr:
    if isinstance(value, Var):
        return Ref(value)
    if value is None:
        return Const(None, PointerType(INT))
    if isinstance(value, float):
        return Const(value, FLOAT)
    return Const(value, INT) if isinstance(value, (int, str)) else value


def _type(value: Any) -> Type:
    return value.type if isinstance(value, Var) else INT
