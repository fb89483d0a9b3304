"""What clang gets to see instead of the user's text, and places in it."""

import pytest

from ptolint.frontend import FrontendError, uses_pto
from ptolint.frontend.source import Buffer, blank, prepare, read_text

from .support import calls, lower


def seen(text: str) -> str:
    return prepare(text.encode()).data.decode()


def test_comments_and_literals_are_blanked_in_place():
    text = 'int a; // x\n/* y\n */ char c = \'"\'; auto s = "a//b"; auto r = R"(")"; int n = 1\'000;'
    plain = blank(text)
    assert len(plain) == len(text) and plain.count("\n") == text.count("\n")
    assert "x" not in plain and "y" not in plain and "a//b" not in plain and "1'000" in plain


def test_a_launch_keeps_every_offset():
    text = "kernel<T, 3><<<grid,\n nullptr, s>>>(a);\nrest"
    assert len(seen(text)) == len(text)
    assert seen(text).startswith("kernel<T, 3>   ")
    assert seen(text).endswith("(a);\nrest")


def test_a_launch_inside_a_comment_is_left_alone():
    assert seen("// k<<<1>>>(a)\nint b = 1 << 2;") == "// k<<<1>>>(a)\nint b = 1 << 2;"


def test_the_device_attribute_in_brackets():
    assert seen("[aicore] void f();") == "AICORE   void f();"


def test_columns_behind_an_insertion_are_those_of_the_file():
    buffer = Buffer(b"", shifts={3: [(10, 20)]})
    assert [buffer.column(3, c) for c in (5, 10, 15, 30, 31)] == [5, 10, 10, 10, 11]
    assert buffer.column(4, 31) == 31


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#include <pto/pto-inst.hpp>", True),
        ('#include "pto/common/pto_tile.hpp"', True),
        ("__global__ AICORE void f();", True),
        ("int main() { return 0; }", False),
        ("", False),
    ],
)
def test_what_counts_as_a_pto_source(text, expected):
    assert uses_pto(text) is expected


def test_crlf_and_utf16_sources(tmp_path):
    code = "__global__ AICORE void k(int n)\r\n{\r\n    pipe_barrier(PIPE_ALL);\r\n}\r\n"
    assert calls(lower(code))[0].span.line == 5
    path = tmp_path / "k.cpp"
    path.write_bytes(code.encode("utf-16"))
    assert read_text(str(path)) == code.encode()


@pytest.mark.parametrize("content", [b"\0\1\2", b"<" * 1_000_000])
def test_what_is_no_source_at_all(tmp_path, content):
    path = tmp_path / "k.cpp"
    path.write_bytes(content)
    with pytest.raises(FrontendError) as error:
        read_text(str(path))
    assert "\n" not in str(error.value)


def test_a_missing_file_and_a_directory(tmp_path):
    for path in (tmp_path / "no.cpp", tmp_path):
        with pytest.raises(FrontendError):
            read_text(str(path))


def test_columns_count_characters():
    program = lower("/* größe */ __global__ AICORE void k() { /* ä */ pipe_barrier(PIPE_V); }\n")
    line = "/* größe */ __global__ AICORE void k() { /* ä */ "
    assert calls(program)[0].name_span.col == len(line) + 1
