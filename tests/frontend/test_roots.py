"""Where a walk starts, and what nobody starts."""

import pytest

from ptolint.frontend import FrontendOptions

from .support import VEC, calls, function, kernel, lower, reasons

TEMPLATE = """template <typename T, int R>
__global__ AICORE void copy(__gm__ T *out)
{
    Tile<TileType::Vec, T, R, 64> t;
    TASSIGN(t, 0);
}
"""


def test_a_plain_kernel_is_a_root():
    program = kernel("pipe_barrier(PIPE_ALL);")
    assert program.roots == ("kernel",)
    assert function(program, "kernel").is_kernel


def test_each_explicit_instantiation_is_lowered_once():
    program = lower(
        TEMPLATE + "template __global__ AICORE void copy<half, 16>(__gm__ half *);\n"
        "template __global__ AICORE void copy<float, 8>(__gm__ float *out);\n"
    )
    assert program.roots == ("copy<half, 16>", "copy<float, 8>")
    assert [c.operands[0].type.dtype for c in calls(program, "TASSIGN")] == ["half", "float"]
    assert not program.notes


def test_an_instantiation_in_a_namespace_is_found():
    program = lower(f"namespace a {{ namespace {{ {TEMPLATE} template void copy<half, 16>(half *); }} }}\n")
    assert program.roots == ("a::copy<half, 16>",)


def test_deduced_template_arguments_of_an_instantiation():
    program = lower("template <typename T> AICORE void f(T *p) { pipe_barrier(PIPE_V); }\ntemplate void f(half *p);\n")
    assert program.roots == ("f<half>",)


def test_an_instantiation_inside_a_macro_is_found():
    program = lower(TEMPLATE + "#define MAKE(R) template void copy<half, R>(half *);\nMAKE(16) MAKE(32)\n")
    assert program.roots == ("copy<half, 16>", "copy<half, 32>")


def test_an_instantiation_whose_name_a_macro_makes():
    program = lower(
        "#define JOIN_(a, b) a##b\n#define JOIN(a, b) JOIN_(a, b)\n"
        "template <int N> AICORE void JOIN(run, Add)(int n = 0) { pipe_barrier(PIPE_V); }\n"
        "template void JOIN(run, Add)<3>(int n);\n"
    )
    assert program.roots == ("runAdd<3>",)


def test_an_instantiation_switched_off_by_the_preprocessor_does_not_count():
    program = lower(TEMPLATE + "#if 0\ntemplate void copy<half, 16>(half *);\n#endif\n")
    assert not program.roots


def test_a_kernel_template_without_an_instance_is_named():
    program = lower(TEMPLATE)
    assert [(n.kind, n.span.line) for n in program.notes] == [("not-instantiated", 3)]
    assert "copy" in program.notes[0].reason


@pytest.mark.parametrize("wrap", ["{}", "namespace a {{ {} }}"])
def test_a_comment_gives_an_instance(wrap):
    program = lower(wrap.format(TEMPLATE + "// ptolint: instantiate(copy<half, 64>)\n"))
    assert [f.name for f in program.functions.values()] == ["copy"]
    assert not program.notes


def test_the_options_give_an_instance():
    program = lower(TEMPLATE, options=FrontendOptions(instantiate=("copy<float, 4>",)))
    assert program.roots == ("copy<float, 4>",)


def test_an_instance_that_does_not_exist_is_said():
    program = lower(TEMPLATE + "// ptolint: instantiate(cpoy<half, 64>)\n")
    assert any("cpoy" in r for r in reasons(program))


def test_a_launch_is_an_invoke_of_the_kernel_and_the_kernel_stays_a_root():
    program = lower(TEMPLATE + "void launch(half *p, void *stream) { copy<half, 16><<<1, nullptr,\n stream>>>(p); }\n")
    assert set(program.roots) == {"launch", "copy<half, 16>"}
    assert not function(program, "launch").is_device


def test_helpers_are_checked_through_their_callers():
    program = lower(
        f"AICORE void helper({VEC} &t, int n) {{ t.SetValidRow(n); }}\n"
        f"__global__ AICORE void kernel() {{ {VEC} t(1, 2); helper(t, 3); }}\n"
    )
    assert program.roots == ("kernel",)
    assert function(program, "helper").is_device


def test_functions_that_only_call_each_other_get_a_root():
    program = lower(
        "AICORE int b(int n);\nAICORE int a(int n) { return n ? b(n) : 0; }\nAICORE int b(int n) { return a(n - 1); }\n"
    )
    assert program.roots == ("a",)
    assert set(program.functions) == {"a", "b"}


def test_ids_are_the_same_on_every_run():
    code = TEMPLATE + "template void copy<half, 16>(half *);\nAICORE void f(int) {}\nAICORE void f(float) {}\n"
    assert list(lower(code).functions) == list(lower(code).functions) == ["f", "f#2", "copy<half, 16>"]


def test_each_core_sees_its_own_code():
    code = """__global__ AICORE void kernel()
{
#if defined(__DAV_VEC__)
    pipe_barrier(PIPE_V);
#elif defined(__DAV_CUBE__)
    pipe_barrier(PIPE_M);
#endif
}
"""
    assert calls(lower(code, core="vec"))[0].operands[0].value.value == "PIPE_V"
    assert calls(lower(code, core="cube"))[0].operands[0].value.value == "PIPE_M"
