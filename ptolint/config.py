"""The configuration file: `ptolint.toml`, or `[tool.ptolint]` in `pyproject.toml`, nearest upwards.

`KEYS` is the one table of what may be set; validation, `ptolint config` and the JSON schema read it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ptolint.errors import InputError, nearest
from ptolint.findings import LEVELS
from ptolint.options import CheckOptions
from ptolint.targets import TARGETS

NAMES = ("ptolint.toml", ".ptolint.toml", "pyproject.toml")
_CORES = ("vec", "cube")
_FAIL_ON = (*LEVELS, "never")


@dataclass(frozen=True, slots=True)
class Key:
    """One setting: JSON schema of its value, its default, and what it does."""

    schema: dict[str, Any]
    default: Any
    text: str


def _strings(**items: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string", **items}}


def _table(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value}


KEYS: dict[str, Key] = {
    "extend": Key({"type": "string"}, None, "another configuration file whose settings this one builds upon"),
    "targets": Key(_strings(enum=list(TARGETS)), ["a2a3", "a5"], "targets to check for"),
    "cores": Key(_strings(enum=list(_CORES)), list(_CORES), "core types to check for"),
    "select": Key(_strings(), [], "rule ids or prefixes to check; empty means all"),
    "extend-select": Key(_strings(), [], "more prefixes for `select`"),
    "ignore": Key(_strings(), [], "rule ids or prefixes to leave out; the longest prefix decides"),
    "extend-ignore": Key(_strings(), [], "more prefixes for `ignore`"),
    "exclude": Key(_strings(), [], "paths that a directory walk leaves out, in .gitignore syntax"),
    "per-file-ignores": Key(_table(_strings()), {}, "rules to leave out in the files that a glob names"),
    "severity": Key(_table({"enum": [*LEVELS, "off"]}), {}, "level of a rule or prefix instead of its own"),
    "include-dirs": Key(_strings(), [], "directories for #include, relative to this file"),
    "defines": Key(_strings(), [], "macros, NAME or NAME=VALUE"),
    "overrides": Key(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"files": _strings(), "include-dirs": _strings(), "defines": _strings()},
                "required": ["files"],
                "additionalProperties": False,
            },
        },
        [],
        "include directories and defines for the files that globs name",
    ),
    "pto-include": Key({"type": "string"}, None, "directory with PTO headers to use instead of the built-in ones"),
    "compile-commands": Key({"type": "string"}, None, "a compile_commands.json, or the directory that holds it"),
    "extend-rules": Key(_strings(), [], "rule files of your own, relative to this file"),
    "instantiate": Key(_strings(), [], "kernel template instances to check, `kernel<half, 64>`"),
    "assume": Key(
        _table({"type": ["string", "array"], "items": {"type": "string"}}), {}, "conditions on a kernel's parameters"
    ),
    "fail-on": Key({"enum": list(_FAIL_ON)}, "error", "lowest level that makes the exit code 1"),
    "jobs": Key({"type": "integer", "minimum": 0}, 0, "worker processes; 0 means one per processor"),
    "solver": Key({"type": "boolean"}, True, "prove constraints over run-time values"),
    "solver-timeout": Key({"type": "number", "exclusiveMinimum": 0}, 4.0, "seconds for the proofs of one file"),
    "replay": Key({"type": "boolean"}, True, "confirm findings by running the kernel on the numpy machine"),
    "file-timeout": Key({"type": "number", "exclusiveMinimum": 0}, 60.0, "seconds for one file"),
    "cache": Key({"type": "boolean"}, True, "reuse results of unchanged files"),
}


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force, where each comes from, and the directory that relative paths start from."""

    values: dict[str, Any]
    origins: dict[str, str]
    root: Path
    file: Path | None

    def __getitem__(self, key: str) -> Any:
        return self.values[key]


def load(explicit: str | None, isolated: bool, start: Path) -> Config:
    """Settings for a run started in `start`; raises `InputError` with one line for anything wrong in the file."""
    values = {k: key.default for k, key in KEYS.items()}
    origins = dict.fromkeys(KEYS, "default")
    file = None if isolated else Path(explicit) if explicit else find(start)
    if file is None:
        return Config(values, origins, start, None)
    _apply(file, values, origins, (), explicit is not None)
    return Config(values, origins, file.parent, file)


def find(start: Path) -> Path | None:
    """The nearest configuration file in `start` or above it; a pyproject.toml counts when it has [tool.ptolint]."""
    for folder in (start.resolve(), *start.resolve().parents):
        for name in NAMES:
            file = folder / name
            if file.is_file() and (name != "pyproject.toml" or "ptolint" in _read(file).get("tool", {})):
                return file
    return None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not valid TOML: {error}") from None


def _apply(
    file: Path, values: dict[str, Any], origins: dict[str, str], chain: tuple[Path, ...], explicit: bool = False
) -> None:
    """Put a file's settings over those already there, after the file that it extends."""
    if file.resolve() in chain:
        raise InputError(f"{file}: extends itself through {' -> '.join(p.name for p in chain)}")
    data = _read(file)
    if file.name == "pyproject.toml":
        data = data.get("tool", {}).get("ptolint", {})
        if explicit and not data:
            raise InputError(f"{file}: has no [tool.ptolint] section")
    for key, value in data.items():
        validate(key, value, str(file))
    if data.get("extend"):
        _apply(file.parent / data["extend"], values, origins, (*chain, file.resolve()))
    for key, value in data.items():
        values[key], origins[key] = _absolute(key, value, file.parent), str(file)


def validate(key: str, value: Any, where: str) -> None:
    """Raise `InputError` naming the file, the key and the nearest valid one, or what the value should be."""
    if key not in KEYS:
        raise InputError(f"{where}: unknown key {key!r}{nearest(key, list(KEYS))}")
    problem = _mismatch(value, KEYS[key].schema)
    if problem:
        raise InputError(f"{where}: {key}: {problem}")


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "array": lambda v: isinstance(v, list),
    "object": lambda v: isinstance(v, dict),
}


def _mismatch(value: Any, schema: dict[str, Any]) -> str | None:
    """Why `value` does not fit the part of JSON schema that `KEYS` uses, or None."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_TYPES[t](value) for t in types):
        return f"{value!r} is not {' or '.join(_article(t) for t in types)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{value!r} is not one of {', '.join(map(str, schema['enum']))}{nearest(str(value), schema['enum'])}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{value} is less than {schema['minimum']}"
    if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
        return f"{value} is not above {schema['exclusiveMinimum']}"
    if isinstance(value, list) and "items" in schema:
        return next((m for v in value if (m := _mismatch(v, schema["items"]))), None)
    if isinstance(value, dict):
        return _mismatch_table(value, schema)
    return None


def _mismatch_table(value: dict[str, Any], schema: dict[str, Any]) -> str | None:
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            return f"{name!r} is missing"
    for name, item in value.items():
        inner = properties.get(name, schema.get("additionalProperties", {}))
        if inner is False:
            return f"unknown key {name!r}{nearest(name, list(properties))}"
        problem = _mismatch(item, inner)
        if problem:
            return f"{name}: {problem}"
    return None


def _article(type_: str) -> str:
    return {"string": "a string", "boolean": "true or false", "integer": "a whole number", "number": "a number"}.get(
        type_, "a list" if type_ == "array" else "a table"
    )


def _absolute(key: str, value: Any, base: Path) -> Any:
    """Paths in a configuration file are relative to it."""
    if key in ("include-dirs", "extend-rules"):
        return [str(base / v) for v in value]
    if key in ("pto-include", "compile-commands"):
        return str(base / value)
    if key == "overrides":
        return [{**o, "include-dirs": [str(base / d) for d in o.get("include-dirs", [])]} for o in value]
    return value


def schema() -> dict[str, Any]:
    """The JSON schema of the configuration file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ptolint configuration",
        "type": "object",
        "additionalProperties": False,
        "properties": {k: {**key.schema, "description": key.text, "default": key.default} for k, key in KEYS.items()},
    }


def options_of(config: Config) -> CheckOptions:
    """The options that the configuration asks for, before the command line has its say."""
    v = config.values
    assumed = [(k, c) for k, cs in v["assume"].items() for c in ([cs] if isinstance(cs, str) else cs)]
    return CheckOptions(
        targets=tuple(v["targets"]),
        cores=tuple(v["cores"]),
        select=(*v["select"], *v["extend-select"]),
        ignore=(*v["ignore"], *v["extend-ignore"]),
        severity=tuple(v["severity"].items()),
        per_file_ignores=tuple((glob, tuple(rules)) for glob, rules in v["per-file-ignores"].items()),
        include_dirs=tuple(v["include-dirs"]),
        defines=tuple(v["defines"]),
        pto_include=v["pto-include"],
        compile_commands=v["compile-commands"],
        extend_rules=tuple(v["extend-rules"]),
        instantiate=tuple(v["instantiate"]),
        assume=tuple(assumed),
        solver=v["solver"],
        solver_timeout=float(v["solver-timeout"]),
        replay=v["replay"],
    )


def for_file(options: CheckOptions, config: Config, path: Path) -> CheckOptions:
    """The options for one file: overrides and per-file ignores whose glob names it are folded in."""
    for override in config["overrides"]:
        if any(_matches(path, glob, config.root) for glob in override["files"]):
            options = replace(
                options,
                include_dirs=(*options.include_dirs, *override["include-dirs"]),
                defines=(*options.defines, *override.get("defines", [])),
            )
    extra = [r for glob, rules in options.per_file_ignores if _matches(path, glob, config.root) for r in rules]
    return replace(options, ignore=(*options.ignore, *extra)) if extra else options


def _matches(path: Path, glob: str, root: Path) -> bool:
    full = path.resolve()
    relative = full.relative_to(root.resolve()).as_posix() if full.is_relative_to(root.resolve()) else full.as_posix()
    return fnmatch(relative, glob) or fnmatch(full.name, glob)
