"""Which user files a source includes, by text alone: enough to decide whether the cores see different code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ptolint.frontend.args import FrontendOptions

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)
MAX_FILES = 200


def reachable_texts(path: str, text: str | None, options: FrontendOptions) -> Iterator[str]:
    """The text of the file and of every user file it includes; PTO's own headers are left out."""
    pending = [(Path(path), text)]
    seen: set[str] = set()
    while pending and len(seen) < MAX_FILES:
        here, content = pending.pop()
        key = str(here)
        if key in seen:
            continue
        seen.add(key)
        if content is None:
            content = _read(here)
        if content is None:
            continue
        yield content
        for quote, name in _INCLUDE.findall(content):
            found = _resolve(name, quote, here.parent, options)
            if found is not None:
                pending.append((found, None))


def _resolve(name: str, quote: str, directory: Path, options: FrontendOptions) -> Path | None:
    places = [directory] if quote == '"' else []
    places += [Path(d) for d in options.include_dirs]
    for place in places:
        candidate = place / name
        try:
            if candidate.is_file():
                return candidate.resolve() if ".." in name else candidate
        except OSError:
            continue
    return None


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes()[:8_000_000].decode("latin-1")
    except OSError:
        return None
