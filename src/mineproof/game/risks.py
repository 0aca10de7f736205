"""The odds of every reveal of a game, from the board before the reveal; the game may still be running.

The odds are those of a review (`mineproof.game.reviews`): the player's flags do not change them, and a first click that
a rule protects has none.

*Survived* is the chance of getting through all reveals so far: the product of their survival chances. Reveals that fair
play decided and reveals that were taken back do not count.

Cost    A cell that was certainly safe once stays safe. So a reveal is analysed only if it opens a cell that was not
        known to be safe at the last analysis: 27 of 100 in expert games of the solver. Results are kept: a game that
        continues costs its new moves only.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import NamedTuple

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.judgement import risk_of
from mineproof.base.budget import Deadline
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.engine.answers import Engine
from mineproof.game.game import Game, Outcome
from mineproof.game.record import Move, Record
from mineproof.game.rules import REVEALS, revealed_cells


class MoveRisk(NamedTuple):
    """A move with the board before it, its outcome and its odds.

    ``odds`` is the chance of a mine among the cells that a reveal opens, None for other moves. ``guess`` is the
    analysis of the board if the reveal could have lost.
    """

    board: Board
    move: Move
    outcome: Outcome
    odds: float | None
    survived: float
    guess: Analysis | None


class Risks:
    """Follows a game move by move. Several threads may use it, one at a time."""

    def __init__(self, played: Record, engine: Engine | None = None) -> None:
        self._layout, self._engine = played.layout, engine
        self.game = Game.replay(played, upto=0)  # the game up to the last analysed move
        self._safe: frozenset[Cell] = frozenset()  # safe cells of the last analysis
        self._survival: list[float] = []  # chance to survive after each move that counts
        self._pending: tuple[Board, Move, Outcome] | None = None  # a move that was played but not yet analysed
        self._lock = threading.Lock()

    @property
    def survived(self) -> float:
        """Chance of getting through all moves so far."""
        return self._survival[-1] if self._survival else 1.0

    def is_of(self, played: Record) -> bool:
        """Is this record one of the same game, possibly with more moves?"""
        return self._layout == played.layout

    def survive(self, played: Record, deadline: Deadline) -> float:
        """Chance of getting through all moves of the record. After BudgetExceeded, the next call continues."""
        with self._lock:
            for _ in self.follow(played, deadline):
                pass
            return self.survived

    def follow(self, played: Record, deadline: Deadline) -> Iterator[MoveRisk]:
        """Analyse the moves of the record that are new."""
        steps = self.game.follow(played)
        while True:
            self._pending = self._pending or next(steps, None)
            if self._pending is None:
                return
            move_risk = self._analyze_move(played, *self._pending, deadline)
            self._pending = None
            if move_risk.move.kind == "undo":
                self._survival.pop()
                self._safe = frozenset()  # fewer cells are open than before
            else:
                self._survival.append(move_risk.survived)
            yield move_risk._replace(survived=self.survived)

    def _analyze_move(self, played: Record, board: Board, move: Move, outcome: Outcome, deadline: Deadline) -> MoveRisk:
        move_risk = MoveRisk(board, move, outcome, None, self.survived, None)
        if move.kind not in REVEALS or move.cell is None:
            return move_risk
        cells = revealed_cells(board, move.kind, move.cell)
        if cannot_lose(board, played, move, outcome) or self._safe.issuperset(cells):
            return move_risk._replace(odds=0.0)
        deadline.check()
        analysis = analyze(board.without_flags(), budget=deadline.rest(), engine=self._engine)
        self._safe = analysis.safe
        if self._safe.issuperset(cells):
            return move_risk._replace(odds=0.0)
        if len(cells) == 1:
            odds = float(analysis.mine_probability[next(iter(cells))])
        else:
            odds = float(risk_of(analysis, cells, deadline.rest(), self._engine))
        survived = move_risk.survived * (1.0 if outcome.redrawn else 1.0 - odds)
        return move_risk._replace(odds=odds, survived=survived, guess=analysis)


def cannot_lose(board: Board, played: Record, move: Move, outcome: Outcome) -> bool:
    """Is this a first click that a rule or the layout protects? On some boards nothing can protect it."""
    proposed = played.layout.start is not None and played.layout.start == move.cell
    return board.open_cells == 0 and (played.rules.first_click != "any" or proposed) and not outcome.exploded
