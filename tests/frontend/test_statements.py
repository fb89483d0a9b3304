"""Statements and expressions: what a body becomes."""

import textwrap

import pytest

from ptolint.ir.model import Assume, Call, Let, Loop, Opaque, Switch, Unknown

from .support import VEC, body_of, calls, function, kernel, lower, statements, text_of


def body(code: str, **more: str) -> str:
    return body_of(kernel(code, **more))


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("int a = 2 * 3 + (n > 0);", "int32_t a = 6 + (n > 0);"),
        ("int a = n++;", "int32_t old.4 = n;\nn = n + 1;\nint32_t a = old.4;"),
        ("int a = ++n;", "n = n + 1;\nint32_t a = n;"),
        ("n <<= 2; n -= 3;", "n = n << 2;\nn = n - 3;"),
        ("uint8_t b = n; b += 3;", "uint8_t b = (uint8_t /* implicit */)n;\nb = (uint8_t /* implicit */)(b + 3);"),
        ("unsigned u = n;", "uint32_t u = (uint32_t /* implicit */)n;"),
        ("bool b = n;", "bool b = (bool /* implicit */)n;"),
        ("long w = n;", "int64_t w = n;"),
        ("int a = n > 3 ? n : 3;", "int32_t a = n > 3 ? n : 3;"),
        ("int a = (n, 3);", "int32_t a = 3;"),
        ("int a = -n; bool c = !n;", "int32_t a = -n;\nbool c = !(bool /* implicit */)n;"),
        ("int a = static_cast<uint16_t>(n);", "int32_t a = (uint16_t)n;"),
        ("int a = (int8_t)n;", "int32_t a = (int8_t)n;"),
        ("float f = 0.5f * n;", "float f = 0.5 * (float /* implicit */)n;"),
        ("half h = static_cast<half>(0.5);", "half h = 0.5;"),
        ("const int c = 5; int a = c + n;", "int32_t c = 5;\nint32_t a = 5 + n;"),
        ("int a = n; int &r = a; r = 3;", "int32_t a = n;\nint32_t &r = a;\nr = 3;"),
        ("int *p = &n; *p = 3;", "int32_t * p = &n;\n*p = 3;"),
        ("out[3] = out[n] + 1.0f;", "out[3] = out[n] + 1.0;"),
        ("__gm__ float *q = out + n * 4;", "__gm__ float * q = out + n * 4;"),
        ("int a = get_block_idx();", "int32_t a = (int32_t /* implicit */)get_block_idx();"),
        ("int v[3] = {1, n}; int a = v[n];", "int32_t[3] v = int32_t[3]{1, n, 0};\nint32_t a = v[n];"),
        ("int a = sizeof(half) * n;", "int32_t a = (int32_t /* implicit */)(2 * (uint64_t /* implicit */)n);"),
    ],
)
def test_expressions(code, printed):
    assert body(code) == printed


def test_standard_functions():
    text = body(
        "int a = std::min(n, 64), b = std::max<int>(a, 3); std::swap(a, b);",
        before="#include <algorithm>\n#include <utility>",
    )
    assert text.splitlines()[:2] == ["int32_t a = min(n, 64);", "int32_t b = max(a, 3);"]
    assert text.splitlines()[3:] == ["a = b;", "b = old.5;"]


def test_an_initialiser_that_clang_dropped_is_unknown():
    program = kernel("int a = no_such(n);\nint b;")
    first, second = statements(program, Let)
    assert isinstance(first.value, Unknown) and second.value is None
    assert len(program.notes) == 1


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("for (;;) break;", "while (true) {\n    break;\n}"),
        ("for (; n < 4;) n++;", "while (n < 4) {\n    n = n + 1;\n}"),
        (
            "for (;; ++n) if (n) break;",
            "for (; true; n = n + 1) {\n    if ((bool /* implicit */)n) {\n        break;\n    }\n}",
        ),
        (
            "int i; for (i = 0; ; ) continue;",
            "int32_t i;\n{\n    i = 0;\n    while (true) {\n        continue;\n    }\n}",
        ),
        (
            "while (int k = n - 1) n = k;",
            "while (true) {\n    int32_t k = n - 1;\n    if (!((bool /* implicit */)k)) break;\n    n = k;\n}",
        ),
        ("do { n--; } while (n > 0);", "do {\n    n = n - 1;\n} while (n > 0);"),
        ("if (int k = n; k > 3) n = k;", "{\n    int32_t k = n;\n    if (k > 3) {\n        n = k;\n    }\n}"),
        ("if (n) ; else n = 1;", "if ((bool /* implicit */)n) {\n} else {\n    n = 1;\n}"),
        ("{ int a = 1; { n = a; } }", "{\n    int32_t a = 1;\n    {\n        n = a;\n    }\n}"),
        ("if (n < 0) return; n = 1;", "if (n < 0) {\n    return;\n}\nn = 1;"),
    ],
)
def test_control_flow(code, printed):
    assert body(code) == printed


def test_a_for_loop_in_a_macro_keeps_its_parts():
    program = kernel("REP(i, n) { pipe_barrier(PIPE_V); }", before="#define REP(i, n) for (int i = 0; i < (n); ++i)")
    (loop,) = statements(program, Loop)
    assert loop.step and loop.cond.op == "<"


def test_a_side_effect_in_a_condition_is_evaluated_each_time():
    (loop,) = statements(kernel("while (n-- > 0) pipe_barrier(PIPE_V);"), Loop)
    assert len(loop.head) == 2


def test_short_circuit_effects_are_conditional():
    text = body("if (n > 0 && step(n)) n = 2;", before="AICORE bool step(int &n) { n--; return n > 3; }")
    assert "if (tmp." in text and text.index("if (tmp.") < text.index("step(n)")


def test_switch():
    (switch,) = statements(
        kernel("switch (n) { case 1: case 2: n = 3; break; case 4: n = 5; default: n = 6; }"), Switch
    )
    assert [labels for labels, _ in switch.cases] == [(1, 2), (4,), None]


def test_a_users_enum_is_a_number_and_one_of_pto_a_name():
    program = kernel(
        "K k = n ? K::A : K::B; Layout l = Layout::NZ; switch (k) { case K::B: n = 1; }",
        before="enum class K { A = 4, B };",
    )
    assert "K k = (bool /* implicit */)n ? 4 : 5;" in body_of(program)
    assert "Layout l = NZ;" in body_of(program)
    (switch,) = statements(program, Switch)
    assert switch.cases[0][0] == (5,)
    assert program.enums["K"] == {"A": 4, "B": 5}


def test_range_for_over_an_array_by_reference():
    text = body(f"{VEC} t[3]; for (auto &x : t) TASSIGN(x, 0);")
    assert "for (; index" in text and "&x = t[index" in text


def test_assertions_are_assumptions():
    program = kernel(
        'PTO_ASSERT(n > 0, "positive"); __builtin_assume(n < 64); assert(n != 3);', before="#include <cassert>"
    )
    assert [a.source for a in statements(program, Assume)] == ["n > 0", "n < 64", "n != 3"]


def test_an_assume_comment_inside_a_body():
    program = kernel("    // ptolint: assume(n % 16 == 0 && n <= 4096)\n    pipe_barrier(PIPE_V);")
    (assume,) = statements(program, Assume)
    assert assume.span.line == 6
    assert [c.span.line for c in calls(program)] == [7]


def test_an_assume_comment_above_a_kernel_holds_from_its_start():
    program = lower("// ptolint: assume(n > 3)\n__global__ AICORE void kernel(int n) { pipe_barrier(PIPE_V); }\n")
    first = function(program, "kernel").body[0]
    assert isinstance(first, Assume) and first.cond.op == ">"
    column = "__global__ AICORE void kernel(int n) { ".__len__() + 1
    assert calls(program)[0].span.col == column, "columns are those of the user's file"


def test_ends_of_the_path():
    program = kernel("if (n < 0) __builtin_unreachable(); if (n > 9) trap();")
    assert [a.cond.value for a in statements(program, Assume)] == [False, False]


def test_lambdas_share_the_variables_they_capture():
    program = kernel(f"{VEC} t(1, 2); auto f = [&](auto &x, int k) {{ x.SetValidRow(k); n = k; }}; f(t, 3);")
    inner = next(f for f in program.functions.values() if f.name == "operator()")
    outer = function(program, "kernel")
    assert inner.body[-1].target.var == outer.params[1]


def test_classes_with_state():
    program = kernel(
        "Work op(n); op.run(2);",
        before=f"""struct Work {{
            int size = 7; int n; {VEC} tile;
            AICORE Work(int k) : n(k), tile(k, 3) {{}}
            AICORE void run(int z) {{ n += z; this->size++; tile.SetValidRow(n); }}
        }};""",
    )
    assert "Work::run(op, 2);" in body_of(program)
    constructor = text_of(program, "Work")
    assert constructor.index("this.size = 7") < constructor.index("this.n = k") < constructor.index("this.tile = ")
    assert "this.tile.valid_row = " in text_of(program, "run")


def test_a_lambda_in_a_method_sees_the_object():
    program = kernel(
        "Work op; op.run();",
        before="struct Work { int n; AICORE void run() { auto f = [this](int k) { n = k; }; f(3); } };",
    )
    assert "this.n = k;" in text_of(program, "operator()")


def test_structs_by_value_and_by_list():
    text = body("P p{n}; P q = p; p = q; int a = q.b;", before="struct P { int a; int b = 3; };")
    assert text == "P p = P{n, 3};\nP q = p;\np = q;\nint32_t a = q.b;"


def test_a_function_that_returns_a_reference():
    program = kernel("at(n) = 3;", before="static int store[4];\nAICORE int &at(int i) { return store[i]; }")
    assert "return &store[i];" in text_of(program, "at")
    assert "*at." in body_of(program)


def test_helper_functions_are_invoked_with_objects():
    program = kernel(f"{VEC} t(1, 2); set(t, n);", before=f"AICORE void set({VEC} &t, int r) {{ t.SetValidRow(r); }}")
    assert body_of(program).splitlines()[-1] == "set(t, n);"
    assert function(program, "set").params[0].by_ref


def test_shapes_and_views():
    text = body(
        "using S = Shape<1, 1, 1, -1, 64>; using D = Stride<1, 1, 1, 64, 1>; GlobalTensor<float, S, D> g(out, S(n));\n"
        "int64_t a = g.GetShape(3), b = g.GetShape(4), c = g.GetStride(3);"
    )
    last = text.splitlines()[-3:]
    assert last == ["int64_t a = g.shape[3];", "int64_t b = 64;", "int64_t c = 64;"]


def test_a_view_by_layout_takes_rows_and_columns():
    text = body("TileShape2D<half, -1, -1, Layout::NZ> s(n, 64);")
    assert "Shape<1, ?, ?, 16, 16>{1, " in text


def test_setting_an_extent():
    text = body("GlobalTensor<float, Shape<1, 1, 1, -1, -1>, Stride<1, 1, 1, 64, 1>> g(out); g.SetShape<3, 4>(n, 5);")
    assert text.splitlines()[-2:] == ["g.shape[3] = n;", "g.shape[4] = 5;"]


def test_constants_of_namespace_scope():
    program = kernel(
        "n = table[n] + cfg.b + plain;",
        before="constexpr int table[3] = {1, 2, 3};\nstruct C { int a, b; };\nconst C cfg = {4, 5};\nint plain = 3;",
    )
    values = {g.var.name: g.value for g in program.globals}
    assert [a.value for a in values["table"].args] == [1, 2, 3]
    assert isinstance(values["plain"], Unknown), "a variable may hold anything"


def test_static_locals_keep_their_value():
    program = kernel("static int turn = 0; turn = 1 - turn;")
    assert [(g.var.name, g.value.value) for g in program.globals] == [("turn", 0)]
    assert not statements(program, Let)


def test_goto_and_assembly_are_not_understood():
    program = kernel("again: n++; if (n < 3) goto again;")
    assert {s.reason for s in statements(program, Opaque)} == {"goto", "label: jumps are not followed"}
    assert len(program.notes) == 2


def test_the_result_of_an_intrinsic_is_unknown_but_understood():
    program = kernel("uint64_t c = get_ctrl();")
    (let,) = statements(program, Let)
    assert isinstance(let.value, Unknown) and not program.notes
    assert statements(program, Call)[0].instruction == "get_ctrl"


def test_statements_are_counted_once_per_place():
    code = textwrap.dedent(
        """
        template <int N> AICORE void f(int &n) { n += N; n -= N; }
        __global__ AICORE void kernel(int n) { f<1>(n); f<2>(n); }
        void host() { int a = 3; }
        """
    )
    assert lower(code).statements == 4


def test_recursion_ends():
    program = kernel("n = f(n);", before="AICORE int f(int k) { return k > 0 ? f(k - 1) : 0; }")
    assert set(program.functions) == {"kernel", "f"}


def test_a_class_template_with_state():
    program = kernel(
        "Work<half> w; w.Init(n); w.Process();",
        before="""struct Base { int turn = 2; };
        template <typename T> class Work : public Base {
        public:
            AICORE Work() {}
            AICORE void Init(int k) { n = k; }
            AICORE void Process() { for (int i = 0; i < n; ++i) TASSIGN(tiles[i & 1], i * 64); }
        private:
            int n = 0;
            Tile<TileType::Vec, T, 16, 64> tiles[2];
        };""",
    )
    assert "this.n = 0;" in text_of(program, "Work")
    assert [name for name, _ in function(program, "Work").params[0].type.fields] == ["turn", "n", "tiles"]
    assert calls(program, "TASSIGN")[0].operands[0].type.dtype == "half"


def test_structured_bindings():
    before = "struct P { int a; int b; };\nAICORE P make(int n) { return {n, 3}; }"
    text = body("auto [x, y] = make(n); n = x + y; int v[2] = {1, n}; auto &[e, f] = v; f = 4;", before=before)
    assert "&x = bound." in text and "n = x + y;" in text
    assert text.splitlines()[-3:] == ["int32_t &e = v[0];", "int32_t &f = v[1];", "f = 4;"]
