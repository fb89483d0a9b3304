"""Launches in host code, contracts at note level, and assumptions of a kernel's author."""

from __future__ import annotations

import pytest

from ptolint.pipeline import rulebook_for
from ptolint.solver import solve
from ptolint.targets import get_target

from .brute import program

HOST = "void start(half* p, void* s) {{ k<<<1, nullptr, s>>>(p, {rows}); }}\n"
KERNEL = 'extern "C" __global__ AICORE void k(__gm__ half* in, uint32_t rows) {{ {assume} use(in, rows); }}\n'


def findings(rows, assume=""):
    prog = program(KERNEL.format(assume=assume) + HOST.format(rows=rows), "a5")
    return solve(prog, get_target("a5"), rulebook_for(())).findings


def test_a_parameter_that_nothing_mentions_is_a_contract():
    (note,) = findings(24)
    assert (note.rule, note.level, note.condition) == ("kernel/contract", "note", "rows <= 32")


@pytest.mark.parametrize("assume", ["", "assert(rows <= 32);"])
def test_a_launch_that_breaks_it_is_an_error(assume):
    errors = [f for f in findings(48, assume) if f.level == "error"]
    assert [f.rule for f in errors] == ["launch/breaks-contract"]
    assert errors[0].witness.inputs == (("rows", 48),)


def test_an_assumption_makes_the_kernel_clean():
    assert findings(24, "assert(rows <= 32);") == []
