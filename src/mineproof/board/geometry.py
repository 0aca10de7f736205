"""Which cells touch which: a topology of a size, as a neighbour table.

Everything above it, the kernel included, looks cells up in the table and never assumes eight neighbours. So a new board
shape is one more object in `mineproof.board.topology`. Cells that are not part of a board stay in the table: the board
gives them the code `ABSENT`, which no rule counts. A table has 8 columns, or 32 for shapes whose cells touch more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import at, size
from mineproof.board import topology
from mineproof.board.cells import MAX_CELLS, Cell
from mineproof.board.topology import TOPOLOGIES, require_topology, topology_named
from mineproof.errors import BoardSyntaxError, OutsideError

if TYPE_CHECKING:
    from mineproof.board.topology import TopologyName

    Topology = TopologyName  # the name of one, in annotations

__all__ = ["TOPOLOGIES", "Geometry", "Topology", "require_shape", "require_size", "require_topology"]


def __getattr__(name: str) -> object:
    if name == "Topology":
        return topology.TopologyName
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@dataclass(frozen=True, slots=True)
class Geometry:
    """A topology of a size. Counting needs nothing of it but its `table`."""

    topology: TopologyName
    rows: int
    columns: int

    @property
    def cells(self) -> int:
        """Number of cells, those that are not part of the board included."""
        return self.rows * self.columns

    @property
    def table(self) -> npt.NDArray[np.int32]:
        """Array (cells, `reach`) of cell indices, ascending; the index ``cells`` fills unused places."""
        return _neighbour_table(self)

    @property
    def reach(self) -> int:
        """The width of the table: 8, or 32 for shapes whose cells touch more."""
        return topology_named(self.topology).reach

    @property
    def largest_number(self) -> int:
        """The largest number that a cell may show."""
        return topology_named(self.topology).largest_number

    @property
    def holes(self) -> frozenset[int]:
        """The indices of the places that the shape does not have; their cells are not part of any board."""
        return topology_named(self.topology).holes(self.rows, self.columns)

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in row order. Raises OutsideError if the cell is not on the board."""
        try:
            row, column = cell
            if type(row) is not int or type(column) is not int:  # NumPy's will do, truth values and floats will not
                row, column = checks.cell("cell", cell)
        except (TypeError, ValueError):
            raise TypeError(f"cell must be a cell (row, column), got {cell!r}") from None
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise OutsideError(f"expected a cell on the {size(self.rows, self.columns)} board, got {at(cell)}")
        return row * self.columns + column

    def cell(self, index: int) -> Cell:
        """Return the (row, column) of an index in row order."""
        return divmod(index, self.columns)

    def neighbours(self, index: int) -> list[int]:
        """Return the indices of the neighbours of a cell, ascending."""
        cells = self.cells
        return [other for other in self.table[index].tolist() if other < cells]


def require_size(rows: int, columns: int) -> None:
    """Raise BoardSyntaxError for a size that no board can have."""
    if rows < 1 or columns < 1:
        raise BoardSyntaxError(f"expected a board of at least one cell, got {size(rows, columns)}")
    if rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"expected at most {MAX_CELLS} cells, got {size(rows, columns)} = {rows * columns}")


def require_shape(topology: TopologyName, rows: int, columns: int) -> None:
    """Raise BoardSyntaxError for an unknown topology, or a size that no board of this topology can have."""
    require_size(rows, columns)
    topology_named(topology).require_size(rows, columns)


@lru_cache(maxsize=16)
def _neighbour_table(geometry: Geometry) -> npt.NDArray[np.int32]:
    return topology_named(geometry.topology).neighbour_table(geometry.rows, geometry.columns)
