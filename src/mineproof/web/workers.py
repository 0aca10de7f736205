"""Several server processes on one socket, and the process that supervises them.

Each worker is a complete server; the system gives each connection to a free one. Workers share the games and the
history in the store (see `mineproof.web.store`). Lanes, limits and games in memory are separate for each worker.

A worker that ends unexpectedly, for example by ``kill -9``, is replaced. So is a worker that receives SIGTERM: that is
how to restart them one by one. When the supervising process ends for any reason, its workers end.

Workers are new interpreters, not forks: there is no state to inherit, and this works on every system. Ctrl-C at a
terminal reaches all processes; workers ignore it and leave it to the supervisor.
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
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from mineproof.errors import HistoryError

END = 1.8  # seconds for workers to end; then they are killed
PAUSE = 1.0  # seconds until one that could not even start is started again

Serve = Callable[[socket.socket, Callable[[], None]], None]  # answer until told to end; call back once that has begun


class Worker:
    """One process and its messages: that it is ready, or why it cannot start."""

    def __init__(self, serve: Serve, listening: socket.socket) -> None:
        context = get_context("spawn")
        self.messages, tells = context.Pipe(duplex=False)
        self.process = context.Process(target=_run_worker, args=(serve, listening, tells), daemon=True)
        with _block_sigint():
            self.process.start()
        tells.close()
        self.is_ready, self.reason = False, ""

    def read_message(self) -> None:
        """Read a message, unless the process has ended."""
        try:
            self.reason = self.messages.recv()
            self.is_ready = not self.reason
        except (EOFError, OSError):
            pass

    @property
    def end(self) -> str:
        code = self.process.exitcode or 0
        return f"signal {-code}" if code < 0 else f"status {code}"


class WorkerPool:
    """Starts workers and supervises them until a signal arrives."""

    def __init__(self, count: int, serve: Serve, listening: socket.socket) -> None:
        self._count, self._serve, self._listening = count, serve, listening
        self._workers: list[Worker] = []
        self._is_ending = False
        self._woken, self._wake = get_context("spawn").Pipe(duplex=False)

    def run(self, ready: Callable[[], None]) -> None:
        """Run until a signal arrives. Calls ``ready`` when all workers answer; HistoryError if one cannot start."""
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
                    raise HistoryError(worker.reason or f"A worker ended ({worker.end}) before it was ready.")

    def _watch(self) -> None:
        """Wait until something happens, and replace workers that have ended."""
        self._wait()
        for place, worker in enumerate(self._workers):
            if worker.process.is_alive() or self._is_ending:
                continue
            reason = f": {worker.reason}" if worker.reason else ""
            sys.stderr.write(
                f"mineproof: worker {worker.process.pid} ended ({worker.end}{reason}), starting another one\n"
            )
            if not worker.is_ready and self._woken.poll(PAUSE):
                return  # it ends meanwhile
            worker.process.close()
            worker.messages.close()
            self._workers[place] = Worker(self._serve, self._listening)

    def _wait(self) -> None:
        waiting = [worker for worker in self._workers if not worker.is_ready and not worker.messages.closed]
        sentinels = [worker.process.sentinel for worker in self._workers]
        ready = connection.wait([*sentinels, *(worker.messages for worker in waiting), self._woken])
        for worker in waiting:
            if worker.messages in ready:
                worker.read_message()
                if not worker.is_ready:
                    worker.process.join(END)
                worker.messages.close()

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


def _run_worker(serve: Serve, listening: socket.socket, tells: Connection) -> None:
    """Main function of a worker process."""
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
def _block_sigint() -> Iterator[None]:
    """Block SIGINT while a child starts; a pending one is delivered afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it lets Ctrl-C through again (CPython 3.11 to 3.13)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
