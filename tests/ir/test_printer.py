"""The printed form of a program, and its summary as data."""

from ptolint.ir import model as ir
from ptolint.ir.printer import format_expr, format_program, format_statements, format_type
from ptolint.ir.summary import summary

SPAN = ir.Span("k.cpp", 7, 3, 7, 20)
INT = ir.ScalarType("int32_t", "int", 32, True)
TILE = ir.TileType("Vec", "half", 16, 64, -1, 64)
N = ir.Var(1, "n", INT, SPAN)
T = ir.Var(2, "t", TILE, SPAN)


def const(value: int) -> ir.Const:
    return ir.Const(value, INT)


def binary(op: str, left: ir.Expr, right: ir.Expr) -> ir.Binary:
    return ir.Binary(op, left, right, INT)


def call(instruction: str = "TASSIGN", problem: str | None = None) -> ir.Call:
    operands = (ir.Operand("obj", ir.Ref(T), TILE, SPAN), ir.Operand("addr", ir.Ref(N), INT, SPAN))
    return ir.Call(instruction, ("obj", "addr"), (("mode", ir.Const("Mat", INT)),), operands, SPAN, SPAN, problem)


def program(*statements: ir.Stmt, core: str = "vec", notes: tuple[ir.Note, ...] = ()) -> ir.Program:
    function = ir.Function(
        "kernel<16>", "kernel", "kernel<16>", (N,), statements, SPAN, True, True, True, ir.OtherType("void")
    )
    return ir.Program("k.cpp", "a5", core, {function.id: function}, (function.id,), (), (), notes, len(statements))


def test_types():
    assert format_type(TILE) == "Tile<Vec, half, 16, 64, RowMajor, ?, 64>"
    boxed = ir.TileType("Mat", "half", 16, 64, 16, 64, "ColMajor", "RowMajor", 512, "Zero")
    assert format_type(boxed) == "Tile<Mat, half, 16, 64, ColMajor, 16, 64, RowMajor, 512, Zero>"
    assert format_type(ir.PointerType(INT, "gm")) == "__gm__ int32_t *"
    assert format_type(ir.ArrayType(TILE, 2)).endswith(">[2]")
    assert format_type(ir.DimsType("stride", (-1, 1, 1, 64, 1))) == "Stride<?, 1, 1, 64, 1>"


def test_brackets_follow_precedence():
    n = ir.Ref(N)
    assert format_expr(binary("*", binary("+", n, const(1)), const(2))) == "(n + 1) * 2"
    assert format_expr(binary("+", binary("*", n, const(1)), const(2))) == "n * 1 + 2"
    assert format_expr(binary("-", n, binary("-", n, const(1)))) == "n - (n - 1)"
    assert format_expr(ir.Unary("-", binary("+", n, const(1)), INT)) == "-(n + 1)"
    assert format_expr(ir.Select(n, const(1), const(2), INT)) == "n ? 1 : 2"


def test_conversions_show_whether_they_were_written():
    short = ir.ScalarType("uint16_t", "int", 16, False)
    assert format_expr(ir.Cast(ir.Ref(N), short, True)) == "(uint16_t)n"
    assert "implicit" in format_expr(ir.Cast(ir.Ref(N), short))


def test_a_call_names_its_operands():
    (line,) = format_statements([call()], 0)
    assert line == "TASSIGN<mode=Mat>(obj: t, addr: n);  // line 7"


def test_what_is_not_understood_is_marked():
    assert "??? no overload" in format_statements([call(problem="no overload")], 0)[0]
    assert format_expr(ir.Unknown("goto", INT)) == "??? goto ???"
    assert format_statements([ir.Opaque("asm", (ir.Ref(N),), SPAN)], 0) == ["??? asm (line 7); may write n"]


def test_loops():
    step = ir.Store(ir.Ref(N), binary("+", ir.Ref(N), const(1)), SPAN)
    cond = binary("<", ir.Ref(N), const(3))
    assert format_statements([ir.Loop((), cond, (), (step,), SPAN)], 0) == ["for (; n < 3; n = n + 1) {", "}"]
    assert format_statements([ir.Loop((), cond, (step,), (), SPAN, True)], 0)[-1] == "} while (n < 3);"
    assert format_statements([ir.Loop((step,), cond, (), (), SPAN)], 0)[2] == "    if (!(n < 3)) break;"


def test_a_program_has_head_functions_and_notes():
    note = ir.Note("not-understood", "goto", SPAN)
    text = format_program(program(call(), notes=(note,)))
    assert text.startswith("// k.cpp, target a5, core vec\n")
    assert "// kernel, device, root; line 7\nvoid kernel<16>(int32_t n) {" in text
    assert text.endswith("// line 7: not-understood: goto\n")


def test_the_summary_merges_cores_and_counts_differing_operands():
    note = ir.Note("not-understood", "goto", SPAN)
    unchecked = ir.Note("not-instantiated", "`f`", SPAN)
    vec = program(call(), call(), call("TADD"), notes=(note, unchecked))
    (file,) = summary([vec, program(call(), core="cube", notes=(note,))])["files"]
    assert file["calls"] == [
        {"line": 7, "instruction": "TADD", "instances": 1},
        {"line": 7, "instruction": "TASSIGN", "instances": 1},
    ]
    assert file["not_understood"] == [{"line": 7, "reason": "goto"}]
    assert file["not_checked"] == [], "one core instantiates it"
    assert file["statements"] == 3
