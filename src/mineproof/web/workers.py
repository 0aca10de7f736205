"""Several processes that answer at one socket, and the one that watches over them.

Each worker is a whole server; the system hands a connection to one that is free. They share the games and the history,
which are in the store (`mineproof.web.store` says how). Lanes, limits of what is under way and games in memory are each
worker's own.

A worker that ends without being told to, such as by ``kill -9``, is replaced. One that is told to end by SIGTERM is,
too: that is how to renew them one by one. When the watching process ends, however that is, its workers end.

Workers are new interpreters, not forks: there is no state to inherit, and every system has them. Ctrl-C at a terminal
reaches all processes; workers leave it to the one that watches.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any

from mineproof.errors import HistoryError

END = 1.8  # seconds for workers to end; then they are killed
PAUSE = 1.0  # seconds until one that could not even start is started again

Serve = Callable[[socket.socket, Callable[[], None]], None]  # answer until told to end; call back once that has begun


class Worker:
    """One process, and what it tells: nothing at all, or that it answers, or why it cannot."""

    def __init__(self, serve: Serve, listening: socket.socket) -> None:
        context = get_context("spawn")
        self.told, tells = context.Pipe(duplex=False)
        self.process = context.Process(target=_run, args=(serve, listening, tells), daemon=True)
        with _ctrl_c_left_alone():
            self.process.start()
        tells.close()
        self.is_ready, self.reason = False, ""

    def hear(self) -> None:
        """Read what it tells, unless it ended before."""
        try:
            self.reason = self.told.recv()
            self.is_ready = not self.reason
        except (EOFError, OSError):
            pass

    @property
    def end(self) -> str:
        code = self.process.exitcode or 0
        return f"signal {-code}" if code < 0 else f"status {code}"


class Workers:
    """Starts so many workers, and watches over them until a signal comes."""

    def __init__(self, count: int, serve: Serve, listening: socket.socket) -> None:
        self._count, self._serve, self._listening = count, serve, listening
        self._workers: list[Worker] = []
        self._is_ending = False
        self._woken, self._wake = get_context("spawn").Pipe(duplex=False)

    def run(self, ready: Callable[[], None]) -> None:
        """``ready`` is called once all of them answer; HistoryError where one cannot."""
        with self._signals():
            try:
                self._start()
                if not self._is_ending:
                    ready()
                while not self._is_ending:
                    self._watch()
            finally:
                self._end()

    def _start(self) -> None:
        self._workers = [Worker(self._serve, self._listening) for _ in range(self._count)]
        while not self._is_ending and not all(worker.is_ready for worker in self._workers):
            self._wait()
            for worker in self._workers:
                if not worker.is_ready and not worker.process.is_alive():
                    raise HistoryError(worker.reason or f"found a worker that ended ({worker.end}) before it answered")

    def _watch(self) -> None:
        """Wait until something happens, and replace workers that have ended."""
        self._wait()
        for place, worker in enumerate(self._workers):
            if worker.process.is_alive() or self._is_ending:
                continue
            reason = f": {worker.reason}" if worker.reason else ""
            sys.stderr.write(
                f"mineproof: worker {worker.process.pid} has ended ({worker.end}{reason}); another takes its place\n"
            )
            if not worker.is_ready and self._woken.poll(PAUSE):
                return  # it ends meanwhile
            worker.process.close()
            worker.told.close()
            self._workers[place] = Worker(self._serve, self._listening)

    def _wait(self) -> None:
        waiting = [worker for worker in self._workers if not worker.is_ready and not worker.told.closed]
        sentinels = [worker.process.sentinel for worker in self._workers]
        found = connection.wait([*sentinels, *(worker.told for worker in waiting), self._woken])
        for worker in waiting:
            if worker.told in found:
                worker.hear()
                if not worker.is_ready:
                    worker.process.join(END)
                worker.told.close()

    def _end(self) -> None:
        end = time.monotonic() + END
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(max(0.0, end - time.monotonic()))
            worker.process.kill()
            worker.process.join()

    @contextmanager
    def _signals(self) -> Iterator[None]:
        def end(_number: int, _frame: Any) -> None:
            if not self._is_ending:
                self._is_ending = True
                self._wake.send(None)

        numbers = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, end) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _run(serve: Serve, listening: socket.socket, tells: Connection) -> None:
    """The life of a worker."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        serve(listening, lambda: tells.send(""))
    except HistoryError as error:
        tells.send(str(error))
        sys.exit(1)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END)
    os._exit(1)


@contextmanager
def _ctrl_c_left_alone() -> Iterator[None]:
    """A process that is started here hears no Ctrl-C; one that comes meanwhile is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
