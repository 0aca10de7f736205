"""Explain why no layout fits: with as few numbers as possible, and with the flag that may be wrong.

An engine notices a contradiction somewhere among hundreds of numbers. Numbers are removed as long as the rest stays
contradictory. The remaining set is minimal: every one of its numbers is needed. If the budget ends first, the set is
still contradictory, but longer than necessary.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.analysis.shrink import shrink
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError
from mineproof.wording.clauses import NumberAt
from mineproof.wording.contradictions import Contradiction

CONFLICT_FLAGS_MAX = 500  # flags tried one by one; if the total is at fault, any flag may be the wrong one


def explain(board: Board, error: ContradictionError, budget: Budget, engine: Engine) -> ContradictionError:
    """Return the same contradiction with a minimal set of numbers and the flags that would resolve it."""
    conflict = _Conflict(board, error.uses_total, Deadline(budget), engine)
    if error.uses_total:
        suspects = [index for index, code in enumerate(board.codes) if code <= LARGEST_NUMBER]
    else:
        suspects = [board.index(cell) for cell in error.cells]
    cells = [board.cell(index) for index in shrink(suspects, conflict.is_contradictory)]
    flags = conflict.wrong_flags(cells)
    reason = _describe(board, cells, error, flags)
    return ContradictionError(reason, cells, uses_total=error.uses_total, wrong_flags=flags, totals=error.totals)


class _Conflict:
    """A position that no layout fits, because of its numbers alone or together with the total."""

    def __init__(self, board: Board, uses_total: bool, deadline: Deadline, engine: Engine) -> None:
        self.board, self.uses_total, self.deadline, self.engine = board, uses_total, deadline, engine

    def is_contradictory(self, numbers: Sequence[int]) -> bool:
        """Do these numbers, with the total if it is at fault, contradict each other? False once the time is up."""
        if self.deadline.passed:
            return False
        try:
            return not self._is_possible(self.board.only(numbers, total=self.uses_total))
        except BudgetExceeded:
            return False

    def wrong_flags(self, numbers: Sequence[Cell]) -> list[Cell]:
        """Flags without which the whole position would be possible."""
        board = self.board
        near = {neighbour for cell in numbers for neighbour in board.neighbours(cell)}
        flags = [flag for flag in board.cells(FLAGGED) if self.uses_total or flag in near]
        return [
            flag for flag in flags[:CONFLICT_FLAGS_MAX] if not self.deadline.passed and self._is_possible_without(flag)
        ]

    def _is_possible_without(self, flag: Cell) -> bool:
        try:
            return self._is_possible(self.board.replace({flag: COVERED}))
        except BudgetExceeded:
            return False

    def _is_possible(self, board: Board) -> bool:
        try:
            self.engine.solve(Question.of(board), self.deadline.rest())
        except ContradictionError:
            return False
        return True


def _describe(board: Board, cells: Sequence[Cell], error: ContradictionError, flags: Sequence[Cell]) -> Contradiction:
    numbers, wrong_flags = tuple(NumberAt(cell, board[cell]) for cell in cells), tuple(flags)
    if error.uses_total:
        totals = error.totals or (0, 0)
        return Contradiction(numbers, total=board.total_mines or 0, totals=totals, wrong_flags=wrong_flags)
    around = [board[cell] for cell in board.neighbours(cells[0])] if len(cells) == 1 else []
    return Contradiction(numbers, around.count(FLAGGED), around.count(COVERED), wrong_flags=wrong_flags)
