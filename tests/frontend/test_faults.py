"""Constraints that the model headers tell of themselves, at the place of the user that asked for them."""

import pytest

from tests.frontend.support import PRELUDE_LINES, kernel, lower

VIEW = "GlobalTensor<half, TileShape2D<half, {0}>, BaseShape2D<half, {1}>, Layout::{2}> view(x);"


def faults(program) -> list[tuple[str, int]]:
    return [(f.rule, f.span.line - PRELUDE_LINES) for f in program.faults]


@pytest.mark.parametrize(
    ("shape", "base", "layout", "expected"),
    [
        ("32, 48, Layout::NZ", "32, 48, Layout::NZ", "NZ", []),
        ("24, 48, Layout::NZ", "32, 48, Layout::NZ", "NZ", ["tile/view-rows"]),
        ("32, 40, Layout::NZ", "32, 48, Layout::NZ", "NZ", ["tile/view-cols"]),
        ("32, 48, Layout::NZ", "32, 40, Layout::NZ", "NZ", ["tile/view-cols"]),
        ("DYNAMIC, DYNAMIC, Layout::NZ", "DYNAMIC, DYNAMIC, Layout::NZ", "NZ", []),
        ("3, 5", "3, 5", "ND", []),
        ("16, 3, Layout::MX_A_ND", "16, 3, Layout::MX_A_ND", "MX_A_ND", ["tile/view-cols"]),
        ("3, 16, Layout::MX_B_DN", "3, 16, Layout::MX_B_DN", "MX_B_DN", ["tile/view-rows"]),
    ],
)
def test_views(shape, base, layout, expected):
    program = kernel(VIEW.format(shape, base, layout), "__gm__ half *x")
    assert faults(program) == [(rule, 4) for rule in expected]


def test_elements_of_a_tile_outside_the_vector_buffer():
    program = kernel("Tile<TileType::Mat, float, 16, 64> t;\nfloat a = t.GetValue(1);\nt.SetValue(1, a);")
    assert faults(program) == [("tile/element-access", 5)]
    assert faults(kernel("Tile<TileType::Vec, float, 16, 64> t;\nt.SetValue(1, t.GetValue(0));")) == []


def test_static_valid_region_set_at_run_time():
    tile = "Tile<TileType::Vec, float, 16, 64, BLayout::RowMajor, {}> t{};\n"
    assert faults(kernel(tile.format("-1, -1", "(4, 4)") + "t.SetValidShape(n, n);\nt.SetValidRow(n);")) == []
    assert faults(kernel(tile.format("16, -1", "(4)") + "t.SetValidRow(n);")) == [("tile/valid-region-static", 5)]
    assert faults(kernel(tile.format("16, 64", "") + "t.SetValidShape(n, n);")) == [("tile/valid-region-static", 5)]


def test_the_place_is_the_users_also_inside_a_template():
    program = lower(
        "template <typename T>\nAICORE void f(T &t)\n{\n    t.SetValidRow(3);\n}\n"
        "__global__ AICORE void kernel()\n{\n    Tile<TileType::Vec, float, 16, 64> t;\n    f(t);\n}\n"
    )
    assert faults(program) == [("tile/valid-region-static", 4)]
