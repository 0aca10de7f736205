"""Which cells touch which: the one place that knows the shape of a board.

A topology is a neighbour table. Everything above it, the kernel included, asks the table and never
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

Kind = Literal["grid", "torus", "hex"]
KINDS: tuple[Kind, ...] = ("grid", "torus", "hex")
REACH = 8  # the most neighbours a cell of any kind has: the width of the table

_SQUARE = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
_HEX_EVEN = [(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)]
_HEX_ODD = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)]


@dataclass(frozen=True, slots=True)
class Topology:
    kind: Kind
    rows: int
    columns: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def neighbours(self) -> npt.NDArray[np.int32]:
        """Table (cells, REACH) of cell indices, ascending; unused places hold the index ``cells``."""
        return _table(self)

    def around(self, index: int) -> list[int]:
        """Indices of the cells next to one cell, ascending."""
        cells = self.cells
        return [other for other in self.neighbours[index].tolist() if other < cells]


@lru_cache(maxsize=16)
def _table(topology: Topology) -> npt.NDArray[np.int32]:
    rows, columns, cells = topology.rows, topology.columns, topology.cells
    row, column = np.divmod(np.arange(cells, dtype=np.int64), columns)
    table = np.full((cells, REACH), cells, dtype=np.int64)
    if topology.kind == "hex":
        for place, (even, odd) in enumerate(zip(_HEX_EVEN, _HEX_ODD, strict=True)):
            shift = np.where(row % 2 == 0, even[1], odd[1])
            table[:, place] = _inside(row + even[0], column + shift, topology)
    else:
        for place, (dr, dc) in enumerate(_SQUARE):
            if topology.kind == "torus":
                table[:, place] = (row + dr) % rows * columns + (column + dc) % columns
            else:
                table[:, place] = _inside(row + dr, column + dc, topology)
    table.sort(axis=1)
    if topology.kind == "torus":  # drop repeats and the cell itself, which only narrow tori have
        again = np.zeros_like(table, dtype=bool)
        again[:, 1:] = table[:, 1:] == table[:, :-1]
        table[again | (table == np.arange(cells)[:, None])] = cells
        table.sort(axis=1)
    result = np.ascontiguousarray(table, dtype=np.int32)
    result.setflags(write=False)
    return result


def _inside(row: npt.NDArray[np.int64], column: npt.NDArray[np.int64], topology: Topology) -> npt.NDArray[np.int64]:
    """Cell indices where (row, column) lies on the board, the index ``cells`` elsewhere."""
    inside = (row >= 0) & (row < topology.rows) & (column >= 0) & (column < topology.columns)
    return np.where(inside, row * topology.columns + column, topology.cells)
