"""Instructions: operands by name, template arguments, places, calls without an overload."""

from ptolint.ir.model import AddressOf, Cast, Const, Field, Index, PointerType, Ref, ScalarType, TileType

from .support import PRELUDE_LINES, VEC, body_of, calls, kernel, lower, reasons

TILES = f"{VEC} a(16, 64); {VEC} b(16, 64);\n"


def test_operands_carry_the_names_of_the_overload_and_events_are_none():
    program = kernel(
        TILES + "Event<Op::TLOAD, Op::TADD> e;\nGlobalTensor<float, Shape<1,1,1,16,64>, Stride<1,1,1,64,1>> g(out);\n"
        "e = TLOAD(a, g);\nTADD(b, a, a, e);"
    )
    load, add = calls(program, "TLOAD") + calls(program, "TADD")
    assert load.params == ("dst", "src")
    assert add.params == tuple(o.name for o in add.operands) == ("dst", "src0", "src1")


def test_template_arguments_are_named_and_enum_members_bare():
    program = kernel(
        "Tile<TileType::Acc, float, 32, 32, BLayout::ColMajor, 32, 32, SLayout::RowMajor, 1024> acc;\n"
        "Tile<TileType::Vec, float, 32, 32> vec;\n"
        "TMOV<decltype(vec), decltype(acc), AccToVecMode::SingleModeVec1>(vec, acc);"
    )
    template = dict(calls(program, "TMOV")[0].template)
    assert "SingleModeVec1" in [v.value for v in template.values() if isinstance(v, Const)]
    assert not any(isinstance(v, TileType) for v in template.values()), "types of operands are left out"


def test_an_address_as_template_argument():
    call = calls(kernel(TILES + "TASSIGN<0x100>(a);"), "TASSIGN")[0]
    assert [v.value for _, v in call.template if isinstance(v, Const)] == [256]


def test_the_place_of_a_call_and_of_its_name():
    program = kernel("    pto::pipe_barrier(\n        PIPE_ALL);".replace("pto::", ""))
    call = calls(program)[0]
    line = PRELUDE_LINES + 4
    assert (call.span.line, call.span.col, call.span.end_line) == (line, 5, line + 1)
    assert (call.name_span.col, call.name_span.end_col) == (5, 5 + len("pipe_barrier"))


def test_a_qualified_name_is_located_at_the_name_itself():
    call = calls(kernel(TILES + "    pto::TADD(a,\n a, b);"), "TADD")[0]
    assert (call.name_span.line, call.name_span.col) == (PRELUDE_LINES + 5, 10)


def test_a_call_in_a_macro_stands_where_the_macro_is_used():
    program = kernel("WAIT();\nWAIT();", before="#define WAIT() pipe_barrier(PIPE_ALL)")
    assert [c.name_span.line for c in calls(program)] == [PRELUDE_LINES + 4, PRELUDE_LINES + 5]


def test_tiles_by_pointer():
    program = kernel(
        "Tile<TileType::Vec, float, 16, 64> s; Tile<TileType::Vec, int8_t, 16, 64> d;\n"
        "Tile<TileType::Vec, uint8_t, 1, 32> e;\n"
        "Tile<TileType::Vec, float, 1, 32> m; Tile<TileType::Vec, float, 1, 32> c;\n"
        "TQUANT<QuantType::MXFP8, decltype(d), decltype(s), decltype(e), decltype(m), decltype(c)>(d, s, &e, &m, &c);"
    )
    call = calls(program, "TQUANT")[0]
    exp = next(o for o in call.operands if o.name == "exp")
    assert isinstance(exp.value, AddressOf) and isinstance(exp.type, PointerType)


def test_an_index_that_is_narrowed_implicitly():
    call = calls(kernel(TILES + "TINSERT(a, b, n, 0);"), "TINSERT")[0]
    row = next(o.value for o in call.operands if o.name == "index_row")
    assert isinstance(row, Cast) and not row.explicit and row.type.bits == 16 and isinstance(row.operand, Ref)


def test_an_index_that_is_narrowed_by_a_cast():
    call = calls(kernel(TILES + "TINSERT(a, b, static_cast<uint16_t>(n), 0);"), "TINSERT")[0]
    row = next(o.value for o in call.operands if o.name == "index_row")
    assert isinstance(row, Cast) and row.explicit


def test_a_defaulted_operand_has_its_value():
    program = kernel(TILES + "Event<Op::TLOAD, Op::TADD> e;\nPtoSetWaitFlag<PIPE_V, PIPE_MTE2>();")
    assert [o.value.value for o in calls(program, "PtoSetWaitFlag")[0].operands] == ["EVENT_ID0", "EVENT_ID0"]


def test_a_call_without_an_overload_keeps_its_operands():
    call = calls(kernel(TILES + "TADD(a, b);"), "TADD")[0]
    assert call.problem is not None and "TADD" in call.problem
    assert [o.name for o in call.operands] == ["0", "1"]
    assert isinstance(call.operands[0].type, TileType)


def test_a_call_without_an_overload_in_an_instantiation():
    program = lower(
        "template <typename T> __global__ AICORE void k()\n"
        "{ Tile<TileType::Vec, T, 16, 64> t; TADD(t, t); pipe_barrier(PIPE_V); }\n"
        "template void k<half>();\n"
    )
    assert [c.problem is not None for c in calls(program)] == [True, False]


def test_statements_around_an_unknown_name_survive_in_a_template():
    program = lower(
        "template <typename T> __global__ AICORE void k(int n)\n{\n Tile<TileType::Vec, T, 16, 64> t;\n"
        " TUNHEARD(t, n);\n"
        " TASSIGN(t, n);\n}\ntemplate void k<half>(int);\n"
    )
    assert [c.instruction for c in calls(program)] == ["TASSIGN"]
    assert any("TUNHEARD" in r for r in reasons(program))
    assert [n.span.line for n in program.notes] == [PRELUDE_LINES + 4]


def test_a_missing_include_does_not_stop_the_parse():
    template = "template <int N> __global__ AICORE void k() { pipe_barrier(PIPE_V); }\n"
    program = lower('#include "no/such.h"\n' + template + "template void k<3>();\n")
    assert len(calls(program)) == 1
    assert program.notes == ()


def test_a_missing_include_is_named_where_something_was_not_understood():
    code = 'extern "C" __global__ AICORE void k() { ours::Row row; pipe_barrier(PIPE_V); }\n'
    program = lower('#include "no/such.h"\n' + code)
    assert [n.reason for n in program.notes if n.kind == "missing-include"] == ["'no/such.h' file not found"]


def test_the_discarded_branch_of_a_constexpr_if_is_absent():
    code = (
        "template <int N> __global__ AICORE void k()\n"
        "{ if constexpr (N == 1) pipe_barrier(PIPE_V); else pipe_barrier(PIPE_M); }\n"
    )
    program = lower(code + "template void k<2>();\n")
    assert [c.operands[0].value.value for c in calls(program)] == ["PIPE_M"]


def test_a_dead_ordinary_branch_stays():
    code = (
        "template <int N> __global__ AICORE void k() { if (N == 1) pipe_barrier(PIPE_V); else pipe_barrier(PIPE_M); }\n"
    )
    assert len(calls(lower(code + "template void k<2>();\n"))) == 2


def test_tile_methods():
    program = kernel(
        "Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 8, -1> t(n);\nt.SetValidCol(n + 1);\n"
        "int r = t.GetValidRow(); int c = t.GetValidCol(); TASSIGN(t, (uint64_t)t.data() + r);"
    )
    call = calls(program, "TASSIGN")[0]
    address = call.operands[1].value.left
    assert isinstance(address, Cast) and isinstance(address.operand, Field) and address.operand.name == "addr"


def test_a_user_overload_of_an_instruction_is_the_users_function():
    program = kernel(
        "Pipe p; TMOV(p, n);", before="struct Pipe { int d; };\nAICORE void TMOV(Pipe &p, int n) { p.d = n; }"
    )
    assert not calls(program)
    assert {f.name for f in program.functions.values()} == {"kernel", "TMOV"}


def test_an_array_of_tiles_indexed_by_an_expression():
    call = calls(kernel(f"{VEC} t[2]; TASSIGN(t[n % 2], 0);"), "TASSIGN")[0]
    assert isinstance(call.operands[0].value, Index)
    assert isinstance(call.operands[0].type, TileType)


def test_scalars_have_exact_types():
    call = calls(kernel("TASSIGN(t, 0xFFFFFFFFFFFFFFFFull);", before=f"static {VEC} t(1, 1);"), "TASSIGN")[0]
    value = call.operands[1].value
    assert value == Const(2**64 - 1, ScalarType("uint64_t", "int", 64, False))


def test_a_call_of_the_users_own_function_without_an_overload_is_not_understood():
    program = kernel("twice(n, n);", before="AICORE int twice(int n) { return 2 * n; }")
    assert not calls(program)
    assert reasons(program) == ["call of `twice` could not be resolved"]


def test_types_deduced_from_operands_are_no_template_arguments():
    program = kernel("uint8_t a = n;\n" + TILES + "TASSIGN(a_, a); TASSIGN(b, 3);".replace("a_", "b"))
    assert [c.template for c in calls(program, "TASSIGN")] == [(), ()]


def test_a_lambda_given_to_unknown_code_is_reached():
    program = kernel("later([&]() { pipe_barrier(PIPE_V); });", before="template <class F> void later(F f);")
    assert len(calls(program, "pipe_barrier")) == 1


def test_clamp_is_a_minimum_of_a_maximum():
    program = kernel("int m = std::clamp(n, 1, 32);", "int n", "#include <algorithm>")
    assert "m = min(max(n, 1), 32)" in body_of(program)
