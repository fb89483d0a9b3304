"""Repair: the smallest change of a broken call's own numbers, element types and places that makes it legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ptolint.findings import Finding
from ptolint.ir.model import DYNAMIC, Call, Const, Operand, Program, Ref, Span, TileType, Type, Var
from ptolint.ir.walk import calls
from ptolint.rulebook.engine import Outcome, check_call, check_type, finding_span
from ptolint.rulebook.loader import Rulebook
from ptolint.targets import DTYPES, TARGETS

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
NUMBERS = ("rows", "cols", "valid_row", "valid_col")
_DTYPE, _PLACE = "dtype", "loc"
_COUNTED = frozenset((*NUMBERS, "static_valid_row", "static_valid_col", "bytes", "addr", "shape", "stride"))
MAX_PLACES = 12  # of one file: a file with more broken calls is being ported, not repaired
NOWHERE = Span("", 0, 0, 0, 0)


@dataclass(frozen=True)
class Change:
    """One attribute of a call, before and after."""

    attribute: str
    before: Any
    after: Any

    def text(self) -> str:
        """The change as a hint says it."""
        return f"{self.attribute} {self.before} → {self.after}"


def nearest(call: Call, target: str, rulebook: Rulebook, most: int = 3) -> list[Change]:
    """Single changes that make a statically broken call legal, the smallest first; none where one is not enough.

    A change stays with what the broken rules speak of: numbers where they count something, the element type or the
    place of an operand where they ask for that. Another place would make a rule not apply rather than repair the call.
    """
    found: list[tuple[tuple[int, int], Change]] = []
    subject = _subject(check_call(call, target, rulebook))
    for trial, change, cost in _common_dtype(call, target) if _DTYPE in {a for _, a in subject} else ():
        if not any(o.verdict is False for o in check_call(trial, target, rulebook)):
            found.append((cost, change))
    for operand in call.operands:
        for changed, change, cost in _variants(operand, target):
            kind = change.attribute.partition(".")[2]
            if kind in (_DTYPE, _PLACE) and (operand.name, kind) not in subject:
                continue
            trial = replace(call, operands=tuple(changed if o is operand else o for o in call.operands))
            if _is_legal(trial, changed.type, target, rulebook):
                found.append((cost, change))
    best: dict[str, tuple[tuple[int, int], Change]] = {}
    for cost, change in found:
        if change.attribute not in best or cost < best[change.attribute][0]:
            best[change.attribute] = (cost, change)
    return [change for _, change in sorted(best.values(), key=lambda item: (item[0], item[1].attribute))[:most]]


def _subject(outcomes: Iterable[Outcome]) -> set[tuple[str, str]]:
    """(operand, attribute) pairs that broken rules ask for by name, without counting anything."""
    found: set[tuple[str, str]] = set()
    for outcome in outcomes:
        if outcome.verdict is False and outcome.rule is not None and outcome.rule.require is not None:
            paths = outcome.rule.require.paths
            if not any(attribute in _COUNTED for _, attribute in paths):
                found |= paths
    return found


def _common_dtype(call: Call, target: str) -> Iterator[tuple[Call, Change, tuple[int, int]]]:
    """The call with the element type changed in all tiles that share it."""
    tiles = [o for o in call.operands if isinstance(o.type, TileType)]
    dtypes = {o.type.dtype for o in tiles if isinstance(o.type, TileType)}
    if len(tiles) < 2 or len(dtypes) != 1:
        return
    (before,) = dtypes
    for dtype, known in DTYPES.items():
        if dtype == before or not TARGETS[target].dtype_supported(known):
            continue
        operands = tuple(
            _with_type(o, replace(o.type, dtype=dtype)) if isinstance(o.type, TileType) else o for o in call.operands
        )
        yield replace(call, operands=operands), Change("the element type", before, dtype), (1, _distance(before, dtype))


def _is_legal(call: Call, changed: Type, target: str, rulebook: Rulebook) -> bool:
    outcomes = [*check_call(call, target, rulebook), *check_type(changed, target, rulebook)]
    return not any(o.verdict is False for o in outcomes)


def _variants(operand: Operand, target: str) -> Iterator[tuple[Operand, Change, tuple[int, int]]]:
    """The operand with one thing changed; the cost ranks kinds of change, then their size."""
    type_ = operand.type
    if isinstance(type_, TileType):
        for attribute, value, cost in _tile_changes(type_, target):
            new = replace(type_, **{attribute: value})
            if attribute in ("rows", "cols"):
                valid = "valid_row" if attribute == "rows" else "valid_col"
                if getattr(type_, valid) not in (DYNAMIC,) and getattr(type_, valid) == getattr(type_, attribute):
                    new = replace(new, **{valid: value})
            yield (
                _with_type(operand, new),
                Change(f"{operand.name}.{attribute}", getattr(type_, attribute), value),
                cost,
            )
    elif isinstance(operand.value, Const) and isinstance(operand.value.value, int):
        before = operand.value.value
        for value in _near(before):
            changed = replace(operand, value=Const(value, operand.value.type))
            yield changed, Change(operand.name, before, value), (0, abs(value - before))


def _with_type(operand: Operand, type_: TileType) -> Operand:
    value = operand.value
    if isinstance(value, Ref):
        value = Ref(replace(value.var, type=type_))
    else:
        value = Ref(Var(-1, operand.name, type_, NOWHERE))
    return replace(operand, type=type_, value=value)


def _tile_changes(type_: TileType, target: str) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    for attribute in NUMBERS:
        before = getattr(type_, attribute)
        if before != DYNAMIC:
            for value in _near(before):
                if value > 0:
                    yield attribute, value, (1, abs(value - before))
    for dtype, known in DTYPES.items():
        if dtype != type_.dtype and TARGETS[target].dtype_supported(known):
            yield "dtype", dtype, (2, _distance(type_.dtype, dtype))
    for loc, buffer in TARGETS[target].buffers.items():
        if loc != type_.loc and buffer.size:
            yield "loc", loc, (3, 0)


def _distance(before: str, after: str) -> int:
    """How far apart two element types are: by their bits, then by their kind."""
    old, new = DTYPES.get(before), DTYPES.get(after)
    return 0 if old is None or new is None else 2 * abs(new.bits - old.bits) + (new.kind != old.kind)


def _near(value: int) -> list[int]:
    around = {value // m * m for m in (2, 8, 16, 32, 64)} | {-(-value // m) * m for m in (2, 8, 16, 32, 64)}
    around |= {value - 1, value + 1, value // 2, value * 2, *SIZES}
    return sorted((v for v in around if v != value and v >= 0), key=lambda v: (abs(v - value), v))


def describe(changes: Iterable[Change]) -> str:
    """`legal with dst.cols 2048 → 1024, or with dtype half → float`; empty for no changes."""
    texts = [c.text() for c in changes]
    return f"legal with {', or with '.join(texts)}" if texts else ""


def with_repairs(program: Program, findings: Iterable[Finding], target: str, rulebook: Rulebook) -> list[Finding]:
    """Findings at calls that one change makes legal, with that said in the hint."""
    calls_at = {finding_span(c): c for f in program.functions.values() for c in calls(f)}
    done: dict[Span, str] = {}
    result = []
    for finding in findings:
        call = calls_at.get(finding.span)
        if finding.level == "error" and finding.witness is None and call is not None and call.problem is None:
            if finding.span not in done and len(done) < MAX_PLACES:
                done[finding.span] = describe(nearest(call, target, rulebook))
            text = done.get(finding.span, "")
            if text:
                finding = finding.with_(hint=f"{finding.hint}; {text}" if finding.hint else text)
        result.append(finding)
    return result
