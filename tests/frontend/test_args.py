"""Options: include paths, macros, compilation databases, and what is never passed on."""

import json

import pytest

from ptolint.frontend import FrontendError, FrontendOptions, cores_needed, parse
from ptolint.frontend.args import clang_arguments, dropped_arguments, safe_arguments
from ptolint.targets import get_target

from .support import PRELUDE, calls, lower, reasons

KERNEL = '#include "size.h"\n__global__ AICORE void k() { Tile<TileType::Vec, float, ROWS, 8> t; TASSIGN(t, 0); }\n'


def rows(program) -> int:
    return calls(program, "TASSIGN")[0].operands[0].type.rows


def test_only_harmless_arguments_are_kept():
    given = ["-DA=1", "-D", "B", "-Ix", "-isystem", "y", "-std=c++20", "-O2", "-o", "a.o", "-c", "-include", "evil.h",
             "-Xclang", "-load", "-fplugin=x.so", "-emit-ast", "-MF", "d", "@file"]  # fmt: skip
    assert safe_arguments(given, "/d") == ["-D", "A=1", "-D", "B", "-I", "/d/x", "-isystem", "/d/y", "-std=c++20"]


def test_what_is_not_passed_on_is_named():
    given = ("-DA", "-I", "x", "-std=c++20", "-include", "/dev/zero", "-Xclang", "-load",
             "-MF", "d", "@f", "-std=c11", "-I")  # fmt: skip
    assert dropped_arguments(given) == [*("-include /dev/zero", "-Xclang", "-load", "-MF", "d", "@f", "-std=c11", "-I")]
    assert safe_arguments(given, "/d") == ["-D", "A", "-I", "/d/x", "-std=c++20"]


def test_an_include_beside_the_file(tmp_path):
    (tmp_path / "size.h").write_text("#define ROWS 24\n")
    path = tmp_path / "k.cpp"
    path.write_text(PRELUDE + KERNEL)
    program = parse(str(path), target=get_target("a5"), core="vec")
    assert rows(program) == 24
    assert program.includes == (str(tmp_path / "size.h"),)


@pytest.mark.parametrize("how", ["dirs", "clang", "database"])
def test_include_directories_from_everywhere(tmp_path, how):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "size.h").write_text("#define ROWS 40\n")
    path = tmp_path / "k.cpp"
    path.write_text(PRELUDE + KERNEL)
    database = tmp_path / "compile_commands.json"
    command = {"directory": str(tmp_path), "file": "k.cpp", "command": "bisheng -Iinc -O2 -o k.o k.cpp"}
    database.write_text(json.dumps([command]))
    options = {
        "dirs": FrontendOptions(include_dirs=(str(tmp_path / "inc"),)),
        "clang": FrontendOptions(clang_args=("-I", str(tmp_path / "inc"), "-fplugin=x.so")),
        "database": FrontendOptions(compile_commands=str(database)),
    }[how]
    assert rows(parse(str(path), target=get_target("a5"), core="vec", options=options)) == 40


def test_macros_from_the_options():
    code = KERNEL.replace('#include "size.h"\n', "")
    assert rows(lower(code, options=FrontendOptions(defines=("ROWS=56",)))) == 56


def test_a_broken_database_is_an_error_of_one_line(tmp_path):
    database = tmp_path / "compile_commands.json"
    database.write_text("{")
    with pytest.raises(FrontendError, match="not a compilation database"):
        lower("", options=FrontendOptions(compile_commands=str(database)))


def test_the_targets_macros():
    arguments = clang_arguments("k.cpp", get_target("a2a3"), "cube", FrontendOptions())
    assert "-D__NPU_ARCH__=2201" in arguments and "-D__DAV_CUBE__=1" in arguments
    assert not any("__DAV_VEC__" in a for a in arguments)


def test_cores_that_differ(tmp_path):
    (tmp_path / "part.h").write_text("#ifdef __DAV_CUBE__\n#endif\n")
    plain, asks = PRELUDE, '#include "part.h"\n'
    assert cores_needed(str(tmp_path / "k.cpp"), plain) == ("vec",)
    assert cores_needed(str(tmp_path / "k.cpp"), asks) == ("vec", "cube")
    assert cores_needed(str(tmp_path / "k.cpp"), "#if defined(__DAV_VEC__)\n#endif") == ("vec", "cube")


def test_the_users_own_headers(tmp_path):
    (tmp_path / "pto").mkdir()
    (tmp_path / "pto" / "pto-inst.hpp").write_text(
        '#define AICORE\n#define __global__ __attribute__((annotate("ptolint.kernel")))\n'
        "namespace pto { template <class T> AICORE void TNEW(T &dst, int how) {} }\n"
    )
    program = lower(
        "__global__ AICORE void k(int n) { int a = n; TNEW(a, 3); }\n",
        options=FrontendOptions(pto_include=str(tmp_path)),
    )
    assert [c.instruction for c in calls(program)] == ["TNEW"]
    assert not reasons(program)
