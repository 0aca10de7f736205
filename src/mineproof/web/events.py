"""Long work as server-sent events: ``progress``, then ``done`` with the result, or ``error``.

The work runs in a thread of a lane. It stops when the client disconnects, and the server stores nothing: the client has
the last event it received.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar

import msgspec

from mineproof.base import threads as runtime
from mineproof.web.errors import failure
from mineproof.web.pool import Cancelled, Lane

Tell = Callable[[bytes], None]

# Without threads the event loop is busy until the work is done, so this function of the client gets progress at once.
LISTENER: ContextVar[Tell | None] = ContextVar("LISTENER", default=None)

_encode = msgspec.json.Encoder().encode


async def stream(
    lane: Lane, work: Callable[[Cancelled, Tell], bytes], place: AbstractContextManager[None] | None = None
) -> AsyncIterator[bytes]:
    """Yield the events of work that reports progress, returns a document, and holds ``place``."""
    loop, waiting = asyncio.get_running_loop(), asyncio.Queue[bytes](1)
    listener = None if runtime.HAS_THREADS else LISTENER.get()

    def put(document: bytes) -> None:
        if waiting.full():  # a client that does not read gets the last one
            waiting.get_nowait()
        waiting.put_nowait(document)

    def tell(document: bytes) -> None:
        if listener is not None:
            listener(_event("progress", document))
            return
        loop.call_soon_threadsafe(put, document)

    async def run() -> bytes:
        with place or nullcontext():
            return await lane.run_until_cancelled(lambda cancelled: work(cancelled, tell))

    task = asyncio.ensure_future(run())
    asking: asyncio.Future[bytes] | None = None
    try:
        while not task.done():
            asking = asyncio.ensure_future(waiting.get())
            await asyncio.wait({task, asking}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                yield _event("progress", asking.result())
        try:
            yield _event("done", task.result())
        except Exception as error:
            yield _event("error", _encode(failure(error).document))
    finally:  # also where the client has left
        task.cancel()
        if asking is not None:
            asking.cancel()


def _event(name: str, document: bytes) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + document + b"\n\n"
