"""Signals that end programs: the game ends as with the key q, and the terminal is restored.

A terminal without a reader (a stopped multiplexer, a dead connection) takes no more output, so an orderly exit can
block for ever. It therefore has `GRACE_SECONDS`. Then the process writes what it can without blocking, resets the
modes of the terminal and ends. Every move is on disk by then.

A terminal can also disappear without a signal, for example if the process was started with `nohup` or by another
program. The game then ends as with SIGHUP; without a terminal it would run for ever.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # as far as the system has them
SIGNAL_STATUS_BASE = 128  # plus the number of the signal: the exit status that shells report
GRACE_SECONDS = 1.0
# Mouse off, bracketed paste off, cursor visible, main screen.
RESTORE_TERMINAL = b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[?1049l"


def install_handlers(leave: Callable[[int], None]) -> None:
    """Call ``leave`` with the exit status when a signal arrives; has no effect outside the main thread."""
    modes = _terminal_modes()

    def end(number: int, _: FrameType | None) -> None:
        status = SIGNAL_STATUS_BASE + number
        threading.Thread(target=_force_exit, args=(status, modes), daemon=True).start()
        leave(status)

    for number in (getattr(signal, name) for name in SIGNALS if hasattr(signal, name)):
        with suppress(ValueError):
            signal.signal(number, end)
    if hasattr(select, "poll") and sys.__stdin__ is not None:  # not on Windows
        threading.Thread(target=_watch_terminal, args=(sys.__stdin__.fileno(),), daemon=True).start()


def _watch_terminal(terminal: int) -> None:
    """Wait until the terminal is gone, then send SIGHUP to this process."""
    poll = select.poll()
    poll.register(terminal, 0)  # hang-ups are always reported
    if any(events & select.POLLHUP for _, events in poll.poll()):
        os.kill(os.getpid(), signal.SIGHUP)


def _force_exit(status: int, modes: list[Any] | None) -> None:
    """End the process if it still runs after the grace period."""
    time.sleep(GRACE_SECONDS)
    stream = sys.__stderr__
    if stream is not None:
        if hasattr(os, "set_blocking"):  # not on Windows before Python 3.12; without it a write could block for ever
            with suppress(OSError, ValueError):
                os.set_blocking(stream.fileno(), False)
                os.write(stream.fileno(), RESTORE_TERMINAL)
        if modes is not None:
            import termios

            with suppress(OSError, ValueError, termios.error):
                termios.tcsetattr(stream.fileno(), termios.TCSANOW, modes)
    os._exit(status)


def _terminal_modes() -> list[Any] | None:
    """Return the modes of the terminal, or None without a terminal."""
    try:
        import termios
    except ImportError:  # Windows
        return None
    try:
        return termios.tcgetattr(sys.__stderr__.fileno()) if sys.__stderr__ is not None else None
    except (OSError, ValueError, termios.error):
        return None
