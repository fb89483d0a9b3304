"""Which files to check: paths from the command line, directories walked with `.gitignore` honoured."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ptolint.errors import InputError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

SUFFIXES = frozenset({".cpp", ".cc", ".cxx", ".hpp", ".h", ".cce"})
_NEVER = frozenset({".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".tox", ".ptolint_cache"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file to check; `explicit` when the user named it rather than a directory above it.

    `problem` says why a directory could not be walked; it stands in the list so that nothing is left out silently.
    """

    path: Path
    explicit: bool
    problem: str | None = None


def discover(paths: Iterable[str], exclude: tuple[str, ...] = (), base: Path | None = None) -> list[Source]:
    """The files under `paths`, each once, sorted; raises `InputError` for a path that does not exist.

    `exclude` holds patterns in .gitignore syntax, relative to `base` (default: the directory that is walked).
    """
    found: dict[str, Source] = {}
    for text in paths:
        path = Path(text)
        try:
            is_dir, exists = path.is_dir(), os.path.lexists(path)
        except (OSError, ValueError) as error:
            raise InputError(f"{text!r}: {getattr(error, 'strerror', None) or error}") from None
        if is_dir:
            for source in _walk(path, exclude, base):
                found.setdefault(os.path.realpath(source.path), source)
        elif exists:
            found[os.path.realpath(path)] = Source(path, True)
        else:
            raise InputError(f"{text}: no such file or directory")
    return sorted(found.values(), key=lambda s: s.path.as_posix())


def read_regular(path: str | Path, limit: int) -> bytes | None:
    """The content of a file, None when it has more than `limit` bytes.

    Raises `OSError` for what cannot be read; a pipe, a socket or a device counts as that, reading one may never end.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise OSError(None, "is a directory")
        if not stat.S_ISREG(status.st_mode):
            raise OSError(None, "not a regular file")
        data = file.read(limit + 1) if status.st_size <= limit else None
    return data if data is not None and len(data) <= limit else None


def _walk(root: Path, exclude: tuple[str, ...], base: Path | None) -> Iterator[Source]:
    """Files with a C++ suffix below `root`; directories behind symlinks are not entered, so loops end."""
    pending = [(root, _ignores(root, exclude, base))]
    while pending:
        folder, ignores = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda e: e.name)
        except OSError as error:
            yield Source(folder, False, error.strerror or str(error))
            continue
        ignores = ignores.inside(entries)
        for entry in entries:
            is_dir = entry.is_dir(follow_symlinks=False)
            if entry.name in _NEVER if is_dir else Path(entry.name).suffix not in SUFFIXES:
                continue
            if (is_dir or not _leads_to_directory(entry)) and not ignores.ignored(entry.name, is_dir):
                if is_dir:
                    pending.append((folder / entry.name, ignores.below(entry.name)))
                else:
                    yield Source(folder / entry.name, False)


def _leads_to_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a symlink to itself: reading it will tell
        return False


@dataclass(frozen=True, slots=True)
class _Ignores:
    """The patterns that count in one folder: each with the folder's path below the patterns' own, "" or "x/y/"."""

    folder: Path
    excluded: tuple[tuple[GitIgnoreSpec, str], ...]
    specs: tuple[tuple[GitIgnoreSpec, str], ...] = ()

    def inside(self, entries: list[os.DirEntry[str]]) -> _Ignores:
        """With the folder's own `.gitignore` where it is among its entries."""
        if not any(e.name == ".gitignore" for e in entries):
            return self
        return _Ignores(self.folder, self.excluded, (*self.specs, *_load(self.folder, "")))

    def below(self, name: str) -> _Ignores:
        """The patterns as they count in the subfolder `name`."""
        deeper = tuple((spec, f"{prefix}{name}/") for spec, prefix in self.specs)
        excluded = tuple((spec, f"{prefix}{name}/") for spec, prefix in self.excluded)
        return _Ignores(self.folder / name, excluded, deeper)

    def ignored(self, name: str, is_dir: bool) -> bool:
        """Whether an exclude pattern names the entry, or the innermost `.gitignore` that says anything about it."""
        tail = name + "/" if is_dir else name
        if any(spec.match_file(prefix + tail) for spec, prefix in self.excluded):
            return True
        verdicts = (spec.check_file(prefix + tail).include for spec, prefix in reversed(self.specs))
        return next((v for v in verdicts if v is not None), False)


def _ignores(root: Path, exclude: tuple[str, ...], base: Path | None) -> _Ignores:
    """What counts in `root`: the excluded patterns, and every `.gitignore` from its repository's top down to it."""
    top = Path(os.path.realpath(root))
    excluded: list[tuple[GitIgnoreSpec, str]] = []
    if exclude:
        start = Path(os.path.realpath(base)) if base else top
        excluded.append((_excluding(exclude), _prefix(top, start if top.is_relative_to(start) else top)))
    above = [p for folder in _up_to_repository(top)[1:] for p in _load(folder, _prefix(top, folder))]
    return _Ignores(top, tuple(excluded), tuple(reversed(above)))


def _prefix(folder: Path, base: Path) -> str:
    relative = folder.relative_to(base).as_posix()
    return "" if relative == "." else relative + "/"


def _load(folder: Path, prefix: str) -> list[tuple[GitIgnoreSpec, str]]:
    try:
        data = read_regular(folder / ".gitignore", 1 << 20)
    except OSError:
        return []
    return [(_spec(data.decode("utf-8", "replace").splitlines()), prefix)] if data else []


def _excluding(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise InputError(f"exclude: {error}") from None


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """The patterns of a `.gitignore`; like git, without the lines that are none."""
    from pathspec import GitIgnoreSpec

    def valid(line: str) -> bool:
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            return False
        return True

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if valid(line)])


def _up_to_repository(folder: Path) -> list[Path]:
    """`folder` and its parents up to the one that holds `.git`; only `folder` when there is no repository."""
    chain = [folder, *folder.parents]
    for i, parent in enumerate(chain):
        if os.path.lexists(parent / ".git"):
            return chain[: i + 1]
    return [folder]
