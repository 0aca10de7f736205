"""Glicko-2: the strength of a player and the difficulty of a puzzle, each with its uncertainty.

Mark E. Glickman, "Example of the Glicko-2 system" (2013), glicko.net/glicko/glicko2.pdf; the steps are numbered as
there. An answer is a game between the player and the technique of the puzzle, and a rating period of its own: the
player wins with a right answer. Nothing changes between answers.

The package ``glicko2`` (2.1.0) is not used: its function f of step 5 has the square of the rating where the paper has
that of the deviation, so its volatility depends on how far a rating is from 1500.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

TAU = 0.5  # limits changes of the volatility; 0.3 to 1.2 are usual
SCALE = 173.7178
MAX_DEVIATION = 350.0  # that of a new player, about whom nothing is known
VOLATILITY_TOLERANCE = 0.000001


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating, correct within two deviations with 95 % confidence. The volatility is its expected variation."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def after(self, games: Iterable[tuple[Rating, float]]) -> Rating:
        """Return the rating after games against opponents, with a score of 1 for a win and 0 for a loss.

        >>> paper = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
        >>> new = Rating(1500, 200, 0.06).after(paper)
        >>> round(new.rating, 2), round(new.deviation, 2), round(new.volatility, 5)
        (1464.05, 151.52, 0.06)
        """
        mu, phi = (self.rating - 1500) / SCALE, self.deviation / SCALE  # step 2
        terms = [_game_terms(mu, opponent, score) for opponent, score in games]
        if not terms:
            return Rating(self.rating, _deviation(math.hypot(phi, self.volatility)), self.volatility)
        v = 1 / sum(g * g * expected * (1 - expected) for g, expected, _ in terms)  # step 3
        gained = sum(g * (score - expected) for g, expected, score in terms)
        sigma = _volatility(self.volatility, phi, v, v * gained)  # steps 4 and 5
        phi = 1 / math.sqrt(1 / (phi * phi + sigma * sigma) + 1 / v)  # steps 6 and 7
        return Rating(1500 + SCALE * (mu + phi * phi * gained), _deviation(phi), sigma)  # step 8


def _deviation(phi: float) -> float:
    return min(SCALE * phi, MAX_DEVIATION)


def _game_terms(mu: float, opponent: Rating, score: float) -> tuple[float, float, float]:
    """Weight of a game, its expected score, and its score."""
    g = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE / math.pi) ** 2)
    return g, 1 / (1 + math.exp(-g * (mu - (opponent.rating - 1500) / SCALE))), score


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Step 5: the root of f, by the Illinois variant of regula falsi."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        return e * (delta * delta - phi * phi - v - e) / (2 * (phi * phi + v + e) ** 2) - (x - a) / TAU**2

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        high = a - TAU
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > VOLATILITY_TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
