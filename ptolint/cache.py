"""Results of unchanged files, kept on disk by content.

A key covers the version, the rules, the options and the file's text; an entry also holds the hashes of all other
files that the result rests on, absent ones included, and is used only while they agree. Writes are atomic, so
concurrent runs share one cache; the oldest entries go when it grows beyond its bound. An entry that is torn, altered
or of another version counts as absent, and unpacking one can make nothing but results.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ptolint import __version__
from ptolint.discovery import read_regular
from ptolint.results import FileResult
from ptolint.rulebook.loader import cache_directory

MAX_BYTES = 256 << 20
_FORMAT = 2
_DIGEST = 32  # bytes of a SHA-256
_MODULES = ("ptolint.results", "ptolint.findings", "ptolint.ir.model")
_LARGEST_INPUT = 64 << 20  # bytes of a header


class ResultCache:
    """The cache for one set of rules and options."""

    def __init__(self, digest: str, directory: Path | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.directory = (directory or cache_directory()) / "results"
        self._max_bytes = max_bytes
        self._salt = f"{_FORMAT}\0{__version__}\0{_sources_digest()}\0{digest}"
        self._hashes: dict[str, str] = {}  # of this run: files that many kernels include are read once

    def key(self, path: str, options: object, text: bytes) -> str:
        """The name of the entry for a file with this content under these options."""
        head = f"{self._salt}\0{Path(path).absolute()}\0{path}\0{options!r}\0".encode("utf-8", "surrogateescape")
        return hashlib.sha256(head + text).hexdigest()

    def get(self, key: str) -> FileResult | None:
        """The stored result, if the files it depends on are what they were."""
        try:
            data = self._place(key).read_bytes()
            if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
                return None
            hashes, result = _Results(io.BytesIO(data[_DIGEST:])).load()
        except Exception:  # absent, torn, or of another version: not a hit, whatever the reason
            return None
        ok = isinstance(result, FileResult) and all(self._hash(p) == h for p, h in hashes)
        return result if ok else None

    def put(self, key: str, result: FileResult, depends: Iterable[str] = ()) -> None:
        """Store a result and what it rests on besides its includes; a full or read-only disk is no error."""
        place = self._place(key)
        unfinished = place.with_name(f"{key}.{os.getpid()}.tmp")
        files = dict.fromkeys([*result.includes, *depends])
        data = pickle.dumps(([(p, self._hash(p)) for p in files], result), pickle.HIGHEST_PROTOCOL)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_bytes(hashlib.sha256(data).digest() + data)
            unfinished.replace(place)
        except OSError:
            with contextlib.suppress(OSError):
                unfinished.unlink(missing_ok=True)

    def prune(self) -> None:
        """Drop the oldest entries above the bound."""
        entries = sorted(_entries(self.directory))
        total = sum(size for _, size, _ in entries)
        for _, size, file in entries:
            if total <= self._max_bytes:
                break
            with contextlib.suppress(OSError):  # another run was quicker, or it is not ours
                Path(file).unlink(missing_ok=True)
            total -= size

    def _place(self, key: str) -> Path:
        return self.directory / key[:2] / key

    def _hash(self, path: str) -> str:
        if path not in self._hashes:
            self._hashes[path] = _hash(path)
        return self._hashes[path]


class _Results(pickle.Unpickler):
    """Unpacks results and nothing else, whatever stands in the file."""

    def find_class(self, module: str, name: str) -> Any:
        """Only dataclasses of the modules that results are made of."""
        if module not in _MODULES:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a result")
        found = super().find_class(module, name)
        if not (isinstance(found, type) and found.__module__ == module):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a result")
        return found


def clear() -> Path:
    """Remove everything ptolint keeps; returns the directory."""
    directory = cache_directory()
    for part in ("results", "rules"):  # nothing else in there is ours
        shutil.rmtree(directory / part, ignore_errors=True)
    with contextlib.suppress(OSError):
        directory.rmdir()
    return directory


def tree_digest(folder: Path) -> str:
    """A hash over names, sizes and times of all files below a folder."""
    digest = hashlib.sha256()
    for here, names, files in os.walk(folder):
        names[:] = sorted(n for n in names if n != "__pycache__")
        for name in sorted(files):
            with contextlib.suppress(OSError):
                stat = os.stat(os.path.join(here, name))  # noqa: PTH116, PTH118 (many files, each time)
                digest.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _entries(directory: Path) -> Iterable[tuple[float, int, str]]:
    """Time, size and path of every entry."""
    with contextlib.suppress(OSError), os.scandir(directory) as folders:
        for folder in folders:
            with contextlib.suppress(OSError), os.scandir(folder) as files:
                for file in files:
                    with contextlib.suppress(OSError):
                        stat = file.stat()
                        yield stat.st_mtime, stat.st_size, file.path


def _hash(path: str) -> str:
    """Of a file's content; "" for one that is absent or unreadable."""
    try:
        data = read_regular(path, _LARGEST_INPUT)
    except (OSError, ValueError):
        return ""
    return "too large" if data is None else hashlib.sha256(data).hexdigest()


def _sources_digest() -> str:
    """Changes whenever a file of the package does, so that a checkout under work never sees stale results."""
    return tree_digest(Path(__file__).resolve().parent)
