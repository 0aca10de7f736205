"""Two strategies on the same games at the same time, so that their difference can be watched as it settles.

The two take turns: some games of the first, the same games of the second, and so on. After each turn both have played
the same games. How many there are in a turn depends on how long the last one took, and only on how often one is told;
turns end where chunks do, so the sums are those of two simulations in one piece.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from mineproof.simulation.results import Simulation, Tally
from mineproof.simulation.running import CHUNK
from mineproof.simulation.spreading import Stop

TURN = 0.25  # seconds that a turn of both should take
MOST = 1 << 16  # games in a turn


class Play(Protocol):
    """`simulate` with everything given but these."""

    def __call__(
        self, *, games: int, first_game: int, strategy: str, resume: Simulation | None, cancelled: Stop | None
    ) -> Simulation: ...


def simulate_both(
    play: Play,
    strategies: tuple[str, str],
    games: int,
    *,
    first_game: int = 0,
    resume: tuple[Simulation, Simulation] | None = None,
    progress: Callable[[Simulation, Simulation], None] | None = None,
    cancelled: Stop | None = None,
) -> tuple[Simulation, Simulation]:
    """Both simulations, of as many games; of fewer than ``games`` where ``cancelled`` said so.

    ``progress`` is called after each turn. ``resume`` goes on from what both have finished.

    >>> from functools import partial
    >>> from mineproof.simulation.running import simulate
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
        if one.games != other.games:  # broken off in this turn
            return first or _without_games(one, games), second or _without_games(other, games)
        first, second = replace(one, asked=games), replace(other, asked=games)
        if one.games < upto or upto == games:
            return first, second
        if progress is not None:
            progress(first, second)
        if cancelled is not None and cancelled():
            return first, second
        spent = time.monotonic() - began
        turn = min(MOST, turn * 2) if spent < TURN / 2 else max(CHUNK, turn // 2) if spent > 2 * TURN else turn


def _without_games(found: Simulation, asked: int) -> Simulation:
    return replace(found, asked=asked, tally=Tally(), outcomes=b"")
