"""Cores that run side by side and wait for each other's flags.

Only one core runs at a time; it hands over where it waits for a flag that is not set.  The order is
therefore the same on every run, and memory needs no locks.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from ptolint.executor.errors import ExecutorError

STACK_BYTES = 64 << 20
Task = Callable[[], None]


class Deadlock(ExecutorError):
    """Every core waits for a flag that no other core will set."""


class Scheduler:
    """Runs tasks in turn; `wait` is called by a task and returns when its condition holds."""

    def __init__(self) -> None:
        self._baton = threading.Condition()
        self._running = 0
        self._waiting: dict[int, tuple[Callable[[], bool], str]] = {}
        self._unfinished: list[int] = []
        self._numbers: dict[int, int] = {}
        self._failure: BaseException | None = None

    def run(self, tasks: list[Task]) -> None:
        """Runs all tasks to their end; re-raises the first exception of any of them."""
        self._unfinished = list(range(len(tasks)))
        old = threading.stack_size(STACK_BYTES)
        try:
            threads = [threading.Thread(target=self._task, args=(i, t), daemon=True) for i, t in enumerate(tasks)]
            for thread in threads:
                thread.start()
        finally:
            threading.stack_size(old)
        for thread in threads:
            thread.join()
        if self._failure is not None:
            raise self._failure

    def _task(self, number: int, task: Task) -> None:
        with self._baton:
            self._numbers[threading.get_ident()] = number
            self._baton.wait_for(lambda: self._running == number or self._failure is not None)
            try:
                if self._failure is None:
                    task()
            except BaseException as error:  # handed to the thread that called `run`
                self._failure = self._failure or error
            finally:
                self._unfinished.remove(number)
                self._next(number)

    def wait(self, ready: Callable[[], bool], what: str) -> None:
        """Lets other cores run until `ready()`; raises `Deadlock` when none of them can go on either."""
        number = self._numbers[threading.get_ident()]
        while not ready():
            self._waiting[number] = ready, what
            self._next(number)
            self._baton.wait_for(lambda: self._running == number or self._failure is not None)
            self._waiting.pop(number, None)
            if self._failure is not None:
                raise self._failure

    def _next(self, number: int) -> None:
        """Hands over to the next core that can run, in the order of their numbers."""
        order = [n for n in self._unfinished if n > number] + [n for n in self._unfinished if n <= number]
        for candidate in order:
            if candidate not in self._waiting or self._waiting[candidate][0]():
                self._running = candidate
                self._baton.notify_all()
                return
        if order and self._failure is None:
            waits = "; ".join(what for _, what in self._waiting.values())
            self._failure = Deadlock(f"the cores wait for each other for ever: {waits}")
        self._baton.notify_all()
