"""The one exception for bad input: its text is the line the user reads."""

from __future__ import annotations


class InputError(Exception):
    """Something the user gave cannot be used (missing file, broken configuration, unknown target).

    The message is one line saying what and where; the command line ends with exit code 2.
    """


def nearest(word: str, known: list[str]) -> str:
    """ ", did you mean 'x'?" for the known word closest to `word`, or an empty string."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f", did you mean {close[0]!r}?" if close else ""
