"""The solver's way through one program: walk the roots, judge what was collected, report."""

from __future__ import annotations

from dataclasses import replace

from ptolint.findings import Finding, Related, Witness
from ptolint.ir.model import Function, Program
from ptolint.rulebook.engine import call_finding
from ptolint.rulebook.loader import Rulebook
from ptolint.solver import terms as t
from ptolint.solver.obligations import Collector, Group, Undecided, broken_outcome, call_env
from ptolint.solver.reach import Graph
from ptolint.solver.result import SolverOptions, SolverResult
from ptolint.solver.show import show
from ptolint.solver.smt import Budget, Smt
from ptolint.solver.terms import Term, Truth
from ptolint.solver.verdicts import Judge, Verdict, order_of
from ptolint.solver.walker import Walker, WalkLimit, WalkOptions
from ptolint.targets import Target

UNITS_PER_SECOND = 3_000_000  # of z3's resource counter, on an ordinary machine


class Solving:
    """The state of one `solve`."""

    def __init__(self, program: Program, target: Target, rulebook: Rulebook, options: SolverOptions) -> None:
        self.program = program
        self.target = target
        self.options = options
        self.undecided = Undecided(target.name, rulebook)
        self.graph = Graph(program)
        self.smt = Smt(Budget(file=int(options.timeout * UNITS_PER_SECOND)))
        self.result = SolverResult()
        self.reported: list[tuple[Function, Group, Verdict]] = []

    def concerned(self, root: Function) -> bool:
        """Whether something that types alone do not decide is reached from `root`."""
        reached = self.graph.reached(root.id)
        return any(self.undecided.of(c).rules for name in reached for c in self.graph.contents[name].calls)

    def walk(self, root: Function) -> Collector:
        """Everything that a walk of `root` meets."""
        collector = Collector(self.program, self.undecided)
        collector.entry = root.display or root.name
        walker = Walker(self.program, collector, WalkOptions(unroll=self.options.unroll, steps=self.options.steps))
        try:
            walker.run(root)
        except WalkLimit:
            self.result.unknown.append((root.span, f"{root.name}: too large to be walked to its end"))
        except RecursionError:
            self.result.unknown.append((root.span, f"{root.name}: nested too deeply to be walked"))
        return collector

    def root(self, root: Function) -> None:
        """Judge one root."""
        if not self.concerned(root):
            return
        collector = self.walk(root)
        judge = Judge(self.program, root, self.smt, self.undecided)
        for group in collector.groups().values():
            self.reported.append((root, group, judge.judge(group)))

    def finish(self) -> SolverResult:
        """Findings out of all verdicts."""
        fine = {(g.span, g.rule.id) for _, g, v in self.reported if v.kind in ("ok", "warning", "contract")}
        contracts: dict[str, list[Truth]] = {}
        for root, group, verdict in self.reported:
            if verdict.kind == "unknown":
                self.result.unknown.append((group.span, verdict.reason))
                continue
            self.result.decided += 1
            if verdict.kind == "contract":
                contracts.setdefault(root.id, []).extend(verdict.conditions)
            elif verdict.kind in ("error", "warning"):
                level = "warning" if (group.span, group.rule.id) in fine else verdict.kind
                self.result.findings.append(self.finding(root, group, verdict, level))
        for name, conditions in contracts.items():
            self.result.findings.append(self.contract_note(self.program.functions[name], conditions))
        self.result.findings = _one_per_constraint(self.result.findings, self.reported)
        return self.result

    def finding(self, root: Function, group: Group, verdict: Verdict, level: str) -> Finding:
        """The finding of a broken obligation, with its witness."""
        seen, instance = verdict.replayed, verdict.instance
        assert instance is not None
        if seen is not None:
            call, env, frames, function = seen.call, seen.env, seen.frames, seen.function
        else:
            call, frames, function = instance.call, instance.frames, instance.function
            env = call_env(call, self.target.name, self.undecided.of(call).form, instance.values)
        worst = level if group.rule.level == "error" else group.rule.level
        return call_finding(
            broken_outcome(instance, env),
            call,
            env=env,
            level=worst,
            core=self.program.core,
            instance=self.program.functions[function].display if function in self.program.functions else "",
            entry=root.display or root.name,
            path=frames,
            witness=witness_of(root, verdict),
        )

    def contract_note(self, kernel: Function, conditions: list[Truth]) -> Finding:
        """The note that tells what a kernel demands of its parameters."""
        text = show(t.and_(*conditions))
        return Finding(
            rule="kernel/contract",
            level="note",
            message=f"launch `{kernel.name}` with {text}",
            span=kernel.span,
            targets=(self.target.name,),
            cores=(self.program.core,),
            condition=text,
            entry=kernel.display or kernel.name,
            related=(Related("the constraint follows from the calls of the kernel", kernel.span),),
            properties={"contract": text},
        )


def witness_of(root: Function, verdict: Verdict) -> Witness | None:
    """The witness in the user's names; None where the rule is broken whatever the inputs are."""
    inputs = [s for s in order_of(verdict.witness, root) if s.args[1] in ("param", "block", "memory")]
    if not inputs:
        return None
    return Witness(tuple((str(s.args[0]), int(verdict.witness[s])) for s in inputs))


def _one_per_constraint(
    findings: list[Finding], reported: list[tuple[Function, Group, Verdict]]
) -> list[Finding]:
    """Of rules that say nearly the same, one is reported per place."""
    same = {g.rule.id: g.rule.same_as for _, g, _ in reported}
    seen: dict[object, set[str]] = {}
    kept = []
    for f in findings:
        known = seen.setdefault((f.span, f.entry), set())
        if known & {*same.get(f.rule, ())}:
            continue
        known.add(f.rule)
        kept.append(f)
    return kept


def solve(
    program: Program, target: Target, rulebook: Rulebook, options: SolverOptions | None = None
) -> SolverResult:
    """Decide what types alone leave open in `program` on `target`.

    Every finding carries a witness that was run through the program; what could not be decided is
    in `unknown` with its place and reason.
    """
    t.reset()
    work = Solving(program, target, rulebook, options or SolverOptions())
    for root in work.graph.entries():
        work.root(root)
    return work.finish()


__all__ = ["Term", "replace", "solve"]
