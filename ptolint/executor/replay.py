"""Confirms findings: runs the kernel with a finding's witness and tells what really happens at its line.

The verdict is the machine's own: the rule's condition on the operands as they are when the call is
reached, and what the machine saw the call do (bytes outside a tile, a buffer or a tensor, undefined
elements read, events that never come).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from ptolint.executor.api import find_entries
from ptolint.executor.errors import ExecutorError
from ptolint.executor.interpreter import AssumptionError
from ptolint.executor.machine import Limits, Machine
from ptolint.executor.memory import Violation
from ptolint.executor.operands import signed_extent
from ptolint.executor.session import Launch, Session
from ptolint.executor.values import Dims, Tensor, Tile, Undefined
from ptolint.findings import Evidence, Finding
from ptolint.ir.model import Call, Function, Operand, PointerType, Program
from ptolint.targets import Target

if TYPE_CHECKING:
    from ptolint.rulebook.engine import Outcome
    from ptolint.rulebook.loader import Rulebook

LIMITS = Limits(steps=300_000, seconds=2.0, bytes_moved=1 << 28)
PLAIN_VALUES = (64, 128, 1, 16, 4096)  # tried in turn for parameters that nothing is known about
BLOCK_INPUTS = ("block_idx", "block_num", "subblockid", "subblockdim")
RUN_TIME = frozenset(("valid_row", "valid_col", "addr", "shape", "stride"))


class _Stop(Exception):
    """The replay has seen enough."""


def replay(
    programs: Mapping[str, Program], finding: Finding, target: Target, rulebook: Rulebook | None = None
) -> Evidence:
    """What the machine sees of a finding; never raises.

    "confirmed": the call was reached and broke the rule, or did damage.  "contradicted": it was reached with
    the witness and nothing was wrong.  "not-replayable": the text says why.  "none": nothing about the finding
    happens at run time.
    """
    if finding.level == "note" or not _concerns_run(finding):
        return Evidence("none")
    try:
        return _Replay(programs, _at_the_call(finding), target, rulebook or _rulebook()).evidence()
    except (ExecutorError, RecursionError, MemoryError) as error:
        return Evidence("not-replayable", str(error) or type(error).__name__)


def _at_the_call(finding: Finding) -> Finding:
    """A launch is judged by the call of the kernel that it breaks; other findings stand at their call."""
    broken = finding.properties.get("breaks")
    return finding.with_(rule=broken, span=finding.related[0].span) if broken and finding.related else finding


@cache
def _rulebook() -> Rulebook:
    from ptolint.rulebook.loader import Rulebook

    return Rulebook()


def _concerns_run(finding: Finding) -> bool:
    """What the user's compiler refuses, and types that are illegal by themselves, never run."""
    if finding.witness is not None:
        return True
    return finding.properties.get("enforced") != "static_assert" and not finding.rule.startswith(("tile/", "ptolint/"))


@dataclass(slots=True)
class _Seen:
    """What was seen at the finding's line."""

    reached: int = 0
    outcome: Outcome | None = None
    values: list[tuple[str, Any]] = field(default_factory=list)
    damage: list[Violation] = field(default_factory=list)
    stopped: str = ""


class _Watch:
    """Waits for calls on the finding's line; the first that breaks the rule, or does damage, ends the run."""

    def __init__(self, finding: Finding, target: Target, rulebook: Rulebook) -> None:
        self.finding, self.target, self.rulebook = finding, target, rulebook
        self.seen = _Seen()
        self._before = -1

    def before(self, machine: Machine, call: Call, values: dict[str, Any], since: int) -> None:
        """Looks at the operands when the call is the finding's."""
        self._before = -1
        if not self._is_here(call):
            return
        self.seen.reached += 1
        self._before = since
        outcome = self._broken(call, values)
        if outcome is not None:
            self.seen.outcome = outcome
            self.seen.values = list(_operand_values(call, values, outcome))

    def after(self, machine: Machine, call: Call) -> None:
        """Looks at what the call did."""
        if self._before >= 0:
            self.note_damage(machine.log.entries)
            if self.seen.outcome is not None or self.seen.damage:
                raise _Stop

    def note_damage(self, entries: list[Violation]) -> None:
        """Takes over what was logged since the call began."""
        if self._before >= 0:
            self.seen.damage = [v for v in entries[self._before :] if _tells(v, self.finding)]

    def _is_here(self, call: Call) -> bool:
        span, here = self.finding.span, call.name_span
        return here.file == span.file and here.line == span.line and _within(here.col, span)

    def _broken(self, call: Call, values: dict[str, Any]) -> Outcome | None:
        from ptolint.rulebook.engine import check_call

        outcomes = check_call(call, self.target.name, self.rulebook, _resolver(values))
        broken = [o for o in outcomes if o.verdict is False and o.guard is True]
        return next((o for o in broken if o.rule_id == self.finding.rule), None)


def _tells(violation: Violation, finding: Finding) -> bool:
    """Whether a fault says anything about the finding: a tile that was never filled concerns only rules about that."""
    if violation.kind == "undefined-read":
        return finding.rule.startswith("memory/") or "undefined" in finding.rule
    return violation.is_fault


def _within(col: int, span: Any) -> bool:
    return bool(span.col <= col and (col < span.end_col or span.end_line > span.line))


class _Replay:
    """One finding: which kernel, with which inputs, and the verdict on what was seen."""

    def __init__(self, programs: Mapping[str, Program], finding: Finding, target: Target, rulebook: Rulebook) -> None:
        self.finding, self.target, self.rulebook = finding, target, rulebook
        self.programs = programs

    def evidence(self) -> Evidence:
        """Runs with the witness, or with plain values until the call is reached."""
        inputs = self._inputs()
        seen = _Seen()
        for values in inputs:
            seen = self._run(values)
            if seen.damage or (seen.outcome is not None and (seen.values or self.finding.witness is not None)):
                return _confirmed(self.finding, seen)
            if seen.reached and self.finding.witness is not None:
                break
        return self._unconfirmed(seen)

    def _inputs(self) -> list[dict[str, int]]:
        if self.finding.witness is not None:
            return [dict(self.finding.witness.inputs)]
        return [{"": value} for value in PLAIN_VALUES]

    def _run(self, values: Mapping[str, int]) -> _Seen:
        watch = _Watch(self.finding, self.target, self.rulebook)
        for entries in self._entries():
            launch = self._launch(next(iter(entries.values())), values, watch)
            session = Session(self.programs, self.target, launch)
            try:
                session.run(entries)
            except _Stop:
                return watch.seen
            except (ExecutorError, RecursionError) as error:
                watch.note_damage(session.log.entries)
                watch.seen.stopped = _reason(error, session)
            if watch.seen.outcome is not None or watch.seen.damage:
                return watch.seen
        return watch.seen

    def _entries(self) -> list[dict[str, Function]]:
        """The kernels to run: the one that the finding names, or every root; a function per core that has it."""
        if self.finding.entry:
            try:
                return [find_entries(self.programs, self.finding.entry)]
            except ExecutorError:
                return []
        names = dict.fromkeys(p.functions[r].display for p in self.programs.values() for r in p.roots)
        found = []
        for name in names:
            found.append({c: f for c, p in self.programs.items() for f in p.functions.values() if f.display == name})
        return found

    def _launch(self, function: Function, values: Mapping[str, int], watch: _Watch) -> Launch:
        plain = values.get("", 0)
        numbers = {p.name: values.get(p.name, plain) for p in function.params if not isinstance(p.type, PointerType)}
        block = int(values.get("block_idx", 0))
        subblock = int(values.get("subblockid", 0))
        return Launch(
            scalars=numbers,
            blocks=int(values.get("block_num", block + 1)),
            block=block,
            subblock=subblock,
            subblocks=int(values.get("subblockdim", 2 if subblock else 1)),
            synthetic=True,
            lenient=True,
            limits=LIMITS,
            track=self.finding.rule.startswith("memory/"),
            observer=watch,
        )

    def _unconfirmed(self, seen: _Seen) -> Evidence:
        if seen.stopped and not (seen.reached and self.finding.witness is not None):
            return Evidence("not-replayable", f"cannot replay: {seen.stopped}")
        if not seen.reached:
            return Evidence("not-replayable", "the replay does not reach the line")
        if self.finding.witness is None:
            return Evidence("none")
        times = "once" if seen.reached == 1 else f"{seen.reached} times"
        return Evidence("contradicted", f"the line was reached {times} with these values and kept the rule")


def _reason(error: Exception, session: Session) -> str:
    if isinstance(error, AssumptionError):
        return str(error)
    line = session.log.span.line if session.log.span else 0
    text = str(error) or type(error).__name__
    return f"{text} (line {line})" if line and "line" not in text else text


# ---------------------------------------------------------------- what is shown


def _confirmed(finding: Finding, seen: _Seen) -> Evidence:
    parts = []
    if seen.values:
        parts.append("reached with " + ", ".join(f"{name} = {value}" for name, value in seen.values))
    elif seen.outcome is not None:
        parts.append("reached")
    parts += [v.text for v in seen.damage[:3]]
    if len(seen.damage) > 3:
        parts.append(f"and {len(seen.damage) - 3} more")
    facts = [*seen.values, *_damage_facts(seen.damage)]
    return Evidence("confirmed", "; ".join(parts), tuple(facts))


def _damage_facts(damage: list[Violation]) -> list[tuple[str, Any]]:
    """The first violation of each kind, its facts under "kind.name"."""
    facts: dict[str, Any] = {}
    for violation in damage:
        if not any(key.startswith(violation.kind + ".") for key in facts):
            facts |= {f"{violation.kind}.{name}": value for name, value in violation.facts}
    return list(facts.items())


def _operand_values(call: Call, values: dict[str, Any], outcome: Outcome) -> Iterable[tuple[str, Any]]:
    """The run-time values that the broken condition reads, under the operands' own names."""
    if outcome.rule is None or outcome.rule.require is None:
        return
    paths = set(outcome.rule.require.paths) | (set(outcome.rule.when.paths) if outcome.rule.when else set())
    if "overlap(" in (outcome.rule.require_text or ""):  # a question about addresses
        paths |= {(name, "addr") for name in outcome.rule.require.names}
    for operand in call.operands:
        names = sorted(a for n, a in paths if n == operand.name or (outcome.operand == operand.name and n == "tile"))
        for attribute in names:
            if attribute in RUN_TIME:
                yield from _attribute(operand, values[operand.name], attribute)
        if operand.name in outcome.rule.require.names and isinstance(values[operand.name], (int, float)):
            yield operand.name, values[operand.name]


def _attribute(operand: Operand, value: Any, attribute: str) -> Iterable[tuple[str, Any]]:
    if not isinstance(value, (Tile, Tensor)) or attribute not in value.fields:
        return
    shown = value.fields[attribute]
    name = value.name or operand.name
    if isinstance(shown, list):
        yield f"{name}.{attribute}", tuple(shown)
    elif isinstance(shown, int):
        yield f"{name}.{attribute}", signed_extent(shown)


def _resolver(values: dict[str, Any]) -> Any:
    """Operands' run-time attributes for the rules, from the machine's values."""
    from ptolint.rulebook.values import UNKNOWN

    def resolve(operand: Operand, attribute: str) -> Any:
        value = values.get(operand.name)
        if attribute == "value":
            return UNKNOWN if value is None or isinstance(value, Undefined) else value
        found = _field(value, attribute)
        if isinstance(found, bool) or not isinstance(found, int):
            return UNKNOWN
        return found

    return resolve


def _field(value: Any, attribute: str) -> Any:
    name, _, index = attribute.partition("[")
    if isinstance(value, Dims):
        return value.items[int(index[:-1])]
    if not isinstance(value, (Tile, Tensor)):
        return None
    found = value.fields.get(name)
    return found[int(index[:-1])] if index and isinstance(found, list) else found
