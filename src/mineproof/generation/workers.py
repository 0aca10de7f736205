"""Parallel tasks with results in order; Ctrl-C and a closed iterator stop running tasks.

A task is a picklable callable that takes a budget. Threads suffice if only the kernel works, which releases the GIL;
work in Python needs processes.

Tasks may arrive slowly, from a pipe: None means that there is no task right now, and a result is yielded instead of
waiting for the next task.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeVar

from mineproof.base import threads as runtime
from mineproof.base.budget import Budget
from mineproof.errors import BudgetExceeded

TASKS_AHEAD = 4  # tasks per worker that may be ahead of the next result
POLL_SECONDS = 0.05  # between two checks whether to stop

T = TypeVar("T")
Task = Callable[[Budget], T]


def in_order(
    tasks: Iterable[Task[T] | None], threads: int, budget: Budget, *, processes: bool
) -> Generator[T, None, None]:
    """Yield the result of each task, in the order of the tasks. Raises BudgetExceeded if a task exceeds its budget."""
    if not runtime.HAS_THREADS:
        yield from (task(budget) for task in tasks if task is not None)
        return
    limits = replace(budget, cancelled=None)  # workers check their own flag; the caller's is checked here
    waiting: deque[Future[T | _Refusal]] = deque()
    with _workers(threads, processes) as submit:
        for task in tasks:
            if task is not None:
                waiting.append(submit(_Assigned(task, limits)))
            if len(waiting) > (threads * TASKS_AHEAD if task is not None else 0):
                yield _result(waiting.popleft(), budget)
        while waiting:
            yield _result(waiting.popleft(), budget)


@dataclass(frozen=True)
class _Assigned(Generic[T]):
    task: Task[T]
    budget: Budget


class _Flag(Protocol):
    """An event, of threads or of processes."""

    def is_set(self) -> bool: ...
    def set(self) -> None: ...


class _Refusal(NamedTuple):
    """A BudgetExceeded from another process, as data."""

    message: str
    limit: str
    seconds: float
    states: int


@contextmanager
def _workers(count: int, processes: bool) -> Iterator[Callable[[_Assigned[T]], Future[T | _Refusal]]]:
    """Yield a function that submits work; at the end, stop running tasks and drop waiting ones."""
    pool: Executor
    stop: _Flag
    work: Callable[[_Assigned[T]], T | _Refusal]
    if processes:
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        pool = ProcessPoolExecutor(count, context, _begin_process, (stop,))
        work = _work_in_process
    else:
        stop = threading.Event()
        pool = ThreadPoolExecutor(count)
        work = partial(_work, stop)

    def submit(assigned: _Assigned[T]) -> Future[T | _Refusal]:
        with _delayed_ctrl_c():
            return pool.submit(work, assigned)

    try:
        yield submit
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _work(stop: _Flag, assigned: _Assigned[T]) -> T | _Refusal:
    try:
        return assigned.task(replace(assigned.budget, cancelled=stop.is_set))
    except BudgetExceeded as error:
        return _Refusal(str(error), error.limit, error.seconds, error.states)


_flags: list[_Flag] = []  # of a process that works for another


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


def _begin_process(stop: _Flag) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C and sets the flag
    _flags.append(stop)


def _work_in_process(assigned: _Assigned[T]) -> T | _Refusal:
    return _work(_flags[0], assigned)


def _result(future: Future[T | _Refusal], budget: Budget) -> T:
    while not future.done():
        wait([future], POLL_SECONDS)
        budget.raise_if_cancelled()
    result = future.result()
    if isinstance(result, _Refusal):
        raise BudgetExceeded(result.message, limit=result.limit, seconds=result.seconds, states=result.states)
    return result
