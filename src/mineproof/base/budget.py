"""Limits of a search: time, states, memory and cancellation."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mineproof.base import checks
from mineproof.base.words import duration, plural
from mineproof.errors import BudgetExceeded

LARGEST_STATES = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one call.

    ``seconds`` limits the time. ``states`` limits the work: pairs of table rows in the kernel, merged states in the
    reference. ``memory`` limits the bytes of the tables of one question in the kernel; the process may use about twice
    as much. ``cancelled`` is called about twenty times a second; the call stops once it returns True.
    """

    seconds: float = 60.0
    states: int = 10_000_000
    cancelled: Callable[[], bool] | None = None
    memory: int = 1 << 30

    def __post_init__(self) -> None:
        checks.number("seconds", self.seconds, 0)
        checks.whole("states", self.states, 0, LARGEST_STATES)
        checks.whole("memory", self.memory, 0, LARGEST_STATES)
        checks.require_callable("cancelled", self.cancelled)

    @staticmethod
    def of(value: Budget | float | None) -> Budget:
        """Return a budget from a budget, a number of seconds, or None for the default."""
        if isinstance(value, Budget):
            return value
        return DEFAULT if value is None else Budget(seconds=checks.number("budget", value, 0))

    def without_callable(self) -> Budget:
        """Return the same limits without ``cancelled``, which is useless in another process or after the call."""
        return self if self.cancelled is None else replace(self, cancelled=None)

    def raise_if_cancelled(self) -> bool:
        """Raise BudgetExceeded if the caller has cancelled; otherwise return False."""
        if self.cancelled is not None and self.cancelled():
            raise budget_error("cancelled", 0.0, 0, None)
        return False


DEFAULT = Budget()


class Deadline:
    """A budget of time shared by many questions."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._end = time.monotonic() + budget.seconds

    @property
    def passed(self) -> bool:
        """Is the time up?"""
        return time.monotonic() >= self._end

    def check(self) -> None:
        """Raise BudgetExceeded if the time is up or the caller has cancelled."""
        self._budget.raise_if_cancelled()
        if self.passed:
            raise budget_error("seconds", time.monotonic() - self._end + self._budget.seconds, 0, None)

    def rest(self) -> Budget:
        """Return the budget that is left for the next question."""
        return replace(self._budget, seconds=max(0.0, self._end - time.monotonic()))


class Meter:
    """A counter of the work of a search in Python; it raises BudgetExceeded if the budget is spent."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.states = 0
        self._started = time.monotonic()
        self._next_check = 0

    def spend(self, states: int, width: int | None = None) -> None:
        """Add work. Raises BudgetExceeded if the budget is spent."""
        self.states += states
        if self.states > self.budget.states:
            self._stop("states", width)
        if self.states >= self._next_check:
            self._next_check = self.states + 1024
            if time.monotonic() - self._started > self.budget.seconds:
                self._stop("seconds", width)
            if self.budget.cancelled is not None and self.budget.cancelled():
                self._stop("cancelled", width)

    def _stop(self, limit: str, width: int | None) -> None:
        seconds = time.monotonic() - self._started
        raise budget_error(limit, seconds, self.states, width)


def budget_error(limit: str, seconds: float, states: int, width: int | None) -> BudgetExceeded:
    """Return the error for a spent budget, with the same message for all engines."""
    message = _budget_message(limit, f" after {duration(seconds)}" if seconds else "", states, width)
    return BudgetExceeded(message, limit=limit, seconds=seconds, states=states, width=width)


def _budget_message(limit: str, after: str, states: int, width: int | None) -> str:
    work = plural(states, "state")
    wide = f" In places it depends on {width} numbers at once." if width else ""
    match limit:
        case "cancelled":
            return f"Cancelled{after}."
        case "seconds":
            return f"No result{after}: the time limit is reached.{wide}"
        case "states":
            return f"No result{after}: the search needs more memory than its limit of {work} allows.{wide}"
        case "memory":
            return f"No result{after}: the memory limit is reached, {work}.{wide}"
        case "width":
            return f"No result: this position is too hard to count.{wide}"
        case _:
            return "No result: this position is too large."
