"""How much a search may spend before it must give up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mineproof.base import checks
from mineproof.errors import BudgetExceeded

LARGEST_STATES = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one call.

    ``states`` counts what an engine combines: pairs of table rows in the kernel, which bound its memory too (about 150
    bytes each), merged states in the reference. ``cancelled`` is asked about twenty times a second.
    """

    seconds: float = 60.0
    states: int = 10_000_000
    cancelled: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        checks.number("seconds", self.seconds, 0)
        checks.whole("states", self.states, 0, LARGEST_STATES)
        checks.called("cancelled", self.cancelled)

    @staticmethod
    def of(value: Budget | float | None) -> Budget:
        """A budget as callers may give it: itself, a number of seconds, or None for the default."""
        if isinstance(value, Budget):
            return value
        return DEFAULT if value is None else Budget(seconds=checks.number("budget", value, 0))

    def stop_if_asked(self) -> None:
        """Raise BudgetExceeded if the caller has cancelled."""
        if self.cancelled is not None and self.cancelled():
            raise exceeded("cancelled", 0.0, 0, None)


DEFAULT = Budget()


class Deadline:
    """A budget of time shared by many questions."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._end = time.monotonic() + budget.seconds

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self._end

    def check(self) -> None:
        """Raise BudgetExceeded when the time is up, or somebody wants an end."""
        self._budget.stop_if_asked()
        if self.passed:
            raise exceeded("seconds", time.monotonic() - self._end + self._budget.seconds, 0, None)

    def rest(self) -> Budget:
        """What the next question may spend."""
        return replace(self._budget, seconds=max(0.0, self._end - time.monotonic()))


class Meter:
    """Counts what a pure-Python search spends and raises when the budget is gone."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.states = 0
        self._started = time.monotonic()
        self._next_look = 0

    def spend(self, states: int, width: int | None = None) -> None:
        self.states += states
        if self.states > self.budget.states:
            self._stop("states", width)
        if self.states >= self._next_look:
            self._next_look = self.states + 1024
            if time.monotonic() - self._started > self.budget.seconds:
                self._stop("seconds", width)
            if self.budget.cancelled is not None and self.budget.cancelled():
                self._stop("cancelled", width)

    def _stop(self, limit: str, width: int | None) -> None:
        seconds = time.monotonic() - self._started
        raise exceeded(limit, seconds, self.states, width)


def exceeded(limit: str, seconds: float, states: int, width: int | None) -> BudgetExceeded:
    """The error for a spent budget, with the same words whichever engine spent it."""
    wide = f"; up to {width} numbers had to be counted together" if width else ""
    spent = f"{seconds:.2f} s and {states:,} states"
    message = f"cancelled after {spent}" if limit == "cancelled" else f"gave up after {spent} ({limit} limit){wide}"
    return BudgetExceeded(message, limit=limit, seconds=seconds, states=states, width=width)
