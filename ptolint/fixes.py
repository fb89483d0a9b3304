"""Applying fixes to files: edits of one file never overlap, and a file is replaced as a whole or not at all."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from pathlib import Path

from ptolint.errors import InputError
from ptolint.findings import Edit, Finding
from ptolint.report.common import shown_path


def edits_by_file(findings: Iterable[Finding], unsafe: bool = False) -> dict[str, list[Edit]]:
    """The edits to make, by file in order of place; a fix that would overlap an earlier one waits for the next run."""
    chosen: dict[str, list[Edit]] = {}
    for finding in findings:
        for fix in finding.fixes[:1]:
            if (fix.safe or unsafe) and not any(_clashes(e, chosen.get(e.span.file, [])) for e in fix.edits):
                for edit in fix.edits:
                    chosen.setdefault(edit.span.file, []).append(edit)
    return {file: sorted(edits, key=_start) for file, edits in sorted(chosen.items())}


def _start(edit: Edit) -> tuple[int, int]:
    return edit.span.line, edit.span.col


def _end(edit: Edit) -> tuple[int, int]:
    return edit.span.end_line, edit.span.end_col


def _clashes(edit: Edit, others: list[Edit]) -> bool:
    return any(_start(edit) < _end(o) and _start(o) < _end(edit) and edit != o for o in others)


def apply_edits(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with the edits made; lines and columns count from 1, columns in characters of UTF-8.

    Bytes that are no UTF-8 survive unchanged.
    """
    text = data.decode("utf-8", "surrogateescape")
    starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n")]

    def offset(line: int, col: int) -> int:
        return min(starts[min(line, len(starts)) - 1] + col - 1, len(text))

    for edit in sorted(set(edits), key=_start, reverse=True):
        begin, end = offset(*_start(edit)), offset(*_end(edit))
        text = text[:begin] + edit.text + text[end:]
    return text.encode("utf-8", "surrogateescape")


def fix_files(findings: Iterable[Finding], unsafe: bool = False) -> int:
    """Write the fixed files, give the number of edits made; raises `InputError` for a file that cannot be written."""
    count = 0
    for file, edits in edits_by_file(findings, unsafe).items():
        path = Path(file)
        try:
            path.write_bytes(apply_edits(path.read_bytes(), edits))
        except OSError as error:
            raise InputError(f"{file}: {error.strerror}") from None
        count += len(edits)
    return count


def diff(findings: Iterable[Finding], unsafe: bool = False) -> Iterator[str]:
    """What `fix_files` would change, as unified diff lines."""
    for file, edits in edits_by_file(findings, unsafe).items():
        before = Path(file).read_bytes()
        after = apply_edits(before, edits)
        yield from difflib.unified_diff(
            before.decode("utf-8", "replace").splitlines(keepends=True),
            after.decode("utf-8", "replace").splitlines(keepends=True),
            f"a/{shown_path(file)}",
            f"b/{shown_path(file)}",
        )
