"""A finished game move by move: the cells that each move changed, its odds, and the chance to get that far.

The changes alone are enough to show the game on a page; no rule of the game is needed.

Cost    One replay, and the odds of `mineproof.game.risks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import plural, size
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell, pairs
from mineproof.board.notation import write_rows
from mineproof.engine.answers import Engine
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game, Outcome
from mineproof.game.record import Move, Record
from mineproof.game.risks import Risks
from mineproof.game.rules import REVEALS, GameStatus, MoveKind

if TYPE_CHECKING:
    from mineproof.game.wire import TimelineJson, TimelineStepJson

SCHEMA: Final = "mineproof/timeline/1"


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One move of a game.

    ``number`` counts from 1. ``changes`` are the cells that look different after the move, each with its character:
    those of a board, and ``?`` for a question mark. ``odds`` is the chance of a mine among the cells that a reveal
    opened, None for other moves. ``survived`` is the chance of getting through all reveals so far
    (`mineproof.game.risks`).
    """

    number: int
    kind: MoveKind
    cell: Cell | None
    ms: int
    changes: tuple[tuple[Cell, str], ...]
    exploded: frozenset[Cell]
    redrawn: bool
    odds: float | None
    survived: float

    def as_json(self) -> TimelineStepJson:
        """Return this step as a JSON object."""
        return {
            "move": self.number,
            "kind": self.kind,
            "cell": None if self.cell is None else list(self.cell),
            "time": self.ms / 1000,
            "changes": [[*cell, sign] for cell, sign in self.changes],
            "exploded": pairs(self.exploded),
            "redrawn": self.redrawn,
            "odds": self.odds,
            "survived": self.survived,
        }


@dataclass(frozen=True, slots=True)
class Timeline:
    """A finished game move by move; see `timeline`.

    ``board`` is the board before the first move, ``mines`` are the mines at the end.
    """

    board: Board
    status: GameStatus
    mines: frozenset[Cell]
    steps: tuple[TimelineStep, ...]

    def __repr__(self) -> str:
        board = size(self.board.rows, self.board.columns, self.board.total_mines)
        return f"<Timeline of {board}: {plural(len(self.steps), 'move')}, {self.status}>"

    def as_json(self) -> TimelineJson:
        """The ``mineproof/timeline/1`` shape."""
        board = self.board
        return {
            "schema": SCHEMA,
            "rows": board.rows,
            "columns": board.columns,
            "total_mines": board.total_mines,
            "topology": board.topology,
            "status": self.status,
            "cells": write_rows(board.columns, board.codes),
            "mines": pairs(self.mines),
            "steps": [step.as_json() for step in self.steps],
        }


def timeline(played: Game | Record, *, budget: Budget | float | None = None, engine: Engine | None = None) -> Timeline:
    """Return a finished game move by move. The budget covers the whole game.

    Raises IllegalMoveError while the game is running, BoardSyntaxError if a record cannot be replayed.

    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])))
    >>> outcomes = [game.open(0, 3), game.flag(1, 0), game.open(0, 0)]
    >>> for step in timeline(game).steps:
    ...     print(step.number, step.kind, step.changes[:2], step.odds, step.survived)
    1 open (((0, 1), '1'), ((0, 2), '0')) 0.0 1.0
    2 flag (((1, 0), 'F'),) None 1.0
    3 open (((0, 0), '1'),) 0.5 0.5
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    if not record.over:
        raise IllegalMoveError("The game is still running. A time line needs a finished game.")
    risks, deadline = Risks(record, engine), Deadline(Budget.of(budget))
    game = risks.game
    first_board, tracker, steps = game.board, _SignTracker(game), []
    for number, move_risk in enumerate(risks.follow(record, deadline), 1):
        move, outcome = move_risk.move, move_risk.outcome
        changes = tuple(sorted(tracker.update(move, outcome).items()))
        steps.append(
            TimelineStep(
                number, move.kind, move.cell, move.ms, changes, outcome.exploded, outcome.redrawn, move_risk.odds,
                move_risk.survived,
            )
        )  # fmt: skip
    return Timeline(first_board, game.status, game.layout.mines, tuple(steps))


class _SignTracker:
    """The characters of a board, updated with each move of its game."""

    def __init__(self, game: Game) -> None:
        self._game, self._signs = game, _board_signs(game)

    def update(self, move: Move, outcome: Outcome) -> dict[Cell, str]:
        """Return the cells that the last move changed. Only an undo compares every cell."""
        columns = self._game.columns
        if move.cell is None:
            signs = _board_signs(self._game)
            places = np.flatnonzero(signs != self._signs).tolist()
            self._signs = signs
            return {divmod(place, columns): str(signs[place]) for place in places}
        changes = {cell: str(number) for cell, number in outcome.opened.items()}
        if move.kind not in REVEALS:
            flagged, question = self._game.board[move.cell] == FLAGGED, move.cell in self._game.questions
            changes = {move.cell: "F" if flagged else "?" if question else "#"}
        for (row, column), sign in changes.items():
            self._signs[row * columns + column] = sign
        return changes


def _board_signs(game: Game) -> npt.NDArray[np.str_]:
    """Return the sign of each cell: one character, or the digits of a number above 8."""
    signs = re.findall(r"\(([0-9]+)\)|(.)", str(game).replace("\n", ""))
    return np.array([large or sign for large, sign in signs], dtype="<U2")
