"""Types of operands, and where the user spells them."""

from ptolint.ir.model import ConvTileType, DimsType, PointerType, StructType, TensorType, TileType

from .support import PRELUDE_LINES, function, kernel, lower


def types(code: str, **more: str) -> dict[str, object]:
    from ptolint.ir.model import Let

    from .support import statements

    return {s.var.name: s.var.type for s in statements(kernel(code, **more), Let)}


def test_all_arguments_of_a_tile():
    found = types(
        "Tile<TileType::Mat, half, 64, 128, BLayout::ColMajor, -1, 100, SLayout::RowMajor, 1024, PadValue::Zero, "
        "CompactMode::Normal> t(n);"
    )
    assert found["t"] == TileType("Mat", "half", 64, 128, -1, 100, "ColMajor", "RowMajor", 1024, "Zero", "Normal")


def test_defaults_of_a_tile():
    assert types("Tile<TileType::Vec, bfloat16_t, 8, 16> t;")["t"] == TileType("Vec", "bfloat16_t", 8, 16, 8, 16)


def test_aliases_of_matrix_tiles():
    found = types("TileLeft<half, 16, 32> a; TileRight<half, 32, 16> b; TileAcc<float, 16, 16> c;")
    assert [(t.loc, t.blayout, t.slayout, t.fractal_size) for t in found.values()] == [
        ("Left", "ColMajor", "RowMajor", 512),
        ("Right", "RowMajor", "ColMajor", 512),
        ("Acc", "ColMajor", "RowMajor", 1024),
    ]


def test_element_types():
    names = [
        "half",
        "bfloat16_t",
        "float",
        "int8_t",
        "uint8_t",
        "int16_t",
        "uint16_t",
        "int32_t",
        "uint32_t",
        "float8_e4m3_t",
    ]
    found = types("".join(f"Tile<TileType::Vec, {n}, 32, 32> t{i};" for i, n in enumerate(names)))
    assert [t.dtype for t in found.values()] == names


def test_a_tensor():
    found = types("GlobalTensor<half, Shape<1, 2, 3, -1, 64>, Stride<-1, 1, 1, 64, 1>, Layout::DN> g(nullptr);")
    assert found["g"] == TensorType("half", (1, 2, 3, -1, 64), (-1, 1, 1, 64, 1), "DN")


def test_shapes_and_what_derives_from_them():
    found = types("Shape<1, 1, 1, -1> s; TileShape2D<float, 32, 64, Layout::NZ> v;")
    assert found["s"] == DimsType("shape", (1, 1, 1, -1, -1))
    assert found["v"] == DimsType("shape", (1, 8, 2, 16, 8))


def test_a_convolution_tile():
    found = types("ConvTile<TileType::Mat, half, 4096, Layout::NC1HWC0, ConvTileShape<1, 2, 3, 4, 16>> t;")
    assert found["t"] == ConvTileType("Mat", "half", 4096, "NC1HWC0", (1, 2, 3, 4, 16))


def test_a_struct_has_the_members_of_its_bases_first():
    found = types("D d;", before="struct B { int a; }; struct D : B { float b; static constexpr int c = 3; };")
    assert isinstance(found["d"], StructType)
    assert [n for n, _ in found["d"].fields] == ["a", "b"]


def test_pointers_know_their_memory():
    program = lower("__global__ AICORE void k(__gm__ half *a, __ubuf__ float *b, half *c) {}\n")
    assert [p.type.space for p in function(program, "k").params if isinstance(p.type, PointerType)] == ["gm", "ub", ""]


def uses(program):
    return [(u.span.line - PRELUDE_LINES, u.span.col, u.span.end_col, u.type.cols) for u in program.type_uses]


def test_a_type_is_placed_at_its_alias_once():
    program = lower(
        "using T = Tile<TileType::Vec, half, 16, 32>;\n__global__ AICORE void k() {\n  T a;\n  T b[2];\n}\n"
    )
    assert uses(program) == [(1, 11, 44, 32)]
    assert function(program, "k").body[0].var.type_span.line == PRELUDE_LINES + 1


def test_a_type_is_placed_where_a_variable_spells_it():
    program = lower("__global__ AICORE void k() {\n  pto::Tile<TileType::Vec, half, 16, 32> a;\n}\n")
    assert uses(program) == [(2, 8, 41, 32)]


def test_each_instance_of_a_dependent_alias_is_a_type_of_its_own():
    program = lower(
        "template <int C> __global__ AICORE void k() {\n  using T = Tile<TileType::Vec, half, 16, C>;\n  T a;\n}\n"
        "template void k<16>();\ntemplate void k<32>();\n"
    )
    assert [(line, cols) for line, _, _, cols in uses(program)] == [(2, 16), (2, 32)]


def test_a_type_passed_as_template_argument_is_placed_there():
    program = lower(
        "template <typename T> AICORE void f() { T t; TASSIGN(t, 0); }\n"
        "__global__ AICORE void k() {\n  f<Tile<TileType::Vec, half, 16, 32>>();\n}\n"
    )
    assert [(line, cols) for line, _, _, cols in uses(program)] == [(3, 32)]
