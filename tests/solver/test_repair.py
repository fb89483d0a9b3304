"""Repair: the nearest legal call, said in the hint."""

from __future__ import annotations

from ptolint.frontend import FrontendOptions, parse
from ptolint.pipeline import rulebook_for
from ptolint.rulebook.program import check_program
from ptolint.solver.repair import with_repairs
from ptolint.targets import get_target

SOURCE = """#include <pto/pto-inst.hpp>
using namespace pto;
extern "C" __global__ AICORE void k(__gm__ half* in)
{
    using T = Tile<TileType::Vec, DTYPE, 16, 64, BLayout::RowMajor>;
    T a, b, c;
    TMUL(a, b, c);
}
"""


def hints(dtype, target):
    source = SOURCE.replace("DTYPE", dtype)
    program = parse("k.cpp", source, target=get_target(target), core="vec", options=FrontendOptions())
    rules = rulebook_for(())
    found = check_program(program, rules).findings
    return [f.hint for f in with_repairs(program, found, target, rules)]


def test_common_element_type():
    (hint,) = hints("uint8_t", "a5")
    assert "legal with the element type uint8_t → " in hint


def test_legal_calls_have_no_hint():
    assert hints("half", "a5") == []
