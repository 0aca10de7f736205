"""Two strategies side by side on the same games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.simulation.intervals import Interval, paired_difference
from mineproof.simulation.results import Simulation, ratio
from mineproof.simulation.series import PARTS, Series

SCHEMA = "mineproof/comparison/1"

Outcomes = npt.NDArray[np.bool_]  # of games one after the other: which were won


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
    return compared([first.strategy, second.strategy], [[first.won], [second.won]])[0, 1]


def compared(strategies: Sequence[str], outcomes: Sequence[Iterable[Outcomes]]) -> dict[tuple[int, int], Comparison]:
    """Every two of some strategies on the games that both have played, by their places.

    The outcomes of each come piece by piece, from the same game on; pieces may differ in length from one strategy to
    another. They are read side by side, no further than two strategies have games.
    """
    counts = {pair: [0, 0, 0, 0] for pair in combinations(range(len(strategies)), 2)}
    readers = [iter(each) for each in outcomes]
    pieces = [next(reader, None) for reader in readers]
    while len(left := [len(piece) for piece in pieces if piece is not None]) > 1:
        games = min(left)
        for (first, second), sums in counts.items():
            one, other = pieces[first], pieces[second]
            if one is not None and other is not None:
                _add(sums, one[:games], other[:games])
        for place, piece in enumerate(pieces):
            if piece is not None:
                pieces[place] = piece[games:] if len(piece) > games else next(readers[place], None)
    return {pair: Comparison(strategies[pair[0]], strategies[pair[1]], *sums) for pair, sums in counts.items()}


def _add(sums: list[int], one: Outcomes, other: Outcomes) -> None:
    """Count games, those won by both, by the first alone and by the second alone."""
    sums[0] += len(one)
    for place, kind in enumerate((one & other, one & ~other, other & ~one), 1):
        sums[place] += int(np.count_nonzero(kind))


def require_same_games(first: Series, second: Series) -> None:
    """ValueError unless two series have the same layouts and first clicks, whoever plays them."""
    if differ := [name for name in PARTS if name != "strategy" and getattr(first, name) != getattr(second, name)]:
        raise ValueError(f"found simulations of other games, expected the same {', '.join(differ)}")


def comparison_json(first: Simulation, second: Simulation) -> dict[str, object]:
    """The ``mineproof/comparison/1`` shape with both simulations in it."""
    return compare(first, second).as_json() | {"simulations": [first.as_json(), second.as_json()]}
