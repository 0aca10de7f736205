"""Lanes and turns, without a server around them."""

import asyncio
import json
import threading
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from mineproof.web.app import Service, make_app
from mineproof.web.failure import Refused
from mineproof.web.guard import Guard
from mineproof.web.pool import Lane, Turns


def test_turns_let_others_in_between() -> None:
    async def run() -> list[str]:
        turns, log = Turns(), []

        async def answer(name: str) -> None:
            await turns.wait()
            log.append(name)

        async def other() -> None:
            for number in range(3):
                log.append(f"move {number}")
                await asyncio.sleep(0)

        await asyncio.gather(*(answer(name) for name in "abcd"), other())
        return log

    log = asyncio.run(run())
    assert [name for name in log if len(name) == 1] == ["a", "b", "c", "d"]
    assert log.index("move 2") < log.index("d"), "all answers came before the move could go on"


def test_a_turn_that_is_cancelled_is_passed_on() -> None:
    async def run() -> str:
        turns = Turns()
        await turns.wait()
        given_up, next_one = asyncio.ensure_future(turns.wait()), asyncio.ensure_future(turns.wait())
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.wait_for(next_one, 10)
        await asyncio.wait_for(turns.wait(), 10)
        return "done"

    assert asyncio.run(run()) == "done"


def test_work_that_fails_is_told_to_whoever_waits() -> None:
    async def run() -> None:
        lane = Lane("test", 1, 0)
        with pytest.raises(ZeroDivisionError):
            await lane.run(lambda _: 1 // 0)
        assert await lane.run(lambda _: 7) == 7
        assert lane.load == 0
        lane.cancel()
        with pytest.raises(Refused):
            await lane.run(lambda _: 7)

    asyncio.run(run())


def test_cancelling_a_task_cancels_its_work() -> None:
    stopped = threading.Event()

    def work(cancelled: object) -> None:
        assert callable(cancelled)
        while not cancelled():
            threading.Event().wait(0.01)
        stopped.set()

    async def run() -> None:
        lane = Lane("test", 1, 0)
        task = asyncio.ensure_future(lane.run_until_cancelled(work))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(stopped.wait, 10)
        lane.cancel()

    asyncio.run(run())


def test_a_request_that_the_end_of_the_server_cuts_off_is_told_so(tmp_path: Path) -> None:
    body = b'{"kind": "flag", "cell": [0, 0]}'
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/games/x/moves", "headers": headers, "root_path": ""}
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async def run() -> None:
        service = Service(tmp_path)
        async with service.games._lock("x"):  # another move takes long
            task = asyncio.ensure_future(make_app(service, Guard())(scope, receive, send))
            await asyncio.sleep(0.05)
            assert not sent
            task.cancel()
            await task
        service.close()

    asyncio.run(run())
    assert [message.get("status") for message in sent] == [503, None]
    assert json.loads(sent[1]["body"])["code"] == "busy"
