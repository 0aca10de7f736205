"""Summarize many layouts and games: count, mean, extremes and quantiles of each measure.

Quantiles interpolate linearly between two values (NumPy's default).
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from mineproof.game.rules import GameStatus
from mineproof.stats.file_measures import GAME_MEASURES, LAYOUT_MEASURES, Entry

if TYPE_CHECKING:
    from mineproof.stats.wire import MeasureSummaryJson, StatsJson

SCHEMA: Final = "mineproof/stats/1"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Summary:
    """One measure over all layouts or games that have it; ``quantiles`` are those of `QUANTILES`."""

    count: int
    mean: float
    least: float
    quantiles: tuple[float, ...]
    most: float

    def as_json(self) -> MeasureSummaryJson:
        quantiles = dict(zip(map(str, QUANTILES), self.quantiles, strict=True))
        return {"count": self.count, "mean": self.mean, "min": self.least, "quantiles": quantiles, "max": self.most}


@dataclass(frozen=True)
class Stats:
    """Summary of all layouts and games."""

    layouts: int
    won: int
    lost: int
    unread: int
    numbers: dict[str, Summary]

    @property
    def games(self) -> int:
        return self.won + self.lost

    def as_json(self) -> StatsJson:
        """Return the ``mineproof/stats/1`` object; measures without values are left out."""
        return {
            "schema": SCHEMA,
            "layouts": self.layouts,
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "unread": self.unread,
            "numbers": {name: number.as_json() for name, number in self.numbers.items()},
        }


class StatsBuilder:
    """Collects entries one by one; eight bytes per number."""

    def __init__(self) -> None:
        self._values = {name: array("d") for name in (*LAYOUT_MEASURES, *GAME_MEASURES)}
        self._ends: Counter[GameStatus | None] = Counter()
        self.unread = 0

    def take(self, entry: Entry) -> None:
        """Add the measures of a layout or game."""
        self._ends[entry.status] += 1
        for name, value in entry.numbers.items():
            if value is not None:
                self._values[name].append(value)

    def stats(self) -> Stats:
        numbers = {name: _summary(values) for name, values in self._values.items() if values}
        return Stats(self._ends[None], self._ends["won"], self._ends["lost"], self.unread, numbers)


def _summary(values: array[float]) -> Summary:
    numbers = np.frombuffer(values)
    quantiles = tuple(np.quantile(numbers, QUANTILES).tolist())
    least, most = float(numbers.min()), float(numbers.max())
    return Summary(len(values), float(numbers.mean()), least, quantiles, most)
