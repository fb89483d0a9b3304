"""The solver's way through one program: walk the roots, judge what was collected, report."""

from __future__ import annotations

from dataclasses import dataclass

from ptolint.analyses import Analysis
from ptolint.analyses.sync import FlagTracker
from ptolint.findings import LEVELS, Finding, Witness
from ptolint.ir.model import Function, Program, Span
from ptolint.rulebook.engine import call_finding
from ptolint.rulebook.facts import Env
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import Rule
from ptolint.solver import terms as t
from ptolint.solver.launches import broken_assumption, check_guarded_launch, check_launch, launch_finding
from ptolint.solver.obligations import Collector, Group, Undecided, broken_outcome, call_env, required, rule_env
from ptolint.solver.reach import Graph
from ptolint.solver.replay import StepBudget
from ptolint.solver.result import SolverOptions, SolverResult
from ptolint.solver.search import search
from ptolint.solver.show import show
from ptolint.solver.smt import Budget, Smt
from ptolint.solver.terms import Truth
from ptolint.solver.tidy import without_implied
from ptolint.solver.trace import variables
from ptolint.solver.verdicts import Judge, Verdict, order_of
from ptolint.solver.walker import Walker, WalkLimit, WalkOptions
from ptolint.targets import Target

UNITS_PER_SECOND = 3_000_000  # of z3's resource counter, on an ordinary machine


@dataclass
class Shown:
    """A finding with the values at the call that it is shown with."""

    finding: Finding
    group: Group
    env: Env

    def size(self) -> tuple[int, int]:
        """The worst level and the most readable witness come first."""
        inputs = self.finding.witness.inputs if self.finding.witness else ()
        return LEVELS.index(self.finding.level), sum(abs(v) + (1000 if v < 0 else 0) for _, v in inputs)

    def breaks(self, group: Group) -> bool:
        """Whether the values of this finding break another rule, too."""
        if isinstance(group.rule, Analysis) or isinstance(self.group.rule, Analysis):
            return False
        return required(group.rule, rule_env(self.env, group.operand)) is False


def without_repeats(place: list[Shown]) -> list[Finding]:
    """The findings of one call; of those that one and the same run shows, only the first."""
    kept: list[Shown] = []
    for shown in sorted(place, key=Shown.size):
        first = next((k for k in kept if k.breaks(shown.group) or shown.breaks(k.group)), None)
        if first is None:
            kept.append(shown)
        else:
            first.finding.properties.setdefault("also", []).append(shown.group.rule.id)
    return [k.finding for k in kept]


class Solving:
    """The state of one `solve`."""

    def __init__(self, program: Program, target: Target, rulebook: Rulebook, options: SolverOptions) -> None:
        self.program = program
        self.target = target
        self.options = options
        self.undecided = Undecided(target.name, rulebook)
        self.graph = Graph(program)
        self.smt = Smt(Budget(file=int(options.timeout * UNITS_PER_SECOND)))
        self.steps = StepBudget()
        self.result = SolverResult()
        self.judges: dict[str, Judge] = {}
        self.reported: list[tuple[Function, Group, Verdict]] = []

    def concerned(self, root: Function) -> bool:
        """Whether something that types alone do not decide is reached from `root`."""
        reached = self.graph.reached(root.id)
        return any(self.undecided.of(c).rules for name in reached for c in self.graph.contents[name].calls)

    def flags(self, root: Function) -> FlagTracker | None:
        """Where the flags of a kernel are to be followed, what does it."""
        if not root.is_kernel:
            return None
        reached = sorted(self.graph.reached(root.id))
        tracker = FlagTracker(c for name in reached for c in self.graph.contents[name].calls)
        return tracker if tracker.usable else None

    def walk(self, root: Function, tracker: FlagTracker | None) -> Collector:
        """Everything that a walk of `root` meets."""
        collector = Collector(self.program, self.undecided)
        walker = Walker(self.program, collector, WalkOptions(unroll=self.options.unroll, steps=self.options.steps))
        walker.tracker = tracker
        try:
            walker.run(root)
        except WalkLimit:
            self.result.unknown.append((root.span, f"{root.name}: too large to be walked to its end"))
        except RecursionError:
            self.result.unknown.append((root.span, f"{root.name}: nested too deeply to be walked"))
        return collector

    def root(self, root: Function) -> None:
        """Judge one root."""
        tracker = self.flags(root)
        if tracker is None and not self.concerned(root):
            return
        collector = self.walk(root, tracker)
        judge = Judge(self.program, root, self.smt, self.undecided, self.steps, tracker)
        self.judges[root.id] = judge
        verdicts = [(group, judge.judge(group)) for group in collector.groups().values()]
        self.reported += [(root, group, verdict) for group, verdict in search(judge, verdicts)]

    def launches(self) -> None:
        """Check the launches in host code against the kernels that were judged."""
        verdicts: dict[str, list[tuple[Group, Verdict]]] = {}
        for root, group, verdict in self.reported:
            verdicts.setdefault(root.id, []).append((group, verdict))
        for host in self.graph.hosts():
            if not any(i in verdicts for i in self.graph.contents[host.id].invokes):
                continue
            for launch in self.walk(host, None).launches:
                judge = self.judges.get(launch.function.id)
                if judge is None:
                    continue
                known = verdicts.get(launch.function.id, [])
                bad = check_launch(launch, known, judge) or check_guarded_launch(launch, known, judge)
                if bad is not None:
                    self.result.findings.append(launch_finding(bad, self.target.name, self.program.core))
                    continue
                refuted = broken_assumption(launch, judge, self.target.name, self.program.core)
                if refuted is not None:
                    self.result.findings.append(refuted)

    def finish(self) -> SolverResult:
        """Findings out of all verdicts."""
        fine = {(g.span, g.rule.id, g.operand) for _, g, v in self.reported if v.kind in ("ok", "warning", "contract")}
        contracts: dict[str, list[Truth]] = {}
        broken: dict[tuple[str, Span], list[Shown]] = {}
        for root, group, verdict in self.reported:
            if verdict.kind == "unknown":
                self.result.unknown.append((group.span, verdict.reason))
                continue
            self.result.decided += 1
            if verdict.kind == "contract":
                contracts.setdefault(root.id, []).extend(verdict.conditions)
            elif verdict.kind in ("error", "warning"):
                level = "warning" if (group.span, group.rule.id, group.operand) in fine else verdict.kind
                broken.setdefault((root.id, group.span), []).append(self.shown(root, group, verdict, level))
        for place in broken.values():
            self.result.findings += without_repeats(place)
        for name, conditions in contracts.items():
            self.result.findings.append(self.contract_note(self.program.functions[name], conditions))
        return self.result

    def shown(self, root: Function, group: Group, verdict: Verdict, level: str) -> Shown:
        """The finding of a broken obligation."""
        instance = verdict.instance
        assert instance is not None
        if verdict.replayed is not None:
            env = verdict.replayed.env
        else:
            env = call_env(instance.call, self.target.name, self.undecided.of(instance.call).form, instance.values)
        own = group.rule.level_in(rule_env(env, group.operand))
        finding = self.finding(root, group, verdict, level if own == "error" else own, env)
        return Shown(finding, group, env)

    def finding(self, root: Function, group: Group, verdict: Verdict, level: str, env: Env) -> Finding:
        """The finding of a broken obligation, with its witness."""
        seen, instance = verdict.replayed, verdict.instance
        assert instance is not None
        place = seen or instance
        env = rule_env(env, group.operand)
        return call_finding(
            broken_outcome(instance, env),
            place.call,
            env=env,
            level=level,
            core=self.program.core,
            instance=self.display(place.function),
            entry=root.display or root.name,
            path=place.frames,
            witness=witness_of(root, group, verdict),
        )

    def display(self, function: str) -> str:
        """A function instantiation as users read it."""
        found = self.program.functions.get(function)
        return found.display if found else ""

    def contract_note(self, kernel: Function, conditions: list[Truth]) -> Finding:
        """The note that tells what a kernel demands of its parameters."""
        text = show(without_implied(t.and_(*conditions)))
        return Finding(
            rule="kernel/contract",
            level="note",
            message=f"launch `{kernel.name}` with {text}",
            span=kernel.span,
            targets=(self.target.name,),
            cores=(self.program.core,),
            condition=text,
            entry=kernel.display or kernel.name,
            properties={"contract": text},
        )


def witness_of(root: Function, group: Group, verdict: Verdict) -> Witness | None:
    """The witness in the user's names, with the values on the way; None where the inputs do not matter."""
    inputs = [s for s in order_of(verdict.witness, root) if s.args[1] in ("param", "block", "memory")]
    if not inputs:
        return None
    values = tuple((str(s.args[0]), int(verdict.witness[s])) for s in inputs)
    return Witness(values, _steps(group, verdict, {name for name, _ in values}))


def _steps(group: Group, verdict: Verdict, known: set[str]) -> tuple[tuple[str, str, int], ...]:
    seen = verdict.replayed
    if seen is None:
        return ()
    operands = [o for o in seen.call.operands if not group.operand or o.name == group.operand]
    if isinstance(group.rule, Rule) and group.rule.require is not None and not group.operand:
        names = group.rule.require.names | (group.rule.when.names if group.rule.when else frozenset())
        operands = [o for o in operands if o.name in names] or operands
    roots = set(variables(*(o.value for o in operands)))
    steps = [s for s in seen.trace.behind(roots) if s.name not in known and s.text != str(s.value)]
    return tuple((s.name, s.text, s.value) for s in steps if s.value is not None)


def solve(program: Program, target: Target, rulebook: Rulebook, options: SolverOptions | None = None) -> SolverResult:
    """Decide what types alone leave open in `program` on `target`.

    Every finding carries a witness that was run through the program; what could not be decided is
    in `unknown` with its place and reason.
    """
    t.reset()
    work = Solving(program, target, rulebook, options or SolverOptions())
    for root in work.graph.entries():
        work.root(root)
    work.launches()
    return work.finish()
