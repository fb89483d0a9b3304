"""The model headers: types have the documented sizes and members, and every overload family resolves."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from clang.cindex import Cursor, CursorKind, Index, TranslationUnit

import ptolint.frontend
from ptolint.targets import TARGETS, get_target

DATA = Path(__file__).parent / "data"
HEADERS = Path(ptolint.frontend.__file__).parent / "headers"
KEEP_GOING = 0x200
FUNCTIONS = (CursorKind.FUNCTION_TEMPLATE, CursorKind.FUNCTION_DECL)

PROLOGUE = (DATA / "header_prologue.hpp").read_text()
OPERANDS = """(V v, V w, V u, VH h, VI i, V8 b8, M m, L l, R r, A a, A a2, B b, F f, SL sl, SR sr, G g, G g2, C c,
    Pipe p, E e, uint64_t q, float s, int n)"""


def parse(text: str, target: str = "a5", core: str = "vec", standard: str = "c++17") -> TranslationUnit:
    macros = get_target(target).macros + get_target(target).core_macros[core]
    args = [f"-std={standard}", "-nostdinc", "-nostdinc++", "-w", f"-I{HEADERS}", "-target", "x86_64-linux-gnu"]
    args += [f"-D{name}={value}" for name, value in macros]
    return Index.create().parse("k.cpp", args=args, unsaved_files=[("k.cpp", text)], options=KEEP_GOING)


def errors(text: str, target: str = "a5", core: str = "vec", standard: str = "c++17") -> list[str]:
    return [str(d) for d in parse(text, target, core, standard).diagnostics if d.severity >= 3]


def kernel(body: str) -> str:
    return f"{PROLOGUE}AICORE void kernel{OPERANDS} {{ {body} }}\n"


def annotations(cursor: Cursor) -> set[str]:
    return {c.spelling for c in cursor.get_children() if c.kind == CursorKind.ANNOTATE_ATTR}


@cache
def declared(annotation: str) -> frozenset[str]:
    """Names of all functions of the headers that carry an annotation."""
    found = set()

    def visit(cursor: Cursor) -> None:
        for child in cursor.get_children():
            if child.kind == CursorKind.NAMESPACE:
                visit(child)
            elif child.kind in FUNCTIONS and annotation in annotations(child):
                found.add(child.spelling)

    visit(parse("#include <pto/pto-inst.hpp>\n").cursor)
    return frozenset(found)


def call_lines() -> list[str]:
    """One call per overload family of each instruction."""
    return (DATA / "header_calls.txt").read_text().splitlines()


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_every_family_resolves(target: str) -> None:
    if target.startswith("kirin"):
        lines = [line for line in call_lines() if "comm::" not in line and "_ASYNC" not in line]
    else:
        lines = call_lines()
    body = "\n".join(f"{{ {line}; }}" for line in lines)
    assert errors(kernel(body), target) == []


def test_calls_cover_every_instruction() -> None:
    called = {name for line in call_lines() for name in re.findall(r"([A-Z][A-Z0-9_]+)[(<]", line)}
    assert declared("ptolint.instruction") - called == set()


@pytest.mark.parametrize(
    "call",
    [
        "TADD(v, w)",  # too few operands
        "TADD(v, w, s)",  # a scalar where a tile belongs
        "TADD(v, w, u, u)",  # a tile is no event
        "TLOAD(g, v)",
        "TSTORE(v, g)",
        "TMOV(v, w, i, i)",
        "TMOV<L, A, AtomicType::AtomicAdd>(l, a)",
        "TSTORE<V, G, 3>(g, v)",
        "TINSERT(m, v)",
        "TQUANT(b8, v, w)",
        "TMATMUL(a, l)",
        "TCVT(h, v)",
        "TPUSH<Pipe, V, TILE_UP_DOWN>(v, p)",
    ],
)
def test_missing_overload_does_not_resolve(call: str) -> None:
    assert errors(kernel(f"{call};"))


def test_parameters_have_the_names_of_the_rules() -> None:
    text = kernel("TINSERT<M, A, ReluPreMode::NormalRelu>(m, a, q, 0, 0); TADD(v, w, u, e);")
    found = {}
    for cursor in parse(text).cursor.walk_preorder():
        if cursor.kind == CursorKind.CALL_EXPR and cursor.spelling in ("TINSERT", "TADD"):
            found[cursor.spelling] = [a.spelling for a in cursor.referenced.get_arguments()]
            assert annotations(cursor.referenced) == {"ptolint.instruction"}
    assert found["TINSERT"] == ["dst", "src", "pre_quant_scalar", "index_row", "index_col"]
    assert found["TADD"] == ["dst", "src0", "src1", "events"]


def test_kernels_and_device_functions_are_marked() -> None:
    text = (
        "#include <pto/pto-inst.hpp>\n"
        'extern "C" __global__ AICORE void k1(__gm__ float *p) {}\n'
        "template <typename T> __global__ AICORE void k2(__gm__ T *p) {}\n"
        "AICORE inline int d1() { return 1; }\n"
        "[aicore] void d2() {}\n"
        "PTO_INTERNAL void d3() {}\n"
        "__aicore__ inline void d4() {}\n"
        "void host() {}\n"
    )
    unit = parse(text)
    assert [d.spelling for d in unit.diagnostics if d.severity >= 3] == []
    marks = {
        c.spelling: annotations(c)
        for c in unit.cursor.walk_preorder()
        if c.kind in FUNCTIONS and str(c.location.file) == "k.cpp"
    }
    assert "ptolint.kernel" in marks["k1"] and "ptolint.kernel" in marks["k2"]
    assert all("ptolint.device" in marks[name] for name in ("k1", "k2", "d1", "d2", "d3", "d4"))
    assert marks["host"] == set()


STATIC_FACTS = (DATA / "header_facts.cpp").read_text()


@pytest.mark.parametrize("target", ["a2a3", "a5"])
def test_static_facts(target: str) -> None:
    assert errors(PROLOGUE + STATIC_FACTS, target, "cube") == []


def test_left_tile_layout_depends_on_the_target() -> None:
    check = "static_assert(TileLeft<half, 16, 16>::isRowMajor == %s);"
    assert errors(PROLOGUE + check % "true", "a2a3") == []
    assert errors(PROLOGUE + check % "false", "a5") == []


@pytest.mark.parametrize(
    "tile",
    [
        "Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 17, 64>",
        "Tile<TileType::Vec, float, 16, 63>",
        "Tile<TileType::Vec, float, 0, 64>",
        "Tile<TileType::Mat, half, 8, 8, BLayout::ColMajor, 8, 8, SLayout::RowMajor, 100>",
    ],
)
def test_illegal_types_are_left_to_the_rules(tile: str) -> None:
    assert errors(f"{PROLOGUE}AICORE void kernel() {{ {tile} t; }}\n") == []


def test_dynamic_members() -> None:
    body = """
    using Row = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, DYNAMIC, 64>;
    using Col = Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, 16, DYNAMIC>;
    D d(n, n); Row row(n); Col col(n);
    d.SetValidRow(3); d.SetValidCol(4); d.SetValidShape(3, 4);
    unsigned sum = d.GetValidRow() + row.GetValidRow() + row.GetValidCol() + col.GetValidCol();
    using Dyn = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, DYNAMIC, DYNAMIC, 1>>;
    Dyn view((float *)0, Shape<1, 1, 1, DYNAMIC, DYNAMIC>(n, n), {n * n, n});
    view.SetShape<3, 4>(n, 2); view.SetStride<3>(n);
    int64_t extent = view.GetShape(3) * view.GetStride(2) + view.data()[0];
    e = TLOAD(v, g); e.Wait(); set_flag(PIPE_V, PIPE_MTE3, EVENT_ID1);
    wait_flag(PIPE_V, PIPE_MTE3, (event_t)n); pipe_barrier(PIPE_ALL);
    int64_t block = get_block_idx() * get_block_num() + get_subblockid() + block_idx; PTO_ASSERT(n > 0, "positive");
    half x = static_cast<half>(s) * half(2) + h.GetValue(0);
    bfloat16_t y = 1.5f; float8_e4m3_t z = 2.0f; float t = float(z) + float(x) + float(y);
    """
    assert errors(kernel(body)) == []
    assert errors(kernel("Tile<TileType::Vec, float, 16, 64> t(n, n);"))


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
def test_standard_library(standard: str) -> None:
    headers = sorted(p.name for p in HEADERS.iterdir() if p.is_file() and p.suffix in ("", ".h"))
    text = "".join(f"#include <{name}>\n" for name in headers)
    text += """
    static_assert(std::numeric_limits<int64_t>::min() == INT64_MIN && std::numeric_limits<uint8_t>::max() == 255);
    static_assert(std::max(3, 4) == 4 && std::is_same_v<std::conditional_t<true, int, char>, int>);
    static_assert(std::tuple_size_v<std::tuple<int, float>> == 2 && std::array<int, 2>{1, 2}[1] == 2);
    int use() {
        auto [a, b] = std::make_tuple(1, 2.0f);
        std::string name = "k" + std::to_string(a);
        std::vector<float> values(4, b);
        std::cout << name << values.size() << std::endl;
        return static_cast<int>(std::sqrt(b) + std::pow(2.0, 3) + std::get<0>(std::pair<int, int>(1, 2)));
    }
    """
    assert errors(text, standard=standard) == []


def test_headers_stay_small() -> None:
    assert sum(p.stat().st_size for p in (HEADERS / "pto").rglob("*.hpp")) < 130_000
