"""Many positions of one shape for an engine, and the arrays for its answers."""

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
LIMITS = ("none", "states", "seconds", "cancelled", "width", "memory", "size")  # by codes


class PositionStatus(IntEnum):
    """The status of a position; except for ``OK``, the name is the code of the error that `analyze` raises."""

    OK = 0
    SYNTAX = 1
    CONTRADICTION = 2
    BUDGET = 3


class Batch(NamedTuple):
    """Positions, a row each. Codes and totals may be invalid: the error is then the answer.

    ``totals`` has `NO_TOTAL` for an unknown total; ``density`` is for these. Without ``trust_flags``, flags are covered
    cells.
    """

    geometry: Geometry
    codes: npt.NDArray[np.int8]
    totals: npt.NDArray[np.int64]
    density: Fraction | None
    trust_flags: bool


class BatchAnswers(NamedTuple):
    """Arrays for the answers, a row or an entry for each position; NaN and 0 if it has none.

    ``verdicts`` are those of `mineproof.engine.answers`, ``limit`` is the exceeded limit, as an index in `LIMITS`.
    """

    mine_probability: npt.NDArray[np.float64]
    verdicts: npt.NDArray[np.int8]
    log10_layouts: npt.NDArray[np.float64]
    status: npt.NDArray[np.int8]
    limit: npt.NDArray[np.uint8]


def answer_one(engine: Engine, batch: Batch, position: int, answers: BatchAnswers, budget: Budget) -> None:
    """Fill in the answer about one position. Raises BudgetExceeded only for a cancelled search."""
    status, limit = PositionStatus.OK, LIMITS[0]
    try:
        count = engine.solve(_question_at(batch, position), budget)
        answers.mine_probability[position] = count.mine_probability()
        answers.verdicts[position] = np.frombuffer(count.verdicts(), dtype=np.int8)
        answers.log10_layouts[position] = count.log10_layouts()
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


def _question_at(batch: Batch, position: int) -> Question:
    """Return the question of one position. Raises BoardSyntaxError for invalid codes or totals."""
    shape, total = batch.geometry, int(batch.totals[position])
    known = None if total == NO_TOTAL else total
    board = Board(shape.rows, shape.columns, batch.codes[position].tobytes(), known, shape.topology)
    return Question.of(board if batch.trust_flags else board.without_flags(), batch.density)


def answer_one_by_one(engine: Engine, batch: Batch, answers: BatchAnswers, budget: Budget) -> None:
    """Fill in all answers with `Engine.solve`."""
    for position in range(len(batch.codes)):
        budget.raise_if_cancelled()
        answer_one(engine, batch, position, answers, budget)
