"""Run work in threads or processes, and receive the results in order.

A `Crew` runs jobs. A job is a function with a `Stop` as its argument. It calls that from time to time, and ends early
when it returns True. When the crew is closed, also by an error or Ctrl-C, running jobs stop and waiting ones are
dropped. Threads suffice where only the kernel works, which releases the GIL. Work in Python needs processes; jobs are
then pickled.

`in_order` gives jobs to a crew as fast as it works, and yields the results in the order of the jobs. Where there are no
threads (`mineproof.base.threads`), jobs run one after the other in the thread that wants the results.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from itertools import islice
from typing import Protocol, TypeVar

from mineproof.base import threads as runtime

JOBS_AHEAD = 4  # jobs per worker that may be ahead of the next result
POLL = 0.05  # seconds between two looks for results and for a request to stop

T = TypeVar("T")
Stop = Callable[[], bool]
Job = Callable[[Stop], T]


class _Flag(Protocol):
    """An event, of threads or of processes."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...


class Crew:
    """Workers that stop together: threads, or processes. Use it as a context manager."""

    def __init__(self, workers: int, *, processes: bool = False) -> None:
        self._flag: _Flag
        self._executor: Executor
        self._processes = processes
        if processes:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            context = multiprocessing.get_context("spawn")
            self._flag = context.Event()
            self._executor = ProcessPoolExecutor(workers, context, _begin_process, (self._flag,))
        else:
            self._flag = threading.Event()
            self._executor = ThreadPoolExecutor(workers)

    def submit(self, job: Job[T]) -> Future[T]:
        """Let a worker do the job when one is free."""
        if not self._processes:
            return self._executor.submit(job, self._flag.is_set)
        with _delayed_ctrl_c():
            return self._executor.submit(_work_in_process, job)

    def stop(self) -> None:
        """Make the running jobs end early."""
        self._flag.set()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._executor.shutdown(cancel_futures=True)


def in_order(
    jobs: Iterable[Job[T] | None], workers: int, *, processes: bool = False, cancelled: Stop | None = None
) -> Generator[T, None, None]:
    """Yield the result of each job, in the order of the jobs. Raises the error of a job when its turn comes.

    ``cancelled`` is called about twenty times a second. When it returns True, no further job begins, running ones stop
    early, and their results still come; it may also raise an error. Jobs may arrive slowly, from a pipe: None says that
    there is none right now, and a result is awaited instead of the next job.
    """
    with closing(ready_in_order(jobs, workers, processes=processes, cancelled=cancelled)) as lists:
        for results in lists:
            yield from results


def ready_in_order(
    jobs: Iterable[Job[T] | None], workers: int, *, processes: bool = False, cancelled: Stop | None = None
) -> Generator[list[T], None, None]:
    """Yield the results of `in_order` in lists: those that are ready, at least every `POLL` seconds, maybe none."""
    if not runtime.HAS_THREADS:
        yield from _in_this_thread(jobs, cancelled or _never)
        return
    source, waiting = iter(jobs), deque[Future[T]]()
    is_over = is_paused = is_cancelled = False
    asked_at = -math.inf
    with Crew(workers, processes=processes) as crew:
        while True:
            if cancelled is not None and not is_cancelled and time.monotonic() - asked_at >= POLL:
                asked_at = time.monotonic()
                if cancelled():
                    is_over = is_cancelled = True
                    crew.stop()
                    while waiting and waiting[-1].cancel():
                        waiting.pop()
            while not (is_over or is_paused) and len(waiting) <= workers * JOBS_AHEAD:
                try:
                    job = next(source)
                except StopIteration:
                    is_over = True
                    break
                if job is None:
                    is_paused = bool(waiting)
                    break
                waiting.append(crew.submit(job))
            if waiting:
                # Half of the jobs at a time, so that quick jobs are not slowed down by this thread.
                wait(tuple(islice(waiting, 1 if is_paused else (len(waiting) + 1) // 2)), POLL)
                results = _take_finished(waiting)
                is_paused = is_paused and not results
                yield results
            elif is_over:
                return


def _take_finished(waiting: deque[Future[T]]) -> list[T]:
    """Take the results that are next in order, up to a job that failed. Raises its error if it is the first."""
    results: list[T] = []
    while waiting and waiting[0].done() and not (results and waiting[0].exception()):
        results.append(waiting.popleft().result())
    return results


def _in_this_thread(jobs: Iterable[Job[T] | None], cancelled: Stop) -> Iterator[list[T]]:
    for job in jobs:
        if cancelled():
            return
        if job is not None:
            yield [job(cancelled)]


def _never() -> bool:
    return False


# processes

_flags: list[_Flag] = []  # of a process that works for another


def _begin_process(flag: _Flag) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C and sets the flag
    _flags.append(flag)


def _work_in_process(job: Job[T]) -> T:
    return job(_flags[0].is_set)


@contextmanager
def _delayed_ctrl_c() -> Iterator[None]:
    """Delay Ctrl-C while processes start, so that it neither ends them half-way, with a traceback, nor is lost."""
    signals: list[int] = []
    blocks = hasattr(signal, "pthread_sigmask")  # not on Windows, where a new process inherits no mask
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if blocks else set()  # which they inherit
    # Another thread may take the signal all the same; then Python would interrupt the main thread in here.
    listens = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is not None
    handler = signal.signal(signal.SIGINT, lambda number, _: signals.append(number)) if listens else None
    try:
        yield
    finally:
        if listens:
            signal.signal(signal.SIGINT, handler)
        if blocks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if signals:
            signal.raise_signal(signal.SIGINT)
