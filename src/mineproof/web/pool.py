"""Lanes: bounded groups of threads beside the event loop, shared fairly by the clients.

Each lane has its own threads, so that moves in a game do not wait for long analyses. Where there are
no threads, the event loop does the work. Each client has a share of a lane:
a maximum of requests in progress, and a maximum of waiting ones. Further requests are refused with ``too-many``.
Clients take turns: a free thread takes the oldest request of the client whose last turn was longest ago. If the queue
is full, a client with fewer waiting requests displaces the newest request of the client with the most.

A client that leaves cancels its work. Work gets a function that says whether it is cancelled, which the engine calls
about twenty times a second (`Budget.cancelled`). Cancelled work that has not started is dropped.

Watching a client takes a task of the event loop, so it starts after `PATIENCE`. Most requests are answered by then.

Call `Lane.close` from any thread, and everything else from the event loop. Only `_work` runs in a thread, so nothing
here needs a lock.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
from typing import Any, Generic, NamedTuple, TypeVar

from mineproof.base import threads as runtime
from mineproof.base.budget import budget_error
from mineproof.web import limits
from mineproof.web.errors import ENDS, Refused
from mineproof.web.slots import Cancelled as Cancelled
from mineproof.web.slots import Slots

T = TypeVar("T")
Receive = Callable[[], Awaitable[Any]]

PATIENCE = 0.1  # seconds
SERVER = ""  # the client of work without a request; it has no limit

# The client of the request that the current task answers: a variable of the task, so it need not be a parameter
# everywhere.
CLIENT: ContextVar[str] = ContextVar("CLIENT", default=SERVER)


class Gone(Exception):
    """The client has disconnected."""


class Share(NamedTuple):
    """The most requests of one client in a lane."""

    running: int
    waiting: int


class _LaneTask(Generic[T]):
    """One piece of work."""

    def __init__(self, work: Callable[[Cancelled], T], client: str) -> None:
        self.work, self.client = work, client
        self.loop = asyncio.get_running_loop()
        self.context = copy_context()  # the language and the cell labels of the request reach the thread
        self.future: asyncio.Future[T] = self.loop.create_future()
        self.cancelled = threading.Event()
        self.timer: asyncio.TimerHandle | None = None  # while it waits

    def fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)
            self.future.exception()  # marks it as seen: the client may have left

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


class Lane:
    """Threads for one kind of work."""

    def __init__(
        self,
        name: str,
        workers: int,
        waiting: int,
        *,
        share: Share | None = None,
        niceness: int = 0,
        slots: Slots | None = None,
    ) -> None:
        """``niceness`` lowers the priority of the threads where the system can (Linux); 0 to 19.

        With ``slots``, threads that work take turns with those of other lanes.
        """
        self.name, self._workers, self._most = name, workers, workers + waiting
        self._share, self._slots = share or Share(workers, waiting), slots
        self._threads = (
            ThreadPoolExecutor(
                workers, thread_name_prefix=f"mineproof-{name}", initializer=_lower_priority, initargs=(niceness,)
            )
            if runtime.HAS_THREADS
            else None
        )
        self._queues: dict[str, deque[_LaneTask[Any]]] = {}  # by client; the first one's turn is next
        self._running: set[_LaneTask[Any]] = set()
        self._running_of: Counter[str] = Counter()  # by client
        self._places: Counter[str] = Counter()  # by client, of `place_of`
        self.is_over = False

    @property
    def load(self) -> int:
        """How many requests are in progress or waiting."""
        return len(self._running) + sum(map(len, self._queues.values()))

    @contextlib.contextmanager
    def place_of(self, client: str, most: int) -> Iterator[None]:
        """Reserve a place for a client; Refused if it has that many already."""
        if self._places[client] >= most:
            raise _too_many(most)
        self._places[client] += 1
        try:
            yield
        finally:
            self._places[client] -= 1
            if not self._places[client]:
                del self._places[client]

    def require_room(self) -> None:
        """Raise Refused if the lane, or the share of the client, is full."""
        self._find_room(CLIENT.get())

    def _find_room(self, client: str) -> _LaneTask[Any] | None:
        """Return the waiting request that must go for another one of this client; None if there is a free place."""
        if self.is_over:
            raise Refused("busy", ENDS)
        waiting = len(self._queues.get(client, ()))
        if client != SERVER and self._running_of[client] + waiting >= sum(self._share):
            raise _too_many(sum(self._share))
        if self.load < self._most:
            return None
        longest = max(self._queues.values(), key=len, default=deque())
        if len(longest) <= waiting + 1:
            raise Refused("busy", f"Server busy: {self.load} requests in progress. Try again in a moment.")
        return longest[-1]

    async def run(self, work: Callable[[Cancelled], T], receive: Receive | None = None) -> T:
        """Return what the work returns; Refused if there is no room, Gone if the client leaves before.

        ``receive`` reports whether the client left; without it, work that has started is finished in any case.
        """
        task = self._submit(work)
        try:
            if receive is None:
                return await task.future
            await asyncio.wait((task.future,), timeout=PATIENCE)
            if not task.future.done():
                await _watch(task.future, receive)
            return task.future.result()
        finally:
            if receive is not None:
                self._withdraw(task)
            del task  # breaks a reference cycle: the future holds an error, and the error this frame

    async def run_until_cancelled(self, work: Callable[[Cancelled], T]) -> T:
        """Return what the work returns; cancelling the task that waits cancels the work."""
        task = self._submit(work)
        try:
            return await task.future
        finally:
            self._withdraw(task)
            del task

    def _submit(self, work: Callable[[Cancelled], T]) -> _LaneTask[T]:
        client = CLIENT.get()
        displaced = self._find_room(client)
        if displaced is not None:
            self._withdraw(displaced)
            displaced.fail(Refused("busy", "Server busy: other clients take their turn. Try again in a moment."))
        task = _LaneTask(work, client)
        self._queues.setdefault(client, deque()).append(task)
        task.timer = task.loop.call_later(limits.WAIT_SECONDS, self._give_up, task)
        self._start()
        return task

    def _start(self) -> None:
        """Start waiting requests while there are threads, one client after the other."""
        while len(self._running) < self._workers:
            client = next((name for name in self._queues if self._may_start(name)), None)
            if client is None:
                return
            queue = self._queues.pop(client)
            task = queue.popleft()
            if queue:
                self._queues[client] = queue  # at the end: others have their turn first
            task.stop_timer()
            self._running.add(task)
            self._running_of[client] += 1
            if self._threads is None:  # in turn with whatever else the event loop has to do
                task.loop.call_soon(self._work, task)
            else:
                self._threads.submit(self._work, task)

    def _may_start(self, client: str) -> bool:
        return client == SERVER or self._running_of[client] < self._share.running

    def _give_up(self, task: _LaneTask[Any]) -> None:
        self._withdraw(task)
        task.fail(Refused("busy", f"Server busy: waited {limits.WAIT_SECONDS:g} s. Try again in a moment."))

    def _withdraw(self, task: _LaneTask[Any]) -> None:
        """Cancel a task: one that runs stops when it asks, one that waits is not started."""
        task.cancelled.set()
        queue = self._queues.get(task.client)
        if queue is not None and task in queue:
            task.stop_timer()
            queue.remove(task)
            if not queue:
                del self._queues[task.client]

    def _work(self, task: _LaneTask[Any]) -> None:
        """In a thread if there are any: do the work, and hand the result to the event loop."""
        result, error = task.context.run(_attempt, task.work, task.cancelled, self._slots)
        with contextlib.suppress(RuntimeError):  # the event loop has ended before
            task.loop.call_soon_threadsafe(self._finish, task, result, error)

    def _finish(self, task: _LaneTask[Any], result: object, error: BaseException | None) -> None:
        self._running.discard(task)
        self._running_of[task.client] -= 1
        if not self._running_of[task.client]:
            del self._running_of[task.client]
        if error is not None:
            task.fail(error)
        elif not task.future.done():  # else the request was cancelled
            task.future.set_result(result)
        self._start()

    def cancel(self) -> None:
        """Take nothing more, refuse what waits, and stop what runs as soon as it asks."""
        self.is_over = True
        for task in [task for queue in self._queues.values() for task in queue]:
            self._withdraw(task)
            with contextlib.suppress(RuntimeError):  # the event loop has ended before
                task.fail(Refused("busy", ENDS))
        for task in list(self._running):
            task.cancelled.set()

    def close(self, end: float) -> bool:
        """Cancel, and wait until a moment of the monotonic clock; return whether all threads have ended by then."""
        self.cancel()
        if self._threads is None:
            return True
        self._threads.shutdown(wait=False, cancel_futures=True)
        threads = list(self._threads._threads)
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)


def _attempt(
    work: Callable[[Cancelled], T], cancelled: threading.Event, slots: Slots | None
) -> tuple[T | None, BaseException | None]:
    """Return what the work returns, or what it raises: whatever it is, the request gets it.

    The error holds this frame, and with it all that the work has made. So nothing here may hold the error: memory is
    freed when the request has ended, not when Python looks for reference cycles.
    """
    try:
        if cancelled.is_set():
            raise budget_error("cancelled", 0.0, 0, None)
        if slots is not None:
            return slots.run(work, cancelled.is_set), None
        return work(cancelled.is_set), None
    except BaseException as error:
        return None, error


def _too_many(most: int) -> Refused:
    return Refused("too-many", f"Too many requests: this client has {most} in progress. Wait for one to finish.")


def _lower_priority(niceness: int) -> None:
    """Let the event loop and the moves go first: on Linux, each thread has a priority of its own."""
    if niceness and sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + niceness)


async def _watch(future: asyncio.Future[Any], receive: Receive) -> None:
    """Return when the future is done; raise Gone if the client leaves before."""
    leaving = asyncio.ensure_future(_wait_for_disconnect(receive))
    both: set[asyncio.Future[Any]] = {future, leaving}
    try:
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        if not future.done():
            raise Gone
    finally:
        leaving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await leaving


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Turns:
    """Let one caller proceed per round of the event loop, so that a burst of answers does not delay moves.

    Sixteen answers of 0.4 ms each in one round would delay a move by 6.4 ms at each of its steps through the loop.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Return when it is the caller's turn: at once, if no other caller had one in this round."""
        loop = asyncio.get_running_loop()
        if not self._taken:
            self._taken = True
            loop.call_soon(self._next)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _next(self) -> None:
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # cancelled, where the server ends
                turn.set_result(None)
                asyncio.get_running_loop().call_soon(self._next)
                return
        self._taken = False
