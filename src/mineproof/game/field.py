"""Mines under a board, and the visible cells: the mechanics of opening, without the rules of a game.

Cost    Cells are opened in waves: all neighbours of the zeros opened last, at once, by numpy. A wave costs some
        microseconds and the cells it opens, so a million cells of sea are open within a second, whatever their shape.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.game.layout import Layout

Indices = npt.NDArray[np.intp]
NONE: Indices = np.array([], dtype=np.intp)


class MineField:
    """A board with its mines. Methods that change cells return the changes, so that they can be undone."""

    def __init__(self, layout: Layout, given: Board | None = None) -> None:
        """Create a covered board, or one that begins as ``given``: see `fits`."""
        shown = layout.board() if given is None else given
        self._table = layout.geometry.table
        start = np.frombuffer(shown.codes, dtype=np.int8)
        self._codes = np.append(start, np.int8(ABSENT))  # one more, which unused places of the table point to
        self._board: Board | None = None
        self.flags = shown.count(FLAGGED)
        self.opened = shown.open_cells
        self.lay(layout)

    def lay(self, layout: Layout) -> None:
        """Put other mines under the board. They must fit the open cells."""
        self.layout = layout
        self._numbers = layout.numbers()

    @property
    def board(self) -> Board:
        """The visible position."""
        if self._board is None:
            layout = self.layout
            codes = self._codes[:-1].tobytes()
            self._board = Board(layout.rows, layout.columns, codes, layout.total_mines, layout.topology)
        return self._board

    @property
    def is_cleared(self) -> bool:
        """Is every safe cell open?"""
        layout = self.layout
        return self.opened == layout.rows * layout.columns - len(layout.absent) - layout.total_mines

    def __getitem__(self, cell: Cell) -> int:
        return int(self._codes[self.index(cell)])

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in row order."""
        return cell[0] * self.layout.columns + cell[1]

    def fits(self, layout: Layout) -> bool:
        """Do these mines fit the open cells?"""
        seen = np.flatnonzero(self._codes[:-1] >= 0)
        mined = [self.index(cell) for cell in layout.mines]
        agrees = bool((layout.numbers()[seen] == self._codes[seen]).all())
        return agrees and layout.total_mines == self.layout.total_mines and bool((self._codes[mined] < 0).all())

    # changes

    def mark(self, cell: Cell, code: int) -> None:
        """Show a covered cell as covered or flagged."""
        index = self.index(cell)
        self.flags += (code == FLAGGED) - int(self._codes[index] == FLAGGED)
        self._codes[index] = code
        self._board = None

    def open(self, cells: Iterable[Cell]) -> Indices:
        """Open safe covered cells, and the cells around zeros; flagged cells stay covered."""
        wave = np.array(sorted(map(self.index, cells)), dtype=np.intp)
        waves = [wave]
        while wave.size:
            self._codes[wave] = self._numbers[wave]
            around = self._table[wave[self._numbers[wave] == 0]].ravel()
            wave = np.unique(around[self._codes[around] == COVERED]).astype(np.intp)
            waves.append(wave)
        opened = np.concatenate(waves)
        self.opened += opened.size
        self._board = None
        return opened

    def visible_codes(self, indices: Indices) -> dict[Cell, int]:
        """Return cells with their codes."""
        columns = self.layout.columns
        cells = [divmod(index, columns) for index in indices.tolist()]
        return dict(zip(cells, self._codes[indices].tolist(), strict=True))

    def cover(self, opened: Indices) -> None:
        """Undo an opening."""
        self._codes[opened] = COVERED
        self.opened -= opened.size
        self._board = None
