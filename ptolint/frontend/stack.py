"""Running work that recurses as deeply as the source nests."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

STACK_BYTES = 256 * 1024 * 1024  # address space only: pages are taken when they are used
RECURSION = 20_000

Result = TypeVar("Result")


def deep_stack(work: Callable[[], Result]) -> Result:
    """The result of `work`, run on a stack large enough for deeply nested sources; its exception is raised here."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    collecting = gc.isenabled()
    gc.disable()  # a walk makes many objects and hardly a cycle: looking for some costs a fifth of its time
    before = threading.stack_size(STACK_BYTES)
    try:
        thread = threading.Thread(target=run, name="ptolint-frontend")
        thread.start()
        threading.stack_size(before)
        thread.join()
    finally:
        threading.stack_size(before)
        if collecting:
            gc.enable()
    if errors:
        raise errors[0]
    return results[0]
