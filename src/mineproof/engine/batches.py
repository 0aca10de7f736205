"""Many positions of one shape as an engine is asked about them, and the arrays that its answers go to."""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.geometry import Geometry
from mineproof.engine.question import Question
from mineproof.errors import BoardSyntaxError, BudgetExceeded, ContradictionError

if TYPE_CHECKING:
    from mineproof.engine.answers import Engine

NO_TOTAL = -1
LIMITS = ("", "states", "seconds", "cancelled", "width", "size")  # by their codes; the kernel has the first five


class PositionStatus(IntEnum):
    """What came of a position; except for ``OK`` the name is the code of the error that `analyze` raises about it."""

    OK = 0
    SYNTAX = 1
    CONTRADICTION = 2
    BUDGET = 3


class Batch(NamedTuple):
    """Positions, a row each. Codes and totals need not be sound: what is wrong with one is the answer about it.

    ``totals`` has `NO_TOTAL` where the total is unknown; ``density`` is for these. Without ``trust_flags`` flags are
    covered cells like others.
    """

    geometry: Geometry
    codes: npt.NDArray[np.int8]
    totals: npt.NDArray[np.int64]
    density: Fraction | None
    trust_flags: bool


class BatchAnswers(NamedTuple):
    """Arrays to be filled, a row or an entry for each position; NaN and 0 where it has no answer.

    ``verdicts`` are those of `mineproof.engine.answers`, ``limit`` says what ran out, as a place in `LIMITS`.
    """

    mine_probability: npt.NDArray[np.float64]
    verdicts: npt.NDArray[np.int8]
    log10_layouts: npt.NDArray[np.float64]
    status: npt.NDArray[np.int8]
    limit: npt.NDArray[np.uint8]


def answer_one(engine: Engine, batch: Batch, position: int, answers: BatchAnswers, budget: Budget) -> None:
    """Fill in what an engine says about one position by itself; only a cancelled search is an error here."""
    status, limit = PositionStatus.OK, ""
    try:
        counted = engine.solve(_question(batch, position), budget)
        answers.mine_probability[position] = counted.mine_probability()
        answers.verdicts[position] = np.frombuffer(counted.verdicts(), dtype=np.int8)
        answers.log10_layouts[position] = counted.log10_layouts()
    except BoardSyntaxError:
        status = PositionStatus.SYNTAX
    except ContradictionError:
        status = PositionStatus.CONTRADICTION
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        status, limit = PositionStatus.BUDGET, error.limit
    answers.status[position], answers.limit[position] = status, LIMITS.index(limit)
    if status is not PositionStatus.OK:
        answers.mine_probability[position] = answers.log10_layouts[position] = np.nan
        answers.verdicts[position] = 0


def _question(batch: Batch, position: int) -> Question:
    """BoardSyntaxError if codes or total are wrong."""
    shape, total = batch.geometry, int(batch.totals[position])
    known = None if total == NO_TOTAL else total
    board = Board(shape.rows, shape.columns, batch.codes[position].tobytes(), known, shape.topology)
    return Question.of(board if batch.trust_flags else board.without_flags(), batch.density)


def answer_one_by_one(engine: Engine, batch: Batch, answers: BatchAnswers, budget: Budget) -> None:
    """Fill in all answers with nothing but `Engine.solve`."""
    for position in range(len(batch.codes)):
        budget.stop_if_asked()
        answer_one(engine, batch, position, answers, budget)
