"""Lanes and turns, without a server around them."""

import asyncio
import contextvars
import json
import os
import sys
import threading
import time
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import pytest

from mineproof.base.budget import Budget, budget_error
from mineproof.errors import BudgetExceeded
from mineproof.web import limits
from mineproof.web.app import Service, make_app
from mineproof.web.errors import Refused
from mineproof.web.guard import Guard
from mineproof.web.pool import CLIENT, Lane, Share, Turns
from mineproof.web.questions import Questions
from support.patience import PATIENCE


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
        await asyncio.wait_for(turns.wait(), PATIENCE)
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
    started, stopped = threading.Event(), threading.Event()

    def work(cancelled: object) -> None:
        assert callable(cancelled)
        started.set()
        while not cancelled():
            threading.Event().wait(0.01)
        stopped.set()

    async def run() -> None:
        lane = Lane("test", 1, 0)
        task = asyncio.ensure_future(lane.run_until_cancelled(work))
        assert await asyncio.to_thread(started.wait, PATIENCE)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(stopped.wait, PATIENCE)
        lane.cancel()

    asyncio.run(run())


class Bench:
    """Starts work of several clients in a lane; each piece runs until it is released."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.started: list[str] = []
        self._release = threading.Semaphore(0)

    def ask(self, client: str, name: str) -> asyncio.Task[str]:
        def work(_: object) -> str:
            self.started.append(name)
            assert self._release.acquire(timeout=PATIENCE)
            return name

        context = contextvars.copy_context()
        context.run(CLIENT.set, client)
        return asyncio.get_running_loop().create_task(self.lane.run(work), context=context)

    async def release(self, times: int = 1) -> None:
        for _ in range(times):
            self._release.release()
            await asyncio.sleep(0.05)

    async def until(self, count: int) -> None:
        """Wait until so many have started, and a little longer, in case more do."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while len(self.started) < count and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)


def test_clients_take_turns() -> None:
    async def run() -> list[str]:
        bench = Bench(Lane("test", 1, 20))
        tasks = [bench.ask("a", f"a{number}") for number in range(5)]
        await bench.until(1)
        tasks += [bench.ask("b", "b0"), bench.ask("c", "c0"), bench.ask("b", "b1")]
        await asyncio.sleep(0)
        for count in range(len(tasks)):
            await bench.until(count + 1)
            await bench.release()
        await asyncio.gather(*tasks)
        bench.lane.cancel()
        return bench.started

    started = asyncio.run(run())
    assert started[:1] == ["a0"]
    assert set(started[1:4]) == {"a1", "b0", "c0"}, "each client has had a turn before one has another"
    assert started[4:] == ["a2", "b1", "a3", "a4"] or started[4:] == ["b1", "a2", "a3", "a4"]


def test_a_client_has_a_share_of_the_threads_and_of_the_queue() -> None:
    async def run() -> None:
        bench = Bench(Lane("test", 3, 20, share=Share(running=2, waiting=1)))
        tasks = [bench.ask("a", f"a{number}") for number in range(4)]
        await bench.until(2)
        assert sorted(bench.started) == ["a0", "a1"], "the third thread is for others"
        (refused,) = [task for task in tasks if task.done()]
        with pytest.raises(Refused) as error:
            refused.result()
        assert error.value.code == "too-many"
        other = bench.ask("b", "b0")
        await bench.until(3)
        assert bench.started[2:] == ["b0"]
        await bench.release(4)
        assert await asyncio.gather(*(task for task in (*tasks, other) if task is not refused)) == [
            "a0", "a1", "a2", "b0",
        ]  # fmt: skip
        bench.lane.cancel()

    asyncio.run(run())


def test_a_full_queue_has_room_for_a_client_that_waits_for_less() -> None:
    async def run() -> None:
        bench = Bench(Lane("test", 1, 3, share=Share(1, 3)))
        greedy = [bench.ask("a", f"a{number}") for number in range(4)]
        await bench.until(1)
        modest = bench.ask("b", "b0")
        await asyncio.sleep(0.01)
        with pytest.raises(Refused) as error:
            greedy[3].result()
        assert error.value.code == "busy"
        fourth = bench.ask("c", "c0")
        await asyncio.sleep(0.01)
        last = bench.ask("d", "d0")
        await asyncio.sleep(0.01)
        with pytest.raises(Refused) as error:
            last.result()
        assert error.value.code == "busy", "no client waits for more than one"
        await bench.release(4)
        assert await modest == "b0"
        assert await fourth == "c0"
        bench.lane.cancel()

    asyncio.run(run())


def test_waiting_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WAIT_SECONDS", 0.05)

    async def run() -> None:
        bench = Bench(Lane("test", 1, 3))
        first, second = bench.ask("a", "a0"), bench.ask("b", "b0")
        with pytest.raises(Refused) as error:
            await asyncio.wait_for(second, PATIENCE)
        assert error.value.code == "busy"
        await bench.release()
        assert await first == "a0"
        bench.lane.cancel()

    asyncio.run(run())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a priority for each thread")
def test_long_work_steps_back_behind_moves(tmp_path: Path) -> None:
    async def run() -> tuple[int, ...]:
        service = Service(tmp_path)
        lanes = (service.moves, service.questions.light, service.questions.long)
        found = [await lane.run(lambda _: os.getpriority(os.PRIO_PROCESS, threading.get_native_id())) for lane in lanes]
        service.close()
        return tuple(found)

    moves, light, long = asyncio.run(run())
    assert moves == os.getpriority(os.PRIO_PROCESS, 0)
    assert moves < light < long


def test_one_deadline_holds_for_all_steps_of_a_question() -> None:
    """Each step has its own budget, as in a hint; together they end with the first deadline."""

    def work(budget: Budget) -> int:
        steps = 0
        while steps < 100:
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                budget.raise_if_cancelled()
            steps += 1
        return steps

    async def run() -> BudgetExceeded:
        questions = Questions()
        with pytest.raises(BudgetExceeded) as error:
            await questions.answer(work, Budget(0.5), _nobody_leaves)
        for lane in (questions.light, questions.long):
            lane.cancel()
        return error.value

    error = asyncio.run(run())
    assert error.limit == "seconds"
    assert "cancelled" not in str(error)


def test_a_client_whose_question_took_long_starts_among_the_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or many clients could fill the light lane with questions that are bound to fail there."""

    async def lanes_of(questions: Questions, client: str) -> list[str]:
        """The lanes that a question of this client goes through; only those of "slow" take long."""
        lanes: list[str] = []

        def work(budget: Budget) -> None:
            lanes.append(threading.current_thread().name.split("-")[1].split("_")[0])
            if lanes[-1] == "light" and client == "slow":
                raise budget_error("seconds", budget.seconds, 0, None)

        CLIENT.set(client)
        await questions.answer(work, Budget(10.0), _nobody_leaves)
        return lanes

    async def run() -> None:
        questions = Questions()
        assert await lanes_of(questions, "slow") == ["light", "questions"]
        assert await lanes_of(questions, "slow") == ["questions"]
        assert await lanes_of(questions, "other") == ["light"]
        monkeypatch.setattr(limits, "REMEMBERED_SECONDS", 0.0)
        assert await lanes_of(questions, "slow") == ["light", "questions"]
        for lane in (questions.light, questions.long):
            lane.cancel()

    asyncio.run(run())


async def _nobody_leaves() -> object:
    await asyncio.sleep(3600)
    return {"type": "http.disconnect"}


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
