"""The server as an ASGI application: a request is guarded, read, handed to the handler of its route, and answered.

The way of a question that is quick: headers are looked at once, the body is read into its class, a thread answers with
bytes, and two messages leave. Nothing is imported, and no class but that of the body is made on the way.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from starlette.routing import Route as Path_
from starlette.routing import Router

from mineproof.base.words import listing
from mineproof.errors import HistoryError
from mineproof.history.opening import Place
from mineproof.history.postgresql import Address
from mineproof.history.store import FILE as HISTORY
from mineproof.history.store import Store as PastStore
from mineproof.web import asked, limits, openapi, pages
from mineproof.web.failure import AGAIN, ENDS, LOOK, Refused, failure
from mineproof.web.games import Games
from mineproof.web.guard import HEADERS, Guard, Headers, may_be_proxy
from mineproof.web.pool import Gone, Lane, Turns
from mineproof.web.simulations import Simulations
from mineproof.web.store import FILE, Store
from mineproof.web.table import API, EVENTS, JSON, ROUTES, Call, Reply, Route
from mineproof.web.thinking import Thinking

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("mineproof.web")
_encode = msgspec.json.Encoder().encode
_JSON_ALONE = (JSON.encode(),)
LONGEST_CLIENT = 64  # characters; an address has at most 45
SAYING = 0.5  # seconds to tell other servers that this one ends
_ALWAYS = [(b"cache-control", b"no-store"), *HEADERS]


class Service:
    """What handlers ask: the lanes, the games, the document."""

    def __init__(
        self, place: Path | Address, *, workers: int = 1, started: float | None = None, proxied: bool = False
    ) -> None:
        """``place`` is a folder or a PostgreSQL; so many workers share it, the first of which started then.

        ``proxied``: X-Forwarded-For tells who asks, where it comes from this machine or a private address.
        """
        self._is_proxied = proxied
        self.questions = Lane("questions", limits.WORKERS, limits.WAITING)
        self.moves = Lane("moves", limits.PLAYERS, limits.PLAYERS_WAITING)
        self.boards = Lane("boards", limits.BOARDS, limits.BOARDS_WAITING)
        self.pictures = Lane("pictures", limits.PICTURES, limits.PICTURES_WAITING)
        self.simulations = Simulations()
        self.thinking = Thinking()
        self.turns = Turns()
        self._store = Store(place / FILE if isinstance(place, Path) else place, workers=workers)
        self._history: Place = place / HISTORY if isinstance(place, Path) else _past(place)
        lanes = (self.moves, self.boards, self.questions)
        told = started if isinstance(place, Path) else None  # others may share a PostgreSQL: it tells
        self.games = Games(self._store, self._history, *lanes, self.thinking, started=told)
        self.document = _encode(openapi.document(ROUTES))

    @property
    def _lanes(self) -> tuple[Lane, ...]:
        return self.simulations.lane, self.thinking.lane, self.pictures, self.questions, self.boards, self.moves

    def client(self, scope: Scope) -> str:
        """Who asks; behind a proxy, whom the nearest one says: what stands before that, a client may have written."""
        peer = str((scope.get("client") or ("",))[0])
        if self._is_proxied and (told := scope["mineproof.headers"].get(b"x-forwarded-for")) and may_be_proxy(peer):
            return bytes(told).rpartition(b",")[2].strip().decode("latin-1")[:LONGEST_CLIENT]
        return peer

    def cancel(self) -> None:
        """Take nothing more on, and stop what is under way: those who wait are told so."""
        for lane in self._lanes:
            lane.cancel()

    def close(self) -> bool:
        """End what is under way, and say whether all of it has ended; moves that are answered are on disk already."""
        end = time.monotonic() + limits.END_SECONDS
        ended = [lane.close(end) for lane in self._lanes]
        saying = threading.Thread(target=self.games.end, daemon=True)  # to a database that may not answer
        saying.start()
        saying.join(SAYING)
        self._store.close()
        if isinstance(self._history, PastStore):
            self._history.close()
        return all(ended)


def _past(address: Address) -> PastStore:
    """The history in PostgreSQL, which stays open; HistoryError if it cannot be used."""
    store = PastStore(address)
    store.check()
    return store


def make_app(service: Service, guard: Guard) -> Application:
    """The application; closing the service is its owner's business."""
    paths: dict[str, dict[str, Application]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _endpoint(service, route)
    for path, page in pages.pages().items():
        paths[path] = {"GET": _shown(page)}
    # Most requests name one of the paths without an id: they are found at once.
    at_once = {
        (method, path): handle
        for path, methods in paths.items()
        if "{" not in path
        for method, handle in methods.items()
    }

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        await service.games.keep_finished()
        later = [asyncio.ensure_future(each) for each in (service.games.keep_left_over(), service.games.run_on())]
        yield
        for each in later:
            each.cancel()

    table = [Path_(path, endpoint=_Methods(methods)) for path, methods in paths.items()]
    router = Router(table, redirect_slashes=False, default=_nowhere, lifespan=lifespan)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # the lifespan; there are no WebSockets
            await router(scope, receive, send)
            return
        try:
            scope["mineproof.headers"] = headers = dict(scope["headers"])
            hosts = len(scope["headers"]) - len(headers) and sum(name == b"host" for name, _ in scope["headers"])
            guard.check(headers, scope["path"], hosts)
            handle = at_once.get((scope["method"], scope["path"]))
            if handle is None:
                await router(scope, receive, send)
            else:
                scope["path_params"] = {}
                await handle(scope, receive, send)
        except Gone:
            pass  # nobody is there to be told
        except asyncio.CancelledError:  # the server ends, and what this waits for has not
            found = failure(Refused("busy", ENDS + (LOOK if _changes_a_game(scope) else AGAIN)))
            await _send(send, found.status, Reply(_encode(found.document)), found.headers)
        except Exception as error:
            found = failure(error, changes=_changes_a_game(scope))
            if isinstance(error, HistoryError):
                _log.warning("%s", error)
            if found.status == 500:
                _log.error("%s %s", scope["method"], scope["path"], exc_info=error)
            await _send(send, found.status, Reply(_encode(found.document)), found.headers)

    return app


class _Methods:
    """The methods of one path."""

    def __init__(self, methods: dict[str, Application]) -> None:
        self._methods = methods | ({"HEAD": methods["GET"]} if "GET" in methods else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle = self._methods.get(scope["method"])
        if handle is None:
            allow = ", ".join(self._methods)
            raise Refused("method", f"found {scope['method'][:20]} on this path, expected {allow}", allow=allow)
        await handle(scope, receive, send)


def _changes_a_game(scope: Scope) -> bool:
    return scope["method"] == "POST" and str(scope["path"]).startswith(f"{API}/games/")


async def _nowhere(scope: Scope, _receive: Receive, _send: Send) -> None:
    raise Refused("not-found", "found no such path; /api/v1/openapi.json lists those that there are")


# one route


def _endpoint(service: Service, route: Route) -> Application:
    body = None if route.body is None else msgspec.json.Decoder(route.body)
    query, handle, status = route.query, route.handle, route.status
    accepts = tuple(media.encode() for media in route.accepts)
    if query is not None:
        msgspec.json.Decoder(query)  # so that `convert` finds it made, before there are threads

    async def endpoint(scope: Scope, receive: Receive, send: Send) -> None:
        question: object = None
        headers: Headers = scope["mineproof.headers"]
        if body is not None:
            question = asked.read(await _body(headers, receive, _JSON_ALONE, limits.LARGEST_BODY), body)
        elif query is not None:
            question = _queried(scope["query_string"], query)
        content = partial(_body, headers, receive, accepts, limits.LARGEST_PICTURE)
        reply = await handle(service, Call(question, scope["path_params"], service.client(scope), receive, content))
        if reply.events is None:
            await _send(send, status, reply)
        else:
            await _send_events(send, receive, reply.events)

    return endpoint


async def _body(headers: Headers, receive: Receive, kinds: tuple[bytes, ...], largest: int) -> bytes:
    """The body of a request, once it is known to be of one of these media types, whole and not too large."""
    media = headers.get(b"content-type", b"")
    if media not in kinds and media.partition(b";")[0].strip().lower() not in kinds:
        found, expected = repr(media.decode("latin-1")[:80]), listing([kind.decode() for kind in kinds], "or")
        raise Refused("media-type", f"found {found} as the Content-Type, expected {expected}")
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise Refused("media-type", "found a compressed body, expected it as it is")
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:20]) > largest:
        raise _too_large(largest)
    message = await receive()  # what takes too long to arrive is given up in `mineproof.web.server`
    if not message.get("more_body"):
        return _part(message)
    parts = bytearray(_part(message))
    while message.get("more_body"):
        message = await receive()
        parts += _part(message)
        if len(parts) > largest:
            raise _too_large(largest)
    return bytes(parts)


def _part(message: Message) -> bytes:
    if message["type"] == "http.disconnect":
        raise Gone
    part: bytes = message.get("body", b"")
    return part


def _too_large(largest: int) -> Refused:
    return Refused("too-large", f"found a body of more than {largest:,} bytes, expected fewer")


def _queried(text: bytes, kind: type[msgspec.Struct]) -> object:
    """The part of an address after the question mark."""
    try:
        pairs = parse_qsl(text.decode("ascii"), strict_parsing=bool(text), max_num_fields=20)
        if len(dict(pairs)) != len(pairs):
            raise ValueError("found a name twice, expected it once")
        return msgspec.convert(dict(pairs), kind, strict=False)
    except (ValueError, msgspec.ValidationError) as error:
        raise Refused("usage", f"found a query that cannot be read: {error}") from None


# sending


async def _send(send: Send, status: int, reply: Reply, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    content = reply.content
    own = {name for name, _ in reply.headers}
    headers = [
        (b"content-type", reply.media_type.encode()),
        (b"content-length", b"%d" % len(content)),
        *(each for each in _ALWAYS if each[0] not in own),
        *reply.headers,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _shown(page: pages.Page) -> Application:
    """The route of a file of the page."""

    async def show(scope: Scope, _: Receive, send: Send) -> None:
        status, headers, content = page.answer(scope["mineproof.headers"])
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    return show


async def _send_events(send: Send, receive: Receive, events: AsyncIterator[bytes]) -> None:
    """Events as they come, until they end or the client leaves."""
    headers = [(b"content-type", EVENTS.encode()), *_ALWAYS]
    await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def forward() -> None:
        async for event in events:
            await send({"type": "http.response.body", "body": event, "more_body": True})

    async def left() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    sending, leaving = asyncio.ensure_future(forward()), asyncio.ensure_future(left())
    try:
        await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():
            raise Gone
        sending.result()
    finally:
        for task in (sending, leaving):
            task.cancel()
        await asyncio.gather(sending, leaving, return_exceptions=True)
    await send({"type": "http.response.body", "body": b""})
