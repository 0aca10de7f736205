"""Play chunks of games in several threads, and deliver the results in order.

Each thread takes the next chunk when it is free, so chunks finish in any order. The caller receives them in the order
of their numbers. The sums depend on the chunks alone, not on the number of threads.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, Protocol, TypeVar

from mineproof.base import threads as runtime

POLL = 0.05  # seconds between two checks for finished chunks and for a request to stop

Stop = Callable[[], bool]


class Chunk(Protocol):
    """Games that one thread played in one call."""

    @property
    def numbers(self) -> range: ...


C = TypeVar("C", bound=Chunk)
PlayChunk = Callable[[range, Stop], C | None]  # plays these games; None when it was stopped before the last


def chunks(start: int, end: int, size: int) -> Iterator[range]:
    """Yield ranges of games. All inner bounds are multiples of ``size``, whatever the first and the last game are."""
    while start < end:
        bound = min(end, (start // size + 1) * size)
        yield range(start, bound)
        start = bound


def play_chunks(
    play: PlayChunk[C],
    games: range,
    size: int,
    threads: int,
    take: Callable[[list[C]], bool],
    cancelled: Stop | None,
) -> None:
    """Play games in threads, in chunks of ``size``, until ``cancelled`` or ``take`` returns True.

    ``take`` is called about twenty times a second, from this thread, with the chunks that are next in order. Chunks
    that were interrupted, and chunks after a missing one, are discarded.
    """
    if not runtime.HAS_THREADS:
        _play_here(play, chunks(games.start, games.stop, size), take, cancelled)
        return
    source, stop, enough = _Source(chunks(games.start, games.stop, size)), threading.Event(), False
    ordered: _Ordered[C] = _Ordered(games.start)

    def deliver_ready() -> bool:
        return bool(ready := ordered.ready()) and take(ready)

    with ThreadPoolExecutor(threads) as pool:
        try:
            workers = [pool.submit(_work, play, source, stop.is_set, ordered.add) for _ in range(threads)]
            while _wait_for(workers):
                enough = enough or deliver_ready()
                if enough or (cancelled is not None and cancelled()):
                    stop.set()
        finally:
            stop.set()
    if not enough:
        deliver_ready()


def _play_here(
    play: PlayChunk[C], todo: Iterator[range], take: Callable[[list[C]], bool], cancelled: Stop | None
) -> None:
    """Play chunks one after the other in this thread."""
    stop = cancelled or (lambda: False)
    ready: list[C] = []
    taken_at = time.monotonic()
    for numbers in todo:
        chunk = None if stop() else play(numbers, stop)
        if chunk is None:
            break
        ready.append(chunk)
        if time.monotonic() - taken_at >= POLL:
            if take(ready):
                return
            ready, taken_at = [], time.monotonic()
    if ready:
        take(ready)


def _wait_for(workers: list[Future[None]]) -> bool:
    """Wait for `POLL` seconds and return whether a worker is still busy. Re-raises the exception of a worker."""
    done, busy = wait(workers, POLL)
    for worker in done:
        worker.result()
    return bool(busy)


def _work(play: PlayChunk[C], source: _Source, stopped: Stop, deliver: Callable[[C], None]) -> None:
    while not stopped() and (numbers := source.next()) is not None:
        if (chunk := play(numbers, stopped)) is not None:
            deliver(chunk)


class _Source:
    """Thread-safe iterator over the chunks that are left to play."""

    def __init__(self, todo: Iterator[range]) -> None:
        self._lock = threading.Lock()
        self._todo = todo

    def next(self) -> range | None:
        with self._lock:
            return next(self._todo, None)


class _Ordered(Generic[C]):
    """Puts finished chunks in order; a chunk waits until all chunks before it have finished."""

    def __init__(self, start: int) -> None:
        self._finished: deque[C] = deque()
        self._waiting: dict[int, C] = {}
        self._next = start

    def add(self, chunk: C) -> None:
        self._finished.append(chunk)

    def ready(self) -> list[C]:
        while self._finished:
            chunk = self._finished.popleft()
            self._waiting[chunk.numbers.start] = chunk
        ready: list[C] = []
        while self._next in self._waiting:
            ready.append(self._waiting.pop(self._next))
            self._next = ready[-1].numbers.stop
        return ready
