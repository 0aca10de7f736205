"""Why no layout fits: few numbers instead of many, and the flag that may be wrong.

An engine notices a contradiction somewhere among hundreds of numbers. Numbers are taken away as long as the rest stays
contradictory; what is left is minimal: every one of its numbers is needed. What the budget does not suffice to shrink
is left in, so the blame stays true, only longer.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.analysis.shrink import shrink
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import at, listing, no_room
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError

MOST_NAMED = 12  # in words; `cells` always has them all
MOST_FLAGS_TRIED = 500  # for a contradiction with the total any flag may be the wrong one


def explain(board: Board, error: ContradictionError, budget: Budget, engine: Engine) -> ContradictionError:
    """The same contradiction with a minimal set of numbers and the flags that would mend it."""
    case = _Case(board, error.uses_total, Deadline(budget), engine)
    if error.uses_total:
        suspects = [index for index, code in enumerate(board.codes) if code <= LARGEST_NUMBER]
    else:
        suspects = [board.index(cell) for cell in error.cells]
    blamed = shrink(suspects, case.contradicts)
    flags = case.wrong_flags(blamed)
    message = _words(case, blamed, error) + _flag_words(flags)
    return ContradictionError(
        message, map(board.cell, blamed), uses_total=error.uses_total, wrong_flags=flags, totals=error.totals
    )


class _Case:
    """A position that no layout fits, because of its numbers alone or with the total."""

    def __init__(self, board: Board, uses_total: bool, limit: Deadline, engine: Engine) -> None:
        self.board, self.uses_total, self.limit, self.engine = board, uses_total, limit, engine

    def contradicts(self, numbers: Sequence[int]) -> bool:
        """Do these numbers, and the total if it is at fault, contradict each other? No once the time is up."""
        if self.limit.passed:
            return False
        try:
            return self.contradiction(numbers) is not None
        except BudgetExceeded:
            return False

    def contradiction(self, numbers: Sequence[int]) -> ContradictionError | None:
        return self._refusal(self.board.only(numbers, total=self.uses_total))

    def wrong_flags(self, blamed: Sequence[int]) -> list[Cell]:
        """Flags without which the whole position would be possible."""
        board = self.board
        near = {other for index in blamed for other in board.geometry.neighbours(index)}
        flags = [flag for flag in board.cells(FLAGGED) if self.uses_total or board.index(flag) in near]
        return [flag for flag in flags[:MOST_FLAGS_TRIED] if not self.limit.passed and self._possible_without(flag)]

    def _possible_without(self, flag: Cell) -> bool:
        try:
            return self._refusal(self.board.replace({flag: COVERED})) is None
        except BudgetExceeded:
            return False

    def _refusal(self, board: Board) -> ContradictionError | None:
        try:
            self.engine.solve(Question.of(board), self.limit.rest())
        except ContradictionError as error:
            return error
        return None


def _words(case: _Case, blamed: Sequence[int], error: ContradictionError) -> str:
    board = case.board
    names = [f"the {board.codes[index]} at {at(board.cell(index))}" for index in blamed]
    if error.uses_total:
        shows = f"; {_list(names)} alone {'shows' if len(names) == 1 else 'show'} it" if names else ""
        return f"{error}{shows}"
    if len(blamed) > 1:
        return f"{_list(names)} cannot {'both' if len(blamed) == 2 else 'all'} be right"
    cell = board.cell(blamed[0])
    around = [board[other] for other in board.neighbours(cell)]
    return no_room(board[cell], cell, around.count(FLAGGED), around.count(COVERED))


def _flag_words(flags: Sequence[Cell]) -> str:
    if not flags:
        return ""
    if len(flags) == 1:
        return f"; the flag at {at(flags[0])} is wrong: without it the position is possible"
    return f"; one of the flags at {_list([at(flag) for flag in flags])} is wrong: without it the position is possible"


def _list(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"
    return listing(names)
