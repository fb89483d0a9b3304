"""Fixes as the pipeline offers them, and that applying them leaves a clean file."""

import pytest

from ptolint.findings import Finding
from ptolint.fixes import apply_edits
from ptolint.options import CheckOptions
from ptolint.pipeline import Job, check_job

HEAD = """#include <pto/pto-inst.hpp>
using namespace pto;

extern "C" __global__ AICORE void k()
{
"""
XOR = """    Tile<TileType::Vec, int32_t, 16, 64> a, b, c;
    Tile<TileType::Vec, half, 16, 64> tmp;
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x2000);
    TASSIGN(c, 0x4000);
    TASSIGN(tmp, 0x6000);
    TXOR(c, a, b, tmp);
}
"""
COMPARE = """    Tile<TileType::Vec, int32_t, 16, 64> a;
    Tile<TileType::Vec, uint8_t, 16, 64> b;
    TASSIGN(a, 0x0);
    TASSIGN(b, 0x4000);
    TCMP(b, a, a, CmpMode::NE);
}
"""


def place(how: str) -> str:
    return f"    Tile<TileType::Vec, float, 16, 64> a;\n    {how};\n    TEXPANDS(a, 1.0f);\n}}\n"


def findings(body: str) -> tuple[str, list[Finding]]:
    text = HEAD + body
    result = check_job(Job("k.cpp", CheckOptions(replay=False), text=text))
    assert result.failure is None
    return text, list(result.findings)


@pytest.mark.parametrize(
    ("body", "old", "new", "safe"),
    [
        (place("TASSIGN(a, 0x10)"), "0x10", "0x20", True),
        (place("TASSIGN<48>(a)"), "<48>", "<64>", True),
        (place("TASSIGN( a /* é */ , 40u )"), "40u", "64u", True),
        (XOR, "half", "int32_t", True),
        (COMPARE, "CmpMode::NE", "CmpMode::EQ", False),
    ],
)
def test_the_one_edit_that_repairs(body: str, old: str, new: str, safe: bool) -> None:
    text, found = findings(body)
    fixes = [fix for f in found for fix in f.fixes]
    assert [fix.safe for fix in fixes] == [safe]
    edited = apply_edits(text.encode(), fixes[0].edits).decode()
    assert edited == text.replace(old, new)
    assert findings(edited.removeprefix(HEAD))[1] == []


@pytest.mark.parametrize(
    "body",
    [
        place("constexpr int where = 0x10; TASSIGN(a, where)"),  # others may use the constant
        place("TASSIGN(a, 0x10 + 0x8)"),  # no literal
        XOR.replace("int32_t", "int16_t").replace("TXOR(c, a, b, tmp)", "TMUL(c, a, tmp)"),  # int16_t or half: two ways
    ],
)
def test_no_fix_where_there_is_a_choice_or_no_single_edit(body: str) -> None:
    _, found = findings(body)
    assert found != []
    assert [fix for f in found for fix in f.fixes] == []
