"""Thinking about guesses, with progress events.

Each takes every processor for seconds. So there are few at a time, in a lane of their own, and few of one client; moves
and other questions have their own threads, and share the processors with them.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import msgspec

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.decision.best_moves import best_move
from mineproof.decision.rivals import Thought
from mineproof.web.events import Tell, stream
from mineproof.web.limits import LONG_NICENESS, THOUGHTS, THOUGHTS_PER_CLIENT, THOUGHTS_RUNNING, THOUGHTS_WAITING
from mineproof.web.pool import Cancelled, Lane, Receive, Share

if TYPE_CHECKING:
    from mineproof.decision.wire import BestMoveJson

T = TypeVar("T")

EVERY = 0.2  # seconds between two events

_encode = msgspec.json.Encoder().encode


class Thinking:
    """Runs thinking requests, a few at a time."""

    def __init__(self) -> None:
        share = Share(THOUGHTS_RUNNING, THOUGHTS_PER_CLIENT - THOUGHTS_RUNNING)
        self.lane = Lane("thinking", THOUGHTS, THOUGHTS_WAITING, share=share, niceness=LONG_NICENESS)

    async def run(self, work: Callable[[Cancelled], T], client: str, receive: Receive) -> T:
        """Run work and return its result, as `Lane.run`."""
        with self._place_of(client):
            return await self.lane.run(work, receive)

    def require_room(self, client: str) -> None:
        """Raise Refused if this client, or the server, already has too much work."""
        with self._place_of(client):
            self.lane.require_room()

    def events(self, board: Board, seconds: float, budget: Budget, client: str) -> AsyncIterator[bytes]:
        """Return events: ``progress`` with a `Thought` (the best move so far is first), ``done`` with the best move."""

        def work(cancelled: Cancelled, send: Tell) -> bytes:
            reported_at = 0.0

            def progress(thought: Thought) -> None:
                nonlocal reported_at
                if time.monotonic() - reported_at >= EVERY:
                    reported_at = time.monotonic()
                    send(_encode(thought.as_json()))

            return _encode(think_over(board, seconds, replace(budget, cancelled=cancelled), progress))

        return stream(self.lane, work, self._place_of(client))

    def _place_of(self, client: str) -> AbstractContextManager[None]:
        return self.lane.place_of(client, THOUGHTS_PER_CLIENT)


def think_over(
    board: Board, seconds: float | None, budget: Budget, progress: Callable[[Thought], object] | None = None
) -> BestMoveJson:
    """Return the best move after ``seconds`` of thinking; the budget is for everything else."""
    return best_move(board, seconds=seconds, budget=budget, progress=progress).as_json() | {"board": board.as_json()}
