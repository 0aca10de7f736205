"""Simulate two strategies on the same games in turns, so that their difference can be shown while it settles.

In a turn the first strategy plays some games, then the second plays the same games. The length of a turn depends on how
long the last one took. It affects only how often progress is reported: turns end where chunks end, so the sums are
those of two separate simulations.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from mineproof.base.work import Stop
from mineproof.simulation.results import Simulation, Tally
from mineproof.simulation.simulator import CHUNK

TURN_SECONDS = 0.25  # target for a turn of both
TURN_MAX_GAMES = 1 << 16


class SimulateCall(Protocol):
    """`simulate` with all arguments bound except these."""

    def __call__(
        self, *, games: int, first_game: int, strategy: str, resume: Simulation | None, cancelled: Stop | None
    ) -> Simulation: ...


def simulate_both(
    play: SimulateCall,
    strategies: tuple[str, str],
    games: int,
    *,
    first_game: int = 0,
    resume: tuple[Simulation, Simulation] | None = None,
    progress: Callable[[Simulation, Simulation], None] | None = None,
    cancelled: Stop | None = None,
) -> tuple[Simulation, Simulation]:
    """Return both simulations, with the same number of games; fewer than ``games`` if ``cancelled`` returned True.

    ``progress`` is called after each turn. ``resume`` continues two earlier simulations.

    >>> from functools import partial
    >>> from mineproof.simulation.simulator import simulate
    >>> fast, other = simulate_both(partial(simulate, 9, 9, 10, seed=1), ("fast", "go"), 200)
    >>> fast.games, other.games, fast == simulate(9, 9, 10, games=200, seed=1)
    (200, 200, True)
    """
    first, second = resume or (None, None)
    turn = CHUNK
    while True:
        began = time.monotonic()
        end = (0 if first is None else first.games) + turn
        upto = min(games, end - (first_game + end) % CHUNK)
        one, other = (
            play(games=upto, first_game=first_game, strategy=name, resume=done, cancelled=cancelled)
            for name, done in zip(strategies, (first, second), strict=True)
        )
        if one.games != other.games:  # interrupted in this turn
            return first or _without_games(one, games), second or _without_games(other, games)
        first, second = replace(one, asked=games), replace(other, asked=games)
        if one.games < upto or upto == games:
            return first, second
        if progress is not None:
            progress(first, second)
        if cancelled is not None and cancelled():
            return first, second
        spent = time.monotonic() - began
        if spent < TURN_SECONDS / 2:
            turn = min(TURN_MAX_GAMES, turn * 2)
        elif spent > 2 * TURN_SECONDS:
            turn = max(CHUNK, turn // 2)


def _without_games(simulation: Simulation, games: int) -> Simulation:
    return replace(simulation, asked=games, tally=Tally(), outcomes=b"")
