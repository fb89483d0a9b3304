"""From collected obligations to verdicts: kept, broken always, broken sometimes, a contract, or unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ptolint.ir.model import Assume, Function, Program
from ptolint.rulebook.values import UNKNOWN
from ptolint.solver import terms as t
from ptolint.solver.obligations import Group, Instance, Undecided
from ptolint.solver.ranges import decide
from ptolint.solver.replay import Replayed, StepBudget, Wanted, refuted_assumption, replay
from ptolint.solver.smt import SAT, UNSAT, Smt
from ptolint.solver.state import Path
from ptolint.solver.terms import Term, Truth
from ptolint.solver.walker import Tracker

MAX_INSTANCES = 96  # of one rule at one place, that need the solver
MAX_MODELS = 4  # witnesses tried before giving up


@dataclass
class Verdict:
    """`kind`: "ok", "error", "warning", "contract" or "unknown" (then `reason`)."""

    kind: str
    reason: str = ""
    witness: dict[Term, int | bool] = field(default_factory=dict)
    replayed: Replayed | None = None
    instance: Instance | None = None
    conditions: list[Truth] = field(default_factory=list)  # of a contract


def path_conditions(path: Path, *about: Truth, overflow: bool = True) -> list[Truth]:
    """What is known on `path`, without loop ends and facts that say nothing about `about`.

    Without `overflow` also without the assumption that signed results fit their types.
    """
    kept = [n for n in path.nodes() if n.kind == "guard"]
    rest = [n for n in path.nodes() if n.kind in ("exit", "fact") or (overflow and n.kind == "overflow")]
    used: set[Term] = set()
    for cond in (*about, *(n.cond for n in kept)):
        used |= cond.symbols if isinstance(cond, Term) else set()
    changed = True
    while changed:
        changed = False
        for node in list(rest):
            symbols = node.cond.symbols if isinstance(node.cond, Term) else frozenset()
            if not symbols & (node.own if node.kind == "exit" and node.own else used):
                continue
            if node.kind == "exit" and node.own and not (node.own & used):
                continue
            rest.remove(node)
            kept.append(node)
            used |= symbols
            changed = True
    return [n.cond for n in kept]


def order_of(symbols: Iterable[Term], entry: Function) -> list[Term]:
    """The order in which a witness's values are made small: parameters, blocks, memory, rounds."""
    position = {p.name: i for i, p in enumerate(entry.params)}
    blocks = ("block_num", "block_idx", "subblockid", "subblockdim")
    kinds = {"param": 0, "block": 1, "memory": 2, "loop": 3, "opaque": 4}

    def key(s: Term) -> tuple[int, int, int]:
        name, kind = s.args
        place = position.get(name, 99) if kind == "param" else blocks.index(name) if name in blocks else 0
        return kinds[kind], place, s.uid

    return sorted((s for s in symbols if s.args[1] != "opaque"), key=key)


class Judge:
    """Decides the obligations of one root."""

    def __init__(
        self,
        program: Program,
        entry: Function,
        smt: Smt,
        undecided: Undecided,
        steps: StepBudget,
        tracker: Tracker | None,
    ) -> None:
        self.program = program
        self.entry = entry
        self.smt = smt
        self.undecided = undecided
        self.steps = steps
        self.tracker = tracker

    def judge(self, group: Group) -> Verdict:
        """The verdict on one rule at one place."""
        open_ = [i for i in _distinct(group.instances) if not self._kept(i)]
        if not open_:
            return Verdict("ok")
        known = [i for i in open_ if i.cond is not UNKNOWN]
        if not known:
            return Verdict("unknown", f"{group.rule.id} depends on a value that is not followed")
        if len(known) > MAX_INSTANCES:
            return Verdict("unknown", f"{group.rule.id} is reached in too many ways")
        verdict = self._broken(group, known)
        if verdict.kind == "ok" and len(known) < len(open_):
            return Verdict("unknown", f"{group.rule.id} depends on a value that is not followed")
        return verdict

    @staticmethod
    def _kept(instance: Instance) -> bool:
        cond = instance.cond
        return cond is not UNKNOWN and decide(cond, instance.path.facts) is True

    def _broken(self, group: Group, instances: list[Instance]) -> Verdict:
        suspects, doubtful = [], False
        for instance in instances:
            answer = self._ask(instance, t.not_(instance.cond))
            if answer == SAT:
                suspects.append(instance)
            elif answer != UNSAT:
                doubtful = True
        if not suspects:
            return Verdict("unknown", f"{group.rule.id}: the solver's limit was reached") if doubtful else Verdict("ok")
        if (
            len(suspects) == len(instances) == len(_distinct(group.instances))
            and not group.holds
            and self._always(suspects)
        ):
            return self._witnessed("error", group, suspects)
        contract = [i for i in suspects if self._is_contract(i)]
        if len(contract) == len(suspects):
            return Verdict("contract", instance=suspects[0], conditions=[i.cond for i in suspects])
        return self._witnessed("warning", group, [i for i in suspects if i not in contract])

    def _ask(self, instance: Instance, cond: Truth) -> str:
        known = decide(cond, instance.path.facts)
        if known is False:
            return UNSAT
        conds = path_conditions(instance.path, cond)
        return self.smt.check(*conds, cond)

    def _always(self, instances: list[Instance]) -> bool:
        """Whether the rule is broken whenever the call is reached."""
        return all(i.cond is False or self._ask(i, i.cond) == UNSAT for i in instances)

    def _is_contract(self, instance: Instance) -> bool:
        """Whether what must hold is about parameters alone that the code does not mention before the call."""
        symbols = instance.cond.symbols if isinstance(instance.cond, Term) else frozenset()
        guarded = instance.mentioned
        return bool(symbols) and all(s.args[1] == "param" and s not in guarded for s in symbols)

    def _witnessed(self, kind: str, group: Group, suspects: list[Instance]) -> Verdict:
        """The verdict with values that were seen to break the rule."""
        for instance in suspects:
            found = self._witness(group, instance)
            if found is not None:
                values, seen = found
                return Verdict(kind, "", values, seen, instance)
        plain = [i for i in suspects if i.cond is False and not _approximate(i)]
        if kind == "error" and plain:
            return Verdict(kind, "", {}, None, plain[0])
        return Verdict("unknown", f"{group.rule.id}: no run was found that breaks it", instance=suspects[0])

    def replay(self, group: Group, values: dict[Term, int | bool]) -> Replayed | None:
        """Run the root with a witness to see the rule broken."""
        wanted = Wanted(group.span, group.rule, group.operand)
        return self.replay_all([wanted], values).get(wanted)

    def replay_all(self, wanted: Iterable[Wanted], values: dict[Term, int | bool]) -> dict[Wanted, Replayed]:
        """Run the root with a witness to see which rules it breaks."""
        return replay(self.program, self.entry, values, wanted, self.undecided, self.steps, self.tracker)

    def refuted(self, values: dict[Term, int | bool]) -> Assume | None:
        """The first assumption of the root that a run with these inputs contradicts."""
        return refuted_assumption(self.program, self.entry, values, self.undecided, self.steps)

    def _witness(self, group: Group, instance: Instance) -> tuple[dict[Term, int | bool], Replayed] | None:
        broken = t.not_(instance.cond)
        conds = [*path_conditions(instance.path, broken), broken]
        symbols = {s for c in conds if isinstance(c, Term) for s in c.symbols}
        order = order_of(symbols, self.entry)
        opaque = {s for s in _symbols(instance.cond) if s.args[1] == "opaque"}
        if opaque and opaque == _symbols(instance.cond):
            return None  # a run over plain numbers does not know the value either
        for _ in range(1 if opaque else MAX_MODELS):
            values = self.smt.least_model(conds, order) if symbols else {}
            if values is None:
                return None
            seen = self.replay(group, values)
            if seen is not None:
                return values, seen
            inputs = [s for s in order if s.args[1] in ("param", "block", "memory")]
            if not inputs:
                return None
            conds = [*conds, t.not_(t.and_(*(t.eq(s, values[s]) for s in inputs)))]
        return None


def _symbols(cond: Truth) -> frozenset[Term]:
    return cond.symbols if isinstance(cond, Term) else frozenset()


def _approximate(instance: Instance) -> bool:
    """Whether the way to the call goes through a loop that was summarised."""
    return any(
        s.args[1] in ("loop", "opaque")
        for n in instance.path.nodes()
        if isinstance(n.cond, Term)
        for s in n.cond.symbols
    )


def _distinct(instances: list[Instance]) -> list[Instance]:
    """Instances that ask different questions."""
    found: dict[object, Instance] = {}
    for i in instances:
        found.setdefault((id(i.path), i.cond if isinstance(i.cond, Term) else repr(i.cond)), i)
    return list(found.values())
