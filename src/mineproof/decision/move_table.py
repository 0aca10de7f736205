"""The table of a best move: the numbers that each cell may show, and how often each cell wins.

Odds    The chance to win is exact if the position was solved. Otherwise layouts are sampled, the same for every cell,
        and ``strong`` plays them from each of the first few cells. The share of games it wins is an estimate and marked
        as one. The estimate does not decide the move: its error is larger than the difference between good cells.
Look    The outlook of each cell comes from the kernel's look ahead, which also decided the move. Cells that the kernel
        skipped are looked at here.
Budget  The table does not raise when its budget is spent. It has everything that was finished by then, and
        ``complete`` is false.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, FLAGGED, Cell
from mineproof.decision.moves import MoveReason, MoveTable, Option, safest_option
from mineproof.decision.optimal import require_total
from mineproof.decision.position import AnalyzedPosition
from mineproof.engine.answers import Candidate, PlayedOn
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded

SEED = 0

PLAYOUT_OPTIONS = 4  # options that playouts start from, besides the safest
PLAYOUT_STRATEGY = "strong"
OUTLOOK_OPTIONS = 10  # options whose possible numbers are examined


def tabulate(
    position: AnalyzedPosition,
    reason: MoveReason,
    options: Sequence[Option],
    *,
    playouts: int,
    budget: Budget,
    complete: bool = True,
) -> MoveTable:
    """Return the table of a choice; ``complete`` is false if the choice itself ran out of budget."""
    table = _TableBuilder(position, list(options), Deadline(budget), complete)
    if reason in ("safe", "safest"):
        table.solve()
    if reason != "safe":
        table.look_ahead()
    layouts = table.count_layouts()
    table.play_on(playouts)
    return MoveTable(tuple(table.options), layouts, table.playouts, table.complete)


@dataclass(slots=True)
class _TableBuilder:
    """A table under construction."""

    position: AnalyzedPosition
    options: list[Option]
    deadline: Deadline
    complete: bool
    playouts: int = 0

    def solve(self) -> None:
        """Add exact chances to win if they are cheap."""
        if not self.options or all(option.exact for option in self.options):
            return
        try:
            values = self.position.solve_cheaply(self.deadline.rest())
        except BudgetExceeded as error:
            self._mark_incomplete(error)
            return
        self.options = [with_value(option, values) for option in self.options]

    def look_ahead(self) -> None:
        """Add the outlook of the first options and of the safest, where the choice did not compute it."""
        position = self.position
        chosen = [*self.options[:OUTLOOK_OPTIONS], *filter(None, [safest_option(self.options)])]
        cells = list(dict.fromkeys(option.cell for option in chosen if not option.outlook))
        if not cells or not position.engine.plays:
            return
        places = [position.board.index(cell) for cell in cells]
        try:
            looks = position.engine.look_ahead(position.question, places, self.deadline.rest())
        except BudgetExceeded as error:
            self._mark_incomplete(error)
            return
        self.complete &= len(looks) == len(cells)
        by_cell = dict(zip(cells, looks, strict=False))
        self.options = [
            with_look(option, by_cell[option.cell]) if option.cell in by_cell else option for option in self.options
        ]

    def count_layouts(self) -> int | None:
        """Return the number of layouts that fit, or None if there are too many to count quickly."""
        try:
            return self.position.few_layouts(self.deadline.rest())
        except BudgetExceeded as error:
            self._mark_incomplete(error)
            return None

    def play_on(self, playouts: int) -> None:
        """Estimate the chance to win of the first options and of the safest, if it is unknown."""
        safest = safest_option(self.options)
        if safest is None or safest.exact or not self.position.can_play_on(playouts):
            return
        is_safe = self.options[0].mine_probability == 0  # all safe cells are worth the same, so one is played
        chosen = self.options[:1] if is_safe else list(dict.fromkeys([*self.options[:PLAYOUT_OPTIONS], safest]))
        cells = [option.cell for option in chosen]
        played = play_on_from(self.position, cells, playouts, self.deadline.rest())
        self.playouts = played.layouts
        self.complete &= played.layouts == playouts
        wins = dict(zip(cells, played.wins, strict=True))
        if is_safe:
            wins = dict.fromkeys((option.cell for option in self.options), wins[cells[0]])
        self.options = [with_rate(option, wins.get(option.cell), played.layouts) for option in self.options]

    def _mark_incomplete(self, error: BudgetExceeded) -> None:
        """Continue with an incomplete table, unless the caller cancelled."""
        if error.limit == "cancelled":
            raise error
        self.complete = False


def with_value(option: Option, values: Mapping[Cell, Fraction]) -> Option:
    """Return the option with its exact chance to win, if that is known."""
    value = values.get(option.cell)
    if value is None:
        return option
    return replace(option, win_probability=float(value), exact=True, win_fraction=value)


def with_look(option: Option, look: Candidate) -> Option:
    """Return the option with the result of a look ahead."""
    return replace(option, outlook=look.outlook, progress=look.progress, fate=look.fate, score=look.score)


def with_rate(option: Option, wins: int | None, games: int) -> Option:
    """Return the option with the chance to win that is estimated from a number of games."""
    if wins is None or not games:
        return option
    rate = (wins + 1) / (games + 2)  # so that the error is not 0 after a row of wins or losses
    error = math.sqrt(rate * (1 - rate) / games)
    return replace(option, win_probability=wins / games, standard_error=error)


def play_on_from(
    position: AnalyzedPosition, cells: Sequence[Cell], playouts: int, budget: Budget, strategy: str = PLAYOUT_STRATEGY
) -> PlayedOn:
    """Play sampled layouts from each cell, as many as the budget allows, and return the games won."""
    board = _without_known_mines(position.board)
    starts = [board.index(cell) for cell in cells]
    return position.engine.play_on(Question.of(board), starts, strategy, SEED, playouts, budget)


def _without_known_mines(board: Board) -> Board:
    """Return the same position with its flagged mines removed from the board and from its numbers."""
    flags = list(board.cells(FLAGGED))
    near = Counter(cell for flag in flags for cell in board.neighbours(flag) if board[cell] >= 0)
    lower = {cell: board[cell] - mines for cell, mines in near.items()}
    return board.replace(lower | dict.fromkeys(flags, ABSENT), total_mines=require_total(board) - len(flags))
