"""Records of single games in arrays, in the format of native/include/mineproof/game_record.hpp.

`GAME` is an entry for each game, `BIN` one for each of `BINS` bins of the stated mine probability of a guess. A bin
counts whole numbers, so that parts add up to the same table in any order; stated probabilities are summed in units of
2⁻³². First clicks are left out: they have no stated odds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

GAME = np.dtype(
    [
        ("log_survived", "<f8"),  # logarithm of the odds of the guesses that were survived
        ("lost_odds", "<f8"),  # stated for the cell that lost the game; NaN if it was won, or if none were
        ("lost_cell", "<i4"),  # the mine that was opened; -1 if the game was won
        ("moves", "<i4"),
        ("guesses", "<i4"),
        ("fallbacks", "<i4"),
        ("bbbv", "<i4"),
        ("won", "<i4"),
    ]
)
BIN = np.dtype([("guesses", "<i8"), ("mines", "<i8"), ("stated", "<i8")])
BINS = 100

_UNITS = 1 << 32
_CLOSE = 128  # a unit and a quarter: odds this close below a bound are on it, as a fifth is, which is no sum of units

Table = npt.NDArray[np.void]


class GameRecords(NamedTuple):
    """Arrays of `GAME` and of `BIN`."""

    games: Table
    calibration: Table


def new_calibration() -> Table:
    """Return an empty table."""
    return np.zeros(BINS, dtype=BIN)


def add_guess(calibration: Table, stated: float, *, mined: bool) -> None:
    """Add a guess with its stated mine probability."""
    units = math.floor(stated * _UNITS + 0.5)
    entry = calibration[min((units * BINS + _CLOSE) // _UNITS, BINS - 1)]
    entry["guesses"] += 1
    entry["mines"] += mined
    entry["stated"] += units


def add_calibration(calibration: Table, more: Table) -> None:
    """Add another table to one."""
    for name in calibration.dtype.names or ():
        calibration[name] += more[name]
