"""Simulations as server-sent events: ``progress`` a few times a second, then ``done``, or ``error``.

Each runs in one thread of a lane of its own. What was finished when a client left is in the last event that arrived,
and ``resume`` continues from there. That is why events have the sums and a bit for each game, and come
more rarely the more games there are. Two strategies take turns on the same games, so that after each event both have
played the same ones.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, NamedTuple

import msgspec

from mineproof.protocol.names import is_bot
from mineproof.simulation.comparison import compare
from mineproof.simulation.results import Simulation
from mineproof.simulation.side_by_side import simulate_both
from mineproof.simulation.simulator import simulate
from mineproof.web import requests
from mineproof.web.answers import size_of
from mineproof.web.events import Tell, stream
from mineproof.web.limits import LONG_NICENESS, SIMULATION_SECONDS, SIMULATIONS, SIMULATIONS_PER_CLIENT
from mineproof.web.pool import Cancelled, Lane, Share
from mineproof.web.slots import Slots

EVERY = 0.2  # seconds between two events
FOR_EACH = 2e-6  # seconds more for each game: two for a million, whose event has 170,000 bytes

_encode = msgspec.json.Encoder().encode


class SimulationJob(NamedTuple):
    """A simulation to run: the request, `simulate` with its size, and the games to continue."""

    request: requests.SimulateRequest
    play: Callable[..., Simulation]
    done: list[Simulation]


class Simulations:
    """Runs simulations, a few at a time."""

    def __init__(self, slots: Slots | None = None) -> None:
        share = Share(SIMULATIONS_PER_CLIENT, 0)
        self.lane = Lane("simulations", SIMULATIONS, 0, share=share, niceness=LONG_NICENESS, slots=slots)

    def check(self, request: requests.SimulateRequest) -> SimulationJob:
        """Check a request, in a thread, so that errors are raised before any event."""
        strategies = [request.strategy] if request.against is None else [request.strategy, request.against]
        _refuse_bots(strategies)
        size = size_of(request, "expert")
        seed = secrets.randbits(32) if request.seed is None else request.seed
        done = _earlier(request)
        play = partial(
            simulate, size.rows, size.columns, size.mines, first_click=request.first_click, start=request.start,
            seed=seed, topology=request.topology, threads=1,
        )  # fmt: skip
        for number, strategy in enumerate(strategies):  # cancelled at once: this only checks the arguments
            play(
                games=request.games, first_game=request.first_game, strategy=strategy,
                resume=done[number] if done else None, cancelled=lambda: True,
            )  # fmt: skip
        return SimulationJob(request, play, done)

    def events(self, series: SimulationJob) -> AsyncIterator[bytes]:
        """Return the events of one simulation."""
        request, play, done = series
        end = time.monotonic() + SIMULATION_SECONDS

        def work(cancelled: Cancelled, send: Tell) -> bytes:
            reported_at = 0.0

            def progress(*simulations: Simulation) -> None:
                nonlocal reported_at
                if time.monotonic() - reported_at >= EVERY + FOR_EACH * simulations[0].games:
                    reported_at = time.monotonic()
                    send(_encode_result(*simulations))

            def stop() -> bool:
                return cancelled() or time.monotonic() > end

            one, other = request.strategy, request.against
            common: Any = {"first_game": request.first_game, "progress": progress, "cancelled": stop}
            if other is None:
                return _encode_result(
                    play(games=request.games, strategy=one, resume=done[0] if done else None, **common)
                )
            both = (done[0], done[1]) if done else None
            return _encode_result(*simulate_both(play, (one, other), request.games, resume=both, **common))

        return stream(self.lane, work)


def _refuse_bots(strategies: list[str]) -> None:
    """Raise ValueError for the name of a bot: it is a command, and no client may run commands on this machine."""
    if any(map(is_bot, strategies)):
        raise ValueError("strategy must be the name of a strategy, got a command: the server starts no bots")


def _earlier(request: requests.SimulateRequest) -> list[Simulation]:
    """Return the simulations to resume: none, or one per strategy."""
    if request.resume is None:
        return []
    expected = 1 if request.against is None else 2
    if len(request.resume) != expected:
        raise ValueError(f"expected {expected} in `resume`, one per strategy, got {len(request.resume)}")
    return [Simulation.from_json(_encode(document)) for document in request.resume]


def _encode_result(*simulations: Simulation) -> bytes:
    """Return the JSON of simulations with everything needed to resume them."""
    whole = [simulation.to_json().encode() for simulation in simulations]
    if len(simulations) == 1:
        return whole[0]
    return _encode(compare(*simulations).as_json() | {"simulations": [msgspec.Raw(document) for document in whole]})
