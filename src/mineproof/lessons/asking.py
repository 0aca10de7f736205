"""Who is asked about the moments of a game: an engine, as long as there is time."""

from __future__ import annotations

from dataclasses import replace

from mineproof.advice.hints import Hint, hint
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded

STATES = 200_000  # of one step: what takes more is not told, on any machine


class Asking:
    """An engine, and the time that is left for its answers."""

    def __init__(self, deadline: Deadline, engine: Engine) -> None:
        self.deadline, self.engine = deadline, engine

    @property
    def rest(self) -> Budget:
        self.deadline.check()
        return self.deadline.rest()

    def hint(self, seen: Board) -> Hint | None:
        """The easiest step to a cell to open, for a player who sees this; None if there is none, or it takes long."""
        rest = self.rest
        try:
            found = hint(
                seen, prefer="safe", strategy=None, budget=replace(rest, states=min(rest.states, STATES)),
                engine=self.engine,
            )  # fmt: skip
        except BudgetExceeded as error:
            if error.limit == "states":
                return None
            raise
        return found if found.safe else None
