"""Signals that end programs: the game ends as the key q ends it, and the terminal is given back as it was.

A terminal that nobody reads any more (a stopped multiplexer, a dead connection) takes no more output, and whoever waits
for it waits for ever. So the proper way has `GRACE` seconds; then what can be written at once is written, the modes of
the terminal are set back, and the process ends. Every move is on disk by then.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # those this system has of them
BY_SIGNAL = 128  # and the number of the signal: the exit status of what a signal has ended, as shells count
GRACE = 1.0  # seconds
# Mouse off, bracketed paste off, the cursor shown, the first screen again.
BACK = b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[?1049l"


def listen(leave: Callable[[int], None]) -> None:
    """From now on let signals end the program by ``leave``, with the exit status; not off the main thread."""
    before = _modes()

    def end(number: int, _: FrameType | None) -> None:
        status = BY_SIGNAL + number
        threading.Thread(target=_insist, args=(status, before), daemon=True).start()
        leave(status)

    for number in (getattr(signal, name) for name in SIGNALS if hasattr(signal, name)):
        with suppress(ValueError):
            signal.signal(number, end)


def _insist(status: int, modes: list[Any] | None) -> None:
    """End the process, should it still be there after a while."""
    time.sleep(GRACE)
    stream = sys.__stderr__
    if stream is not None:
        with suppress(OSError, ValueError):
            os.set_blocking(stream.fileno(), False)
            os.write(stream.fileno(), BACK)
        if modes is not None:
            import termios

            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(stream.fileno(), termios.TCSANOW, modes)
    os._exit(status)


def _modes() -> list[Any] | None:
    """Those of the terminal, where there is one that has any."""
    try:
        import termios
    except ImportError:  # Windows
        return None
    try:
        return termios.tcgetattr(sys.__stderr__.fileno()) if sys.__stderr__ is not None else None
    except (OSError, ValueError, termios.error):
        return None
