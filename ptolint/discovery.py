"""Which files to check: paths from the command line, directories walked with `.gitignore` honoured."""

from __future__ import annotations

import os
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
    """A file to check; `explicit` when the user named it rather than a directory above it."""

    path: Path
    explicit: bool


def discover(paths: Iterable[str], exclude: tuple[str, ...] = ()) -> list[Source]:
    """The files under `paths`, each once, sorted; raises `InputError` for a path that does not exist."""
    found: dict[Path, Source] = {}
    for text in paths:
        path = Path(text)
        try:
            is_dir, exists = path.is_dir(), path.exists()
        except OSError as error:
            raise InputError(f"{text}: {error.strerror or error}") from None
        if is_dir:
            for file in _walk(path, exclude):
                found.setdefault(_key(file), Source(file, False))
        elif exists or path.is_symlink():
            found[_key(path)] = Source(path, True)
        else:
            raise InputError(f"{text}: no such file or directory")
    return sorted(found.values(), key=lambda s: s.path.as_posix())


def _key(path: Path) -> Path:
    """One key per file, however it is reached; a symlink loop stays itself."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def _walk(root: Path, exclude: tuple[str, ...]) -> Iterator[Path]:
    """Files with a C++ suffix below `root`; directories behind symlinks are not entered, so loops end."""
    ignores = _Ignores(root, exclude)
    for folder, names, files in os.walk(root):
        here = Path(folder)
        ignores.enter(here)
        names[:] = sorted(n for n in names if n not in _NEVER and not ignores.ignored(here / n, True))
        for name in sorted(files):
            if Path(name).suffix in SUFFIXES and not ignores.ignored(here / name, False):
                yield here / name


class _Ignores:
    """The `.gitignore` files from the repository's root down to the folder being walked."""

    def __init__(self, root: Path, exclude: tuple[str, ...]) -> None:
        self._specs: dict[Path, GitIgnoreSpec] = {}
        top = root.resolve()
        self._root, self._top = root, top
        if exclude:
            self._specs[top] = self._spec(exclude)
        for folder in _up_to_repository(top):
            self._load(folder)

    def enter(self, folder: Path) -> None:
        """Take the folder's own `.gitignore` into account."""
        self._load(self._absolute(folder))

    def ignored(self, path: Path, is_dir: bool) -> bool:
        """Whether a `.gitignore` above the path, or an exclude pattern, names it."""
        full = self._absolute(path)
        return any(
            spec.match_file(full.relative_to(base).as_posix() + ("/" if is_dir else ""))
            for base, spec in self._specs.items()
            if full.is_relative_to(base) and full != base
        )

    def _absolute(self, path: Path) -> Path:
        return self._top / path.relative_to(self._root)

    def _load(self, folder: Path) -> None:
        file = folder / ".gitignore"
        if folder not in self._specs and file.is_file():
            try:
                lines = file.read_text("utf-8", "replace").splitlines()
            except OSError:
                return
            self._specs[folder] = self._spec(lines)

    @staticmethod
    def _spec(lines: Iterable[str]) -> GitIgnoreSpec:
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines(lines)


def _up_to_repository(folder: Path) -> list[Path]:
    """`folder` and its parents up to the one that holds `.git`; only `folder` when there is no repository."""
    chain = [folder, *folder.parents]
    for i, parent in enumerate(chain):
        if (parent / ".git").exists():
            return chain[: i + 1]
    return [folder]
