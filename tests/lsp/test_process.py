"""The server as a process: workers that die, and what is left when it ends."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kernels import BAD, GOOD
from tests.lsp.client import PATIENCE, Client, codes

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the process table in /proc")


def descendants(pid: int) -> list[int]:
    """All processes below `pid`."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, queue = [], [pid]
    while queue:
        children = parents.get(queue.pop(), [])
        found += children
        queue += children
    return found


def alive(pid: int) -> bool:
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def eventually(condition: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_dead_workers_are_replaced(own_client: Client) -> None:
    uri = own_client.open("k.cpp", BAD)
    own_client.diagnostics(uri, bool)
    for pid in descendants(own_client.process.pid):
        os.kill(pid, signal.SIGKILL)
    own_client.change(uri, GOOD)
    own_client.diagnostics(uri, lambda d: codes(d) in ([], ["ptolint/not-analysed"]))
    own_client.change(uri, BAD)
    assert codes(own_client.diagnostics(uri, bool)) == ["tmul/same-dtype"]


def test_shutdown_leaves_nothing(own_client: Client) -> None:
    uri = own_client.open("k.cpp", BAD)
    own_client.diagnostics(uri, bool)
    below = descendants(own_client.process.pid)
    assert below
    assert own_client.close() == 0
    assert eventually(lambda: not any(map(alive, below)))


@pytest.mark.parametrize("how", ["input closed", "killed"])
def test_an_editor_that_vanishes_leaves_nothing(own_client: Client, how: str) -> None:
    uri = own_client.open("k.cpp", BAD)
    own_client.diagnostics(uri, bool)
    below = descendants(own_client.process.pid)
    if how == "killed":
        own_client.process.kill()
    else:
        assert own_client.process.stdin is not None
        own_client.process.stdin.close()
    own_client.process.wait(PATIENCE)
    assert eventually(lambda: not any(map(alive, below)))
