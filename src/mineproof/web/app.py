"""The ASGI application: it checks a request, parses it, calls the handler of its route, and sends the response.

For a quick question, headers are parsed once, the body is parsed into its class, a thread returns bytes, and two
messages are sent. Nothing is imported on the way.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from mineproof.base.cached import cached_property
from mineproof.base.words import listing
from mineproof.errors import HistoryError
from mineproof.history.connection import Place
from mineproof.history.postgresql import Address
from mineproof.history.store import FILE as HISTORY
from mineproof.history.store import HistoryStore
from mineproof.web import limits, openapi, pages, requests
from mineproof.web.best_move_events import Thinking
from mineproof.web.errors import AGAIN, ENDS, LOOK, Refused, failure
from mineproof.web.games import LiveGames
from mineproof.web.guard import HEADERS, Guard, Headers, may_be_proxy
from mineproof.web.paths import Paths
from mineproof.web.players import PLAYER, Mode, Players
from mineproof.web.pool import CLIENT, Gone, Lane, Share, Turns
from mineproof.web.questions import Questions
from mineproof.web.ready_puzzles import ReadyPuzzles
from mineproof.web.routes import API, EVENTS, JSON, ROUTES, Call, Reply, Route
from mineproof.web.simulations import Simulations
from mineproof.web.slots import Slots
from mineproof.web.store import FILE, GameStore
from mineproof.web.variant_games import VariantGames
from mineproof.wording.catalogue import best_language, use_language
from mineproof.wording.cells import CellLabels, use_cell_labels

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_log = logging.getLogger("mineproof.web")
_encode = msgspec.json.Encoder().encode
_JSON_ALONE = (JSON.encode(),)
LONGEST_CLIENT = 64  # characters; an address has at most 45
CELL_LABELS: dict[bytes, CellLabels] = {b"ruler": "ruler", b"chips": "chips"}
LONGEST_LANGUAGES = 500  # bytes that are read of an Accept-Language header
METHODS = sorted({route.method for route in ROUTES})
_ALWAYS = [(b"cache-control", b"no-store"), *HEADERS]


class Service:
    """The objects that handlers use: the lanes, the games, the OpenAPI document."""

    def __init__(
        self,
        place: Path | Address,
        *,
        workers: int = 1,
        started: float | None = None,
        proxied: bool = False,
        players: Mode = "one",
        thinking: Thinking | None = None,
    ) -> None:
        """``place`` is a folder or a PostgreSQL database, shared by ``workers``; the first started at ``started``.

        ``proxied``: X-Forwarded-For has the client, if it comes from this machine or a private address.
        ``players``: whether one player owns all games, or each player key owns its own.
        ``thinking``: what thinks about guesses, if it is not this server.
        """
        self.players = Players(players, is_proxied=proxied)
        self.is_proxied = proxied
        slots = Slots(limits.SLOTS)
        self.questions = Questions(slots)
        self.moves = Lane("moves", limits.PLAYERS, limits.PLAYERS_WAITING, share=Share(*limits.PLAYERS_PER_CLIENT))
        self.boards = Lane(
            "boards", limits.BOARDS, limits.BOARDS_WAITING, niceness=limits.LIGHT_NICENESS,
            share=Share(limits.BOARDS_RUNNING, limits.BOARDS_PER_CLIENT - limits.BOARDS_RUNNING),
        )  # fmt: skip
        self.pictures = Lane(
            "pictures", limits.PICTURES, limits.PICTURES_WAITING, niceness=limits.LONG_NICENESS, slots=slots,
            share=Share(limits.PICTURES_RUNNING, limits.PICTURES_PER_CLIENT - limits.PICTURES_RUNNING),
        )  # fmt: skip
        self.bodies = Lane(
            "bodies", limits.BODIES, limits.BODIES_WAITING, niceness=limits.LIGHT_NICENESS,
            share=Share(*limits.BODIES_PER_CLIENT),
        )  # fmt: skip
        self.simulations = Simulations(slots)
        self.thinking = thinking or Thinking()
        self.ready = ReadyPuzzles()
        self.turns = Turns()
        self._store = GameStore(place / FILE if isinstance(place, Path) else place, workers=workers)
        self._history: Place = place / HISTORY if isinstance(place, Path) else _past(place)
        lanes = (self.moves, self.boards, self.questions)
        first_start = started if isinstance(place, Path) else None  # PostgreSQL itself knows about other servers
        self.games = LiveGames(self._store, self._history, *lanes, self.thinking, started=first_start)
        self.variant_games = VariantGames(self._store, *lanes)

    @cached_property
    def document(self) -> bytes:
        """The OpenAPI document, which few clients request: making it would take a third of a start."""
        return _encode(openapi.document(ROUTES))

    @property
    def _lanes(self) -> tuple[Lane, ...]:
        questions = self.questions
        background = self.simulations.lane, self.thinking.lane, self.pictures, questions.long, questions.light
        return *background, self.bodies, self.boards, self.moves

    def client(self, scope: Scope) -> str:
        """Return the client address; behind a proxy, the last one in X-Forwarded-For (clients can forge the others)."""
        peer = str((scope.get("client") or ("",))[0])
        if self.is_proxied and (chain := scope["mineproof.headers"].get(b"x-forwarded-for")) and may_be_proxy(peer):
            return bytes(chain).rpartition(b",")[2].strip().decode("latin-1")[:LONGEST_CLIENT]
        return peer

    def cancel(self) -> None:
        """Accept no more work, and cancel work in progress; waiting requests get an error."""
        for lane in self._lanes:
            lane.cancel()

    def close(self, seconds: float = limits.END_SECONDS) -> bool:
        """Cancel work in progress, and return whether all of it ended in time; then inform the other servers.

        Moves with a response are already on disk.
        """
        end = time.monotonic() + seconds
        ended = [lane.close(end) for lane in self._lanes]
        saying = threading.Thread(target=self.games.end, daemon=True)  # to a database that may not answer
        saying.start()
        saying.join(seconds)
        self._store.close()
        if isinstance(self._history, HistoryStore):
            self._history.close()
        return all(ended)


def _past(address: Address) -> HistoryStore:
    """Open the history in PostgreSQL; HistoryError if it cannot be used."""
    store = HistoryStore(address)
    store.check()
    return store


def make_app(service: Service, guard: Guard, page: Mapping[str, pages.Page] | None = None) -> Application:
    """Return the application; the caller closes the service. ``page`` has the files of the page, by default all."""
    paths: dict[str, dict[str, Application]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _endpoint(service, route)
    for path, file in (pages.pages() if page is None else page).items():
        paths[path] = {"GET": _page_route(file, service.players if path == "/" else None)}
    # Most requests name one of the paths without an id: look them up directly.
    at_once = {
        (method, path): handle
        for path, methods in paths.items()
        if "{" not in path
        for method, handle in methods.items()
    }

    table = Paths({path: _Methods(methods) for path, methods in paths.items()})

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # there are no WebSockets
            await _run_lifespan(service, receive, send)
            return
        try:
            scope["mineproof.headers"] = headers = dict(scope["headers"])
            more = guard.check(headers, scope["path"], scope["headers"])
            if more:
                send = _with_headers(send, more)
            CLIENT.set(service.client(scope))
            PLAYER.set(service.players.sender(headers))
            if scope["method"] == "OPTIONS" and b"access-control-request-method" in headers and len(more) > 1:
                await _send(send, 204, Reply(b""), guard.preflight(headers, METHODS))
                return
            with use_language(_language(headers)), use_cell_labels(_cell_labels(headers)):
                handle = at_once.get((scope["method"], scope["path"]))
                scope["path_params"] = {}
                if handle is None:
                    match = table.find(scope["path"])
                    if match is None:
                        raise Refused("not-found", "There is no such path. /api/v1/openapi.json lists all of them.")
                    handle, scope["path_params"] = match
                await handle(scope, receive, send)
        except Gone:
            pass  # the client has disconnected
        except asyncio.CancelledError:  # the server ends, and what this waits for has not
            response = failure(Refused("busy", ENDS + (LOOK if _changes_a_game(scope) else AGAIN)))
            await _send(send, response.status, Reply(_encode(response.document)), response.headers)
        except Exception as error:
            response = failure(error, changes=_changes_a_game(scope))
            if isinstance(error, HistoryError):
                _log.warning("%s", error)
            if response.status == 500:
                _log.error("%s %s", scope["method"], scope["path"], exc_info=error)
            await _send(send, response.status, Reply(_encode(response.document)), response.headers)

    return app


async def _run_lifespan(service: Service, receive: Receive, send: Send) -> None:
    """Do the work in the background of a server, from its start to its end."""
    await receive()
    try:
        await service.games.queue_finished()
    except BaseException as error:
        await send({"type": "lifespan.startup.failed", "message": str(error)})
        raise
    background = [asyncio.ensure_future(work) for work in (service.games.queue_left_over(), service.games.run_on())]
    await send({"type": "lifespan.startup.complete"})
    await receive()
    service.ready.stop()
    for task in background:
        task.cancel()
    await send({"type": "lifespan.shutdown.complete"})


class _Methods:
    """The methods of one path."""

    def __init__(self, methods: dict[str, Application]) -> None:
        self._methods = methods | ({"HEAD": methods["GET"]} if "GET" in methods else {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle = self._methods.get(scope["method"])
        if handle is None:
            allow = ", ".join(self._methods)
            raise Refused("method", f"expected {allow} on this path, got {scope['method'][:20]}", allow=allow)
        await handle(scope, receive, send)


def _language(headers: Headers) -> str | None:
    """The language of the texts in an answer; without a header, that of the program."""
    accepted = headers.get(b"accept-language")
    return None if accepted is None else best_language(accepted[:LONGEST_LANGUAGES].decode("latin-1"))


def _cell_labels(headers: Headers) -> CellLabels:
    """How an answer names cells: by index for programs, by the ruler of the board or by chips for the page."""
    return CELL_LABELS.get(headers.get(b"mineproof-cell-labels", b""), "index")


def _changes_a_game(scope: Scope) -> bool:
    return scope["method"] == "POST" and str(scope["path"]).startswith(f"{API}/games/")


def _with_headers(send: Send, more: Sequence[tuple[bytes, bytes]]) -> Send:
    """Return a function that sends a response with additional headers."""

    async def send_with(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return send_with


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
            content = await _body(headers, receive, _JSON_ALONE, limits.MAX_BODY_BYTES)
            if len(content) <= limits.LARGE_BODY:
                question = requests.read(content, body)
            else:
                question = await service.bodies.run(lambda _: requests.read(content, body), receive)
        elif query is not None:
            question = _parse_query(scope["query_string"], query)
        picture = partial(_body, headers, receive, accepts, limits.MAX_PICTURE_BYTES)
        reply = await handle(service, Call(question, scope["path_params"], CLIENT.get(), receive, picture))
        if reply.events is None:
            await _send(send, status, reply)
        else:
            await _send_events(send, receive, reply.events)

    return endpoint


async def _body(headers: Headers, receive: Receive, kinds: tuple[bytes, ...], largest: int) -> bytes:
    """Return the body of a request after checking its media type and size."""
    media = headers.get(b"content-type", b"")
    if media not in kinds and media.partition(b";")[0].strip().lower() not in kinds:
        actual, expected = repr(media.decode("latin-1")[:80]), listing([kind.decode() for kind in kinds], "or")
        raise Refused("media-type", f"expected {expected} as Content-Type, got {actual}")
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise Refused("media-type", "expected an uncompressed body, got a compressed one")
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
    return Refused("too-large", f"expected a body of at most {largest:,} bytes, got more")


def _parse_query(text: bytes, kind: type[msgspec.Struct]) -> object:
    """Parse a query string."""
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, strict_parsing=bool(text), max_num_fields=20)
        if len(dict(pairs)) != len(pairs):
            raise ValueError("expected each name once, got one twice")
        return msgspec.convert(dict(pairs), kind, strict=False)
    except (ValueError, msgspec.ValidationError) as error:
        raise Refused("usage", f"Invalid query: {requests.explain(error, kind)}") from None


# sending


async def _send(send: Send, status: int, reply: Reply, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    content = reply.content
    own = {name for name, _ in reply.headers}
    headers = [
        (b"content-type", reply.media_type.encode()),
        (b"content-length", b"%d" % len(content)),
        *(header for header in _ALWAYS if header[0] not in own),
        *reply.headers,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def _page_route(page: pages.Page, players: Players | None) -> Application:
    """Return the route of a file of the page; with ``players`` it sets the cookie with the player key."""

    async def show(scope: Scope, _: Receive, send: Send) -> None:
        sent = scope["mineproof.headers"]
        status, headers, content = page.answer(sent, scope["query_string"])
        own = [] if players is None else players.page_headers(sent, str((scope.get("client") or ("",))[0]))
        if own:
            names = {name for name, _ in own}
            headers = [*(header for header in headers if header[0] not in names), *own]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content})

    return show


async def _send_events(send: Send, receive: Receive, events: AsyncIterator[bytes]) -> None:
    """Send events until they end or the client disconnects."""
    headers = [(b"content-type", EVENTS.encode()), *_ALWAYS]
    await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def forward() -> None:
        async for event in events:
            await send({"type": "http.response.body", "body": event, "more_body": True})

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    sending, leaving = asyncio.ensure_future(forward()), asyncio.ensure_future(wait_for_disconnect())
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
