"""Small kernels as strings, and what the front end makes of them."""

from __future__ import annotations

from typing import TypeVar

from ptolint.frontend import FrontendOptions, parse
from ptolint.ir.model import Call, Function, Program, Stmt
from ptolint.ir.printer import format_function, format_statements
from ptolint.ir.walk import statements as walk
from ptolint.targets import get_target

PRELUDE = "#include <pto/pto-inst.hpp>\nusing namespace pto;\n"
PRELUDE_LINES = 2
VEC = "Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, -1, -1>"

S = TypeVar("S", bound=Stmt)


def lower(code: str, *, target: str = "a5", core: str = "vec", options: FrontendOptions | None = None) -> Program:
    """The program of `code` behind the usual two lines of a kernel file."""
    return parse(
        "kernel.cpp", PRELUDE + code, target=get_target(target), core=core, options=options or FrontendOptions()
    )


def kernel(body: str, parameters: str = "__gm__ float *out, int n", before: str = "") -> Program:
    """The program of one kernel with `body`."""
    return lower(f"{before}\n__global__ AICORE void kernel({parameters})\n{{\n{body}\n}}\n")


def body_of(program: Program, name: str = "kernel") -> str:
    """The printed body of a function."""
    return "\n".join(format_statements(function(program, name).body, 0))


def text_of(program: Program, name: str) -> str:
    return format_function(function(program, name))


def function(program: Program, name: str) -> Function:
    """The only function called `name`."""
    found = [f for f in program.functions.values() if f.name == name]
    assert len(found) == 1, f"{name}: {list(program.functions)}"
    return found[0]


def statements(program: Program, kind: type[S], name: str = "kernel") -> list[S]:
    return [s for s in walk(function(program, name).body) if isinstance(s, kind)]


def calls(program: Program, instruction: str = "") -> list[Call]:
    """All calls of an instruction in the program, in the order of its functions."""
    found = [s for f in program.functions.values() for s in walk(f.body) if isinstance(s, Call)]
    return [c for c in found if not instruction or c.instruction == instruction]


def reasons(program: Program) -> list[str]:
    return [n.reason for n in program.notes]
