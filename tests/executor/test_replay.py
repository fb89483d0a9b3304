"""What the replay says of findings, on kernels from C++ sources."""

from __future__ import annotations

import pytest

from ptolint.executor.replay import replay
from ptolint.findings import Finding, Witness
from ptolint.frontend import parse
from ptolint.ir.walk import calls
from ptolint.rulebook.engine import finding_span
from ptolint.targets import get_target

TAIL = """
#include <pto/pto-inst.hpp>
using namespace pto;

extern "C" __global__ AICORE void tail(__gm__ float *out, __gm__ float *in, int n)
{
    using View = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, 32>, Stride<32, 32, 32, 32, 1>>;
    using Rows = Tile<TileType::Vec, float, 16, 32, BLayout::RowMajor, DYNAMIC, 32>;
    for (int i = 0; i < 4; ++i) {
        const int rows = n - 16 * i < 16 ? n - 16 * i : 16;
        Rows tile(rows);
        TASSIGN(tile, 0x0);
        View src(in + 512 * i, Shape<1, 1, 1, DYNAMIC, 32>(rows));
        TLOAD(tile, src);
        TADDS(tile, tile, 1.0f);
        View dst(out + 512 * i, Shape<1, 1, 1, DYNAMIC, 32>(rows));
        TSTORE(dst, tile);
    }
}
"""

COUNTED = TAIL.replace("TADDS(tile, tile, 1.0f);", "THISTOGRAM<HistByte::BYTE_0>(tile, tile, tile);").replace(
    "tail(", "counted("
)

CONSTANT = """
#include <pto/pto-inst.hpp>
using namespace pto;

extern "C" __global__ AICORE void constant(__gm__ float *out, int n)
{
    using Small = Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 8, 8>;
    using Large = Tile<TileType::Vec, float, 16, 8, BLayout::RowMajor, 16, 8>;
    Small small;
    Large large;
    TASSIGN(small, 0x0);
    TASSIGN(large, 0x3FF00);
    TEXPANDS(small, 1.0f);
    if (n > 100) {
        TADDS(small, small, 1.0f);
    }
    TINSERT(small, small, 4, 0);
}
"""


def run(tmp_path, text, instruction, rule, *, witness=None, level="warning", entry="", target="a5", **properties):
    path = tmp_path / "k.cpp"
    path.write_text(text)
    program = parse(str(path), target=get_target(target), core="vec")
    call = next(c for f in program.functions.values() for c in calls(f) if c.instruction == instruction)
    inputs = None if witness is None else Witness(tuple(witness.items()))
    finding = Finding(
        rule, level, "", finding_span(call), (target,), ("vec",), entry=entry, witness=inputs, properties=properties
    )
    return replay({"vec": program}, finding, get_target(target))


def test_a_negative_tail_is_confirmed(tmp_path):
    evidence = run(tmp_path, TAIL, "TADDS", "tile/valid-row-range", witness={"n": 20})
    assert evidence.status == "confirmed"
    assert dict(evidence.facts)["tile.valid_row"] == -12
    assert "the valid region of tile is -12 x 32" in evidence.text


def test_harmless_values_contradict(tmp_path):
    evidence = run(tmp_path, TAIL, "TADDS", "tile/valid-row-range", witness={"n": 64})
    assert evidence.status == "contradicted" and "4 times" in evidence.text


def test_an_instruction_without_a_model_is_named(tmp_path):
    evidence = run(tmp_path, COUNTED, "TSTORE", "tile/valid-row-range", witness={"n": 20})
    assert evidence.status == "not-replayable" and "THISTOGRAM has no model" in evidence.text


def test_a_line_that_is_not_reached(tmp_path):
    evidence = run(tmp_path, CONSTANT, "TADDS", "tile/valid-row-range", witness={"n": 20})
    assert evidence.status == "not-replayable" and "does not reach" in evidence.text


def test_a_constant_fault_needs_no_witness(tmp_path):
    evidence = run(tmp_path, CONSTANT, "TINSERT", "tinsert/row-bound", level="error")
    assert evidence.status == "confirmed"
    assert dict(evidence.facts)["outside-tile.bytes"] == 4 * 8 * 4


def test_plain_values_are_tried_until_the_line_is_reached(tmp_path):
    text = CONSTANT.replace("TADDS(small, small, 1.0f);", "TINSERT(small, small, 4, 0);").replace("n > 100", "n > 1000")
    evidence = run(tmp_path, text, "TINSERT", "tinsert/row-bound", level="error")
    assert evidence.status == "confirmed"


@pytest.mark.parametrize(
    ("rule", "level", "properties"),
    [
        ("tinsert/dtype", "error", {"enforced": "static_assert"}),
        ("tile/row-bytes", "error", {}),
        ("tinsert/row-bound", "note", {}),
    ],
)
def test_what_never_runs_has_no_evidence(tmp_path, rule, level, properties):
    assert run(tmp_path, CONSTANT, "TINSERT", rule, level=level, **properties).status == "none"


def test_an_unknown_entry_is_not_replayable(tmp_path):
    evidence = run(tmp_path, TAIL, "TADDS", "tile/valid-row-range", witness={"n": 20}, entry="elsewhere")
    assert evidence.status == "not-replayable"
