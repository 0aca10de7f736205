"""Whether a layout needs a guess: open everything the engine is certain of until nothing is.

Cost    One analysis for each round of openings: some thirty times as fast as a walk that says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.advice.hints import Hint, hint
from mineproof.analysis.analysis import analyze
from mineproof.base.budget import Budget, Deadline
from mineproof.base.words import at
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import Cell, pairs
from mineproof.engine.answers import Engine
from mineproof.game.field import Field
from mineproof.game.layout import Layout
from mineproof.generation.careful import flag_mines, open_safe, start_cell

SCHEMA, STARTS_SCHEMA = "mineproof/check/1", "mineproof/starts/1"


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a layout needs no guess from a start; see `check`.

    ``board`` is where certainty ended, with every certain mine flagged. If that is not the end of the game, it is the
    first forced guess, and ``guess`` has the safest cell with its odds.
    """

    start: Cell
    no_guess: bool
    board: Board
    safe_cells: int
    guess: Hint | None

    @property
    def open_cells(self) -> int:
        """How many of the ``safe_cells`` are open where it ended."""
        return self.board.open_cells

    def __repr__(self) -> str:
        verdict = "no guess" if self.no_guess else "a guess is needed"
        return f"<Check from {at(self.start)}: {verdict}, {self.open_cells:,} of {self.safe_cells:,} safe cells open>"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/check/1`` shape; ``board`` has rows in our own alphabet."""
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
        }


def check(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Check:
    """Whether a layout needs no guess from a first click, by default its own, and where the first forced one is.

    The budget is for each question to the exact engine. Raises IllegalMoveError when the first click hits a mine.

    >>> found = check(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> found.no_guess, found.guess.cell, found.guess.mine_fraction
    (False, (0, 0), Fraction(1, 2))
    """
    limit, cell = Budget.of(budget), start_cell(layout, start)
    field = Field(layout)
    open_safe(field, [cell])
    flag_mines(field, _open_certain(field, limit, engine))
    guess = None if field.is_cleared else hint(field.board, flags="trust", strategy=None, budget=limit, engine=engine)
    return Check(cell, field.is_cleared, field.board, len(layout.cells()) - layout.total_mines, guess)


def _open_certain(field: Field, budget: Budget, engine: Engine | None) -> frozenset[Cell]:
    """Open all that is certainly safe, as far as it goes; the mines that are certain in the end."""
    while True:
        found = analyze(field.board, budget=budget, engine=engine)
        if not found.safe:
            return found.mines
        field.open(found.safe)


def no_guess_starts(
    layout: Layout, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> list[Cell]:
    """Every cell from which a layout needs no guess, in row order. The budget is for all of them together."""
    deadline = Deadline(Budget.of(budget))
    verdicts: dict[bytes, bool] = {}  # by what the first click shows: zeros that touch open the same
    found = []
    for cell in layout.cells():
        if cell in layout.mines:
            continue
        field = Field(layout)
        field.open([cell])
        shown = field.board.codes
        if shown not in verdicts:
            deadline.check()
            _open_certain(field, deadline.rest(), engine)
            verdicts[shown] = field.is_cleared
        if verdicts[shown]:
            found.append(cell)
    return found


def starts_json(layout: Layout, starts: Sequence[Cell]) -> dict[str, object]:
    """The ``mineproof/starts/1`` shape of what `no_guess_starts` found."""
    safe_cells = len(layout.cells()) - layout.total_mines
    return {"schema": STARTS_SCHEMA, "starts": pairs(starts), "safe_cells": safe_cells}
