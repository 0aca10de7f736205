"""A built-in strategy that plays move by move: for games whose rules the kernel does not play."""

from __future__ import annotations

import math
from collections import deque

from mineproof.analysis.analysis import Analysis
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.decision.custom import CustomStrategy, GameStrategy
from mineproof.engine.answers import Engine
from mineproof.engine.question import Question

STRATEGY_STREAM = 1 << 63  # combined with the number of a game, as in native/src/game_player.cpp
CHOICE_BUDGET = Budget(seconds=math.inf)


class NamedStrategy(CustomStrategy):
    """A strategy of an engine. It opens every certainly safe cell, and guesses as in games of the kernel."""

    def __init__(self, name: str, engine: Engine) -> None:
        self.name = name
        self.answers_many = False
        self._engine = engine

    def for_game(self, seed: int, number: int) -> GameStrategy:
        """Return the strategy for one game."""
        safe: deque[Cell] = deque()

        def choose(board: Board, analysis: Analysis | None) -> Cell:
            while safe:
                if board[cell := safe.popleft()] == COVERED:
                    return cell
            if analysis is not None and analysis.safe:
                safe.extend(sorted(analysis.safe))
                return safe.popleft()
            question = Question.of(board)
            return board.cell(self._engine.choose(question, self.name, seed, number | STRATEGY_STREAM, CHOICE_BUDGET))

        return GameStrategy(self.name, choose)
