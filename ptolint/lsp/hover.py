"""What stands under the cursor: a rule id, an instruction's constraints and their state, or a tile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ptolint.analyses.placement import layouts, tile_bytes
from ptolint.errors import InputError
from ptolint.ir.model import Call, ConvTileType, Let, Program, Span, TensorType, TileType, Var
from ptolint.ir.walk import calls, statements
from ptolint.options import CheckOptions
from ptolint.pipeline import programs, rulebook_for
from ptolint.rulebook.engine import broken_condition, check_call
from ptolint.rulebook.facts import innermost
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.spelling import type_text
from ptolint.rulebook.values import UNKNOWN
from ptolint.targets import TARGETS

_RULE = re.compile(r"[a-z][a-z0-9_-]*/[a-z0-9-]+")
_WORD = re.compile(r"[A-Za-z_]\w*")


def describe(path: str, text: str, line: int, col: int, options: CheckOptions) -> str:
    """Markdown for line and byte column (from 1); an empty string where there is nothing to say."""
    from ptolint.frontend import FrontendError

    rows = text.split("\n")
    raw = rows[line - 1] if line <= len(rows) else ""
    rulebook = rulebook_for(options.extend_rules)
    rule = _word(_RULE, raw, col)
    if rule and rulebook.rule(rule):
        from ptolint.rulebook.listing import explain

        return f"```text\n{explain(rulebook, rule)}\n```"
    word = _word(_WORD, raw, col)
    if not word:
        return ""
    try:
        parsed = [p for t in options.targets for p in programs(path, text, t, options)]
    except (FrontendError, InputError):
        return ""
    called = _constraints(parsed, line, word, rulebook)
    return called or _variable(parsed, path, line, word)


def _word(pattern: re.Pattern[str], raw: str, col: int) -> str:
    """The match of `pattern` that covers byte column `col`."""
    at = len(raw.encode()[: col - 1].decode("utf-8", "replace"))
    return next((m.group() for m in pattern.finditer(raw) if m.start() <= at <= m.end()), "")


def _constraints(parsed: list[Program], line: int, word: str, rulebook: Rulebook) -> str:
    """A table of the call's constraints with their state per target."""
    states: dict[str, dict[str, str]] = {}
    targets: list[str] = []
    for program in parsed:
        for call in _calls_at(program, line, word):
            if program.target not in targets:
                targets.append(program.target)
            for outcome in check_call(call, program.target, rulebook):
                row = states.setdefault(outcome.rule_id, {})
                broken = outcome.verdict is False
                state = "at run time" if outcome.verdict is UNKNOWN else "holds"
                if broken:
                    state = f"**broken** {broken_condition(outcome, outcome.env)}"
                if broken or program.target not in row:
                    row[program.target] = state.replace("|", "\\|")
    if not states:
        return ""
    head = f"**{word}**\n\n| constraint | {' | '.join(targets)} |\n|---|{'---|' * len(targets)}\n"
    return head + "\n".join(
        f"| {rule} | {' | '.join(row.get(t, '') for t in targets)} |" for rule, row in states.items()
    )


def _calls_at(program: Program, line: int, word: str) -> Iterator[Call]:
    for function in program.functions.values():
        for call in calls(function):
            if call.instruction == word and call.name_span.line == line and call.name_span.file == program.file:
                yield call


def _variable(parsed: list[Program], path: str, line: int, word: str) -> str:
    """A tile's or tensor's type, bytes and addresses, for every type it has over the instantiations."""
    blocks: dict[str, None] = {}
    for program in parsed:
        for var in _variables(program, path, line, word):
            type_ = innermost(var.type)
            if isinstance(type_, TileType | ConvTileType):
                blocks.setdefault(_tile(type_, word, program))
            elif isinstance(type_, TensorType):
                blocks.setdefault(f"```cpp\n{type_text(type_)} {word}\n```")
    return "\n\n".join(list(blocks)[:4])


def _variables(program: Program, path: str, line: int, word: str) -> Iterator[Var]:
    """Variables of that name in the functions around the line."""
    for function in program.functions.values():
        if _covers(function.span, path, line):
            yield from (v for v in function.params if v.name == word)
            yield from (s.var for s in statements(function.body) if isinstance(s, Let) and s.var.name == word)


def _covers(span: Span, path: str, line: int) -> bool:
    return span.file == path and span.line <= line <= span.end_line


def _tile(tile: TileType | ConvTileType, word: str, program: Program) -> str:
    buffer = TARGETS[program.target].buffers.get(tile.loc)
    memory = f"{buffer.name} ({buffer.size:,} bytes on {program.target})" if buffer else tile.loc
    places = sorted({p.address for la in layouts(program) for p in la.placements if p.name == word})
    where = f" at {', '.join(f'{a:#x}' for a in places)}" if places else ""
    return f"```cpp\n{type_text(tile)} {word}\n```\n{tile_bytes(tile):,} bytes in {memory}{where}"
