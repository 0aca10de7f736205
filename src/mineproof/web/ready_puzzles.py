"""Puzzles that are found ahead of time, and what each player has seen lately.

After a request for a puzzle, the server searches more of the same technique and level, one at a time, in the lane of
long questions and only while that lane is idle. They stay in memory, few for each technique and level. A puzzle is
given to one player only.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mineproof.base import threads as runtime
from mineproof.errors import MineproofError
from mineproof.practice.next_puzzle import search_varied
from mineproof.practice.puzzles import Puzzle
from mineproof.practice.variety import RECENT_SHAPES, puzzle_shape
from mineproof.web.budgets import question_budget
from mineproof.web.daily_puzzles import DailyPuzzles
from mineproof.web.errors import Refused
from mineproof.web.limits import MAX_SECONDS
from mineproof.web.pool import CLIENT, SERVER, Cancelled
from mineproof.web.questions import Questions, within

READY_PUZZLES = 3  # of each technique and level
READY_KINDS = 20  # techniques with levels that were requested last
BOOK_LEFT = 4  # new puzzles of the book below which to search more
REMEMBERED_PLAYERS = 1_000
IDLE_SECONDS = 0.5  # between two looks whether the lane is free

Kind = tuple[str, str]  # technique and level


class ReadyPuzzles:
    """Puzzles in memory. Its methods may be called from any thread, `fill` and `stop` on the event loop."""

    def __init__(self) -> None:
        self.daily = DailyPuzzles()
        self._lock = threading.Lock()
        self._puzzles: OrderedDict[Kind, deque[Puzzle]] = OrderedDict()
        self._served: OrderedDict[str, deque[str]] = OrderedDict()  # shapes by owner, the newest first
        self._task: asyncio.Task[None] | None = None

    def recent_shapes(self, owner: str, stored: Sequence[str]) -> list[str]:
        """Return the shapes that a player has seen lately: puzzles that were sent, then those that were answered."""
        with self._lock:
            return list(dict.fromkeys([*self._served.get(owner, ()), *stored]))

    def note_served(self, owner: str, puzzle: Puzzle) -> None:
        """Remember the shape of a puzzle that a player gets now."""
        shape = puzzle_shape(puzzle)
        with self._lock:
            self._served.setdefault(owner, deque(maxlen=RECENT_SHAPES)).appendleft(shape)
            self._served.move_to_end(owner)
            while len(self._served) > REMEMBERED_PLAYERS:
                self._served.popitem(last=False)

    def take(self, technique: str, level: str, recent: Sequence[str]) -> Puzzle | None:
        """Return a ready puzzle whose shape is not recent, and remove it; None if there is none."""
        with self._lock:
            puzzles = self._puzzles.get((technique, level), deque())
            for puzzle in puzzles:
                if puzzle_shape(puzzle) not in recent:
                    puzzles.remove(puzzle)
                    return puzzle
            return None

    def want(self, technique: str, level: str, *, left: int) -> None:
        """Ask for more puzzles of a kind, if the book has few ``left`` for the player."""
        if left >= BOOK_LEFT:
            return
        with self._lock:
            self._puzzles.setdefault((technique, level), deque())
            self._puzzles.move_to_end((technique, level))
            while len(self._puzzles) > READY_KINDS:
                self._puzzles.popitem(last=False)

    def missing(self) -> Kind | None:
        """Return the most recently requested kind with too few puzzles."""
        with self._lock:
            kinds = (kind for kind in reversed(self._puzzles) if len(self._puzzles[kind]) < READY_PUZZLES)
            return next(kinds, None)

    # on the event loop

    def fill(self, questions: Questions, first: Callable[[Cancelled], Any] | None = None) -> None:
        """Search in the background until enough puzzles are ready, after ``first`` is done. Needs threads."""
        if runtime.HAS_THREADS and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._fill(questions, first))

    def stop(self) -> None:
        """Stop searching."""
        if self._task is not None:
            self._task.cancel()

    async def _fill(self, questions: Questions, first: Callable[[Cancelled], Any] | None) -> None:
        CLIENT.set(SERVER)  # of this task only
        try:
            if first is not None:
                await self._run_when_idle(questions, first)
            while (kind := self.missing()) is not None:
                await self._run_when_idle(questions, partial(self._search, kind))
        except (Refused, MineproofError):
            pass  # the server is busy or ends, or took too long; the next request tries again

    async def _run_when_idle(self, questions: Questions, work: Callable[[Cancelled], Any]) -> None:
        while questions.long.load:
            await asyncio.sleep(IDLE_SECONDS)
        await questions.long.run_until_cancelled(within(MAX_SECONDS, work))

    def _search(self, kind: Kind, cancelled: Cancelled) -> None:
        """In a thread: add one puzzle; a kind without a puzzle is not wanted any more."""
        technique, level = kind
        with self._lock:
            shapes = [puzzle_shape(puzzle) for puzzle in self._puzzles.get(kind, ())]
        try:
            budget = question_budget(MAX_SECONDS, cancelled)
            task = search_varied(technique, level=level, seed=secrets.randbits(32), recent=shapes, budget=budget)
        except MineproofError:
            with self._lock:
                self._puzzles.pop(kind, None)
            return
        with self._lock:
            self._puzzles.setdefault(kind, deque()).append(task)
