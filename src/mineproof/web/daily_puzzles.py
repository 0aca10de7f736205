"""The daily puzzles of a server: each is searched once and stays in memory for some time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, date, datetime

from mineproof.base.budget import Budget
from mineproof.practice.puzzles import Puzzle
from mineproof.practice.search import daily_puzzle
from mineproof.web.budgets import question_budget
from mineproof.web.limits import MAX_SECONDS
from mineproof.web.pool import Cancelled

KEPT_DAYS = 40  # daily puzzles that stay in memory


def today() -> date:
    """Return the day of the daily puzzle."""
    return datetime.now(UTC).date()


class DailyPuzzles:
    """Daily puzzles in memory. Its methods may be called from any thread."""

    def __init__(self, search: Callable[..., Puzzle] = daily_puzzle) -> None:
        self._search = search
        self._puzzles: dict[date, Puzzle] = {}
        self._lock = threading.Lock()

    def of_day(self, day: date, budget: Budget) -> Puzzle:
        """Return the puzzle of a day; it is created once, also if several ask for it at the same time."""
        if day not in self._puzzles:
            is_locked = self._lock.acquire(timeout=budget.seconds)
            try:
                if day not in self._puzzles:
                    new_puzzle = self._search(day, budget=budget)
                    for other in sorted(self._puzzles)[: len(self._puzzles) - KEPT_DAYS + 1]:
                        self._puzzles.pop(other, None)
                    self._puzzles[day] = new_puzzle
                    return new_puzzle
            finally:
                if is_locked:
                    self._lock.release()
        return self._puzzles[day]

    def has_today(self) -> bool:
        """Is the puzzle of today in memory?"""
        return today() in self._puzzles

    def prepare_today(self, cancelled: Cancelled) -> None:
        """Search today's puzzle ahead of time."""
        self.of_day(today(), question_budget(MAX_SECONDS, cancelled))
