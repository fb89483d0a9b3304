"""From the tables of a TOML file to a `RuleFile`, with one clear line for whatever is wrong in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ptolint.rulebook.model import ENFORCED, LEVELS, Form, Rule, RuleError, RuleFile
from ptolint.rulebook.symbols import TARGET_NAMES, nearest

_FILE_KEYS = frozenset(("instruction", "form", "rule", "define"))
_HEAD_KEYS = frozenset(("name", "names", "summary", "source", "no_form", "except"))
_FORM_KEYS = frozenset(("name", "operands", "template", "optional", "targets", "when", "alias"))
_RULE_KEYS = frozenset(
    (
        *("id", "targets", "names", "when", "require", "message", "hint", "source", "enforced", "level", "note"),
        *("same_as", "since", "warning_when", "note_when", "varying", "in_header"),
    )
)

Table = Mapping[str, Any]


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


_SHAPES: dict[str, Callable[[object], bool]] = {
    "a text": lambda v: isinstance(v, str),
    "true or false": lambda v: isinstance(v, bool),
    "a list of names": _is_texts,
    "a name or a list of names": lambda v: isinstance(v, str) or _is_texts(v),
    "a table of texts": lambda v: isinstance(v, dict) and all(isinstance(x, str) for x in v.values()),
    "a table": lambda v: isinstance(v, dict),
    "a list of tables": lambda v: isinstance(v, list) and all(isinstance(x, dict) for x in v),
}
_SHAPE_OF = {
    **dict.fromkeys(("names", "operands", "template", "optional", "targets", "except"), "a list of names"),
    **dict.fromkeys(("varying", "in_header"), "true or false"),
    **dict.fromkeys(("define", "alias"), "a table of texts"),
    **dict.fromkeys(("form", "rule"), "a list of tables"),
    "instruction": "a table",
    "same_as": "a name or a list of names",
}


def rule_file(path: Path, data: Table, base: RuleFile | None = None) -> RuleFile:
    """The rule file in `data`, read from `path`; `base` lends its operands to a file without forms of its own."""
    _known(data, _FILE_KEYS, path.name)
    head = data.get("instruction")
    if not isinstance(head, dict):
        raise RuleError(f"{path.name}: the file lacks its [instruction] table")
    _known(head, _HEAD_KEYS, f"{path.name}: [instruction]")
    file = RuleFile(
        path,
        instruction_names(head, path.name),
        summary=_text(head, "summary", path.name),
        source=_text(head, "source", path.name),
        no_form=head.get("no_form"),
        forms=tuple(_form(t, path.name) for t in data.get("form", ())),
        defines=dict(data.get("define", {})),
        excluded=_names(head, "except", path.name) or frozenset(),
        vocabulary_of=base,
    )
    file.rules = tuple(_rule(t, file) for t in data.get("rule", ()))
    _check_file(file)
    return file


def instruction_names(head: Table, where: str) -> tuple[str, ...]:
    """The instructions that a file serves, from `name` or `names`."""
    names = head.get("names", [head["name"]] if "name" in head else []) if isinstance(head, Mapping) else []
    if not names or not isinstance(names, list) or not all(isinstance(n, str) for n in names):
        raise RuleError(f"{where}: [instruction] needs `name` or `names`")
    return tuple(names)


def _known(table: Table, keys: frozenset[str], where: str) -> None:
    """Raises `RuleError` for a key outside `keys` and for a value of the wrong shape."""
    for key, value in table.items():
        if key not in keys:
            raise RuleError(f"{where}: unknown key {key!r}{nearest(key, keys)}")
        shape = _SHAPE_OF.get(key, "a text")
        if not _SHAPES[shape](value):
            raise RuleError(f"{where}: {key} is {shape}")


def _text(table: Table, key: str, where: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise RuleError(f"{where}: {key} is a text")
    return value


def _names(table: Table, key: str, where: str) -> frozenset[str] | None:
    if key not in table:
        return None
    value = table[key]
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise RuleError(f"{where}: {key} is a list of names")
    return frozenset(value)


def _targets(table: Table, where: str) -> frozenset[str] | None:
    targets = _names(table, "targets", where)
    for target in sorted(targets or ()):
        if target not in TARGET_NAMES:
            raise RuleError(f"{where}: unknown target {target!r}{nearest(target, TARGET_NAMES)}")
    return targets


def _form(table: Table, file: str) -> Form:
    where = f"{file}: form {table.get('name', '?')}"
    _known(table, _FORM_KEYS, where)
    if not isinstance(table.get("name"), str) or not isinstance(table.get("operands"), list):
        raise RuleError(f"{where}: a form needs `name` and `operands`")
    return Form(
        table["name"],
        tuple(table["operands"]),
        _names(table, "template", where) or frozenset(),
        _names(table, "optional", where) or frozenset(),
        _targets(table, where),
        table.get("when"),
        tuple(table.get("alias", {}).items()),
    )


def _rule(table: Table, file: RuleFile) -> Rule:
    where = f"{file.path.name}: {table.get('id', 'a rule without id')}"
    _known(table, _RULE_KEYS, where)
    for key in ("id", "message", "source"):
        if not _text(table, key, where):
            raise RuleError(f"{where}: {key} is missing")
    if "require" not in table and table["id"] != file.no_form and not table.get("in_header"):
        raise RuleError(f"{where}: require is missing")
    same_as = table.get("same_as", ())
    return Rule(
        table["id"],
        table["message"],
        table["source"],
        file,
        table.get("when"),
        table.get("require"),
        _targets(table, where),
        _names(table, "names", where),
        _text(table, "hint", where),
        _choice(table, "enforced", ENFORCED, "nothing", where),
        _choice(table, "level", LEVELS, "error", where),
        _text(table, "note", where),
        (same_as,) if isinstance(same_as, str) else tuple(same_as),
        tuple((level, table[f"{level}_when"]) for level in ("warning", "note") if f"{level}_when" in table),
        _flag(table, "varying", where),
    )


def _flag(table: Table, key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise RuleError(f"{where}: {key} is true or false")
    return value


def _choice(table: Table, key: str, choices: Iterable[str], default: str, where: str) -> str:
    value = table.get(key, default)
    if value not in choices:
        raise RuleError(f"{where}: {key} is one of {', '.join(choices)}, not {value!r}{nearest(str(value), choices)}")
    return str(value)


def _check_file(file: RuleFile) -> None:
    seen: set[str] = set()
    for rule in file.rules:
        if rule.id in seen:
            raise RuleError(f"{file.path.name}: {rule.id} is defined twice")
        seen.add(rule.id)
        for name in sorted(rule.names or ()):
            if name not in file.instructions:
                raise RuleError(
                    f"{file.path.name}: {rule.id}: the file serves no {name}{nearest(name, file.instructions)}"
                )
    if file.no_form is not None and file.no_form not in seen and file.vocabulary_of is None:
        raise RuleError(f"{file.path.name}: no rule has the id {file.no_form!r} that no_form names")


def check_expressions(file: RuleFile) -> None:
    """Compile every expression of the file; raises `RuleError` for the first that is wrong."""
    for form in file.forms:
        if form.when is not None:
            file.predicate(form.when, f"form {form.name}")
    for rule in file.rules:
        for condition in (rule.when_text, rule.require_text, *(text for _, text in rule.milder)):
            if condition is not None:
                file.predicate(condition, rule.id)
        for text in (rule.message, rule.hint):
            try:
                rule.template(text)
            except ValueError as error:
                raise RuleError(
                    str(error) if isinstance(error, RuleError) else f"{file.path.name}: {rule.id}: {error}"
                ) from None
