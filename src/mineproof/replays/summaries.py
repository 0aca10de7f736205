"""Many layouts and games in one table: for each number how many there are, their mean, extremes and quantiles.

Quantiles are those of all values in order, with a straight line between two (NumPy's default).
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass

import numpy as np

from mineproof.game.rules import GameStatus
from mineproof.replays.collecting import OF_GAMES, OF_LAYOUTS, Entry

SCHEMA = "mineproof/stats/1"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Summary:
    """One number over all layouts, or games, that have it; ``quantiles`` are those of `QUANTILES`."""

    count: int
    mean: float
    least: float
    quantiles: tuple[float, ...]
    most: float

    def as_json(self) -> dict[str, object]:
        quantiles = dict(zip(map(str, QUANTILES), self.quantiles, strict=True))
        shown = {"count": self.count, "mean": self.mean, "min": self.least}
        return shown | {"quantiles": quantiles, "max": self.most}


@dataclass(frozen=True)
class Stats:
    """Everything that was read."""

    layouts: int
    won: int
    lost: int
    unread: int
    numbers: dict[str, Summary]

    @property
    def games(self) -> int:
        return self.won + self.lost

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/stats/1`` shape; a number that nothing has is left out."""
        counts = {
            "layouts": self.layouts,
            "games": self.games,
            "won": self.won,
            "lost": self.lost,
            "unread": self.unread,
        }
        return {"schema": SCHEMA, **counts, "numbers": {name: each.as_json() for name, each in self.numbers.items()}}


class Gathering:
    """Takes entries one by one; eight bytes for each number."""

    def __init__(self) -> None:
        self._values = {name: array("d") for name in (*OF_LAYOUTS, *OF_GAMES)}
        self._ends: Counter[GameStatus | None] = Counter()
        self.unread = 0

    def take(self, entry: Entry) -> None:
        self._ends[entry.status] += 1
        for name, value in entry.numbers.items():
            if value is not None:
                self._values[name].append(value)

    def stats(self) -> Stats:
        numbers = {name: _summary(values) for name, values in self._values.items() if values}
        return Stats(self._ends[None], self._ends["won"], self._ends["lost"], self.unread, numbers)


def _summary(values: array[float]) -> Summary:
    all_of_them = np.frombuffer(values)
    quantiles = tuple(np.quantile(all_of_them, QUANTILES).tolist())
    least, most = float(all_of_them.min()), float(all_of_them.max())
    return Summary(len(values), float(all_of_them.mean()), least, quantiles, most)
