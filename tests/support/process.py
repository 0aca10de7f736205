"""A command as a process of its own, at a terminal of a given size."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from support.patience import PATIENCE

# A shell that starts something in the background makes it, and its children, deaf to Ctrl-C: listen all the same.
LISTEN = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("mineproof", run_name="__main__")
"""
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True)
class Shown:
    """How a command ended and what its terminal was sent."""

    status: int
    raw: str

    @property
    def text(self) -> str:
        """Without colours and movements of the cursor."""
        return CONTROL.sub("", self.raw).replace("\r", "")


def at_a_terminal(
    *arguments: str,
    rows: int = 24,
    columns: int = 80,
    ctrl_c_after: str | None = None,
    number: signal.Signals = signal.SIGINT,
    pause: float | Callable[[], object] = 0.0,
    **env: str,
) -> Shown:
    """Run a command with a terminal on every side; press Ctrl-C, or send another signal, once it has shown words.

    ``pause`` is how many seconds to wait in between, or a function that returns when it is time.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    unset = ("COLUMNS", "LINES", "NO_COLOR")
    everywhere = {name: value for name, value in os.environ.items() if name not in unset}
    process = subprocess.Popen(
        [sys.executable, "-c", LISTEN, *arguments],
        stdin=theirs, stdout=theirs, stderr=theirs, env=everywhere | {"TERM": "xterm-256color"} | env,
    )  # fmt: skip
    os.close(theirs)
    shown = b""
    with suppress(OSError):  # the other end is closed
        while piece := os.read(ours, 65536):
            shown += piece
            if ctrl_c_after is not None and ctrl_c_after.encode() in shown:
                if callable(pause):
                    pause()
                else:
                    time.sleep(pause)
                process.send_signal(number)
                ctrl_c_after = None
    os.close(ours)
    return Shown(process.wait(timeout=PATIENCE), shown.decode("utf-8"))
