"""Compare two strategies on the same games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.simulation.intervals import Interval, paired_difference
from mineproof.simulation.results import Simulation, ratio
from mineproof.simulation.series import PARTS, Series

if TYPE_CHECKING:
    from mineproof.simulation.wire import ComparisonJson

SCHEMA: Final = "mineproof/comparison/1"

Outcomes = npt.NDArray[np.bool_]  # of consecutive games: True if won


@dataclass(frozen=True)
class Comparison:
    """Two strategies on the same layouts: the games both won, and the games only one of them won."""

    first: str
    second: str
    games: int
    both: int
    only_first: int
    only_second: int

    @property
    def difference(self) -> float | None:
        """Win rate of the first strategy minus that of the second; None without games."""
        return ratio(self.only_first - self.only_second, self.games)

    @property
    def interval(self) -> Interval:
        """95 % confidence interval of the difference."""
        return paired_difference(self.only_first, self.only_second, self.games)

    def as_json(self) -> ComparisonJson:
        """Return the ``mineproof/comparison/1`` object."""
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
    """Compare two strategies on the games that both have played.

    Both play the same layouts, so the difference is more precise than the two win rates.
    """
    for name, value in (("first", first), ("second", second)):
        checks.instance(name, value, Simulation, "simulate makes one")
    require_same_games(first, second)
    if first.first_game != second.first_game:
        raise ValueError(
            f"The simulations start at different games: {first.first_game} and {second.first_game}. "
            "Use the same first_game for both."
        )
    return compare_all([first.strategy, second.strategy], [[first.won], [second.won]])[0, 1]


def compare_all(strategies: Sequence[str], outcomes: Sequence[Iterable[Outcomes]]) -> dict[tuple[int, int], Comparison]:
    """Compare every pair of strategies on the games that both have played; keys are pairs of positions in the list.

    The outcomes of a strategy come in pieces, all from the same first game. Pieces may have different lengths. Reading
    stops when only one strategy has games left.
    """
    counts = {pair: [0, 0, 0, 0] for pair in combinations(range(len(strategies)), 2)}
    readers = [iter(pieces) for pieces in outcomes]
    pieces = [next(reader, None) for reader in readers]
    while len(left := [len(piece) for piece in pieces if piece is not None]) > 1:
        games = min(left)
        for (first, second), sums in counts.items():
            one, other = pieces[first], pieces[second]
            if one is not None and other is not None:
                _add_pairs(sums, one[:games], other[:games])
        for place, piece in enumerate(pieces):
            if piece is not None:
                pieces[place] = piece[games:] if len(piece) > games else next(readers[place], None)
    return {pair: Comparison(strategies[pair[0]], strategies[pair[1]], *sums) for pair, sums in counts.items()}


def _add_pairs(sums: list[int], one: Outcomes, other: Outcomes) -> None:
    """Count games, and the games won by both, by the first only and by the second only."""
    sums[0] += len(one)
    for place, kind in enumerate((one & other, one & ~other, other & ~one), 1):
        sums[place] += int(np.count_nonzero(kind))


def require_same_games(first: Series, second: Series) -> None:
    """Raise ValueError unless two series have the same layouts and first clicks. Strategies may differ."""
    if differ := [name for name in PARTS if name != "strategy" and getattr(first, name) != getattr(second, name)]:
        raise ValueError(f"The simulations are of different games. They must have the same {', '.join(differ)}.")


def comparison_json(first: Simulation, second: Simulation) -> ComparisonJson:
    """Return the ``mineproof/comparison/1`` object with both simulations in it."""
    return compare(first, second).as_json() | {"simulations": [first.as_json(), second.as_json()]}
