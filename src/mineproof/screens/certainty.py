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
    beside_open,
    breaches,
    lacks_mines,
    opening_rewards,
    total_cost,
)
from mineproof.screens.patches import evidence_of
from mineproof.wording.catalogue import message

Floats = NDArray[np.floating]
BREAKS_RULES = 0.45  # share of cells that break a rule on a grid that is no board
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


def breaks_rules(values: Floats) -> bool:
    """Does no layout fit, and is nearly every other cell wrong? Such grids have digits of other puzzles."""
    share, conflict = (values[FEATURES.index(name)] for name in ("broken cells", "conflict"))
    return bool(conflict and share > BREAKS_RULES)


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


def reasons(named: CellMarks, unclear: NDArray[np.bool_]) -> list[str]:
    """Why a reading cannot be sure, however clear its cells are; ``unclear`` are its `unclear_signs`."""
    marks = named.marks
    if not ((marks > ZERO) & (marks < OPEN)).any():
        return [message("screen-no-number")]
    if len(np.unique(marks)) == 1:
        return [message("screen-alike")]
    return [message("screen-signs-unclear")] if unclear.any() else []


def unclear_signs(marks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which cells have a sign that may be another one: flags of another shape look like mines or question marks."""
    unclear = np.zeros(marks.shape, bool)
    flags, questions, mines = ((marks == sign) for sign in (FLAG, QUESTION, MINE))
    if not flags.any() or mines.any():
        unclear |= questions
    only_beside_open = not flags.any() and beside_open(marks)[mines].all()  # players set no flags elsewhere
    if only_beside_open or lacks_mines(marks, LACKING):
        unclear |= mines
    return unclear
