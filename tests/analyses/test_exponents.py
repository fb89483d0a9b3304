"""Which TQUANT and TMOV belong together, told from the IR alone."""

import pytest

from ptolint.analyses.exponents import mark_exponents
from ptolint.frontend import FrontendOptions, parse
from ptolint.ir.walk import calls
from ptolint.targets import get_target

KERNEL = """#include <pto/pto-inst.hpp>
using namespace pto;
template <typename T, int M, int N>
using Rows = Tile<TileType::Vec, T, M, N>;

extern "C" __global__ AICORE void quantise(int n)
{
    Rows<half, 64, COLS> src;
    Rows<int8_t, 64, COLS> dst;
    Rows<uint8_t, 1, 2 * COLS> exponents, others;
    Rows<half, 1, 2 * COLS> maxima, factors;
    Tile<TileType::Vec, uint8_t, 64, COLS / 32, BLayout::RowMajor, -1, -1, SLayout::RowMajor, 32> zz(64, COLS / 32);
    Rows<uint8_t, 1, 512> scratch;
    BODY
}
"""
QUANT = "TQUANT<1, MxQuantAlg::OcpMxFp8E4M3>(dst, src, &exponents, &maxima, &factors);"


def marks(body, cols=64):
    text = KERNEL.replace("COLS", str(cols)).replace("BODY", body)
    program = parse("kernel.cpp", text, target=get_target("a5"), core="vec", options=FrontendOptions())
    marked = mark_exponents(program)
    found = [c for f in marked.functions.values() for c in calls(f) if c.instruction in ("TQUANT", "TMOV")]
    names = ("zz_axis", "faulty_at_source")
    return [{k: v.value for k, v in c.template if k in names} for c in found]


def test_the_axis_of_the_repacking_is_told_to_the_quantisation():
    assert marks(f"{QUANT} TMOV(zz, exponents, scratch);") == [{"zz_axis": 1}, {}]
    assert marks(f"{QUANT} TMOV<0>(zz, exponents, scratch);") == [{"zz_axis": 0}, {}]


def test_a_repacking_that_cannot_work_is_marked_as_well():
    assert marks(f"{QUANT} TMOV(zz, exponents, scratch);", cols=96) == [{"zz_axis": 1}, {"faulty_at_source": True}]


@pytest.mark.parametrize(
    "body",
    [
        QUANT,
        f"{QUANT} TMOV(zz, others, scratch);",
        f"TMOV(zz, exponents, scratch); {QUANT}",
        f"{QUANT} TMOV(dst, src);",
    ],
)
def test_other_calls_are_left_alone(body):
    assert all(not m for m in marks(body))


def test_exponents_written_anew_belong_to_the_later_call():
    assert marks(f"{QUANT} {QUANT} TMOV(zz, exponents, scratch);") == [{}, {"zz_axis": 1}, {}]


def test_calls_inside_loops_and_branches_are_found():
    body = f"for (int i = 0; i < n; ++i) {{ {QUANT} if (i > 0) {{ TMOV(zz, exponents, scratch); }} }}"
    assert marks(body) == [{"zz_axis": 1}, {}]


def test_a_program_without_quantisation_stays_the_same_object():
    text = KERNEL.replace("COLS", "64").replace("BODY", "")
    program = parse("kernel.cpp", text, target=get_target("a5"), core="vec", options=FrontendOptions())
    assert mark_exponents(program) is program
