"""A finished game step by step: which cells each move changed, how risky it was, and how likely one gets so far.

A page that shows a game walks forwards with the changes alone; no rule of the game is needed for that.

Cost    One replay, and the odds of `mineproof.game.risks`.
"""

from __future__ import annotations

from dataclasses import dataclass

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

SCHEMA = "mineproof/timeline/1"


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One move of a game.

    ``number`` counts from 1: after it, so many moves are made. ``changes`` are the cells that look different then, with
    the character that stands for each: those of a board, and ``?`` for a question mark. ``odds`` is the chance of a
    mine among the cells that a reveal opened, None of other moves; ``survived`` the chance of getting through all
    reveals so far (`mineproof.game.risks`).
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

    def as_json(self) -> dict[str, object]:
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
    """See `timeline`. ``board`` is what was seen before the first move, ``mines`` are where they lay at the end."""

    board: Board
    status: GameStatus
    mines: frozenset[Cell]
    steps: tuple[TimelineStep, ...]

    def __repr__(self) -> str:
        board = size(self.board.rows, self.board.columns, self.board.total_mines)
        return f"<Timeline of {board}: {plural(len(self.steps), 'move')}, {self.status}>"

    def as_json(self) -> dict[str, object]:
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
    """A finished game move by move; IllegalMoveError while it is on. The budget is for all of it.

    Raises BoardSyntaxError when a record cannot be replayed.

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
        raise IllegalMoveError("the game is still on: it can be looked back upon when it is over")
    risks, deadline = Risks(record, engine), Deadline(Budget.of(budget))
    game = risks.game
    first, picture, steps = game.board, _Picture(game), []
    for number, step in enumerate(risks.follow(record, deadline), 1):
        move, did = step.move, step.outcome
        changes = tuple(sorted(picture.changed(move, did).items()))
        steps.append(
            TimelineStep(
                number, move.kind, move.cell, move.ms, changes, did.exploded, did.redrawn, step.odds, step.survived
            )
        )
    return Timeline(first, game.status, game.layout.mines, tuple(steps))


class _Picture:
    """The signs of a board, kept up with the moves of its game."""

    def __init__(self, game: Game) -> None:
        self._game, self._signs = game, _signs(game)

    def changed(self, move: Move, outcome: Outcome) -> dict[Cell, str]:
        """What looks different after a move that the game has just made. Only an undo costs a look at every cell."""
        columns = self._game.columns
        if move.cell is None:
            now = _signs(self._game)
            places = np.flatnonzero(now != self._signs).tolist()
            self._signs = now
            return {divmod(place, columns): chr(now[place]) for place in places}
        found = {cell: str(number) for cell, number in outcome.opened.items()}
        if move.kind not in REVEALS:
            flagged, question = self._game.board[move.cell] == FLAGGED, move.cell in self._game.questions
            found = {move.cell: "F" if flagged else "?" if question else "#"}
        for (row, column), sign in found.items():
            self._signs[row * columns + column] = ord(sign)
        return found


def _signs(game: Game) -> npt.NDArray[np.uint8]:
    return np.array(bytearray(str(game).replace("\n", ""), "ascii"), dtype=np.uint8)
