"""Guesses that are thought over, with events that tell how far it is.

Each takes every processor for seconds. So there are few at a time, in a lane of their own, and few of one client; moves
and other questions have their own threads, and share the processors with them.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TypeVar

import msgspec

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.decision.choosing import best_move
from mineproof.decision.thinking import Thought
from mineproof.web.answers import Document
from mineproof.web.events import Tell, stream
from mineproof.web.limits import THOUGHTS, THOUGHTS_PER_CLIENT, THOUGHTS_WAITING
from mineproof.web.pool import Cancelled, Lane, Receive

T = TypeVar("T")

EVERY = 0.2  # seconds between two events

_encode = msgspec.json.Encoder().encode


class Thinking:
    """Thinks over what is asked for, a few at a time."""

    def __init__(self) -> None:
        self.lane = Lane("thinking", THOUGHTS, THOUGHTS_WAITING)

    async def run(self, work: Callable[[Cancelled], T], client: str, receive: Receive) -> T:
        """What the work returns, as of `Lane.run`."""
        with self._place_of(client):
            return await self.lane.run(work, receive)

    def require_room(self, client: str) -> None:
        """Refused if there is too much to do already, for this client or in all."""
        with self._place_of(client):
            self.lane.require_room()

    def events(self, board: Board, seconds: float, budget: Budget, client: str) -> AsyncIterator[bytes]:
        """``progress`` with a `Thought`, whose first rival is the best so far; ``done`` with the best move."""

        def work(cancelled: Cancelled, tell: Tell) -> bytes:
            told = 0.0

            def progress(thought: Thought) -> None:
                nonlocal told
                if time.monotonic() - told >= EVERY:
                    told = time.monotonic()
                    tell(_encode(thought.as_json()))

            return _encode(thought_over(board, seconds, replace(budget, cancelled=cancelled), progress))

        return stream(self.lane, work, self._place_of(client))

    def _place_of(self, client: str) -> AbstractContextManager[None]:
        return self.lane.place_of(client, THOUGHTS_PER_CLIENT)


def thought_over(
    board: Board, seconds: float | None, budget: Budget, progress: Callable[[Thought], object] | None = None
) -> Document:
    """The best move, after so many seconds of thinking; the budget is for what is not thinking."""
    return best_move(board, seconds=seconds, budget=budget, progress=progress).as_json() | {"board": board.as_json()}
