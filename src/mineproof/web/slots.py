"""Processors for long work: a limited number of threads compute at a time, the others wait for their turn.

A thread that holds Python's lock and has lost its processor to others holds up the event loop until it runs again. With
fewer busy threads than processors that is rare. A thread offers its slot whenever it asks whether it is cancelled,
which the engine does about twenty times a second. So all long work progresses, in slices.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
Cancelled = Callable[[], bool]

SLICE = 0.04  # seconds that a thread keeps its slot if others wait
PATIENCE = 1.0  # seconds that a thread waits for a slot; then it computes without one


class Slots:
    """So many slots; threads that wait get them in the order in which they came."""

    def __init__(self, count: int) -> None:
        self._lock = threading.Lock()
        self._free = count
        self._waiting: deque[threading.Event] = deque()

    def run(self, work: Callable[[Cancelled], T], cancelled: Cancelled) -> T:
        """Return what the work returns, which has a slot while it computes."""
        self._take()
        try:
            return work(self._offering(cancelled))
        finally:
            self._give()

    def _offering(self, cancelled: Cancelled) -> Cancelled:
        """Return the same question, which also lets others have their turn."""
        since = time.monotonic()

        def is_cancelled() -> bool:
            nonlocal since
            if self._waiting and time.monotonic() - since > SLICE and not cancelled():
                self._give()
                self._take()
                since = time.monotonic()
            return cancelled()

        return is_cancelled

    def _take(self) -> None:
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.append(turn)
        if not turn.wait(PATIENCE):
            with self._lock:
                if not turn.is_set():  # one more than there are slots: who has them does not ask
                    self._waiting.remove(turn)
                    self._free -= 1

    def _give(self) -> None:
        with self._lock:
            self._free += 1
            if self._free > 0 and self._waiting:
                self._free -= 1
                self._waiting.popleft().set()
