import asyncio
import os
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from ptolint.lsp.worker import Failed, Worker


def run(steps: Coroutine[Any, Any, None]) -> None:
    asyncio.run(steps)


def test_answers_and_errors() -> None:
    async def steps() -> None:
        worker = Worker()
        assert await worker.call(60, divmod, 7, 2) == (3, 1)
        with pytest.raises(Failed, match="ZeroDivisionError"):
            await worker.call(60, divmod, 1, 0)
        first = await worker.call(60, os.getpid)
        assert first == await worker.call(60, os.getpid) != os.getpid()
        worker.kill()

    run(steps())


def test_death_and_time_out_cost_one_request() -> None:
    async def steps() -> None:
        worker = Worker()
        assert await worker.call(60, os._exit, 3) is None
        assert await worker.call(60, abs, -1) == 1
        assert await worker.call(0.1, time.sleep, 600) is None
        assert await worker.call(60, abs, -2) == 2
        worker.kill()
        assert await worker.call(60, abs, -3) == 3
        worker.kill()

    run(steps())


def test_a_cancelled_request_is_not_waited_for() -> None:
    async def steps() -> None:
        worker = Worker()
        await worker.call(60, abs, 1)
        task = asyncio.ensure_future(worker.call(600, time.sleep, 600))
        await asyncio.sleep(0.05)
        task.cancel()
        assert await worker.call(60, abs, -2) == 2
        worker.kill()

    run(steps())
