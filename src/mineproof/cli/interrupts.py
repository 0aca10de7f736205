"""Ctrl-C as a request: long runs check it, stop early and keep what is finished."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Return whether Ctrl-C was pressed. The first press only sets this; the second one interrupts."""
    pressed = threading.Event()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # SIGINT was already ignored (nohup): keep it so
        yield pressed.is_set
        return

    def press(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
