"""How hard a layout is: what it takes to open it by deduction alone, and where that ends.

A layout is played as a careful person would play it: `mineproof.generation.walk` says how. Deductions that only
find mines count once a cell is opened after them; the last ones may have led nowhere.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mineproof.advice.hints import Hint, hint
from mineproof.base.budget import Budget
from mineproof.base.words import plural
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.deduction.ladder import LADDER
from mineproof.engine.answers import Engine
from mineproof.game.layout import Layout
from mineproof.generation.walk import walk

SCHEMA = "mineproof/grade/1"


@dataclass(frozen=True, slots=True)
class Grade:
    """What it took to open a layout by deduction; see `grade`.

    ``used`` tells how often each technique was used, easiest first, and ``hardest`` is the last of them; None if the
    first click opened everything that was opened. ``board`` is where it ended, with the mines that were proved
    flagged. If that is not ``solved``, it is the first forced guess, and ``guess`` has the odds.
    """

    solved: bool
    hardest: str | None
    used: dict[str, int]
    board: Board
    guess: Hint | None

    @property
    def open_cells(self) -> int:
        """How many cells were open where it ended."""
        return self.board.open_cells

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else "a guess is needed"
        hardest = "" if self.hardest is None else f", hardest {self.hardest}"
        return f"<Grade: {verdict}{hardest}, {plural(self.open_cells, 'cell')} open>"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/grade/1`` shape; ``board`` has rows in our own alphabet."""
        return {
            "schema": SCHEMA,
            "solved": self.solved,
            "hardest": self.hardest,
            "used": dict(self.used),
            "open_cells": self.open_cells,
            "total_mines": self.board.total_mines,
            "topology": self.board.topology,
            "board": notation.write_rows(self.board.columns, self.board.codes),
            "guess": None if self.guess is None else self.guess.as_json(),
        }


def grade(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Grade:
    """Play a layout by deduction from a first click, by default its own: the hardest technique, and the first guess.

    The budget is for each question to the exact engine. Raises IllegalMoveError when the first click hits a mine.

    >>> found = grade(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> found.solved, found.open_cells, found.guess.cell
    (False, 1, (0, 0))
    >>> grade(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1)).used
    {'single-open': 1, 'partition': 1}
    """
    limit = Budget.of(budget)
    found = walk(layout, start, budget=limit, engine=engine)
    counts = Counter(step.deduction.technique for step in found.steps)
    used = {str(name): counts[name] for name in LADDER if name in counts}
    guess = None if found.solved else hint(found.board, flags="trust", strategy=None, budget=limit, engine=engine)
    return Grade(found.solved, next(reversed(used), None), used, found.board, guess)
