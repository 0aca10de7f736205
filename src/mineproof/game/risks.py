"""The odds of every reveal of a game, each from what was seen before it; the game may still be on.

The odds are those of a review (`mineproof.game.reviews`): the player's flags take no part in them, and a first click
that nothing can make lose has none.

*Survived* is the chance of getting through all reveals made so far: the product of what the odds left of each. One that
fair play decided took no luck, and one that was taken back does not count.

Cost    A cell that was certainly safe once stays so as more is seen. So a reveal is analysed only if it opens a cell
        that was not known to be safe at the last analysis: 27 of 100 in expert games of the solver. What is worked
        out is kept: a game that goes on costs its new moves only.
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
from mineproof.game.rules import REVEALS, revealed


class Step(NamedTuple):
    """A move with what was seen before it and what it did.

    ``odds`` is the chance of a mine among the cells that a reveal opens, None of other moves. ``guess`` is the analysis
    of what was seen, if the reveal might have lost.
    """

    seen: Board
    move: Move
    outcome: Outcome
    odds: float | None
    survived: float
    guess: Analysis | None


class Risks:
    """Follows a game, move by move; several threads may ask, one after the other."""

    def __init__(self, played: Record, engine: Engine | None = None) -> None:
        self._layout, self._engine = played.layout, engine
        self.game = Game.replay(played, upto=0)  # as far as it was followed
        self._safe: frozenset[Cell] = frozenset()  # known at the last analysis
        self._line: list[float] = []  # survived after each move that counts
        self._next: tuple[Board, Move, Outcome] | None = None  # played here, its odds still to be worked out
        self._lock = threading.Lock()

    @property
    def survived(self) -> float:
        """The chance of getting through all that is followed so far."""
        return self._line[-1] if self._line else 1.0

    def is_of(self, played: Record) -> bool:
        """Is this the game that is followed, perhaps with more moves?"""
        return self._layout == played.layout

    def survive(self, played: Record, deadline: Deadline) -> float:
        """The same after all moves of the record. BudgetExceeded where that takes too long; the next call goes on."""
        with self._lock:
            for _ in self.follow(played, deadline):
                pass
            return self.survived

    def follow(self, played: Record, deadline: Deadline) -> Iterator[Step]:
        """The moves of the record that are new; a record of fewer moves has none."""
        steps = self.game.follow(played)
        while True:
            self._next = self._next or next(steps, None)
            if self._next is None:
                return
            step = self._judged(played, *self._next, deadline)
            self._next = None
            if step.move.kind == "undo":
                self._line.pop()
                self._safe = frozenset()  # less is seen than before
            else:
                self._line.append(step.survived)
            yield step._replace(survived=self.survived)

    def _judged(self, played: Record, seen: Board, move: Move, outcome: Outcome, deadline: Deadline) -> Step:
        step = Step(seen, move, outcome, None, self.survived, None)
        if move.kind not in REVEALS or move.cell is None:
            return step
        cells = revealed(seen, move.kind, move.cell)
        if cannot_lose(seen, played, move, outcome) or self._safe.issuperset(cells):
            return step._replace(odds=0.0)
        deadline.check()
        found = analyze(seen.without_flags(), budget=deadline.rest(), engine=self._engine)
        self._safe = found.safe
        if self._safe.issuperset(cells):
            return step._replace(odds=0.0)
        if len(cells) == 1:
            odds = float(found.mine_probability[next(iter(cells))])
        else:
            odds = float(risk_of(found, cells, deadline.rest(), self._engine))
        survived = step.survived * (1.0 if outcome.redrawn else 1.0 - odds)
        return step._replace(odds=odds, survived=survived, guess=found)


def cannot_lose(seen: Board, played: Record, move: Move, outcome: Outcome) -> bool:
    """Is this the first click, and does a rule protect it, or the layout? There are boards on which none can."""
    proposed = played.layout.start is not None and played.layout.start == move.cell
    return seen.open_cells == 0 and (played.rules.first_click != "any" or proposed) and not outcome.exploded
