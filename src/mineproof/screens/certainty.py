"""Judge a whole reading: how likely every cell and the size are right, and whether it is a board at all.

Confidence in single groups of cells cannot see that the picture is a crossword, or that another split of empty cells
into zeros and covered ones fits as well. So features of the whole reading, rivals included, give two chances by
logistic regression. `tools/reader/calibrate.py` fitted the weights on drawn boards and on drawn pictures of other
grids.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.board_fit import BoardFit
from mineproof.screens.cell_names import (
    COVERED,
    FLAG,
    MINE,
    OPEN,
    QUESTION,
    ZERO,
    CellMarks,
    around,
    breaches,
    opening_rewards,
    total_cost,
)
from mineproof.screens.patches import evidence_of
from mineproof.wording.catalogue import message

Floats = NDArray[np.floating]
LACKING = 0.1  # share of numbers that may touch too few mines in a finished game
MAX_RIVAL = 20.0  # cost by which a rival is as good as excluded
FEATURES: Final = (
    "evidence", "no cells", "broken rules", "broken cells", "different digits", "digits", "least confidence",
    "doubtful cells", "size", "clear marks", "unclear marks", "rival of empty cells", "conflict", "few cells", "looks",
    "covered",
)  # fmt: skip
RIGHT: Final = (
    0.26, 0.11, -1.25, -1.28, 2.0, -2.65, -7.01, -0.41, -2.31, 2.49, -2.89, -1.63, -2.1, 0.48, 0.05, -3.81, 1.07,
)  # fmt: skip
IS_BOARD: Final = (
    2.15, 0.07, -5.75, -2.05, 4.34, 2.53, -0.71, -0.46, 0.37, 3.66, -4.29, 0.84, -2.63, -1.49, -2.91, -4.69, -0.66,
)  # fmt: skip


def features(
    board: BoardFit, named: CellMarks, confidence: Floats, sizes: Mapping[tuple[str, int], float], conflict: bool
) -> Floats:
    """The numbers named in `FEATURES`."""
    marks, evidence = named.marks, evidence_of(board.inner)
    broken = breaches(marks)
    digit = (marks > ZERO) & (marks < OPEN)
    written = (marks != ZERO) & (marks != COVERED)
    chances = np.take_along_axis(board.chances, marks[..., None], -1)[..., 0][written]
    clear = np.exp(np.maximum(chances, -4)) if chances.size else np.zeros(1)
    return np.array([
        evidence.mean() / 3, (evidence < -0.5).mean(), min(1.0, float(broken.sum()) / marks.size),
        (broken > 0).mean(), min(4, len(np.unique(marks[digit]))) / 4, digit.mean(), 1 - confidence.min(),
        (1 - confidence).mean(), max(sizes.values(), default=0.0), clear.mean(), (clear < 0.5).mean(),
        1 - empty_rival(named) / MAX_RIVAL, float(conflict), 10 / marks.size, len(np.unique(named.groups)) / marks.size,
        (marks >= OPEN).mean(),
    ])  # fmt: skip


def empty_rival(named: CellMarks) -> float:
    """How much worse the best other split of the empty cells is: all zeros, all covered, or the two exchanged."""
    shape = named.marks.shape[0], named.marks.shape[1]
    rewards = opening_rewards(named.groups.ravel())
    marks, costs = named.marks.ravel(), named.costs.reshape(named.marks.size, -1)
    zero, covered = marks == ZERO, marks == COVERED
    own, least = total_cost(marks, costs, rewards, shape), MAX_RIVAL
    for zeros in (zero | covered, np.zeros_like(zero), covered):
        other = np.where(zero | covered, np.where(zeros, ZERO, COVERED), marks)
        if (other != marks).any():
            least = min(least, total_cost(other, costs, rewards, shape) - own)
    return max(0.0, least)


def reasons(named: CellMarks) -> list[str]:
    """Why a reading cannot be sure, however clear its cells are."""
    marks = named.marks
    if not ((marks > ZERO) & (marks < OPEN)).any():
        return [message("screen-no-number")]
    if len(np.unique(marks)) == 1:
        return [message("screen-alike")]
    signs = {int(mark) for mark in np.unique(marks) if mark >= OPEN}
    if QUESTION in signs and (FLAG not in signs or MINE in signs):
        return [message("screen-signs-unclear")]
    if MINE in signs and (FLAG not in signs or _lacks_mines(marks)):  # flags of another shape look like mines
        return [message("screen-signs-unclear")]
    return []


def _lacks_mines(marks: NDArray[np.int64]) -> bool:
    """Do many numbers touch fewer flags and mines than they say? Where mines are visible, the game is over: all are."""
    numbers = (marks > ZERO) & (marks < OPEN)
    known = around((marks == FLAG) | (marks == MINE))
    return bool((known < marks)[numbers].mean() > LACKING)
