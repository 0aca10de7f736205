"""Events of long work: told as they come, and nothing is left behind when a client leaves."""

import asyncio
import threading

from mineproof.web.events import Tell, stream
from mineproof.web.pool import Cancelled, Lane
from support.patience import PATIENCE


def test_nothing_is_left_behind_when_a_client_leaves() -> None:
    ended = threading.Event()

    def work(cancelled: Cancelled, tell: Tell) -> bytes:
        tell(b"1")
        while not cancelled():
            ended.wait(0.01)
        ended.set()
        return b"2"

    async def leave_early() -> tuple[bytes, int]:
        lane = Lane("testing", 1, 1)
        events = stream(lane, work)
        first = await anext(events)
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0.05)  # no more events
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.to_thread(ended.wait, PATIENCE)
        end = asyncio.get_running_loop().time() + PATIENCE
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            if asyncio.get_running_loop().time() > end:
                break
            await asyncio.sleep(0.01)
        return first, len(others)

    first, left = asyncio.run(leave_early())
    assert first == b"event: progress\ndata: 1\n\n"
    assert ended.is_set()
    assert left == 0


def test_the_end_is_told_with_what_came_of_it() -> None:
    async def listen(work: object) -> list[bytes]:
        return [event async for event in stream(Lane("testing", 1, 1), work)]  # type: ignore[arg-type]

    def fail(_: Cancelled, __: Tell) -> bytes:
        raise ValueError("no such thing")

    assert asyncio.run(listen(lambda cancelled, tell: b"{}")) == [b"event: done\ndata: {}\n\n"]
    [event] = asyncio.run(listen(fail))
    assert event.startswith(b"event: error\n")
    assert b"no such thing" in event
