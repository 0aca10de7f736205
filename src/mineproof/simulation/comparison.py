"""Two strategies side by side on the same games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mineproof.base import checks
from mineproof.simulation.intervals import Interval, paired_difference
from mineproof.simulation.results import Simulation, ratio
from mineproof.simulation.series import PARTS, Series

SCHEMA = "mineproof/comparison/1"


@dataclass(frozen=True)
class Comparison:
    """Two strategies on the same layouts: how many games each won that the other lost."""

    first: str
    second: str
    games: int
    both: int
    only_first: int
    only_second: int

    @property
    def difference(self) -> float | None:
        """The win rate of the first less that of the second."""
        return ratio(self.only_first - self.only_second, self.games)

    @property
    def interval(self) -> Interval:
        """Holds the true difference in 95 of 100 comparisons."""
        return paired_difference(self.only_first, self.only_second, self.games)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/comparison/1`` shape."""
        return {
            "schema": SCHEMA,
            "strategies": [self.first, self.second],
            "games": self.games,
            "both": self.both,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "neither": self.games - self.both - self.only_first - self.only_second,
            "difference": self.difference,
            "interval": list(self.interval),
        }


def compare(first: Simulation, second: Simulation) -> Comparison:
    """Compare two strategies on the games that both have played: the same layouts, so that luck counts for less."""
    for name, value in (("first", first), ("second", second)):
        checks.instance(name, value, Simulation, "simulate makes one")
    require_same_games(first, second)
    if first.first_game != second.first_game:
        raise ValueError(f"found games from {first.first_game} and from {second.first_game} on, expected the same ones")
    games = min(first.games, second.games)
    one, other = first.won[:games], second.won[:games]
    both, only_first, only_second = (int(np.count_nonzero(kind)) for kind in (one & other, one & ~other, other & ~one))
    return Comparison(first.strategy, second.strategy, games, both, only_first, only_second)


def require_same_games(first: Series, second: Series) -> None:
    """ValueError unless two series have the same layouts and first clicks, whoever plays them."""
    if differ := [name for name in PARTS if name != "strategy" and getattr(first, name) != getattr(second, name)]:
        raise ValueError(f"found simulations of other games, expected the same {', '.join(differ)}")


def comparison_json(first: Simulation, second: Simulation) -> dict[str, object]:
    """The ``mineproof/comparison/1`` shape with both simulations in it."""
    return compare(first, second).as_json() | {"simulations": [first.as_json(), second.as_json()]}
