"""Finds the rule files and reads those that are asked for.

TOML is slow to read in Python, so the tables of each file are kept as JSON in the user's cache
directory, named by the file's content: `$PTOLINT_CACHE_DIR`, else `$XDG_CACHE_HOME/ptolint`, else
`~/.cache/ptolint`. A cache that cannot be read or written costs time, nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ptolint.rulebook.model import Rule, RuleError, RuleFile
from ptolint.rulebook.tables import check_expressions, instruction_names, rule_file

_FORMAT = b"1"  # of the cached tables
_ONE_NAME = re.compile(r'^name\s*=\s*"([^"\n]+)"', re.MULTILINE)
_MANY_NAMES = re.compile(r"^names\s*=\s*\[([^\]]*)\]", re.MULTILINE)


def rules_directory() -> Path:
    """The rules of this installation: beside the package in a checkout, inside it in a wheel."""
    package = Path(__file__).resolve().parent.parent
    for place in (package / "rules", package.parent / "rules"):
        if any(place.glob("*.toml")):
            return place
    raise RuleError(f"no rule files beside or inside {package.name}")


def cache_directory() -> Path:
    """Where parsed tables are kept; the directory need not exist."""
    if os.environ.get("PTOLINT_CACHE_DIR"):
        return Path(os.environ["PTOLINT_CACHE_DIR"])
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "ptolint"
    except RuntimeError:  # a user without a home: nothing can be kept
        return Path(os.devnull) / "ptolint"


class Rulebook:
    """The rules by instruction. Files are read when an instruction of theirs is first asked for."""

    def __init__(self, directory: Path | None = None, extensions: Iterable[Path] = ()) -> None:
        self.directory = directory or rules_directory()
        self._sources = {path: path.read_bytes() for path in sorted(self.directory.glob("*.toml"))}
        self._paths: dict[str, Path] = {}
        for path, source in self._sources.items():
            for name in _instructions(path, source):
                if name in self._paths:
                    raise RuleError(f"{path.name}: {name} has rules in {self._paths[name].name} already")
                self._paths[name] = path
        self._files: dict[Path, RuleFile] = {}
        self._extensions: dict[str, list[RuleFile]] = {}
        self._rules: dict[tuple[str, str], tuple[Rule, ...]] = {}
        self._digest = hashlib.sha256()
        for path, source in self._sources.items():
            self._digest.update(path.name.encode() + b"\0" + source)
        for path in extensions:
            self._extend(Path(path))

    @property
    def digest(self) -> str:
        """A hash of every rule in force, for caches of results."""
        return self._digest.hexdigest()

    @property
    def instructions(self) -> tuple[str, ...]:
        """Every instruction (and `tile`, `tensor` …) that has rules, sorted."""
        return tuple(sorted({*self._paths, *self._extensions}))

    def has_rules(self, instruction: str) -> bool:
        """Whether there is a rule file for the instruction."""
        return instruction in self._paths or instruction in self._extensions

    def file(self, instruction: str) -> RuleFile | None:
        """The rule file of an instruction; None where it has none of its own."""
        path = self._paths.get(instruction)
        return None if path is None else self._load(path)

    def files(self) -> Iterator[RuleFile]:
        """All rule files, reading those not read yet."""
        for path in self._sources:
            yield self._load(path)
        seen: set[int] = set()
        for file in (f for files in self._extensions.values() for f in files):
            if id(file) not in seen:
                seen.add(id(file))
                yield file

    def rules_for(self, instruction: str, target: str) -> tuple[Rule, ...]:
        """The rules of an instruction on a target, in the order of the files."""
        key = (instruction, target)
        if key not in self._rules:
            own = self.file(instruction)
            files = ([own] if own else []) + self._extensions.get(instruction, [])
            self._rules[key] = tuple(
                r for f in files for r in f.rules if r.require_text is not None and r.applies_to(instruction, target)
            )
        return self._rules[key]

    def rule(self, rule_id: str) -> Rule | None:
        """The rule with this id, wherever it is."""
        prefix = rule_id.partition("/")[0].upper()
        likely = self._paths.get(prefix) or self._paths.get(prefix.lower())
        if likely is not None:
            found = self._load(likely).rule(rule_id)
            if found is not None:
                return found
        return next((r for f in self.files() for r in f.rules if r.id == rule_id), None)

    def _load(self, path: Path) -> RuleFile:
        if path not in self._files:
            self._files[path] = rule_file(path, _tables(path, self._sources[path]))
        return self._files[path]

    def _extend(self, path: Path) -> None:
        """Adds a user's file; its expressions are checked at once."""
        try:
            source = path.read_bytes()
        except OSError as error:
            raise RuleError(f"{path}: {error.strerror}") from None
        data = _tables(path, source)
        names = instruction_names(data.get("instruction", {}), path.name)
        base = next((f for n in names if (f := self.file(n)) is not None), None)
        file = rule_file(path, data, base)
        check_expressions(file)
        for rule in file.rules:
            if self.rule(rule.id) is not None:
                raise RuleError(f"{path.name}: {rule.id} is defined in {self.rule(rule.id).file.path.name} already")  # type: ignore[union-attr]
        for name in names:
            self._extensions.setdefault(name, []).append(file)
        self._digest.update(path.name.encode() + b"\0" + source)


def _instructions(path: Path, source: bytes) -> Iterable[str]:
    """The instructions a file serves, from its head alone where that is written plainly."""
    head = source.partition(b"[[")[0].decode(errors="replace")
    one, many = _ONE_NAME.search(head), _MANY_NAMES.search(head)
    if many:
        return re.findall(r'"([^"]+)"', many.group(1))
    if one:
        return [one.group(1)]
    return instruction_names(_tables(path, source).get("instruction", {}), path.name)


def _tables(path: Path, source: bytes) -> dict[str, Any]:
    """The file's tables, from the cache where it has them."""
    name = hashlib.sha256(_FORMAT + source).hexdigest()[:32]
    cached = cache_directory() / "rules" / f"{name}.json"
    try:
        data = json.loads(cached.read_bytes())
        if isinstance(data, dict):
            return data
    except (OSError, ValueError):
        pass
    data = _parse(path, source)
    _keep(cached, data)
    return data


def _parse(path: Path, source: bytes) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(source.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(f"{path.name}: {error}") from None


def _keep(place: Path, data: dict[str, Any]) -> None:
    """Writes the cache entry beside its final name and moves it there, so that nobody reads half of it."""
    try:
        text = json.dumps(data)
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=place.parent, suffix=".tmp", delete=False) as out:
            out.write(text)
        Path(out.name).replace(place)
    except (OSError, TypeError, ValueError):
        return
