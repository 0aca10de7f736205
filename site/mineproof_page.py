"""What the worker of the static site calls: `LocalServer` with the types of JavaScript."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from pyodide.ffi import to_js

from mineproof.engine.default import default_engine
from mineproof.web.data_file import restore_data, save_data
from mineproof.web.local import LocalServer

default_engine()  # loads the kernel now: `python.js` makes a snapshot after these imports


class PageServer:
    """Answers the questions of a page."""

    def __init__(self, folder: Path, server: LocalServer) -> None:
        self._folder, self._server = folder, server

    def new_event(self) -> asyncio.Event:
        return asyncio.Event()

    async def ask(
        self, method: str, path: str, query: str, body: Any, headers: Any, listen: Any, left: asyncio.Event
    ) -> Any:
        """Return the status, the headers and the content of an answer."""
        response = await self._server.ask(
            method, path, query, body.to_bytes(), headers.to_py(), listen=lambda event: listen(to_js(event)), left=left
        )
        return to_js([response.status, response.headers, response.content], dict_converter=_as_object)

    async def take_over(self, game_id: str, options: str, moves: str, ms: float) -> None:
        """Store a game that has begun on the page, unless it is there already."""
        await self._server.take_over(game_id, options.encode(), json.loads(moves), int(ms))

    def save(self) -> Any:
        return to_js(save_data(self._folder))

    def restore(self, data: Any) -> Any:
        restore_data(self._folder, data.to_bytes())
        return to_js(b"")


def _as_object(entries: Any) -> Any:
    from js import Object

    return Object.fromEntries(entries)


async def start(folder: str, keeps_games: bool) -> PageServer:
    """Return a server over a folder; one that keeps games hands thinking on."""
    server = LocalServer(Path(folder), thinks_elsewhere=keeps_games)
    await server.start()
    return PageServer(Path(folder), server)
