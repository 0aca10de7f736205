"""Answers to requests without HTTP: for a page that runs in the same program as Python, such as the static site.

`LocalServer` has the routes of the server and the same checks, and keeps its games and history in a folder. It needs
neither threads nor sockets. Work that takes long can be handed on to another `LocalServer`, which has no games: the
answer is then one event ``elsewhere``, with the request to send there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.game.rules import MoveKind
from mineproof.web import requests
from mineproof.web.app import Service, make_app
from mineproof.web.best_move_events import Thinking
from mineproof.web.errors import Refused
from mineproof.web.events import LISTENER
from mineproof.web.guard import Guard
from mineproof.web.routes import API, EVENTS

HOST = b"localhost"
_encode = msgspec.json.Encoder().encode
_NEW_GAME = msgspec.json.Decoder(requests.NewGameRequest)


class Response(NamedTuple):
    """An answer: its status, its headers in lower case, and its content, which is empty if a listener had it."""

    status: int
    headers: dict[str, str]
    content: bytes


class LocalServer:
    """The routes of the server over a folder, for one page.

    >>> import tempfile
    >>> server = LocalServer(Path(tempfile.mkdtemp()))
    >>> asyncio.run(server.ask("GET", "/api/v1/games/none")).status
    404
    >>> server.close()
    True
    """

    def __init__(self, folder: Path, *, thinks_elsewhere: bool = False) -> None:
        """``thinks_elsewhere``: hand thinking about a game on to another server."""
        folder.mkdir(parents=True, exist_ok=True)
        self._service = Service(folder, thinking=_ThinkingElsewhere() if thinks_elsewhere else None)
        self._app = make_app(self._service, Guard(), {})

    async def start(self) -> None:
        """Put games into the history that ended when the program did."""
        await self._service.games.queue_finished()

    def close(self) -> bool:
        """Stop all work; return whether it has ended."""
        return self._service.close()

    async def take_over(self, game_id: str, options: bytes, moves: list[tuple[MoveKind, Cell]], ms: int) -> None:
        """Store a game that began without this server, under its id, unless it is there already.

        ``options`` is the body of its request, with the seed of its board, and ``ms`` the time on its clock.
        """
        games = self._service.games
        with suppress(Refused):
            await games.view(game_id)
            return
        await games.take_over(game_id, requests.read(options, _NEW_GAME), moves, ms)

    async def ask(
        self,
        method: str,
        path: str,
        query: str = "",
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        *,
        listen: Callable[[bytes], None] | None = None,
        left: asyncio.Event | None = None,
    ) -> Response:
        """Answer a request.

        ``listen`` gets each server-sent event as soon as there is one. Setting ``left`` says that the page no longer
        waits for the answer: work in progress stops when it asks.
        """
        pairs = {name.lower(): value for name, value in (headers or {}).items()}
        pairs |= {"host": HOST.decode(), "content-length": str(len(body))}
        scope: dict[str, Any] = {
            "type": "http", "method": method, "path": path, "query_string": quote(query, safe="=&%+,;:").encode(),
            "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs.items()],
            "client": None,
        }  # fmt: skip
        exchange = _Exchange(body, listen, left or asyncio.Event())
        context = copy_context()
        context.run(LISTENER.set, listen)
        answering = asyncio.get_running_loop().create_task(self._answer(scope, exchange), context=context)
        await answering
        return Response(exchange.status, exchange.headers, bytes(exchange.content))

    async def _answer(self, scope: dict[str, Any], exchange: _Exchange) -> None:
        await self._app(scope, exchange.receive, exchange.send)


class _Exchange:
    """One request and its answer, as ASGI has them."""

    def __init__(self, body: bytes, listen: Callable[[bytes], None] | None, left: asyncio.Event) -> None:
        self._body: bytes | None = body
        self._listen, self._left = listen, left
        self.status, self.content = 0, bytearray()
        self.headers: dict[str, str] = {}

    async def receive(self) -> dict[str, Any]:
        if self._body is None:
            await self._left.wait()
            return {"type": "http.disconnect"}
        body, self._body = self._body, None
        return {"type": "http.request", "body": body}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in message["headers"]}
        elif self._listen is not None and self.headers["content-type"] == EVENTS:
            if message["body"]:
                self._listen(message["body"])
        else:
            self.content += message["body"]


class _ThinkingElsewhere(Thinking):
    """Thinking that is handed on."""

    async def _event(self, board: Board, seconds: float) -> AsyncIterator[bytes]:
        text = _encode(board.as_json()).decode()
        request = {"method": "POST", "path": f"{API}/best/events", "body": {"board": text, "seconds": seconds}}
        yield b"event: elsewhere\ndata: " + _encode(request) + b"\n\n"

    def events(self, board: Board, seconds: float, budget: Budget, client: str) -> AsyncIterator[bytes]:
        del budget, client  # those of the other server
        return self._event(board, seconds)
