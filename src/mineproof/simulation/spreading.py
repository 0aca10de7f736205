"""Spreading chunks of games over threads, and handing over what comes of them in their order.

Threads take chunks as they are free, so that these finish in any order; whoever adds them up gets them in the order of
their numbers. What is added up depends on the chunks alone, whatever the number of threads.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, Protocol, TypeVar

POLL = 0.05  # seconds between two looks at what was finished and whether to stop

Stop = Callable[[], bool]


class Chunk(Protocol):
    """Games that were played in one go."""

    @property
    def numbers(self) -> range: ...


C = TypeVar("C", bound=Chunk)
Play = Callable[[range, Stop], C | None]  # plays these games; None when it was stopped before the last


def chunks(start: int, end: int, size: int) -> Iterator[range]:
    """Games in chunks, whose bounds are multiples of ``size`` wherever the first and the last game are."""
    while start < end:
        bound = min(end, (start // size + 1) * size)
        yield range(start, bound)
        start = bound


def spread(
    play: Play[C],
    games: range,
    size: int,
    threads: int,
    take: Callable[[list[C]], bool],
    cancelled: Stop | None,
) -> None:
    """Play games, in chunks of ``size`` and in threads, until ``cancelled`` or ``take`` says that it is enough.

    ``take`` is called about twenty times a second, from this thread, with the chunks that are next in order. A chunk
    that was broken off, or that comes after a missing one, counts for nothing.
    """
    source, stop, enough = _Source(chunks(games.start, games.stop, size)), threading.Event(), False
    ordered: _Ordered[C] = _Ordered(games.start)

    def look() -> bool:
        return bool(ready := ordered.ready()) and take(ready)

    with ThreadPoolExecutor(threads) as pool:
        try:
            workers = [pool.submit(_work, play, source, stop.is_set, ordered.add) for _ in range(threads)]
            while _at_work(workers):
                enough = enough or look()
                if enough or (cancelled is not None and cancelled()):
                    stop.set()
        finally:
            stop.set()
    if not enough:
        look()


def _at_work(workers: list[Future[None]]) -> bool:
    """Wait a little; is anybody still at work? Raises what one of them raised."""
    done, busy = wait(workers, POLL)
    for worker in done:
        worker.result()
    return bool(busy)


def _work(play: Play[C], source: _Source, stopped: Stop, deliver: Callable[[C], None]) -> None:
    while not stopped() and (numbers := source.next()) is not None:
        if (chunk := play(numbers, stopped)) is not None:
            deliver(chunk)


class _Source:
    """Hands out the chunks that are left to play, each once, to whichever thread asks."""

    def __init__(self, todo: Iterator[range]) -> None:
        self._lock = threading.Lock()
        self._todo = todo

    def next(self) -> range | None:
        with self._lock:
            return next(self._todo, None)


class _Ordered(Generic[C]):
    """Chunks as they come in, handed on in order; those that are ahead of a missing one wait."""

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
