"""The difficulty of a layout: the techniques needed to open it by deduction alone, and the first forced guess.

`mineproof.generation.walk` plays it as a careful person would. Deductions that only find mines count if a cell is
opened after them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof.advice.hints import Hint, hint
from mineproof.base.budget import Budget
from mineproof.base.words import plural
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.deduction.ladder import LADDER
from mineproof.engine.answers import Engine
from mineproof.game.layout import Layout
from mineproof.generation.walk import difficulty_of, walk

if TYPE_CHECKING:
    from mineproof.generation.wire import GradeJson

SCHEMA: Final = "mineproof/grade/1"


@dataclass(frozen=True, slots=True)
class Grade:
    """The techniques that a layout needs; see `grade`.

    ``used`` counts the uses of each technique, easiest first, and ``hardest`` is the last of them; None if the first
    click opened everything that was opened. ``board`` is the last position, with proved mines flagged. If the layout is
    not ``solved``, ``board`` is the first forced guess, and ``guess`` has the odds.
    """

    solved: bool
    hardest: str | None
    used: dict[str, int]
    board: Board
    guess: Hint | None

    @property
    def difficulty(self) -> int:
        """The sum over all steps: 0 for a single number, 1 for partition, 2 for bounds, up to 6 for exhaustive."""
        return difficulty_of(technique for technique, times in self.used.items() for _ in range(times))

    @property
    def open_cells(self) -> int:
        """Number of open cells at the end."""
        return self.board.open_cells

    def __repr__(self) -> str:
        verdict = "solved" if self.solved else "a guess is needed"
        hardest = "" if self.hardest is None else f", hardest {self.hardest}"
        return f"<Grade: {verdict}{hardest}, {plural(self.open_cells, 'cell')} open>"

    def as_json(self) -> GradeJson:
        """Return ``mineproof/grade/1``.

        ``board`` has the rows as text, ``position`` the same board in the ``mineproof/board/1`` shape.
        """
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
            "difficulty": self.difficulty,
            "position": self.board.as_json(),
        }


def grade(
    layout: Layout,
    start: Cell | None = None,
    *,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Grade:
    """Play a layout by deduction from ``start`` (by default its own); return the techniques used and the first guess.

    The budget is for each call of the exact engine. Raises IllegalMoveError if the first click is a mine.

    >>> result = grade(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> result.solved, result.open_cells, result.guess.cell
    (False, 1, (0, 0))
    >>> grade(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1)).used
    {'single-open': 1, 'partition': 1}
    """
    limit = Budget.of(budget)
    game = walk(layout, start, budget=limit, engine=engine)
    counts = Counter(step.deduction.technique for step in game.steps)
    used = {name: counts[name] for name in LADDER if name in counts}
    guess = None if game.solved else hint(game.board, flags="trust", strategy=None, budget=limit, engine=engine)
    return Grade(game.solved, next(reversed(used), None), used, game.board, guess)
