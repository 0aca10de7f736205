"""Which cells touch which: the one place that knows the shape of a board.

A geometry is a neighbour table. Everything above it, the kernel included, asks the table and never
assumes eight neighbours, so a new shape is one more row generator here. Cells that are not part of a
board are not missing from the table: the board gives them the code `ABSENT`, which no rule counts.

* ``grid``  the usual rectangle, eight neighbours inside, fewer at the border;
* ``torus`` the same with opposite borders joined; on boards narrower than three cells a neighbour
  reached twice counts once, and no cell is its own neighbour;
* ``hex``   six neighbours, odd rows shifted half a cell to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import at, size
from mineproof.board.cells import MAX_CELLS, Cell
from mineproof.errors import BoardSyntaxError, OutsideError

Topology = Literal["grid", "torus", "hex"]
TOPOLOGIES: tuple[Topology, ...] = ("grid", "torus", "hex")
REACH = 8  # the most neighbours a cell of any kind has: the width of the table

_SQUARE = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
_HEX_EVEN = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)]
_HEX_ODD = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)]


@dataclass(frozen=True, slots=True)
class Geometry:
    """A topology of a size: `table` is all that counting asks of it."""

    topology: Topology
    rows: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def table(self) -> npt.NDArray[np.int32]:
        """Table (cells, REACH) of cell indices, ascending; unused places hold the index ``cells``."""
        return _table(self)

    def index(self, cell: Cell) -> int:
        """Place of a cell in row order; OutsideError where there is no such cell."""
        try:
            row, column = cell
            if type(row) is not int or type(column) is not int:  # NumPy's will do, truth values and floats will not
                row, column = checks.cell("cell", cell)
        except (TypeError, ValueError):
            raise TypeError(f"found cell={cell!r}, expected a cell (row, column)") from None
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise OutsideError(f"found {at(cell)}, expected a cell of a board of {size(self.rows, self.columns)}")
        return row * self.columns + column

    def cell(self, index: int) -> Cell:
        """The (row, column) of a place in row order."""
        return divmod(index, self.columns)

    def neighbours(self, index: int) -> list[int]:
        """Indices of the cells next to one cell, ascending."""
        cells = self.cells
        return [other for other in self.table[index].tolist() if other < cells]


def require_size(rows: int, columns: int) -> None:
    """Raise BoardSyntaxError where there can be no board of this size."""
    if rows < 1 or columns < 1:
        raise BoardSyntaxError(f"found a board of {size(rows, columns)}, expected at least one cell")
    if rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"found {size(rows, columns)} = {rows * columns} cells, expected at most {MAX_CELLS}")


def require_topology(name: str) -> None:
    if name not in TOPOLOGIES:
        raise BoardSyntaxError(f"found topology={name!r}, expected one of {', '.join(TOPOLOGIES)}")


@lru_cache(maxsize=16)
def _table(geometry: Geometry) -> npt.NDArray[np.int32]:
    rows, columns, cells = geometry.rows, geometry.columns, geometry.cells
    row, column = np.divmod(np.arange(cells, dtype=np.int64), columns)
    table = np.full((cells, REACH), cells, dtype=np.int64)
    if geometry.topology == "hex":
        for place, (even, odd) in enumerate(zip(_HEX_EVEN, _HEX_ODD, strict=True)):
            shift = np.where(row % 2 == 0, even[1], odd[1])
            table[:, place] = _inside(row + even[0], column + shift, geometry)
    else:
        for place, (dr, dc) in enumerate(_SQUARE):
            if geometry.topology == "torus":
                table[:, place] = (row + dr) % rows * columns + (column + dc) % columns
            else:
                table[:, place] = _inside(row + dr, column + dc, geometry)
    table.sort(axis=1)
    if geometry.topology == "torus":  # drop repeats and the cell itself, which only narrow tori have
        again = np.zeros_like(table, dtype=bool)
        again[:, 1:] = table[:, 1:] == table[:, :-1]
        table[again | (table == np.arange(cells)[:, None])] = cells
        table.sort(axis=1)
    result = np.ascontiguousarray(table, dtype=np.int32)
    result.setflags(write=False)
    return result


def _inside(row: npt.NDArray[np.int64], column: npt.NDArray[np.int64], geometry: Geometry) -> npt.NDArray[np.int64]:
    """Cell indices where (row, column) lies on the board, the index ``cells`` elsewhere."""
    inside = (row >= 0) & (row < geometry.rows) & (column >= 0) & (column < geometry.columns)
    return np.where(inside, row * geometry.columns + column, geometry.cells)
