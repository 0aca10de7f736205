"""A bot as a process: lines go in and out, every wait has an end, and nothing of it outlives this program.

Lines are written and read by threads, so a bot that neither reads nor answers cannot block the caller. On POSIX the
bot leads a process group, and a small shell watches over it: when this program ends in any way, even by SIGKILL, the
shell's standard input ends and it kills the group. Closing a bot kills the group too, so children of the bot die
with it.
"""

from __future__ import annotations

import atexit
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO
from weakref import WeakSet

from mineproof.errors import BotError

QUIT_SECONDS = 0.5  # that a bot has to end after `quit`
MAX_LINE = 1 << 24  # bytes: the odds of the largest board fit
MAX_WAITING_LINES = 1000  # lines that are read ahead; then the bot has to wait
STDERR_LINES = 3  # that an error quotes

_GUARD = 'read _; kill -9 "-$1"'

_open_processes: WeakSet[BotProcess] = WeakSet()


class BotProcess:
    """A running bot. Close it when it is no longer needed."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start the program; BotError if that fails."""
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise BotError(f"cannot start {command[0]}: {reason}") from None
        self._guard = _start_guard(self._process.pid)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING_LINES)
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._is_closed = threading.Event()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        work = ((self._write_pipe, self._process.stdin), (self._read_pipe, self._process.stdout),
                (self._collect, self._process.stderr))  # fmt: skip
        self._threads = [threading.Thread(target=target, args=(pipe,), daemon=True) for target, pipe in work]
        for thread in self._threads:
            thread.start()
        _open_processes.add(self)

    def send(self, line: str) -> None:
        """Send a line. Returns at once, even if the bot does not read."""
        self._outgoing.put(line.encode("utf-8") + b"\n")

    def receive(self, end: float) -> str | None:
        """Return the next line; None if there is none before the time ``end``. BotError if the bot has ended."""
        try:
            line = self._incoming.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._incoming.put(None)  # for the next call
            raise BotError(f"the bot {self._ending()}{self._last_words()}")
        if len(line) > MAX_LINE:
            raise BotError(f"expected lines of at most {MAX_LINE:,} bytes, got a longer one")
        return _printable(line)

    def close(self) -> None:
        """End the program and everything it has started."""
        if self._is_closed.is_set():
            return
        self.send("quit")
        self._outgoing.put(None)
        self._is_closed.set()
        self._threads[1].join(QUIT_SECONDS)  # its output ends when it does
        _kill_group(self._process)
        if self._guard is not None:
            self._guard.kill()
            with suppress(OSError):
                self._guard.communicate()
        for thread in self._threads:
            thread.join(QUIT_SECONDS)  # a process that left the group may hold a pipe: its thread then stays behind
        _open_processes.discard(self)

    def _ending(self) -> str:
        """How the bot ended."""
        with suppress(subprocess.TimeoutExpired):
            status = self._process.wait(QUIT_SECONDS)
            if status < 0:
                return f"was killed by {signal.Signals(-status).name}"
            return f"ended with status {status}"
        return "closed its standard output"

    def _last_words(self) -> str:
        self._threads[2].join(QUIT_SECONDS)
        return f": {' / '.join(self._stderr)}" if self._stderr else ""

    # threads

    def _write_pipe(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError), pipe:
            while (line := self._outgoing.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def _read_pipe(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(MAX_LINE + 1):
                if not self._deliver(line):
                    return
            self._deliver(None)

    def _deliver(self, line: bytes | None) -> bool:
        """Put a line where `receive` finds it; False once the bot is closed."""
        while not self._is_closed.is_set():
            with suppress(queue.Full):
                self._incoming.put(line, timeout=0.1)
                return True
        return False

    def _collect(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(1000):
                if text := _printable(line):
                    self._stderr.append(text[:200])


def _printable(line: bytes) -> str:
    """Return a line as text that cannot move the cursor of a terminal; tabs become spaces."""
    text = line.decode("utf-8", "replace").replace("\t", " ").strip()
    return text if text.isprintable() else "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _start_guard(group: int) -> subprocess.Popen[bytes] | None:
    """Start the shell that kills a process group when this program ends; None where there is no such shell."""
    if os.name != "posix":
        return None
    with suppress(OSError):
        return subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", str(group)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
    return None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, with its group where there are groups. The group is killed first: its number is still taken."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


@atexit.register
def _close_all() -> None:
    for process in list(_open_processes):
        process.close()
