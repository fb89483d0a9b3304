"""Fixes for findings that one exact edit repairs.

A fixer proposes an edit; it becomes a fix only when checking the edited text on all targets shows that the finding is
gone and nothing else is broken. Where several edits would do, the choice is the author's and none is offered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ptolint.errors import InputError
from ptolint.findings import Edit, Finding, Fix
from ptolint.fixes import apply_edits
from ptolint.ir.model import Call, Const, Operand, Program, Span, TileType
from ptolint.ir.walk import calls
from ptolint.options import CheckOptions
from ptolint.rulebook.engine import check_call, finding_span, root_variable
from ptolint.rulebook.loader import Rulebook
from ptolint.targets import DTYPES, TARGETS

MAX_TRIALS = 16  # edited texts checked per file
_NUMBER = r"(?P<number>0[xX][0-9a-fA-F]+|[1-9][0-9]*)(?P<suffix>[uUlL]*)"
_ADDRESS = re.compile(rf"TASSIGN\s*(?:<\s*{_NUMBER}\s*>|\([^,()]+,\s*{_NUMBER.replace('?P<', '?P<r')}\s*\)$)")
_ALIGNMENT_RULES = ("tassign/address-align", "tassign/static-address-align")


class Source:
    """One file's text with what is needed to try edits of it."""

    def __init__(self, path: str, text: str, options: CheckOptions) -> None:
        self.path, self.text = path, text
        self.options = replace(options, replay=False)
        self.trials = 0
        self._programs: list[Program] | None = None
        self._before: Counter[tuple[str, str]] | None = None
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    @property
    def rulebook(self) -> Rulebook:
        """The rules in force."""
        from ptolint.pipeline import rulebook_for

        return rulebook_for(self.options.extend_rules)

    @property
    def programs(self) -> list[Program]:
        """The file on every target and core."""
        from ptolint.pipeline import programs

        if self._programs is None:
            named = (programs(self.path, self.text, t, self.options) for t in self.options.targets)
            self._programs = [p for found in named for p in found]
        return self._programs

    def slice(self, span: Span) -> str:
        """The text of a span."""
        return self.text[self._offset(span.line, span.col) : self._offset(span.end_line, span.end_col)]

    def _offset(self, line: int, col: int) -> int:
        return self._starts[min(line, len(self._starts)) - 1] + col - 1

    def edit(self, span: Span, start: int, end: int, new: str) -> Edit:
        """The replacement of characters `start` to `end` within a span."""
        first = self._place(self._offset(span.line, span.col) + start)
        last = self._place(self._offset(span.line, span.col) + end)
        return Edit(Span(span.file, *first, *last), new)

    def _place(self, offset: int) -> tuple[int, int]:
        line = self.text.count("\n", 0, offset) + 1
        return line, offset - self._starts[line - 1] + 1

    def calls_at(self, span: Span) -> list[tuple[Call, Program]]:
        """The call at a finding's place, in every instantiation, target and core."""
        return [
            (call, program)
            for program in self.programs
            for function in program.functions.values()
            for call in calls(function)
            if call.name_span.line == span.line and finding_span(call) == span
        ]

    def repairs(self, finding: Finding, edit: Edit) -> bool:
        """Whether the edited text has fewer findings of the rule, on every target of the finding, and no new ones."""
        if self.trials >= MAX_TRIALS:
            return False
        self.trials += 1
        edited = apply_edits(self.text.encode("utf-8", "surrogateescape"), [edit]).decode("utf-8", "surrogateescape")
        if self._before is None:
            self._before = self._found(self.text)
        after = self._found(edited)
        gone = all(after[finding.rule, t] < self._before[finding.rule, t] for t in finding.targets)
        return gone and all(after[key] <= self._before[key] for key in after)

    def _found(self, text: str) -> Counter[tuple[str, str]]:
        """Findings by rule and target, notes left out."""
        from ptolint.pipeline import check_target

        checked = [check_target(self.path, text, t, self.options, self.rulebook) for t in self.options.targets]
        return Counter((f.rule, t) for c in checked for f in c.findings if f.level != "note" for t in f.targets)


def with_fixes(path: str, text: str, findings: Iterable[Finding], options: CheckOptions) -> list[Finding]:
    """The findings, those in the file itself with the fix that was found for them."""
    source = Source(path, text, options)
    return [_with_fix(f, source) for f in findings]


def _with_fix(f: Finding, source: Source) -> Finding:
    if f.fixes or f.suppressed is not None or f.span.file != source.path or f.level == "note":
        return f
    fix = _address(f, source) or _operand_choice(f, source)
    return f.with_(fixes=(fix,)) if fix else f


# ---------------------------------------------------------------- addresses


def _address(f: Finding, source: Source) -> Fix | None:
    """A literal address moved up to the next one that the buffer's alignment allows."""
    match = _ADDRESS.search(source.slice(f.span)) if f.rule in _ALIGNMENT_RULES else None
    if match is None:
        return None
    group = "number" if match["number"] else "rnumber"
    address = int(match[group], 0)
    for align in sorted({b.align for t in f.targets for b in TARGETS[t].buffers.values() if b.align}):
        moved = -(-address // align) * align
        if moved == address:
            continue
        new = f"{moved:#x}" if match[group][:2].lower() == "0x" else str(moved)
        edit = source.edit(f.span, match.start(group), match.end(group), new)
        if source.repairs(f, edit):
            return Fix(f"move the tile to {new}", (edit,))
    return None


# ---------------------------------------------------------------- one legal value


def _operand_choice(f: Finding, source: Source) -> Fix | None:
    """The only legal value of an enum argument, or the only legal element type of a tile, whichever is unique.

    Only what the broken rule requires something of is changed, not what makes the rule apply. Such an edit changes what
    the kernel computes, so that it is safe only where the kernel could not be compiled.
    """
    safe = f.properties.get("enforced") == "static_assert"
    rule = source.rulebook.rule(f.rule)
    here = source.calls_at(f.span)
    if not here or rule is None or rule.require is None:
        return None
    dtypes = {name for name, attribute in rule.require.paths if attribute == "dtype"}
    edits = [*_enum_edits(here, f, rule.require.names, source), *_dtype_edits(here, dtypes, source)]
    if len(edits) != 1:
        return None
    title, edit = edits[0]
    return Fix(title, (edit,), safe) if source.repairs(f, edit) else None


def _legal(trials: Iterable[tuple[Call, Program]], source: Source) -> bool:
    outcomes = (o for call, program in trials for o in check_call(call, program.target, source.rulebook))
    return not any(o.verdict is False for o in outcomes)


def _enum_edits(
    here: list[tuple[Call, Program]], f: Finding, names: Collection[str], source: Source
) -> Iterator[tuple[str, Edit]]:
    """Other members of the enums that the call's template arguments and operands belong to."""
    first, program = here[0]
    named = [*first.template, *((o.name, o.value) for o in first.operands)]
    for name, value in named:
        if name not in names or not isinstance(value, Const) or not isinstance(value.value, str):
            continue
        written = list(re.finditer(rf"\b{re.escape(value.value)}\b", source.slice(f.span)))
        members = next((m for m in program.enums.values() if value.value in m), {})
        for member in members if len(written) == 1 else ():
            if member != value.value and _legal(((_with_member(c, name, member), p) for c, p in here), source):
                edit = source.edit(f.span, written[0].start(), written[0].end(), member)
                yield f"use {member} instead of {value.value}", edit


def _with_member(call: Call, name: str, member: str) -> Call:
    template = tuple(
        (n, replace(v, value=member)) if n == name and isinstance(v, Const) else (n, v) for n, v in call.template
    )
    operands = tuple(
        replace(o, value=replace(o.value, value=member)) if o.name == name and isinstance(o.value, Const) else o
        for o in call.operands
    )
    return replace(call, template=template, operands=operands)


def _dtype_edits(
    here: list[tuple[Call, Program]], names: Collection[str], source: Source
) -> Iterator[tuple[str, Edit]]:
    """Other element types of the tiles whose types are spelled at one place; `T a, b` spells one type for both."""
    wanted = [o for o in here[0][0].operands if o.name in names]
    spans = {_start(s): s for o in wanted if (s := _spelled(o, source)) is not None}
    for start, span in spans.items():
        types = {o.type for c, _ in here for o in c.operands if _start(_spelled(o, source)) == start}
        before = {t.dtype for t in types if isinstance(t, TileType)}
        if len(before) != 1:
            continue
        (old,) = before
        written = list(re.finditer(rf"\b{re.escape(old)}\b", source.slice(span)))
        for dtype in DTYPES if len(written) == 1 else ():
            if dtype != old and _legal(((_with_dtype(c, start, dtype, source), p) for c, p in here), source):
                edit = source.edit(span, written[0].start(), written[0].end(), dtype)
                yield f"use {dtype} instead of {old}", edit


def _spelled(operand: Operand, source: Source) -> Span | None:
    """Where the file spells the operand's tile type."""
    variable = root_variable(operand) if isinstance(operand.type, TileType) else None
    span = (variable.type_span or variable.span) if variable is not None else None
    return span if span is not None and span.file == source.path else None


def _start(span: Span | None) -> tuple[int, int]:
    return (span.line, span.col) if span is not None else (0, 0)


def _with_dtype(call: Call, start: tuple[int, int], dtype: str, source: Source) -> Call:
    def changed(o: Operand) -> Operand:
        if isinstance(o.type, TileType) and _start(_spelled(o, source)) == start:
            return replace(o, type=replace(o.type, dtype=dtype))
        return o

    return replace(call, operands=tuple(changed(o) for o in call.operands))


def fixes_of(path: str, text: str, findings: list[Finding], options: CheckOptions) -> list[Finding]:
    """`with_fixes` that gives the findings back as they are where the text cannot be parsed any more."""
    from ptolint.frontend import FrontendError

    try:
        return with_fixes(path, text, findings, options)
    except (InputError, FrontendError, RecursionError):
        return findings
