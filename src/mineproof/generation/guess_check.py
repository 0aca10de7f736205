"""Whether a layout needs a guess: open everything the engine is certain of until nothing is.

Cost    One analysis for each round of openings: about thirty times as fast as a walk with proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof.advice.hints import Hint, hint
from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import at
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.engine.answers import Engine
from mineproof.game.field import MineField
from mineproof.game.layout import Layout
from mineproof.generation.careful_player import flag_mines, open_safe, start_cell

if TYPE_CHECKING:
    from mineproof.generation.wire import CheckJson, StartsJson

SCHEMA: Final = "mineproof/check/1"
STARTS_SCHEMA: Final = "mineproof/starts/1"


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a layout needs no guess from a start; see `check`.

    ``board`` is the last position that certainty reaches, with every certain mine flagged. If the game is not over
    there, it is the first forced guess, and ``guess`` has the safest cell with its odds.
    """

    start: Cell
    no_guess: bool
    board: Board
    safe_cells: int
    guess: Hint | None

    @property
    def open_cells(self) -> int:
        """Number of the ``safe_cells`` that are open at the end."""
        return self.board.open_cells

    def __repr__(self) -> str:
        verdict = "no guess" if self.no_guess else "a guess is needed"
        return f"<Check from {at(self.start)}: {verdict}, {self.open_cells:,} of {self.safe_cells:,} safe cells open>"

    def as_json(self) -> CheckJson:
        """Return ``mineproof/check/1``.

        ``board`` has the rows as text, ``position`` the same board in the ``mineproof/board/1`` shape.
        """
        return {
            "schema": SCHEMA,
            "start": list(self.start),
            "no_guess": self.no_guess,
            "open_cells": self.open_cells,
            "safe_cells": self.safe_cells,
            "total_mines": self.board.total_mines,
            "topology": self.board.topology,
            "board": notation.write_rows(self.board.columns, self.board.codes),
            "guess": None if self.guess is None else self.guess.as_json(),
            "position": self.board.as_json(),
        }


def check(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Check:
    """Check whether a layout needs no guess from ``start``, by default its own, and find the first forced guess.

    The budget is for each call of the exact engine. Raises IllegalMoveError if the first click is a mine.

    >>> result = check(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> result.no_guess, result.guess.cell, result.guess.mine_fraction
    (False, (0, 0), Fraction(1, 2))
    """
    limit, cell = Budget.of(budget), start_cell(layout, start)
    field = MineField(layout)
    open_safe(field, [cell])
    flag_mines(field, _open_certain(field, limit, engine))
    guess = None if field.is_cleared else hint(field.board, flags="trust", strategy=None, budget=limit, engine=engine)
    return Check(cell, field.is_cleared, field.board, len(layout.cells()) - layout.total_mines, guess)


def _open_certain(field: MineField, budget: Budget, engine: Engine | None) -> frozenset[Cell]:
    """Open certainly safe cells until none is left; return the certain mines at the end."""
    while True:
        analysis = analyze(field.board, budget=budget, engine=engine)
        if not analysis.safe:
            return analysis.mines
        field.open(analysis.safe)


def no_guess_starts(
    layout: Layout, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> list[Cell]:
    """Return every cell from which a layout needs no guess, in row order. The budget is for all cells together."""
    deadline = Deadline(Budget.of(budget))
    verdicts: dict[bytes, bool] = {}  # by the cells that the first click opens: adjacent zeros open the same
    starts = []
    for cell in layout.cells():
        if cell in layout.mines:
            continue
        field = MineField(layout)
        field.open([cell])
        shown = field.board.codes
        if shown not in verdicts:
            deadline.check()
            _open_certain(field, deadline.rest(), engine)
            verdicts[shown] = field.is_cleared
        if verdicts[shown]:
            starts.append(cell)
    return starts


def starts_json(layout: Layout, starts: Sequence[Cell]) -> StartsJson:
    """Return ``mineproof/starts/1`` for the result of `no_guess_starts`."""
    safe_cells = len(layout.cells()) - layout.total_mines
    return {"schema": STARTS_SCHEMA, "starts": pairs(starts), "safe_cells": safe_cells}
