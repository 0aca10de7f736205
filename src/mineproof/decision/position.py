"""A position with its analysis, and optimal play where that is cheap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from mineproof.analysis.analysis import Analysis
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.optimal import OPTIMAL_PLAY_MAX_LAYOUTS, solve_analyzed
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded

CHEAP_MAX_LAYOUTS, CHEAP_MAX_STATES = 2_000, 100_000  # optimal play within this is computed for the chance to win
COUNTED_MAX_DIGITS = 6  # of the number of layouts; longer ones are not counted for a table
PLAYOUT_MAX_CELLS = 1_000  # undecided cells of a position that playouts start from


@dataclass(frozen=True, slots=True)
class AnalyzedPosition:
    """A board with a total, whose flags are mines, and its analysis."""

    board: Board
    analysis: Analysis
    engine: Engine

    @property
    def question(self) -> Question:
        return Question.of(self.board)

    def few_layouts(self, budget: Budget) -> int | None:
        """Return the number of layouts that fit, or None if there are too many to count quickly."""
        return self.analysis.count_layouts(budget) if self.analysis.log10_layouts <= COUNTED_MAX_DIGITS else None

    def mine_probability(self, cell: Cell) -> float:
        return float(self.analysis.mine_probability[cell])

    def can_play_on(self, playouts: int) -> bool:
        """Are estimates requested, and can the engine play games from here?"""
        return playouts > 0 and self.engine.plays and self.analysis.undecided_count <= PLAYOUT_MAX_CELLS

    def solve(
        self, budget: Budget, most: int = OPTIMAL_PLAY_MAX_LAYOUTS, *, every: bool = False
    ) -> dict[Cell, Fraction]:
        """Return the chance to win by each cell that is not certainly a mine; if some are safe, by these alone.

        All safe cells are worth the same, and no cell is worth more. With ``every`` the others are included anyway.
        """
        every = every or not self.analysis.safe
        optimum = solve_analyzed(self.analysis, budget, self.engine, every=every, most=most)
        values = optimum.values if every else {self.board.index(cell): optimum.won for cell in self.analysis.safe}
        return {self.board.cell(index): Fraction(won, optimum.layouts) for index, won in values.items()}

    def solve_cheaply(self, budget: Budget, *, every: bool = False) -> dict[Cell, Fraction]:
        """Return `solve` if that is cheap, otherwise nothing. Raises BudgetExceeded if ``budget`` itself is spent."""
        cheap = replace(budget, states=min(budget.states, CHEAP_MAX_STATES))
        try:
            return self.solve(cheap, CHEAP_MAX_LAYOUTS, every=every)
        except BudgetExceeded as error:
            if error.limit in ("states", "size"):
                return {}
            raise
