"""Mines under a board, and what is seen of them: the mechanics of opening, without any rule about who may open what.

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


class Field:
    """A board with its mines. Only cells are changed here; what was changed is told, so that it can be taken back."""

    def __init__(self, layout: Layout, given: Board | None = None) -> None:
        """Mines under a board that is covered, or as ``given``: see `fits`."""
        shown = layout.board() if given is None else given
        self._table = layout.geometry.table
        start = np.frombuffer(shown.codes, dtype=np.int8)
        self._codes = np.append(start, np.int8(ABSENT))  # one more, which unused places of the table point to
        self._board: Board | None = None
        self.flags = shown.count(FLAGGED)
        self.opened = shown.open_cells
        self.lay(layout)

    def lay(self, layout: Layout) -> None:
        """Put other mines under the board; what is open must be true of them."""
        self.layout = layout
        self._numbers = layout.numbers()

    @property
    def board(self) -> Board:
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
        return cell[0] * self.layout.columns + cell[1]

    def fits(self, layout: Layout) -> bool:
        """Could these mines lie under what is seen?"""
        seen = np.flatnonzero(self._codes[:-1] >= 0)
        mined = [self.index(cell) for cell in layout.mines]
        agrees = bool((layout.numbers()[seen] == self._codes[seen]).all())
        return agrees and layout.total_mines == self.layout.total_mines and bool((self._codes[mined] < 0).all())

    # changing

    def mark(self, cell: Cell, code: int) -> None:
        """Show a covered cell as covered or flagged."""
        index = self.index(cell)
        self.flags += (code == FLAGGED) - int(self._codes[index] == FLAGGED)
        self._codes[index] = code
        self._board = None

    def open(self, cells: Iterable[Cell]) -> Indices:
        """Open safe covered cells and what the zeros among them open; flagged cells stay as they are."""
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

    def shown(self, indices: Indices) -> dict[Cell, int]:
        """Cells with what they show."""
        columns = self.layout.columns
        cells = [divmod(index, columns) for index in indices.tolist()]
        return dict(zip(cells, self._codes[indices].tolist(), strict=True))

    def cover(self, opened: Indices) -> None:
        """Take back an opening."""
        self._codes[opened] = COVERED
        self.opened -= opened.size
        self._board = None
