"""What stands under the cursor: a rule id, an instruction's constraints and their state, or a tile."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ptolint.analyses.placement import layouts, tile_bytes
from ptolint.findings import Finding
from ptolint.ir.model import Call, ConvTileType, Let, Program, Span, TensorType, TileType, Var
from ptolint.ir.walk import calls, statements
from ptolint.lsp.analysis import parsed
from ptolint.options import CheckOptions
from ptolint.pipeline import rulebook_for
from ptolint.rulebook.engine import broken_condition, check_call
from ptolint.rulebook.facts import innermost
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.spelling import type_text
from ptolint.rulebook.values import UNKNOWN
from ptolint.targets import TARGETS

_RULE = re.compile(r"[a-z][a-z0-9_-]*/[a-z0-9-]+")
_WORD = re.compile(r"[A-Za-z_]\w*")
_HOLDS, _OPEN = "holds", "no counterexample"
_LAYOUTS = {
    ("RowMajor", "NoneBox"): "row-major (ND)",
    ("ColMajor", "NoneBox"): "column-major (DN)",
    ("ColMajor", "RowMajor"): "boxed NZ",
    ("RowMajor", "ColMajor"): "boxed ZN",
    ("RowMajor", "RowMajor"): "boxed ZZ",
    ("ColMajor", "ColMajor"): "boxed NN",
}


@dataclass(slots=True)
class Part:
    """What one target has to say: the state per rule of a call, lines per type of a variable, or a finished page."""

    target: str
    states: dict[str, str] = field(default_factory=dict)
    variables: dict[str, list[str]] = field(default_factory=dict)
    page: str = ""


def part(path: str, text: str, target: str, line: int, col: int, options: CheckOptions) -> Part:
    """The target's part of the hover at a line and column (from 1)."""
    rows = text.split("\n")
    raw = rows[line - 1] if line <= len(rows) else ""
    rulebook = rulebook_for(options.extend_rules)
    rule = word_at(_RULE, raw, col)
    if rule and rulebook.rule(rule):
        from ptolint.rulebook.listing import explain

        return Part(target, page=f"```text\n{explain(rulebook, rule)}\n```")
    found = Part(target)
    word = word_at(_WORD, raw, col)
    if word:
        for program in parsed(path, text, target, options):
            _constraints(found, program, line, word, rulebook)
            _variable(found, program, line, word)
    return found


def render(parts: Sequence[Part], word: str, findings: Sequence[Finding]) -> str:
    """The parts of all targets as Markdown; `findings` are those on the line, which say what the solver found."""
    page = next((p.page for p in parts if p.page), "")
    if page:
        return page
    parts = [p for p in parts if p.states or p.variables]
    for finding in findings:
        for p in parts:
            if p.target in finding.targets and p.states.get(finding.rule) in (_HOLDS, _OPEN):
                p.states[finding.rule] = f"**{finding.level}** {_cell(finding.condition or finding.message)}"
    if any(p.states for p in parts):
        return _table(word, [p for p in parts if p.states])
    types = dict.fromkeys(type_ for p in parts for type_ in p.variables)
    blocks = []
    for type_ in list(types)[:4]:
        lines = [f"- {p.target}: {line}" for p in parts for line in p.variables.get(type_, ())]
        blocks.append("\n".join([f"```cpp\n{type_} {word}\n```", *lines]))
    return "\n\n".join(blocks)


def _table(word: str, parts: list[Part]) -> str:
    """Broken rules first, then by id."""
    rules = sorted(
        {r for p in parts for r in p.states}, key=lambda r: (all("**" not in _state(p, r) for p in parts), r)
    )
    head = f"**{word}**\n\n| constraint | {' | '.join(p.target for p in parts)} |\n|---|{'---|' * len(parts)}\n"
    return head + "\n".join(f"| {rule} | {' | '.join(_state(p, rule) for p in parts)} |" for rule in rules)


def _state(p: Part, rule: str) -> str:
    return p.states.get(rule, "does not apply")


def word_at(pattern: re.Pattern[str], raw: str, col: int) -> str:
    """The match of `pattern` that covers column `col` (from 1) or ends before it."""
    return next((m.group() for m in pattern.finditer(raw) if m.start() <= col - 1 <= m.end()), "")


def name_at(raw: str, col: int) -> str:
    """The identifier that covers column `col`."""
    return word_at(_WORD, raw, col)


def _constraints(found: Part, program: Program, line: int, word: str, rulebook: Rulebook) -> None:
    """The state of each constraint over all instances and cores: broken anywhere is broken, open anywhere is open."""
    for call in _calls_at(program, line, word):
        for outcome in check_call(call, program.target, rulebook):
            known = found.states.get(outcome.rule_id)
            if outcome.verdict is False:
                found.states[outcome.rule_id] = f"**broken** {_cell(broken_condition(outcome, outcome.env))}".rstrip()
            elif outcome.verdict is UNKNOWN and known in (None, _HOLDS):
                found.states[outcome.rule_id] = _OPEN
            elif known is None:
                found.states[outcome.rule_id] = _HOLDS


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _calls_at(program: Program, line: int, word: str) -> Iterator[Call]:
    for function in program.functions.values():
        for call in calls(function):
            if call.instruction == word and call.name_span.line == line and call.name_span.file == program.file:
                yield call


def _variable(found: Part, program: Program, line: int, word: str) -> None:
    """A tile's or tensor's types over the instantiations, a tile's with its bytes, memory, layout, addresses."""
    for var in _variables(program, line, word):
        type_ = innermost(var.type)
        if isinstance(type_, TileType | ConvTileType):
            lines = found.variables.setdefault(type_text(type_), [])
            text = _tile(type_, word, line, program)
            if text not in lines:
                lines.append(text)
        elif isinstance(type_, TensorType):
            found.variables.setdefault(type_text(type_), [])


def _variables(program: Program, line: int, word: str) -> Iterator[Var]:
    """Variables of that name in the functions around the line."""
    for function in program.functions.values():
        if _covers(function.span, program.file, line):
            yield from (v for v in function.params if v.name == word)
            yield from (s.var for s in statements(function.body) if isinstance(s, Let) and s.var.name == word)


def _covers(span: Span, path: str, line: int) -> bool:
    return span.file == path and span.line <= line <= span.end_line


def _tile(tile: TileType | ConvTileType, word: str, line: int, program: Program) -> str:
    buffer = TARGETS[program.target].buffers.get(tile.loc)
    memory = f"{buffer.name} ({buffer.size:,} bytes)" if buffer else f"{tile.loc}, which this target does not have"
    around = [f.span for f in program.functions.values() if _covers(f.span, program.file, line)]
    placed = [p for la in layouts(program) for p in la.placements if p.name == word]
    places = sorted({p.address for p in placed if any(_covers(s, program.file, p.line) for s in around)})
    where = f" at {', '.join(f'{a:#x}' for a in places)}" if places else ""
    form = _LAYOUTS.get((tile.blayout, tile.slayout), "") if isinstance(tile, TileType) else tile.layout
    return f"{tile_bytes(tile):,} bytes in {memory}{where}, {form}"
