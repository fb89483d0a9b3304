from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from tests.lsp.client import Client


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """One server for the tests of a module; each uses documents of its own."""
    client = Client(tmp_path_factory.mktemp("workspace"))
    yield client
    client.close()


@pytest.fixture
def own_client(tmp_path: Path) -> Iterator[Client]:
    """A server that a test may mistreat."""
    client = Client(tmp_path)
    yield client
    client.process.kill()
    client.process.wait()
