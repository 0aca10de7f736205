"""Mean of the results of many games, with its standard error and confidence interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mineproof.simulation.intervals import Interval, Z

RULE_OF_THREE = 3.0  # if n games are all alike, a different result has a probability below 3/n with 95 % confidence


@dataclass(frozen=True)
class Estimate:
    """Mean of ``games`` results within ``bounds``; ``deviation`` is the standard deviation of a single result.

    >>> mean = estimate(np.array([0.2, 0.4, 0.6]), Interval(0.0, 1.0))
    >>> round(mean.value, 3), round(mean.deviation, 3), round(mean.standard_error, 3)
    (0.4, 0.2, 0.115)
    """

    value: float | None  # None without a game
    deviation: float | None  # None with fewer than two
    games: int
    bounds: Interval

    @property
    def standard_error(self) -> float | None:
        """Standard error of the value, or None with fewer than two games."""
        return None if self.deviation is None else self.deviation / math.sqrt(self.games)

    @property
    def interval(self) -> Interval:
        """95 % confidence interval of the mean, valid for a few hundred games or more.

        If all results are equal, their deviation is 0 and says nothing about other games. Then the interval is the
        value plus or minus 3 / ``games`` (the rule of three).
        """
        if self.value is None or self.deviation is None:
            return self.bounds
        error = self.deviation / math.sqrt(self.games)
        reach = Z * error if error > 0 else RULE_OF_THREE / self.games
        return Interval(max(self.bounds.low, self.value - reach), min(self.bounds.high, self.value + reach))

    def is_within(self, standard_error: float) -> bool:
        """Return whether the standard error is at most this large."""
        if self.deviation is None:
            return False
        error = self.deviation / math.sqrt(self.games)
        return (error if error > 0 else RULE_OF_THREE / Z / self.games) <= standard_error


def estimate(results: npt.NDArray[np.float64], bounds: Interval) -> Estimate:
    """Return the mean of some results as an `Estimate`."""
    games = len(results)
    value = float(results.mean()) if games else None
    deviation = float(results.std(ddof=1)) if games > 1 else None
    if games and (results == results[0]).all():  # rounding of the mean is no deviation
        value, deviation = float(results[0]), None if games == 1 else 0.0
    return Estimate(value, deviation, games, bounds)
