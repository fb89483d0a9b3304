"""Sources that are wrong, absurd or meant to break the analyser: a program with notes or an error of one line."""

import pytest

from ptolint.frontend import FrontendError, parse
from ptolint.targets import get_target

from .support import PRELUDE, lower, reasons

KERNEL = "__global__ AICORE void kernel(int n) { pipe_barrier(PIPE_ALL); }\n"


@pytest.mark.parametrize(
    "code",
    [
        "",
        "<" * 50_000,
        "void f() {" + "<\n" * 20_000,
        "void f()" + "{" * 50_000,
        "AICORE int f(int x) { return " + "(" * 9_000 + "x" + ")" * 9_000 + "; }",
        "template <int N, typename T<pto::Tile<" * 300,
        "template <int N> AICORE int f() { return f<N + 1>(); }\n__global__ AICORE void k() { f<0>(); }",
        "AICORE int f(int x) { return " + "+".join(["x"] * 3_000) + "; }",
        "AICORE int f(int x) { " + "if (x == 3) x = 1; else " * 400 + "x = 2; return x; }",
        "/* unterminated",
        'auto s = "unterminated',
        "#if 1\n" * 300,
        "// ptolint: assume(n > 0)\n" * 500 + "{" * 500,
        "// ptolint: assume(\n// ptolint: instantiate(((\n",
        "template " * 5_000,
        "k<<<" * 5_000,
        "\xff\xfe\x01",
        "struct A { A a; A *b; };\n__global__ AICORE void k() { A a; a.b->b = &a; }",
        "AICORE auto f() { return f(); }\n__global__ AICORE void k() { f(); }",
        "static const int a[100000000] = {1};\n__global__ AICORE void k(int n) { int b = a[n]; }",
    ],
    ids=range(20),
)
def test_nothing_breaks_the_front_end(code):
    try:
        program = lower(code)
    except FrontendError as error:
        assert "\n" not in str(error)
    else:
        assert program.file == "kernel.cpp"


def test_a_file_that_includes_itself(tmp_path):
    path = tmp_path / "self.cpp"
    path.write_text('#include "self.cpp"\n' + PRELUDE + KERNEL)
    assert parse(str(path), target=get_target("a5"), core="vec").functions


def test_a_path_with_spaces_and_letters(tmp_path):
    path = tmp_path / "größe 1.cpp"
    path.write_text(PRELUDE + "/* größe */ " + KERNEL)
    program = parse(str(path), target=get_target("a5"), core="vec")
    assert program.roots == ("kernel",)
    assert program.functions["kernel"].span.file == str(path)


def test_nesting_beyond_reason_is_reported():
    program = lower("AICORE int f(int x) { " + "if (x == 3) x = 1; else " * 400 + "x = 2; return x; }")
    assert any("nested too deeply" in r for r in reasons(program))


def test_an_error_in_device_code_leaves_a_note():
    program = lower("__global__ AICORE void k(int n) { no_such_type x; int m = n; }\n")
    assert any("no_such_type" in r for r in reasons(program))


def test_a_program_outlives_its_translation_unit():
    program = lower(KERNEL)
    assert hash(program.functions["kernel"]) == hash(program.functions["kernel"])
