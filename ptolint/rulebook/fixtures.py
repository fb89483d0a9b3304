"""Fixtures: kernels with the expected findings beside the line.

A line says `// expect: tstore/nd-row-bytes [a5], tile/box-cols` (errors), `expect-warning:` or `expect-note:`;
without `[targets]` the finding is expected on every target of the file. The first line may narrow those down:
`// targets: a5`. A file without expectations has to be silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TARGETS = ("a2a3", "a5")
_COMMENT = re.compile(r"//(.*)")
_EXPECT = re.compile(r"\bexpect(-warning|-note)?:")
_ITEM = re.compile(r"\s*([a-z0-9_-]+/[a-z0-9_-]+)\s*(?:\[([^\]]*)\])?\s*(?:[,;]|$)")
_FILE_TARGETS = re.compile(r"//\s*targets:\s*(.*)")


@dataclass(frozen=True, slots=True, order=True)
class Expected:
    """One finding, expected or seen: where, what, how bad, and on which target."""

    line: int
    rule: str
    level: str
    target: str


@dataclass(frozen=True, slots=True)
class Fixture:
    """A kernel file, the targets it is checked for, and what it expects there."""

    path: Path
    targets: tuple[str, ...]
    expected: frozenset[Expected]


def fixtures_directory() -> Path | None:
    """The fixtures of this installation: beside the package in a checkout, inside it in a wheel; None without them."""
    package = Path(__file__).resolve().parent.parent
    return next((p for p in (package.parent / "fixtures", package / "fixtures") if p.is_dir()), None)


def load_fixtures(directory: Path) -> list[Fixture]:
    """Every `*.cpp` below `directory`, sorted; raises `ValueError` for an expectation that cannot be read."""
    return [read_fixture(path) for path in sorted(directory.rglob("*.cpp"))]


def read_fixture(path: Path) -> Fixture:
    """The fixture at `path` with its expectations."""
    lines = path.read_text(encoding="utf-8").splitlines()
    header = _FILE_TARGETS.match(lines[0]) if lines else None
    targets = _names(header.group(1)) if header else TARGETS
    expected = {
        Expected(number, rule, level, target)
        for number, line in enumerate(lines, 1)
        for rule, level, only in _expectations(line, f"{path.name}:{number}")
        for target in only or targets
    }
    return Fixture(path, targets, frozenset(expected))


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _expectations(line: str, where: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    comment = _COMMENT.search(line)
    if comment is None:
        return
    heads = list(_EXPECT.finditer(comment.group(1)))
    ends = [*(h.start() for h in heads[1:]), len(comment.group(1))][: len(heads)]
    for head, end in zip(heads, ends, strict=True):
        level = (head.group(1) or "-error")[1:]
        text = comment.group(1)[head.end() : end].strip()
        at = 0
        while at < len(text):
            item = _ITEM.match(text, at)
            if item is None:
                raise ValueError(f"{where}: cannot read the expectation {text[at:]!r}")
            yield item.group(1), level, _names(item.group(2) or "")
            at = item.end()
