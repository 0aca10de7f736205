"""Where the work is done: threads beside the event loop, so many and no more, with so many waiting and no more.

A lane has its own threads, so that players do not wait for questions. What is asked when a lane and its queue are full
is refused at once with ``busy``. A client that leaves has its work cancelled: the flag it is handed is asked by the
engine about twenty times a second (`Budget.cancelled`), and work that has not begun never does.

Whether the client is still there costs a task of the event loop, so it is asked only of what takes longer than
`PATIENCE`; most questions are answered by then.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from mineproof.base.budget import exceeded
from mineproof.web.failure import Refused

T = TypeVar("T")
Receive = Callable[[], Awaitable[Any]]
Cancelled = Callable[[], bool]

PATIENCE = 0.1  # seconds


class Gone(Exception):
    """The client has left: there is nobody to answer."""


class Lane:
    """Threads for one kind of work."""

    def __init__(self, name: str, workers: int, waiting: int) -> None:
        self.name, self._most = name, workers + waiting
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix=f"mineproof-{name}")
        self._flags: set[threading.Event] = set()  # one for each piece of work, under way or waiting
        self._clients: Counter[str] = Counter()  # places that are taken
        self.is_over = False

    @property
    def load(self) -> int:
        """How much is under way or waiting."""
        return len(self._flags)

    @contextlib.contextmanager
    def place_of(self, client: str, most: int) -> Iterator[None]:
        """A place for work of a client; Refused if it has so many already."""
        if self._clients[client] >= most:
            raise Refused("too-many", f"found {most} requests of this kind under way, expected fewer; try again")
        self._clients[client] += 1
        try:
            yield
        finally:
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    def require_room(self) -> None:
        """Refused if there is too much to do already."""
        if self.is_over or len(self._flags) >= self._most:
            raise Refused("busy", f"found {len(self._flags)} requests under way, expected room for another; try again")

    async def run(self, work: Callable[[Cancelled], T], receive: Receive | None = None) -> T:
        """What the work returns; Refused if there is too much of it, Gone if the client leaves before.

        ``receive`` tells of the client; without it, work that has begun is done in any case.
        """
        future, flag = self._submit(work)
        if receive is None:
            return await future
        await asyncio.wait((future,), timeout=PATIENCE)
        return future.result() if future.done() else await self._watched(future, flag, receive)

    async def run_until_cancelled(self, work: Callable[[Cancelled], T]) -> T:
        """The same for a task of the event loop: cancelling it cancels the work."""
        future, flag = self._submit(work)
        try:
            return await future
        finally:
            flag.set()

    def _submit(self, work: Callable[[Cancelled], T]) -> tuple[asyncio.Future[T], threading.Event]:
        self.require_room()
        flag, loop = threading.Event(), asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._flags.add(flag)
        self._threads.submit(self._work, work, flag, loop, future)
        return future, flag

    def _work(
        self,
        work: Callable[[Cancelled], T],
        flag: threading.Event,
        loop: asyncio.AbstractEventLoop,
        future: asyncio.Future[T],
    ) -> None:
        """In a thread: do the work and hand over what came of it, in one step of the event loop."""
        settle: Callable[[], None]
        try:
            if flag.is_set():
                raise exceeded("cancelled", 0.0, 0, None)
            result = work(flag.is_set)
            settle = lambda: future.set_result(result)  # noqa: E731
        except BaseException as error:  # whatever it is, it is told to whoever waits
            failed = error
            settle = lambda: _fail(future, failed)  # noqa: E731
        with contextlib.suppress(RuntimeError):  # the event loop has ended before
            loop.call_soon_threadsafe(self._finished, flag, future, settle)

    def _finished(self, flag: threading.Event, future: asyncio.Future[Any], settle: Callable[[], None]) -> None:
        self._flags.discard(flag)
        if not future.done():  # else whoever waited was cancelled
            settle()

    async def _watched(self, future: asyncio.Future[T], flag: threading.Event, receive: Receive) -> T:
        leaving = asyncio.ensure_future(_left(receive))
        both: set[asyncio.Future[Any]] = {future, leaving}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if future.done():
                return future.result()
            raise Gone
        finally:
            flag.set()  # also where the request itself was cancelled
            leaving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await leaving

    def cancel(self) -> None:
        """Take nothing more, and stop what is under way as soon as it asks."""
        self.is_over = True
        for flag in list(self._flags):
            flag.set()

    def close(self, end: float) -> bool:
        """The same, and wait until a moment of the monotonic clock; whether all threads have ended by then."""
        self.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)
        threads = list(self._threads._threads)
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in threads)


class Turns:
    """One at a time on the event loop, and whatever else is ready in between.

    Sixteen answers of 0.4 ms each, one after the other in one round of the event loop, would hold up a move for as long
    at every step that it takes through the loop.
    """

    def __init__(self) -> None:
        self._taken = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Return when it is one's turn: at once, if nobody has had one in this round."""
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


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    future.set_exception(error)
    future.exception()  # that of work whose client has left is nobody's business


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
