"""Answers about the moments of a game, as long as there is time."""

from __future__ import annotations

from dataclasses import replace

from mineproof.advice.hints import Hint, hint
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded

HINT_MAX_STATES = 200_000  # effort for one hint; a limit on states gives the same result on every machine


class Analyst:
    """An engine with a deadline."""

    def __init__(self, deadline: Deadline, engine: Engine) -> None:
        self.deadline, self.engine = deadline, engine

    @property
    def remaining_budget(self) -> Budget:
        """The budget that is left. Raises BudgetExceeded if there is none."""
        self.deadline.check()
        return self.deadline.rest()

    def find_safe_step(self, board: Board) -> Hint | None:
        """The easiest step to a safe cell, or None if there is none within `HINT_MAX_STATES`."""
        budget = self.remaining_budget
        try:
            step = hint(
                board, prefer="safe", strategy=None,
                budget=replace(budget, states=min(budget.states, HINT_MAX_STATES)), engine=self.engine,
            )  # fmt: skip
        except BudgetExceeded as error:
            if error.limit == "states":
                return None
            raise
        return step if step.safe else None
