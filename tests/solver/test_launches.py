"""Launches in host code, contracts at note level, and assumptions of a kernel's author."""

from __future__ import annotations

import pytest

from ptolint.executor.replay import replay
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


def test_a_launch_is_replayed_up_to_the_call_it_breaks():
    prog = program(KERNEL.format(assume="") + HOST.format(rows=48), "a5")
    target = get_target("a5")
    (error,) = [f for f in solve(prog, target, rulebook_for(())).findings if f.level == "error"]
    assert replay({prog.core: prog}, error, target).status == "confirmed"


def test_an_assumption_makes_the_kernel_clean():
    assert findings(24, "assert(rows <= 32);") == []


GUARDED = "void start(half* p, void* s, uint32_t n) {{ {code} }}\n"


def guarded(code):
    prog = program(KERNEL.format(assume="") + GUARDED.format(code=code), "a5")
    return [f for f in solve(prog, get_target("a5"), rulebook_for(())).findings if f.rule == "launch/breaks-contract"]


@pytest.mark.parametrize(
    ("code", "level", "rows"),
    [
        ("if (n > 32) k<<<1, nullptr, s>>>(p, n);", "error", 33),
        ("if (n >= 5) return; k<<<1, nullptr, s>>>(p, n * 2 + 40);", "error", 42),
        ("if (n <= 48) k<<<1, nullptr, s>>>(p, n);", "warning", 33),
        ("for (uint32_t t = 0; t < n; t += 32) k<<<1, nullptr, s>>>(p, n - t);", "warning", 33),
    ],
)
def test_arguments_are_judged_with_the_guards_of_the_host(code, level, rows):
    (finding,) = guarded(code)
    assert (finding.level, finding.witness.inputs) == (level, (("rows", rows),))


@pytest.mark.parametrize(
    "code",
    [
        "k<<<1, nullptr, s>>>(p, n);",
        "if (n <= 32) k<<<1, nullptr, s>>>(p, n);",
        "for (uint32_t t = 0; t < n; t += 32) k<<<1, nullptr, s>>>(p, n - t < 32 ? n - t : 32);",
    ],
)
def test_a_host_that_guards_its_launch_or_passes_a_parameter_on_is_left_alone(code):
    assert guarded(code) == []
