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
from ptolint.solver.rewrite import evaluate, substitute
from ptolint.solver.smt import SAT, UNSAT
from ptolint.solver.terms import Num, Term, Truth
from ptolint.solver.trace import text_of
from ptolint.solver.values import is_number
from ptolint.solver.verdicts import Judge, Verdict, order_of, path_conditions

RULE = ANALYSES["launch/breaks-contract"]


@dataclass
class Bad:
    """An argument list that breaks a rule somewhere in the kernel."""

    launch: Launch
    group: Group
    values: dict[Term, int | bool]
    seen: Replayed
    level: str = "error"


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


def check_guarded_launch(launch: Launch, verdicts: list[tuple[Group, Verdict]], judge: Judge) -> Bad | None:
    """A rule that arguments computed from the host's own parameters break: an error where they do for every value
    that the host lets through, a warning where they do for some and the host's guards speak of them."""
    given = _computed(launch)
    ways = [(g, c) for g, v in verdicts if v.kind in ("contract", "warning") for c in _violations(g, given)]
    broken = t.or_(*(c for _, c in ways))
    symbols = broken.symbols if isinstance(broken, Term) else frozenset()
    if broken is False or any(s.args[1] == "opaque" for s in symbols):
        return None
    host = path_conditions(launch.path, broken)
    always = judge.smt.check(*host, t.not_(broken)) == UNSAT
    if not always and not symbols & launch.mentioned:
        return None
    for group, cond in ways:
        values = _kernel_values([*host, cond], given, launch, judge)
        seen = judge.replay(group, values) if values is not None else None
        if values is None or seen is None:
            continue
        if group.rule.level_in(rule_env(seen.env, group.operand)) == "error":
            return Bad(launch, group, values, seen, "error" if always else "warning")
    return None


def _computed(launch: Launch) -> dict[Term, Num | Truth]:
    """The arguments of a launch as terms over the host's values, by the kernel's parameter symbols."""
    pairs = ((parameter_symbol(p), v) for p, v in zip(launch.function.params, launch.args, strict=False))
    return {s: v for s, v in pairs if s is not None and is_number(v)}


def _violations(group: Group, given: dict[Term, Num | Truth]) -> list[Truth]:
    """How the kernel's parameters alone break a rule, in terms of the host."""
    found: list[Truth] = []
    for instance in group.instances:
        if instance.cond is UNKNOWN:
            continue
        broken: Truth = t.not_(instance.cond)
        violation = t.and_(*path_conditions(instance.path, broken), broken)
        if isinstance(violation, Term) and violation.symbols <= set(given):
            found.append(t.as_truth(substitute(violation, given)))
    return found


def _kernel_values(
    conds: list[Truth], given: dict[Term, Num | Truth], launch: Launch, judge: Judge
) -> dict[Term, int | bool] | None:
    """The kernel's arguments for the least values of the host for which `conds` hold."""
    terms = [x for x in (*conds, *given.values()) if isinstance(x, Term)]
    symbols = {s for x in terms for s in x.symbols}
    if judge.smt.check(*conds) != SAT:
        return None
    model = judge.smt.least_model(conds, order_of(symbols, launch.function))
    return None if model is None else {s: evaluate(x, model) for s, x in given.items()}


def launch_finding(bad: Bad, target: str, core: str) -> Finding:
    """The finding at a launch that cannot work."""
    kernel = bad.launch.function
    given = _computed(bad.launch)
    shown = ", ".join(f"{s.args[0]} = {int(bad.values[s])}" for s in given if s in bad.values)
    place = bad.seen.call.name_span
    return Finding(
        rule=RULE.id,
        level=bad.level,
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
        properties={"breaks": bad.group.rule.id},
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
