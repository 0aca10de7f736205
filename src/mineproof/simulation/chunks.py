"""Play games in chunks, in several threads, and deliver the chunks in the order of their numbers.

The sums depend on the chunks alone, not on the number of threads.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Generic, NamedTuple, Protocol, TypeVar

from mineproof.base.work import POLL, Stop, ready_in_order

QUICK = 0.002  # seconds for a chunk: several are one job, so that handing it over costs little
MAX_CHUNKS = 8  # of a job


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
    ready: list[C] = []
    taken_at, was_stopped = time.monotonic(), False
    jobs = _Jobs(play, chunks(games.start, games.stop, size))
    with closing(ready_in_order(jobs, threads, cancelled=cancelled)) as lists:
        for finished in lists:
            for job in finished:
                ready += job.chunks
                jobs.seconds = job.seconds
                if was_stopped := job.was_stopped:
                    break
            if was_stopped:
                break
            if ready and time.monotonic() - taken_at >= POLL:
                if take(ready):
                    return
                ready, taken_at = [], time.monotonic()
    if ready:
        take(ready)


class _Played(NamedTuple, Generic[C]):
    """What a job has played, and how long a chunk took on average."""

    chunks: list[C]
    seconds: float
    was_stopped: bool


class _Jobs(Generic[C]):
    """The chunks as jobs. A job has one chunk, or several if the last ones were quick."""

    def __init__(self, play: PlayChunk[C], source: Iterator[range]) -> None:
        self._play, self._source = play, source
        self.seconds = math.inf  # of a chunk

    def __iter__(self) -> Iterator[Callable[[Stop], _Played[C]]]:
        while numbers := list(islice(self._source, 1 if self.seconds > QUICK else MAX_CHUNKS)):
            yield partial(self._run_jobs, numbers)

    def _run_jobs(self, numbers: list[range], stop: Stop) -> _Played[C]:
        began, played = time.monotonic(), list[C]()
        for games in numbers:
            chunk = None if stop() else self._play(games, stop)
            if chunk is None:
                return _Played(played, math.inf, was_stopped=True)
            played.append(chunk)
        return _Played(played, (time.monotonic() - began) / len(played), was_stopped=False)
