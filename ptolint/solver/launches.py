"""Launches in host code: each is checked with its arguments against what the kernel's calls demand."""

from __future__ import annotations

from dataclasses import dataclass

from ptolint.analyses import ANALYSES
from ptolint.findings import Finding, Frame, Related, Witness
from ptolint.rulebook.engine import broken_condition
from ptolint.rulebook.values import UNKNOWN
from ptolint.solver import terms as t
from ptolint.solver.obligations import Group, Instance, Launch, broken_outcome, rule_env
from ptolint.solver.parameters import parameter_symbol
from ptolint.solver.replay import Replayed
from ptolint.solver.rewrite import substitute
from ptolint.solver.smt import SAT
from ptolint.solver.terms import Term, Truth
from ptolint.solver.trace import text_of
from ptolint.solver.verdicts import Judge, Verdict, order_of, path_conditions

RULE = ANALYSES["launch/breaks-contract"]


@dataclass
class Bad:
    """An argument list that breaks a rule somewhere in the kernel."""

    launch: Launch
    group: Group
    values: dict[Term, int | bool]
    seen: Replayed


def arguments(launch: Launch) -> dict[Term, int | bool]:
    """The plain arguments of a launch, by the kernel's parameter symbols."""
    found: dict[Term, int | bool] = {}
    for param, value in zip(launch.function.params, launch.args, strict=False):
        if isinstance(value, int) and not hasattr(param.type, "pointee"):
            symbol = parameter_symbol(param)
            if symbol is not None:
                found[symbol] = value
    return found


def check_launch(launch: Launch, verdicts: list[tuple[Group, Verdict]], judge: Judge) -> Bad | None:
    """The first rule that the launch's plain arguments break; None where they are fine or not known."""
    given = arguments(launch)
    if not given:
        return None
    for group, verdict in verdicts:
        if verdict.kind not in ("contract", "warning"):
            continue
        for instance in group.instances:
            bad = _broken_by(launch, group, instance, given, judge)
            if bad is not None:
                return bad
    return None


def _broken_by(
    launch: Launch, group: Group, instance: Instance, given: dict[Term, int | bool], judge: Judge
) -> Bad | None:
    if instance.cond is UNKNOWN:
        return None
    broken: Truth = t.not_(instance.cond)
    conds = [substitute(c, given) for c in (*path_conditions(instance.path, broken), broken)]
    symbols = {s for c in conds if isinstance(c, Term) for s in c.symbols}
    if any(s.args[1] in ("param", "memory", "opaque") for s in symbols) or judge.smt.check(*conds) != SAT:
        return None
    values = judge.smt.least_model(conds, order_of(symbols, launch.function)) if symbols else {}
    if values is None:
        return None
    seen = judge.replay(group, values | given)
    if seen is None or group.rule.level_in(rule_env(seen.env, group.operand)) != "error":
        return None
    return Bad(launch, group, values | given, seen)


def launch_finding(bad: Bad, target: str, core: str) -> Finding:
    """The finding at a launch that cannot work."""
    kernel = bad.launch.function
    given = arguments(bad.launch)
    shown = ", ".join(f"{s.args[0]} = {int(v)}" for s, v in given.items())
    place = bad.seen.call.name_span
    return Finding(
        rule=RULE.id,
        level="error",
        message=f"with {shown} this launch of `{kernel.name}` breaks {bad.group.rule.id} at line {place.line}",
        span=bad.launch.invoke.span,
        targets=(target,),
        cores=(core,),
        condition=bad_condition(bad),
        source=RULE.source,
        entry=kernel.display or kernel.name,
        path=(*bad.launch.frames, Frame(kernel.display or kernel.name, bad.launch.invoke.span)),
        witness=Witness(tuple((str(s.args[0]), int(v)) for s, v in bad.values.items() if "#" not in s.args[0])),
        related=(Related(f"{bad.seen.call.instruction} is called here", place),),
    )


def broken_assumption(launch: Launch, judge: Judge, target: str, core: str) -> Finding | None:
    """The finding at a launch whose plain arguments contradict what the kernel asserts about its parameters."""
    given = arguments(launch)
    scalars = [p for p in launch.function.params if parameter_symbol(p) is not None]
    if not given or len(given) < len(scalars):
        return None
    assumption = judge.refuted(given)
    if assumption is None or any(n in text_of(assumption.cond) for n in ("get_block", "get_subblock")):
        return None
    kernel = launch.function
    shown = ", ".join(f"{s.args[0]} = {int(v)}" for s, v in given.items())
    text = text_of(assumption.cond)
    return Finding(
        rule=RULE.id,
        level="error",
        message=f"with {shown} this launch of `{kernel.name}` contradicts what it assumes: {text}",
        span=launch.invoke.span,
        targets=(target,),
        cores=(core,),
        condition=f"not ({text})",
        source=RULE.source,
        entry=kernel.display or kernel.name,
        path=launch.frames,
        witness=Witness(tuple((str(s.args[0]), int(v)) for s, v in given.items())),
        related=(Related("assumed here", assumption.span),),
    )


def bad_condition(bad: Bad) -> str:
    """The broken constraint with its values at the kernel's call."""
    env = rule_env(bad.seen.env, bad.group.operand)
    return broken_condition(broken_outcome(bad.group.instances[0], env), env)
