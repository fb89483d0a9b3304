"""Hand-made calls for the tests of the rulebook."""

from ptolint.ir.model import Call, Const, Operand, Ref, ScalarType, Span, TileType, Type, Var

SPAN = Span("kernel.cpp", 7, 5, 7, 20)
NAME = Span("kernel.cpp", 7, 5, 7, 9)
UINT64 = ScalarType("uint64_t", "int", 64, False)
ENUM = ScalarType("enum", "enum", 8, False)


def tile(loc="Vec", dtype="float", rows=16, cols=64, valid=None, layout="nd", **more) -> TileType:
    blayout = "RowMajor" if layout in ("nd", "zn", "zz") else "ColMajor"
    slayout = {"nd": "NoneBox", "dn": "NoneBox", "nz": "RowMajor", "zz": "RowMajor", "zn": "ColMajor"}[layout]
    valid_row, valid_col = valid or (rows, cols)
    return TileType(loc, dtype, rows, cols, valid_row, valid_col, blayout, slayout, **more)


def operand(name: str, type_: Type, number: int = 0) -> Operand:
    return Operand(name, Ref(Var(number, name, type_, SPAN)), type_, SPAN)


def call(instruction: str, template: dict | None = None, problem: str | None = None, **operands) -> Call:
    made = []
    for number, (name, value) in enumerate(operands.items()):
        if isinstance(value, int | None):
            made.append(Operand(name, Const(value, UINT64), UINT64, SPAN))
        else:
            made.append(operand(name, value, number))
    constants = tuple((n, Const(v, ENUM) if isinstance(v, str | int) else v) for n, v in (template or {}).items())
    return Call(instruction, tuple(operands), constants, tuple(made), SPAN, NAME, problem)
