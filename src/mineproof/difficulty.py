"""How hard a layout is: what it takes to open it by deduction alone, and where that ends.

Idea    Play it as a careful person would. After every deduction that frees a cell, open the cell (a zero opens its
        surroundings) and look again from the bottom of the ladder, because what it shows may make the next step easy.
        So a technique is named only where nothing simpler went on, and the hardest one named is really needed.
        Deductions that only find mines count once a cell is opened after them; the last ones may have led nowhere.
Cost    One climb of the ladder for each opening; single-number steps are taken together, since they are most of a game
        and opening one cell earlier makes none of them harder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import Cell, IllegalMoveError
from mineproof.hints import Hint, hint
from mineproof.ladder import LADDER, steps
from mineproof.layout import Layout
from mineproof.techniques.deduction import Deduction
from mineproof.topology import Topology
from mineproof.wording import at

SCHEMA = "mineproof/grade/1"
EASY = "single-flag"  # up to here deductions are taken together


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
        return sum(code <= 8 for code in self.board.codes)

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/grade/1`` shape; ``board`` is in our own alphabet."""
        return {
            "schema": SCHEMA,
            "solved": self.solved,
            "hardest": self.hardest,
            "used": dict(self.used),
            "open_cells": self.open_cells,
            "board": str(self.board).split("\n"),
            "guess": None if self.guess is None else self.guess.as_json(),
        }


def grade(layout: Layout, start: Cell | None = None, *, budget: Budget | float | None = None) -> Grade:
    """Play a layout by deduction from a first click, by default its own: the hardest technique, and the first guess.

    The budget is for each question to the exact engine. Raises IllegalMoveError when the first click hits a mine.

    >>> found = grade(Layout(1, 5, frozenset([(0, 1), (0, 4)])), (0, 2))
    >>> found.solved, found.open_cells, found.guess.cell
    (False, 1, (0, 0))
    >>> grade(Layout(3, 3, frozenset([(0, 0), (0, 2)])), (2, 1)).used
    {'single-open': 1, 'partition': 1}
    """
    limit = Budget.of(budget)
    play = _Play(layout)
    play.open([_first_click(layout, start)])
    used: Counter[str] = Counter()
    while not play.is_won and (taken := _go_on(play, limit)):
        used.update(step.technique for step in taken)
    names = [name for name in LADDER if name in used]
    guess = None if play.is_won else hint(play.board, flags="trust", budget=limit)
    counts = {str(name): used[name] for name in names}
    return Grade(play.is_won, names[-1] if names else None, counts, play.board, guess)


def _first_click(layout: Layout, start: Cell | None) -> Cell:
    cell = layout.start if start is None else start
    if cell is None:
        raise IllegalMoveError("the layout names no first click, so one must be given")
    if not (0 <= cell[0] < layout.rows and 0 <= cell[1] < layout.columns):
        raise IllegalMoveError(f"found {at(cell)}, expected a cell of a board of {layout.rows} × {layout.columns}")
    if cell in layout.mines:
        raise IllegalMoveError(f"{at(cell)} is a mine: nobody can start there")
    return cell


def _go_on(play: _Play, budget: Budget) -> list[Deduction]:
    """Take deductions until a cell is opened; those taken, none if none leads to a cell."""
    taken = list(steps(play.board, upto=EASY, budget=budget))
    play.flag(cell for step in taken for cell in step.mines)
    if not any(step.safe for step in taken):
        for step in steps(play.board, budget=budget):
            taken.append(step)
            play.flag(step.mines)
            if step.safe:
                break
    opened = [cell for step in taken for cell in step.safe]
    play.open(opened)
    return taken if opened else []


@dataclass
class _Play:
    """A game in which only safe cells are opened."""

    layout: Layout
    board: Board = field(init=False)

    def __post_init__(self) -> None:
        self.topology = Topology(self.layout.topology, self.layout.rows, self.layout.columns)
        mined = np.zeros(self.topology.cells + 1, dtype=np.int64)
        mined[[row * self.layout.columns + column for row, column in self.layout.mines]] = 1
        self.numbers: list[int] = mined[self.topology.neighbours].sum(axis=1).tolist()
        codes = bytes([COVERED & 0xFF]) * self.topology.cells
        rows, columns = self.layout.rows, self.layout.columns
        self.board = Board(rows, columns, codes, self.layout.total_mines, self.layout.topology)

    @property
    def is_won(self) -> bool:
        return sum(code > 8 for code in self.board.codes) == self.layout.total_mines

    def open(self, cells: Iterable[Cell]) -> None:
        """Open safe cells, and what the zeros among them open."""
        waiting = [self.board.index(cell) for cell in cells]
        opened = set(waiting)
        while waiting:
            index = waiting.pop()
            if self.numbers[index] == 0:
                found = {other for other in self.topology.around(index) if other not in opened}
                opened |= found
                waiting += found
        self.board = self.board.replace({self.board.cell(index): self.numbers[index] for index in opened})

    def flag(self, cells: Iterable[Cell]) -> None:
        self.board = self.board.replace(dict.fromkeys(cells, FLAGGED))
