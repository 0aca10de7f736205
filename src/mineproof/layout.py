"""Where the mines are: the truth behind a board. Nothing that solves may import this module."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mineproof.board import Board
from mineproof.codes import ABSENT, COVERED, MAX_CELLS
from mineproof.errors import BoardSyntaxError, Cell
from mineproof.rng import Random, deal
from mineproof.topology import KINDS, Kind, Topology

Flat = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Layout:
    """Mines of a whole board, and the first click it was made for, where a format names one.

    ``absent`` cells are not part of the board. ``no_guess`` says that it was made to need no guess from its start, so
    that odds which take all layouts for equally likely are not true of it.
    """

    rows: int
    columns: int
    mines: frozenset[Cell]
    start: Cell | None = None
    topology: Kind = "grid"
    absent: frozenset[Cell] = frozenset()
    no_guess: bool = False

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.rows * self.columns > MAX_CELLS:
            raise BoardSyntaxError(f"found a layout of {self.rows} × {self.columns}, expected 1 to {MAX_CELLS} cells")
        if self.topology not in KINDS:
            raise BoardSyntaxError(f"unknown topology {self.topology!r}, expected one of {', '.join(KINDS)}")
        start = [] if self.start is None else [self.start]
        for cell in [*self.mines, *self.absent, *start]:
            if not (0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns):
                raise BoardSyntaxError(f"found cell {cell}, expected one inside {self.rows} × {self.columns}")
        if len(self.absent) == self.rows * self.columns:
            raise BoardSyntaxError("found no cell that is part of the board, expected at least one")
        if taken := sorted(self.absent.intersection(self.mines)):
            raise BoardSyntaxError(f"found a mine at {taken[0]}, which is not part of the board")
        if self.start in self.absent:
            raise BoardSyntaxError(f"found the first click {self.start}, which is not part of the board")

    @property
    def total_mines(self) -> int:
        return len(self.mines)

    @property
    def shape(self) -> Topology:
        """Which cells touch which."""
        return Topology(self.topology, self.rows, self.columns)

    def cells(self) -> list[Cell]:
        """Every cell that is part of the board, in row order."""
        places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        return [cell for cell in places if cell not in self.absent] if self.absent else places

    def around(self, cell: Cell) -> list[Cell]:
        """The cells next to one cell that are part of the board, in row order."""
        near = (divmod(index, self.columns) for index in self.shape.around(cell[0] * self.columns + cell[1]))
        return [other for other in near if other not in self.absent]

    def numbers(self) -> Flat:
        """For every cell, in row order, how many mines touch it; also where there is a mine or no cell at all."""
        mined = np.zeros(self.rows * self.columns + 1, dtype=np.int8)
        mined[self._indices(self.mines)] = 1
        numbers: Flat = mined[self.shape.neighbours].sum(axis=1, dtype=np.int8)
        return numbers

    def board(self) -> Board:
        """What a player sees before the first move."""
        codes = np.full(self.rows * self.columns, COVERED, dtype=np.int8)
        codes[self._indices(self.absent)] = ABSENT
        return Board(self.rows, self.columns, codes.tobytes(), self.total_mines, self.topology)

    # making other layouts

    def with_mines(self, mines: frozenset[Cell]) -> Layout:
        """Other mines on the same board; whatever it took to make this one is not true of that."""
        return Layout(self.rows, self.columns, mines, self.start, self.topology, self.absent)

    def cleared(self, cell: Cell, random: Random, *, around: bool) -> Layout:
        """The layout with mines moved away from a cell and, if asked, from around it, as far as there is room.

        No more are moved than must be. If all layouts were equally likely before, those that have as few mines as
        possible under the cell, then around it, are so after.
        """
        near = self.around(cell) if around else []
        if self.mines.isdisjoint([cell, *near]):
            return self
        rank = np.zeros(self.rows * self.columns, dtype=np.int8)  # mines fill the cells of rank 0, then 1, then 2
        rank[self._indices(self.absent)] = 3
        rank[self._indices(near)] = 1
        rank[self._indices([cell])] = 2
        mined = np.zeros(len(rank), dtype=np.bool_)
        mined[self._indices(self.mines)] = True
        left = self.total_mines
        for group in range(3):
            inside = rank == group
            share = min(left, int(np.count_nonzero(inside)))
            left -= share
            surplus = int(np.count_nonzero(mined & inside)) - share
            pool = np.flatnonzero(inside & (mined == (surplus > 0))).tolist()
            mined[deal(random, pool, abs(surplus))] = surplus < 0
        mines = frozenset(divmod(index, self.columns) for index in np.flatnonzero(mined).tolist())
        return self if mines == self.mines else self.with_mines(mines)

    def _indices(self, cells: Iterable[Cell]) -> list[int]:
        return [row * self.columns + column for row, column in cells]

    def __str__(self) -> str:
        """Rows of ``*`` (mine), ``.`` (free) and ``~`` (not part of the board)."""
        signs = np.full(self.rows * self.columns, ord("."), dtype=np.uint8)
        signs[self._indices(self.mines)] = ord("*")
        signs[self._indices(self.absent)] = ord("~")
        text = signs.tobytes().decode("ascii")
        return "\n".join(text[at : at + self.columns] for at in range(0, len(text), self.columns))
