"""What the rules say about themselves: a list, and the page of one rule for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ptolint.rulebook.fixtures import Fixture, fixtures_directory, load_fixtures
from ptolint.rulebook.loader import Rulebook
from ptolint.rulebook.model import Rule
from ptolint.rulebook.symbols import nearest

WIDTH = 100
_ENFORCED = {
    "static_assert": "the vendor headers reject it at compile time",
    "debug-assert": "only a debug build of the vendor headers checks it",
    "nothing": "no vendor header checks it",
}


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """One rule as a row of a table; `targets` empty means all."""

    id: str
    instructions: tuple[str, ...]
    targets: tuple[str, ...]
    level: str
    enforced: str
    summary: str
    source: str


def list_rules(rulebook: Rulebook) -> list[RuleInfo]:
    """All rules, sorted by id."""
    infos = [_info(rule) for file in rulebook.files() for rule in file.rules]
    return sorted(infos, key=lambda info: info.id)


def _info(rule: Rule) -> RuleInfo:
    return RuleInfo(
        rule.id,
        tuple(sorted(rule.names)) if rule.names else rule.file.instructions,
        tuple(sorted(rule.targets or ())),
        rule.level,
        rule.enforced,
        rule.message,
        rule.source,
    )


def explain(rulebook: Rulebook, rule_id: str) -> str:
    """The page of one rule for a terminal; raises `KeyError` naming the nearest id for an unknown one."""
    rule = rulebook.rule(rule_id)
    if rule is None:
        known = [r.id for f in rulebook.files() for r in f.rules]
        raise KeyError(f"unknown rule {rule_id!r}{nearest(rule_id, known)}")
    return "\n".join([*_page(rule), *_examples(rule)]) + "\n"


def _page(rule: Rule) -> Iterator[str]:
    info = _info(rule)
    yield f"{rule.id} ({rule.level})"
    yield ""
    yield from _wrapped(rule.message)
    yield ""
    yield from _field("concerns", ", ".join(info.instructions))
    yield from _field("targets", ", ".join(info.targets) or "all")
    if rule.when_text:
        yield from _field("applies when", rule.when_text)
    yield from _field("requires", rule.require_text or "an overload that takes these operands and parameters")
    for level, condition in rule.milder:
        yield from _field(f"only a {level}", f"when {condition}")
    if rule.varying:
        yield from _field("only where", "the launch decides the values; constants are taken as meant")
    for name, text in _used_defines(rule):
        yield from _field(f"where {name}", f"= {text}")
    if rule.hint:
        yield from _field("hint", rule.hint)
    yield from _field("source", rule.source)
    yield from _field("enforced", _ENFORCED[rule.enforced])
    if rule.note:
        yield from _field("note", rule.note)
    if rule.same_as:
        yield from _field("see also", ", ".join(rule.same_as))


def _used_defines(rule: Rule) -> Iterator[tuple[str, str]]:
    text = f"{rule.when_text} {rule.require_text} {rule.message} {rule.hint}"
    for name, definition in rule.file.defines.items():
        if name in text:
            yield name, definition


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH)


def _field(name: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"{name + ':':<14} ", subsequent_indent=" " * 15)


# ---------------------------------------------------------------- examples


def _examples(rule: Rule) -> Iterator[str]:
    directory = fixtures_directory()
    if directory is None:
        return
    for fixture in load_fixtures(directory):
        lines = [e.line for e in fixture.expected if e.rule == rule.id]
        if lines:
            yield from _example(fixture, min(lines))
            return


def _example(fixture: Fixture, line: int) -> Iterator[str]:
    source = fixture.path.read_text(encoding="utf-8").splitlines()
    first = _start_of_function(source, line)
    yield ""
    yield f"example ({'/'.join(fixture.path.parts[-3:])}):"
    for number in range(first, line + 1):
        mark = ">" if number == line else " "
        yield f"{mark} {number:4} | {source[number - 1]}"


def _start_of_function(source: list[str], line: int) -> int:
    """The line where the enclosing top-level declaration starts, a few lines up at most."""
    for number in range(line, max(0, line - 25), -1):
        text = source[number - 1]
        if text and not text[0].isspace() and text[0] not in "{}/#":
            return number
    return line


def example_of(rule_id: str, directory: Path) -> str:
    """The failing example of a rule from the fixtures in `directory`; empty where there is none."""
    for fixture in load_fixtures(directory):
        lines = [e.line for e in fixture.expected if e.rule == rule_id]
        if lines:
            return "\n".join(_example(fixture, min(lines)))
    return ""
