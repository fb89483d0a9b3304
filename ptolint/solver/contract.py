"""Contracts: for which parameters a kernel keeps every constraint, as a Python expression.

A violation is a conjunction over parameters and over symbols that every run chooses for itself (block
index, round of a loop). The contract is what no violation allows. Where a violation is about parameters
alone its negation is the answer; elsewhere the shape of the legal set is read off sampled values
(`shapes.py`), and z3 confirms that nothing illegal is let in.
"""

from __future__ import annotations

import ast
import random
from dataclasses import dataclass
from itertools import product

from ptolint.ir.model import Function, Program
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.values import UNKNOWN
from ptolint.solver import terms as t
from ptolint.solver.eliminate import lean, without
from ptolint.solver.landmarks import landmarks, period
from ptolint.solver.nonlinear import products
from ptolint.solver.obligations import Group, Instance
from ptolint.solver.parameters import parameter_symbol
from ptolint.solver.ranges import NOTHING, decide
from ptolint.solver.replay import StepBudget, Wanted
from ptolint.solver.result import Contract, SolverOptions
from ptolint.solver.rewrite import evaluate, substitute
from ptolint.solver.shapes import boxes, largest, line, weight
from ptolint.solver.show import show
from ptolint.solver.smt import SAT, UNSAT
from ptolint.solver.solve import Solving
from ptolint.solver.terms import Term, Truth
from ptolint.solver.tidy import tidy, without_implied
from ptolint.solver.verdicts import Judge, path_conditions
from ptolint.targets import Target

MAX_ENUMERATED = 400
MAX_POINTS = 1500
REACH = 4200  # constants up to here are looked around without gaps
SPARSE = 60  # the same where the conditions are nonlinear
MAX_RUN_STEPS = 3_000_000
SHORT = 3  # comparisons that a condition may have to be taken as it is
DENSE = 300  # values around zero that are always looked at
EXTRA_POINTS = 60
FIRST_ROUNDS = 6
MAX_LEAN = 8  # alternatives of a violation that are worth being written out


@dataclass(frozen=True)
class Violation:
    """One way to break a rule: all of `conds` hold. `wanted` is set where a loop was summarised too coarsely
    for the conditions to be exact; then a run decides."""

    conds: tuple[Truth, ...]
    wanted: Wanted | None = None

    @property
    def symbols(self) -> frozenset[Term]:
        return frozenset(s for c in self.conds if isinstance(c, Term) for s in c.symbols)

    @property
    def parameters(self) -> frozenset[Term]:
        return frozenset(s for s in self.symbols if s.args[1] == "param")


def contracts(
    program: Program,
    target: Target,
    rulebook: Rulebook,
    options: SolverOptions | None = None,
    entry: str | None = None,
) -> list[Contract]:
    """The contracts of the kernels in `program`, or of the function called `entry` alone."""
    t.reset()
    work = Solving(program, target, rulebook, options or SolverOptions(timeout=20.0))
    found = []
    for root in work.graph.entries() if entry is None else _named(program, entry):
        if entry is not None or root.is_kernel:
            found.append(_contract(work, root))
    return found


def joined(found: list[Contract]) -> list[Contract]:
    """Contracts of the same kernel on several cores as one: it runs on all of them."""
    by_kernel: dict[tuple[str, str], list[Contract]] = {}
    for contract in found:
        by_kernel.setdefault((contract.entry, contract.target), []).append(contract)
    return [_joined(same) for same in by_kernel.values()]


def _joined(same: list[Contract]) -> Contract:
    parts = [c for c in dict.fromkeys(c.condition for c in same) if c != "True"]
    condition = parts[0] if len(parts) == 1 else " and ".join(f"({p})" for p in parts) or "True"
    exact = all(c.exact for c in same)
    note = next((c.note for c in same if c.note), "")
    return Contract(same[0].entry, same[0].target, condition, exact, note)


def as_c(condition: str) -> str:
    """A contract's condition in C++'s spelling, for an assert or an assume line."""
    return _CWriter().write(ast.parse(condition, mode="eval").body)


class _CWriter:
    """Python's expression tree as C++ text; floor division and remainder of what is not negative are C's own."""

    def write(self, node: ast.expr) -> str:
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return sign.join(self._inner(v) for v in node.values)
        if isinstance(node, ast.UnaryOp):
            sign = "!" if isinstance(node.op, ast.Not) else "-"
            return sign + self._inner(node.operand)
        if isinstance(node, ast.IfExp):
            return f"{self._inner(node.test)} ? {self._inner(node.body)} : {self._inner(node.orelse)}"
        if isinstance(node, ast.Call):
            return f"{ast.unparse(node.func)}({', '.join(self.write(a) for a in node.args)})"
        if isinstance(node, ast.Compare | ast.BinOp):
            return ast.unparse(node).replace("//", "/")
        return {"True": "true", "False": "false"}.get(ast.unparse(node), ast.unparse(node))

    def _inner(self, node: ast.expr) -> str:
        text = self.write(node)
        return f"({text})" if isinstance(node, ast.BoolOp | ast.IfExp) else text


def _named(program: Program, entry: str) -> list[Function]:
    named = [f for f in program.functions.values() if entry in (f.name, f.display, f.id)]
    return [f for f in named if f.is_kernel] or named[:1]


def _contract(work: Solving, root: Function) -> Contract:
    before = len(work.result.unknown)
    collector = work.walk(root, None)
    violations, followed = _violations(collector.groups().values())
    followed = followed and len(work.result.unknown) == before
    judge = Judge(work.program, root, work.smt, work.undecided, StepBudget(MAX_RUN_STEPS), None)
    finder = Finder(judge, violations)
    condition = finder.condition()
    name = root.name
    exact = finder.exact and followed
    note = "" if exact else "not every constraint could be decided; the condition may be too lax or too strict"
    return Contract(name, work.target.name, show(condition), exact, note)


def _violations(groups: object) -> tuple[list[Violation], bool]:
    found: dict[frozenset[Truth], Violation] = {}
    followed = True
    for group in groups:  # type: ignore[attr-defined]
        assert isinstance(group, Group)
        for instance in group.instances:
            if instance.cond is UNKNOWN:
                followed = False
            elif group.rule.level == "error":
                violation = _violation(instance, Wanted(group.span, group.rule, group.operand))
                if violation is not None:
                    found.setdefault(frozenset(violation.conds), violation)
    return list(found.values()), followed


def _violation(instance: Instance, wanted: Wanted) -> Violation | None:
    broken = t.not_(instance.cond)
    if decide(broken, instance.path.facts) is False:
        return None
    conds = [c for c in (*path_conditions(instance.path, broken, overflow=False), broken) if isinstance(c, Term)]
    if broken is False:
        return None
    coarse = any(s.args[0].startswith("start#") for c in conds for s in c.symbols)
    return Violation(tuple(conds), wanted if coarse else None)


class Finder:
    """Finds the condition under which no violation can happen."""

    def __init__(self, judge: Judge, violations: list[Violation]) -> None:
        self.judge = judge
        self.smt = judge.smt
        self.violations = [self._over_parameters(v) for v in violations if self.smt.check(*v.conds) != UNSAT]
        self.exact = True
        self._runs: dict[frozenset[tuple[Term, int | bool]], set[Wanted]] = {}
        order = {p.name: i for i, p in enumerate(judge.entry.params)}
        self.order = lambda s: order.get(s.args[0], 99)

    def _over_parameters(self, violation: Violation) -> Violation:
        """The same violation without the rounds and blocks in it, where they can be taken out exactly."""
        own = sorted(violation.symbols - violation.parameters, key=lambda s: -s.uid)
        if violation.wanted is not None or not own or any(s.args[1] not in ("loop", "block") for s in own):
            return violation
        ways = without(violation.conds, own)
        if ways is None or len(ways) > MAX_LEAN:
            return violation
        ways = lean(ways, lambda known, cond: self.smt.check(*known, t.not_(cond)) == UNSAT)
        cond = t.or_(*(t.and_(*way) for way in ways))
        return Violation((cond,)) if isinstance(cond, Term) else violation

    def condition(self) -> Truth:
        """The contract."""
        alone: dict[tuple[Term, ...], list[Violation]] = {}
        parts: list[Truth] = []
        for violation in self.violations:
            concerned = violation.parameters if violation.wanted is None else self._all_parameters()
            key = tuple(sorted(concerned, key=self.order))
            if len(key) > 1 and violation.symbols == violation.parameters:
                parts.append(tidy(t.not_(t.and_(*violation.conds))))
            else:
                alone.setdefault(key, []).append(violation)
        for key, same in alone.items():
            parts.append(self.over(list(key), same))
        return without_implied(t.and_(*parts))

    def _all_parameters(self) -> set[Term]:
        symbols = (parameter_symbol(p) for p in self.judge.entry.params)
        return {s for s in symbols if s is not None}

    def over(self, parameters: list[Term], violations: list[Violation]) -> Truth:
        """The values of a few parameters for which none of `violations` happens."""
        if not parameters:
            return False
        plain = [v for v in violations if v.symbols == v.parameters]
        direct = t.and_(*(tidy(t.not_(t.and_(*v.conds))) for v in plain))
        short = len(plain) == len(violations) and weight(direct) <= SHORT
        shape = self._line(parameters[0], violations) if len(parameters) == 1 else None
        if short and (shape is None or weight(direct) <= weight(shape)):
            return direct
        if 1 < len(parameters) <= 3:
            shape = self._boxes(parameters, violations)
        if shape is not None and any(v.wanted for v in violations):
            self.exact = False  # as far as runs show
            return shape
        answers = self._against(shape, violations) if shape is not None else {SAT}
        if shape is not None and SAT not in answers:
            complete = self._complete(shape, parameters, violations)
            if complete or len(plain) < len(violations):
                self.exact = self.exact and complete and answers == {UNSAT}
                return shape
        if len(plain) < len(violations):
            self.exact = False
            direct = t.and_(direct, *self._first_rounds(violations))
        return direct

    @staticmethod
    def _first_rounds(violations: list[Violation]) -> list[Truth]:
        """What must hold at least: that the first rounds of loops, on the first of one block, break nothing."""
        found: list[Truth] = []
        for violation in violations:
            own = violation.symbols - violation.parameters
            for k in range(FIRST_ROUNDS if own else 0):
                values = {s: k if s.args[1] == "loop" else int(s.args[0] == "block_num") for s in own}
                found.append(tidy(t.not_(t.and_(*(substitute(c, values) for c in violation.conds)))))
        return found

    def _line(self, n: Term, violations: list[Violation]) -> Truth | None:
        if n.is_bool:
            return self._boxes([n], violations)
        constants = landmarks(_terms(violations))
        nonlinear = products(_terms(violations))
        dense = max(SPARSE, min(DENSE, 6 * period(_terms(violations)))) if nonlinear else DENSE
        low, high = -dense, dense
        coarse = any(v.wanted for v in violations)
        for c in constants:
            if abs(c) <= (DENSE if coarse else REACH):
                low, high = min(low, c - dense // 2), max(high, c + dense // 2)
        low = max(low, n.lo) if n.lo is not None else low
        high = min(high, n.hi) if n.hi is not None else high
        legal = {v: self.legal({n: v}, violations) for v in range(low, high + 1)}
        far = sorted(c + d for c in constants if abs(c) > REACH and not coarse for d in (-64, -1, 0, 1, 64))
        far = [v for v in far if (n.lo is None or v >= n.lo) and (n.hi is None or v <= n.hi) and v not in legal]
        shape = line(n, legal, {v: self.legal({n: v}, violations) for v in far})
        if shape is None or coarse:
            self.exact = False
        return largest(n, legal) if shape is None else shape

    def _boxes(self, parameters: list[Term], violations: list[Violation], reach: int = 1 << 33) -> Truth | None:
        """A shape from samples around the numbers below `reach` that the conditions compare with."""
        constants = landmarks(_terms(violations))
        sides: list[list[int | bool]] = []
        for p in parameters:
            if p.is_bool:
                sides.append([False, True])
                continue
            values = {v for c in (0, 1, *constants) if abs(c) < reach for v in (c - 1, c, c + 1)} | {-2, 2, 3}
            sides.append(sorted(v for v in values if (p.lo is None or v >= p.lo) and (p.hi is None or v <= p.hi)))
        size = 1
        for side in sides:
            size *= len(side)
        if size > MAX_POINTS:
            return self._boxes(parameters, violations, reach // 64) if reach > 64 else None
        legal = {point: self.legal(dict(zip(parameters, point, strict=True)), violations) for point in product(*sides)}
        return boxes(parameters, sides, legal)

    # ------------------------------------------------------------ single points

    def legal(self, values: dict[Term, int | bool], violations: list[Violation]) -> bool:
        """Whether these values of the parameters allow none of `violations`."""
        coarse = {v.wanted for v in violations if v.wanted is not None}
        if coarse and coarse & self._broken_by_run(values, coarse):
            return False
        exact = (v for v in violations if v.wanted is None)
        return not any(self._possible([substitute(c, values) for c in v.conds]) for v in exact)

    def _broken_by_run(self, values: dict[Term, int | bool], wanted: set[Wanted]) -> set[Wanted]:
        """Which of the wanted rules a run with these parameters breaks, on one block and on the last of three."""
        key = frozenset(values.items())
        if key not in self._runs:
            found: set[Wanted] = set()
            for block in ({}, {_BLOCK[0]: 2, _BLOCK[1]: 3, _BLOCK[2]: 1}):
                found |= set(self.judge.replay_all(list(wanted), values | block))
            self._runs[key] = found
        return self._runs[key]

    def _possible(self, conds: list[Truth], left: int = MAX_ENUMERATED) -> bool:
        """Whether the conditions can hold together; few values of a symbol are tried one by one."""
        facts = NOTHING
        open_: list[Term] = []
        for cond in conds:
            known = decide(cond, facts)
            if known is False:
                return False
            if isinstance(cond, Term) and known is not True:
                learned = facts.learn(cond)
                if learned is None:
                    return False
                facts = learned
                open_.append(cond)
        if not open_:
            return True
        symbols = sorted({s for c in open_ for s in c.symbols}, key=lambda s: s.uid)
        spans = []
        for s in symbols:
            lo, hi = (0, 1) if s.is_bool else facts.interval(s)
            if lo is not None and hi is not None and hi - lo < left:
                spans.append((hi - lo, s.uid, s, lo, hi))
        if not spans:
            return self.smt.check(*open_) == SAT
        _, _, s, lo, hi = min(spans)
        values: list[int | bool] = [False, True] if s.is_bool else list(range(lo, hi + 1))
        share = max(2, left // max(1, len(values)))
        if len(symbols) == 1:
            return any(all(bool(evaluate(c, {s: v})) for c in open_) for v in values)
        return any(self._possible([substitute(c, {s: v}) for c in open_], share) for v in values)

    # ------------------------------------------------------------ checks

    def _against(self, shape: Truth, violations: list[Violation]) -> set[str]:
        """The solver's answers to whether the shape lets a violation in."""
        return {self.smt.check(shape, *v.conds) for v in violations}

    def _complete(self, shape: Truth, parameters: list[Term], violations: list[Violation]) -> bool:
        """Whether points outside the shape are illegal, at random points near and far."""
        rng = random.Random(1)
        for i in range(EXTRA_POINTS):
            reach = 300 if i % 3 else 5000
            point: dict[Term, int | bool] = {p: self._random(rng, p, reach) for p in parameters}
            if not evaluate(shape, point) and self.legal(point, violations):
                return False
        return True

    @staticmethod
    def _random(rng: random.Random, p: Term, reach: int) -> int | bool:
        if p.is_bool:
            return rng.random() < 0.5
        low = -reach if p.lo is None else max(-reach, p.lo)
        high = reach if p.hi is None else min(reach, p.hi)
        return rng.randint(low, high)


_BLOCK = tuple(t.symbol(n, None, None, "block") for n in ("block_idx", "block_num", "subblockid"))


def _terms(violations: list[Violation]) -> list[Term]:
    return [c for v in violations for c in v.conds if isinstance(c, Term)]
