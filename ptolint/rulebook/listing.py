"""What the rules say about themselves: a list, and the page of one rule for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ptolint.analyses import ANALYSES, Analysis
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

_EVERY = {"operand": "every tile operand", "tile": "every tile type"}  # names of rules that belong to no instruction


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


def list_analyses() -> list[RuleInfo]:
    """The checks that are no rules of one call, as rows of the same table."""
    return [RuleInfo(a.id, (), (), a.level, "nothing", a.summary, a.source) for a in ANALYSES.values()]


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
    if rule_id in ANALYSES:
        return "\n".join(_page_of_analysis(ANALYSES[rule_id])) + "\n"
    rule = rulebook.rule(rule_id)
    if rule is None:
        raise KeyError(f"unknown rule {rule_id!r}{nearest(rule_id, known_ids(rulebook))}")
    return "\n".join([*_page(rule), *_examples(rule)]) + "\n"


def known_ids(rulebook: Rulebook) -> set[str]:
    """Every id that a finding may carry: those of rules and of analyses."""
    return {r.id for f in rulebook.files() for r in f.rules} | set(ANALYSES)


def _page_of_analysis(analysis: Analysis) -> Iterator[str]:
    yield f"{analysis.id} ({analysis.level})"
    yield ""
    yield from _wrapped(analysis.summary)
    yield ""
    yield from _wrapped(analysis.details)
    yield ""
    yield from _field("source", analysis.source)
    if analysis.same_as:
        yield from _field("see also", ", ".join(analysis.same_as))


def _page(rule: Rule) -> Iterator[str]:
    info = _info(rule)
    yield f"{rule.id} ({rule.level})"
    yield ""
    yield from _wrapped(rule.message)
    yield ""
    yield from _field("concerns", ", ".join(_EVERY.get(i, i) for i in info.instructions))
    yield from _field("targets", ", ".join(info.targets) or "all")
    if rule.when_text:
        yield from _field("applies when", rule.when_text)
    yield from _field("requires", rule.require_text or "an overload that takes these operands and parameters")
    for level, condition in rule.milder:
        yield from _field(f"only a {level}", f"when {condition}")
    if rule.varying:
        yield from _field("only where", "the launch decides the values; constants are taken as meant")
    for name, text in _used_defines(rule):
        yield from _field("where", f"{name} = {text}")
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
    place = _first_failing(directory).get(rule.id)
    if place:
        yield from _example(*place)


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
    place = _first_failing(directory).get(rule_id)
    return "\n".join(_example(*place)) if place else ""


@lru_cache(maxsize=2)
def _first_failing(directory: Path) -> dict[str, tuple[Fixture, int]]:
    """For each rule the first fixture and line where it is broken."""
    found: dict[str, tuple[Fixture, int]] = {}
    for fixture in load_fixtures(directory):
        for expected in sorted(fixture.expected):
            found.setdefault(expected.rule, (fixture, expected.line))
    return found


# ---------------------------------------------------------------- the site


def page(rulebook: Rulebook, rule_id: str) -> str:
    """The page of one rule in Markdown, with an example that breaks it; raises `KeyError` for an unknown id."""
    rule = rulebook.rule(rule_id)
    if rule is None:
        raise KeyError(rule_id)
    return "\n".join(_markdown(rule)) + "\n"


def _markdown(rule: Rule) -> Iterator[str]:
    info = _info(rule)
    yield from (f"# {rule.id}", "", _escaped(rule.message), "")
    yield from ("| | |", "|---|---|", f"| level | {rule.level} |", f"| instructions | {', '.join(info.instructions)} |")
    yield f"| targets | {', '.join(info.targets) or 'all'} |"
    yield f"| today | {_ENFORCED[rule.enforced]} |"
    yield f"| source | {_escaped(rule.source)} |"
    if rule.when_text:
        yield from ("", "Applies when", "", "```python", rule.when_text, "```")
    yield from ("", "Requires", "", "```python", rule.require_text or "# an overload that takes these operands", "```")
    defines = [f"{name} = {text}" for name, text in _used_defines(rule)]
    if defines:
        yield from ("", "with", "", "```python", *defines, "```")
    for level, condition in rule.milder:
        yield from ("", f"Only a {level} when `{condition}`.")
    for label, text in (("How to mend it", rule.hint), ("Note", rule.note)):
        if text:
            yield from ("", f"## {label}", "", _escaped(text))
    yield from _markdown_examples(rule)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*")


def _markdown_examples(rule: Rule) -> Iterator[str]:
    """A fixture that breaks the rule, cut to the function in question."""
    directory = fixtures_directory()
    example = example_of(rule.id, directory) if directory is not None else ""
    if example:
        code = [line for line in example.splitlines() if " | " in line]
        shown = [line.split(" | ", 1)[1] + ("  // <-- here" if line.startswith(">") else "") for line in code]
        yield from ("", "## Example", "", "```cpp", *shown, "```")
