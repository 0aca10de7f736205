"""Strategies win as often as they did when they were measured.

A rate is compared with one measured once on more games, at 5 standard deviations of the difference: met by chance once
in two million runs, and these runs are always the same.
"""

import math
from typing import Any

import numpy as np
import pytest

from mineproof.simulation.comparison import compare
from mineproof.simulation.simulator import simulate
from support.engines import needs_kernel

pytestmark = [pytest.mark.statistical, needs_kernel]

GAMES = 2000


def deviations(wins: int, games: int, rate: float, measured: int) -> float:
    """Distance of a rate from one that was measured on some number of games."""
    return (wins / games - rate) / math.sqrt(rate * (1 - rate) * (1 / games + 1 / measured))


def test_fast_on_beginner_boards() -> None:
    """91.63 % of 20,000 games, first click in the corner and safe; about 30 moves to a win."""
    result = simulate(9, 9, 10, games=GAMES, strategy="fast", seed=1)
    assert abs(deviations(result.wins, GAMES, 0.9163, 20_000)) < 5
    assert result.moves_per_win == pytest.approx(30, abs=1)
    assert result.fallbacks == 0


@pytest.mark.parametrize("first_click", ["any", "safe"])
@pytest.mark.parametrize("strategy", ["fast", "minesolver"])
def test_wins_are_as_frequent_as_the_odds_survived_say(strategy: str, first_click: Any) -> None:
    """A game won with the odds p against it stands for 1/p games begun: these add up to all games, on average."""
    weights = []
    for number in range(GAMES):
        result = simulate(9, 9, 10, games=1, first_game=number, strategy=strategy, first_click=first_click, threads=1)
        weights.append(0.0 if result.survived_odds is None else 1 / result.survived_odds)
    error = np.std(weights) / math.sqrt(GAMES)
    assert 0 < error < 0.03
    assert abs(np.mean(weights) - 1) < 5 * error


def test_an_open_start_is_better_than_a_safe_one_and_that_than_any() -> None:
    any_click, safe, opened = (
        simulate(9, 9, 10, games=GAMES, strategy="fast", seed=1, first_click=rule) for rule in ("any", "safe", "open")
    )
    assert any_click.interval.high < safe.interval.low
    assert safe.interval.high < opened.interval.low


def test_ties_broken_well_win_more() -> None:
    """`fast` and `minesolver` differ only in which of the safest cells they take: paired, 2,000 games show it."""
    fast, random = (simulate(9, 9, 10, games=GAMES, strategy=who, seed=1) for who in ("fast", "minesolver"))
    assert compare(fast, random).interval.low > 0
