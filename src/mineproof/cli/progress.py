"""A sign of life on a terminal while something takes long."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from mineproof.base.budget import Budget

PATIENCE = 1.0  # seconds before anything is said


@contextmanager
def waiting(budget: Budget) -> Iterator[Budget]:
    """The same budget; searches that run on it say on stderr how long they have been at it."""
    started = said = time.monotonic()

    def tick() -> bool:
        nonlocal said
        now = time.monotonic()
        if now - max(said, started) >= PATIENCE:
            said = now
            _say(f"\rcounting for {now - started:.0f} s, {budget.seconds:g} s at most; Ctrl-C stops it ")
        return False

    try:
        yield dataclasses.replace(budget, cancelled=tick) if sys.stderr.isatty() else budget
    finally:
        if said > started:
            _say("\r\033[K")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
