"""Ctrl-C as a wish: long runs look whether it was pressed, and end with what they have."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Whether Ctrl-C was pressed, which inside of this stops nothing by itself; pressed again, it does."""
    pressed = threading.Event()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # whoever started this wants it deaf to Ctrl-C
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
