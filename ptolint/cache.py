"""Results of unchanged files, kept on disk by content.

A key covers the version, the rules, the options and the file's text; an entry also holds the hashes of the
user's headers that were read and is used only while they agree. Writes are atomic, so concurrent runs share
one cache; the oldest entries go when it grows beyond its bound.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
from pathlib import Path

from ptolint import __version__
from ptolint.results import FileResult
from ptolint.rulebook.loader import cache_directory

_MAX_BYTES = 256 << 20
_FORMAT = 1


class ResultCache:
    """The cache for one set of rules and options."""

    def __init__(self, digest: str, directory: Path | None = None) -> None:
        self.directory = (directory or cache_directory()) / "results"
        self._salt = f"{_FORMAT}\0{__version__}\0{sys.version_info[:2]}\0{_sources_digest()}\0{digest}"

    def key(self, path: str, options: object, text: bytes) -> str:
        """The name of the entry for a file with this content under these options."""
        head = f"{self._salt}\0{Path(path).absolute()}\0{path}\0{options!r}\0".encode()
        return hashlib.sha256(head + text).hexdigest()

    def get(self, key: str) -> FileResult | None:
        """The stored result, if the headers it depends on are what they were."""
        try:
            with (self.directory / key[:2] / key).open("rb") as file:
                hashes, result = pickle.load(file)
        except Exception:  # absent, torn, or of another version: not a hit, whatever the reason
            return None
        ok = isinstance(result, FileResult) and all(_hash(p) == h for p, h in hashes)
        return result if ok else None

    def put(self, key: str, result: FileResult) -> None:
        """Store a result; a full or read-only disk is no error."""
        folder = self.directory / key[:2]
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                pickle.dump(([(p, _hash(p)) for p in result.includes], result), file)
            Path(file.name).replace(folder / key)

    def prune(self) -> None:
        """Drop the oldest entries above the bound."""
        with contextlib.suppress(OSError):
            entries = [(f.stat().st_mtime, f.stat().st_size, f) for f in self.directory.glob("*/*")]
            total = sum(size for _, size, _ in entries)
            for _, size, file in sorted(entries):
                if total <= _MAX_BYTES:
                    break
                file.unlink(missing_ok=True)
                total -= size


def clear() -> Path:
    """Remove everything ptolint keeps; returns the directory."""
    directory = cache_directory()
    shutil.rmtree(directory, ignore_errors=True)
    return directory


def _hash(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        return ""


def _sources_digest() -> str:
    """Changes whenever a file of the package does, so that a checkout under work never sees stale results."""
    package = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for folder, names, files in os.walk(package):
        names[:] = sorted(n for n in names if n != "__pycache__")
        for name in sorted(files):
            stat = (Path(folder) / name).stat()
            digest.update(f"{name}\0{stat.st_size}\0{stat.st_mtime_ns}\0".encode())
    return digest.hexdigest()
