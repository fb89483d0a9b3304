"""What can stop a run: each message is one line that a user can act on."""

from __future__ import annotations


class ExecutorError(Exception):
    """The kernel cannot be run; the message says why, in one line."""


class NoModelError(ExecutorError):
    """An instruction, element type or form that the machine has no model for."""


class LimitError(ExecutorError):
    """The run took more steps, memory or time than it was allowed."""
