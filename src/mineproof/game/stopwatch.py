"""The clock of a game."""

from __future__ import annotations

from collections.abc import Callable

Clock = Callable[[], float]


class Stopwatch:
    """A stopwatch in milliseconds; it stands still if the system clock is set back."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._ms = 0
        self._since: float | None = None
        self._shown = 0

    @property
    def is_running(self) -> bool:
        return self._since is not None

    @property
    def ms(self) -> int:
        running = 0.0 if self._since is None else self.clock() - self._since
        self._shown = max(self._shown, self._ms + int(1000 * running))
        return self._shown

    def run(self) -> None:
        if self._since is None:
            self._since = self.clock()

    def set(self, ms: int) -> None:
        self._ms = self._shown = ms
        self._since = None if self._since is None else self.clock()

    def stop(self, ms: int) -> None:
        self._since = None
        self.set(ms)
