"""Which lines changed since a git revision: a review shows only findings on them."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

from ptolint.errors import InputError
from ptolint.results import FileResult, RunResult

_HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def changed_lines(revision: str, directory: Path) -> dict[Path, set[int]]:
    """Changed and added lines by absolute path, untracked files included whole (an empty set means all lines).

    Raises `InputError` outside a git repository or for an unknown revision.
    """
    top = Path(_git(directory, "rev-parse", "--show-toplevel").strip())
    if revision.startswith("-"):
        raise InputError(f"--diff-base {revision}: not a revision")
    base = _git(directory, "merge-base", revision, "HEAD").strip()
    text = _git(top, "-c", "core.quotepath=off", "diff", "--unified=0", "--no-color", "--no-ext-diff", base, "--")
    found: dict[Path, set[int]] = {}
    current: set[int] | None = None
    for line in text.splitlines():
        if line.startswith("+++ "):
            name = line[4:].rstrip("\t")
            current = found.setdefault(top / name[2:], set()) if name.startswith("b/") else None
        elif current is not None and (hunk := _HUNK.match(line)):
            start, count = int(hunk[1]), int(hunk[2] or 1)
            current.update(range(start, start + count))
    for name in _git(top, "ls-files", "--others", "--exclude-standard", "-z").split("\0"):
        if name:
            found[top / name] = set()
    return found


def _git(directory: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=directory, capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise InputError(f"--diff-base needs git: {error.strerror}") from None
    if done.returncode:
        reason = done.stderr.strip().splitlines()
        raise InputError(f"--diff-base: git {arguments[0]}: {reason[0] if reason else 'failed'}")
    return done.stdout


def only_changed(run: RunResult, changes: dict[Path, set[int]]) -> RunResult:
    """The run with only those findings whose range touches a changed line."""
    return replace(run, files=tuple(_filtered(r, changes) for r in run.files))


def _filtered(result: FileResult, changes: dict[Path, set[int]]) -> FileResult:
    kept = []
    for f in result.findings:
        lines = changes.get(Path(f.span.file).resolve())
        if lines is not None and (not lines or lines & set(range(f.span.line, f.span.end_line + 1))):
            kept.append(f)
    return replace(result, findings=tuple(kept))
