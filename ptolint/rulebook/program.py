"""The pass without a solver: each rule on each call and type, by what types and literals alone decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ptolint.findings import Finding, Frame
from ptolint.ir.model import Call, Function, Program, Span
from ptolint.ir.walk import calls, dead_calls, ways
from ptolint.rulebook.engine import Outcome, call_finding, check_call, check_type, fault_finding, type_finding
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.values import UNKNOWN

Routes: TypeAlias = dict[str, tuple[tuple[str, Span], ...]]


@dataclass(slots=True)
class StaticResult:
    """What the pass found; `undecided` are the outcomes that depend on run-time values, by function id."""

    findings: list[Finding] = field(default_factory=list)
    calls: int = 0
    obligations: int = 0
    undecided: list[tuple[str, Call, Outcome]] = field(default_factory=list)
    without_rules: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Site:
    """One rule at one call site over all instantiations: the broken ones, and whether any satisfies it."""

    broken: list[Finding] = field(default_factory=list)
    holds: bool = False


def is_instruction(name: str) -> bool:
    """PTO instructions start with two capitals (`TADD`, `comm::TPUT`), intrinsics with a small letter."""
    return name.rpartition("::")[2][:2].isupper()


def check_program(program: Program, rulebook: Rulebook) -> StaticResult:
    """Check every call and every type use of a program."""
    result = StaticResult()
    routes = ways(program)
    sites: dict[tuple[object, ...], _Site] = {}
    for function in program.functions.values():
        dead = dead_calls(function)
        for call in calls(function):
            if is_instruction(call.instruction):
                result.calls += 1
                _check(call, function, program, rulebook, routes, sites, result, live=id(call) not in dead)
    result.findings += [f for site in sites.values() for f in _levelled(site)]
    for use in program.type_uses:
        instance = program.functions[use.function].display if use.function in program.functions else ""
        outcomes = check_type(use.type, program.target, rulebook)
        result.obligations += len(outcomes)
        broken = (o for o in outcomes if o.verdict is False)
        result.findings += [type_finding(o, use, core=program.core, instance=instance) for o in broken]
    result.findings += [fault_finding(f, program.target, rulebook, core=program.core) for f in program.faults]
    return result


def _check(
    call: Call,
    function: Function,
    program: Program,
    rulebook: Rulebook,
    routes: Routes,
    sites: dict[tuple[object, ...], _Site],
    result: StaticResult,
    live: bool,
) -> None:
    outcomes = check_call(call, program.target, rulebook)
    outcomes = [o for o in outcomes if o.verdict is not False or o.rule is None or not o.rule.varying]
    if not live:  # compiled, but never run
        outcomes = [o for o in outcomes if o.rule is None or o.rule.enforced == "static_assert"]
    result.obligations += len(outcomes)
    if not rulebook.has_rules(call.instruction):
        result.without_rules.add(call.instruction)
    for outcome in outcomes:
        site = sites.setdefault((outcome.rule_id, call.name_span), _Site())
        if outcome.verdict is False:
            site.broken.append(_finding(outcome, call, function, program, routes))
        elif outcome.verdict is UNKNOWN:
            result.undecided.append((function.id, call, outcome))
        else:
            site.holds = True


def _finding(outcome: Outcome, call: Call, function: Function, program: Program, routes: Routes) -> Finding:
    way = routes.get(function.id, ())
    entry = way[0][0] if way else function.id
    return call_finding(
        outcome,
        call,
        core=program.core,
        instance=function.display,
        entry=program.functions[entry].display,
        path=tuple(Frame(program.functions[caller].display, span) for caller, span in way),
    )


def _levelled(site: _Site) -> list[Finding]:
    """A constraint that one instance breaks and another keeps is a warning, unless the compiler refuses the bad one."""
    if not site.holds:
        return site.broken
    return [
        f if f.level != "error" or f.properties.get("enforced") == "static_assert" else f.with_(level="warning")
        for f in site.broken
    ]
