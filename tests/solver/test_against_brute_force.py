"""The solver's verdicts and contracts against running each kernel for every value in a range."""

from __future__ import annotations

import itertools

import pytest

from ptolint.pipeline import rulebook_for
from ptolint.solver import SolverOptions, solve
from ptolint.solver import terms as t
from ptolint.solver.contract import contracts
from ptolint.solver.obligations import Undecided
from ptolint.solver.replay import StepBudget, Wanted, replay
from ptolint.targets import get_target

from .brute import brute, program
from .kernels import KERNELS

TARGET = "a2a3"
BLOCK_NAMES = ("block_idx", "block_num", "subblockid")
UNBOUNDED_BLOCKS = {n for n, (source, _) in KERNELS.items() if "get_" in source}


def thinned(ranges):
    """Fewer values of wide ranges, their ends and the neighbourhood of whole tiles among them."""
    most = 24 if len(ranges) == 1 else 6
    near = (-1, 0, 1, 2, 16, 31, 32, 33, 64)
    return {
        name: sorted({*values[:: max(1, len(values) // most)], *(v for v in near if v in values), values[-1]})
        for name, values in ranges.items()
    }


def runs(name, prog, ranges):
    if name in UNBOUNDED_BLOCKS:
        return brute(prog, "k", ranges)
    return brute(prog, "k", ranges, blocks=((0, 1),), subs=(0,))


@pytest.mark.parametrize("name", KERNELS)
def test_findings_are_what_runs_show(name):
    source, ranges = KERNELS[name]
    prog = program(source)
    result = solve(prog, get_target(TARGET), rulebook_for(()), SolverOptions())
    tried = {n: set(values) for n, values in thinned(ranges).items()}
    for finding in result.findings:
        for parameter, value in finding.witness.inputs if finding.witness else ():
            if parameter in tried:
                tried[parameter].add(value)
    truth = runs(name, prog, {n: sorted(values) for n, values in tried.items()})
    broken = {line for line, _ in truth.broken}
    always = {line for line, rule in truth.broken if not truth.kept.get((line, rule))}
    found = {f.span.line: f.level for f in result.findings if f.level != "note"}
    if not any(f.level == "note" for f in result.findings):
        assert broken <= set(found), "a fault that runs show is missed"
    for line, level in found.items():
        assert line in broken or name in UNBOUNDED_BLOCKS, "a finding that no run shows"
        assert level == ("error" if line in always else "warning")


@pytest.mark.parametrize("name", KERNELS)
def test_witnesses_break_the_rule(name):
    source, _ = KERNELS[name]
    prog = program(source)
    rules = rulebook_for(())
    entry = next(f for f in prog.functions.values() if f.name == "k")
    for finding in solve(prog, get_target(TARGET), rules).findings:
        if finding.witness is None:
            continue
        values = {
            t.symbol(n, None, None, "block" if n in BLOCK_NAMES else "param"): v for n, v in finding.witness.inputs
        }
        undecided = Undecided(TARGET, rules)
        rule = rules.rule(finding.rule)
        operands = {o for f in prog.functions.values() for c in calls(f) for r, o in undecided.of(c).rules if r is rule}
        spans = {
            c.name_span for f in prog.functions.values() for c in calls(f) if c.name_span.line == finding.span.line
        }
        wanted = [Wanted(s, rule, o) for s in spans for o in operands]
        assert replay(prog, entry, values, wanted, undecided, StepBudget())


def calls(function):
    from ptolint.ir.walk import calls as all_calls

    return list(all_calls(function))


@pytest.mark.parametrize("name", sorted(set(KERNELS) - UNBOUNDED_BLOCKS))
def test_contracts_are_exact(name):
    source, ranges = KERNELS[name]
    prog, rules = program(source), rulebook_for(())
    (contract,) = contracts(prog, get_target(TARGET), rules, entry="k")
    ranges = thinned(ranges)
    truth = runs(name, prog, ranges)
    illegal = {
        tuple(inputs[p] for p in ranges)
        for (_, rule), runs in truth.broken.items()
        if rules.rule(rule).level == "error"
        for inputs in runs
    }
    code = compile(contract.condition, "contract", "eval")
    for point in itertools.product(*ranges.values()):
        legal = bool(eval(code, {"min": min, "max": max, "abs": abs}, dict(zip(ranges, point, strict=True))))
        assert not (legal and point in illegal), f"{contract.condition} lets {point} in"
        if contract.exact:
            assert legal or point in illegal, f"{contract.condition} keeps {point} out"
