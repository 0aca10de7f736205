"""Simulations as server-sent events: ``progress`` a few times a second, then ``done``, or ``error``.

Each runs in one thread of a lane of its own. A client that leaves stops it; what was finished until then is in the last
event that arrived, and ``first_game`` goes on from there. Two strategies take turns on the same games, so that after
each event both have played the same ones.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from functools import partial

import msgspec

from mineproof.simulation.comparison import comparison_json
from mineproof.simulation.results import Simulation
from mineproof.simulation.running import simulate
from mineproof.simulation.side_by_side import simulate_both
from mineproof.web import asked
from mineproof.web.answers import Document, size_of
from mineproof.web.failure import failure
from mineproof.web.limits import SIMULATION_SECONDS, SIMULATIONS
from mineproof.web.pool import Cancelled, Lane

EVERY = 0.2  # seconds between two events

_encode = msgspec.json.Encoder().encode


class Simulations:
    """Runs what is asked for, a few at a time."""

    def __init__(self) -> None:
        self.lane = Lane("simulations", SIMULATIONS, 0)

    def events(self, wanted: asked.Simulate) -> AsyncIterator[bytes]:
        """The events of one simulation; what is wrong with the question is raised here, before any event."""
        size = size_of(wanted, "expert")
        self.lane.require_room()
        return self._run(wanted, (size.rows, size.columns, size.mines))

    async def _run(self, wanted: asked.Simulate, size: tuple[int, int, int]) -> AsyncIterator[bytes]:
        loop, waiting = asyncio.get_running_loop(), asyncio.Queue[Document]()
        seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
        end, told = time.monotonic() + SIMULATION_SECONDS, 0.0

        def tell(*found: Simulation) -> None:
            nonlocal told
            if time.monotonic() - told >= EVERY:
                told = time.monotonic()
                loop.call_soon_threadsafe(waiting.put_nowait, _told(*found))

        def work(cancelled: Cancelled) -> Document:
            def stop() -> bool:
                return cancelled() or time.monotonic() > end

            play = partial(
                simulate, *size, first_click=wanted.first_click, start=wanted.start, seed=seed,
                topology=wanted.topology, threads=1,
            )  # fmt: skip
            names, games, first = (wanted.strategy, wanted.against), wanted.games, wanted.first_game
            if names[1] is not None:
                both = (names[0], names[1])
                return _told(*simulate_both(play, both, games, first_game=first, progress=tell, cancelled=stop))
            return _told(play(games=games, strategy=names[0], first_game=first, progress=tell, cancelled=stop))

        task = asyncio.ensure_future(self.lane.run_until_cancelled(work))
        try:
            while not task.done():
                asking = asyncio.ensure_future(waiting.get())
                await asyncio.wait({task, asking}, return_when=asyncio.FIRST_COMPLETED)
                if asking.done():
                    yield _event("progress", asking.result())
                else:
                    asking.cancel()
            try:
                yield _event("done", task.result())
            except Exception as error:
                yield _event("error", failure(error).document)
        finally:
            task.cancel()


def _told(found: Simulation, other: Simulation | None = None) -> Document:
    return found.as_json() if other is None else comparison_json(found, other)


def _event(name: str, document: Document) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + _encode(document) + b"\n\n"
