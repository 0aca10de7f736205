"""The mean of many games' results, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mineproof.simulation.intervals import Interval, Z

ALIKE = 3.0  # of n games that are all alike, another share of the games than 3/n would have shown: the rule of three


@dataclass(frozen=True)
class Estimate:
    """The mean of ``games`` results that lie within ``bounds``; ``deviation`` is the standard deviation of one.

    >>> found = estimate(np.array([0.2, 0.4, 0.6]), Interval(0.0, 1.0))
    >>> round(found.value, 3), round(found.deviation, 3), round(found.standard_error, 3)
    (0.4, 0.2, 0.115)
    """

    value: float | None  # None without a game
    deviation: float | None  # None with fewer than two
    games: int
    bounds: Interval

    @property
    def standard_error(self) -> float | None:
        return None if self.deviation is None else self.deviation / math.sqrt(self.games)

    @property
    def interval(self) -> Interval:
        """Holds the true mean in 95 of 100 experiments, if there are some hundred games or more.

        Where all results are alike, their deviation says nothing about what another game may bring: then it is their
        value, with room for results of any size in 3 of ``games`` games.
        """
        if self.value is None or self.deviation is None:
            return self.bounds
        error = self.deviation / math.sqrt(self.games)
        reach = Z * error if error > 0 else ALIKE / self.games
        return Interval(max(self.bounds.low, self.value - reach), min(self.bounds.high, self.value + reach))

    def is_within(self, standard_error: float) -> bool:
        """Is it at least that sure?"""
        if self.deviation is None:
            return False
        error = self.deviation / math.sqrt(self.games)
        return (error if error > 0 else ALIKE / Z / self.games) <= standard_error

    def as_json(self, name: str) -> dict[str, object]:
        """The mean goes by its name."""
        return {
            name: self.value,
            "standard_error": self.standard_error,
            "interval": list(self.interval),
            "deviation": self.deviation,
        }


def estimate(results: npt.NDArray[np.float64], bounds: Interval) -> Estimate:
    games = len(results)
    value = float(results.mean()) if games else None
    deviation = float(results.std(ddof=1)) if games > 1 else None
    if games and (results == results[0]).all():  # rounding of the mean is no deviation
        value, deviation = float(results[0]), None if games == 1 else 0.0
    return Estimate(value, deviation, games, bounds)
