"""Simulations as server-sent events: ``progress`` a few times a second, then ``done``, or ``error``.

Each runs in one thread of a lane of its own. What was finished when a client left is in the last event that arrived,
and ``resume`` takes it back and goes on from there. That is why events have the sums and a bit for each game, and come
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

from mineproof.simulation.comparison import compare
from mineproof.simulation.results import Simulation
from mineproof.simulation.running import simulate
from mineproof.simulation.side_by_side import simulate_both
from mineproof.web import asked
from mineproof.web.answers import size_of
from mineproof.web.events import Tell, stream
from mineproof.web.limits import SIMULATION_SECONDS, SIMULATIONS
from mineproof.web.pool import Cancelled, Lane

EVERY = 0.2  # seconds between two events
FOR_EACH = 2e-6  # seconds more for each game: two for a million, whose event has 170,000 bytes

_encode = msgspec.json.Encoder().encode


class Series(NamedTuple):
    """A simulation that can be played: what was asked, `simulate` with its size, and what is gone on from."""

    wanted: asked.Simulate
    play: Callable[..., Simulation]
    done: list[Simulation]


class Simulations:
    """Runs what is asked for, a few at a time."""

    def __init__(self) -> None:
        self.lane = Lane("simulations", SIMULATIONS, 0)

    def checked(self, wanted: asked.Simulate) -> Series:
        """In a thread: what is to be played; what is wrong with the question is raised, before any event."""
        size = size_of(wanted, "expert")
        seed = secrets.randbits(32) if wanted.seed is None else wanted.seed
        done = _earlier(wanted)
        play = partial(
            simulate, size.rows, size.columns, size.mines, first_click=wanted.first_click, start=wanted.start,
            seed=seed, topology=wanted.topology, threads=1,
        )  # fmt: skip
        strategies = [wanted.strategy] if wanted.against is None else [wanted.strategy, wanted.against]
        for number, strategy in enumerate(strategies):  # broken off before the first game
            play(
                games=wanted.games, first_game=wanted.first_game, strategy=strategy,
                resume=done[number] if done else None, cancelled=lambda: True,
            )  # fmt: skip
        return Series(wanted, play, done)

    def events(self, series: Series) -> AsyncIterator[bytes]:
        """The events of one simulation."""
        wanted, play, done = series
        end = time.monotonic() + SIMULATION_SECONDS

        def work(cancelled: Cancelled, tell: Tell) -> bytes:
            told = 0.0

            def progress(*found: Simulation) -> None:
                nonlocal told
                if time.monotonic() - told >= EVERY + FOR_EACH * found[0].games:
                    told = time.monotonic()
                    tell(_told(*found))

            def stop() -> bool:
                return cancelled() or time.monotonic() > end

            one, other = wanted.strategy, wanted.against
            common: Any = {"first_game": wanted.first_game, "progress": progress, "cancelled": stop}
            if other is None:
                return _told(play(games=wanted.games, strategy=one, resume=done[0] if done else None, **common))
            both = (done[0], done[1]) if done else None
            return _told(*simulate_both(play, (one, other), wanted.games, resume=both, **common))

        return stream(self.lane, work)


def _earlier(wanted: asked.Simulate) -> list[Simulation]:
    """What is to be gone on from: nothing, or as many simulations as strategies play."""
    if wanted.resume is None:
        return []
    expected = 1 if wanted.against is None else 2
    if len(wanted.resume) != expected:
        raise ValueError(f"found {len(wanted.resume)} simulations in `resume`, expected {expected}, one a strategy")
    return [Simulation.from_json(_encode(document)) for document in wanted.resume]


def _told(*found: Simulation) -> bytes:
    """An answer with all that is needed to go on from it."""
    whole = [each.to_json().encode() for each in found]
    if len(found) == 1:
        return whole[0]
    return _encode(compare(*found).as_json() | {"simulations": [msgspec.Raw(each) for each in whole]})
