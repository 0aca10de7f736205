"""Board shapes as classes: which cells touch, and where cells are in pictures.

`Topology` is a pattern: the same steps to the neighbours and the same outlines repeat over rows and columns. `Layers`
and `Sphere` have neighbour tables of their own. Every board is stored as rows and columns all the same. Places that a
shape does not have are `holes`: cells that are not part of the board. The shapes themselves are objects of
`mineproof.board.topology`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mineproof.base.words import size
from mineproof.board import sphere
from mineproof.board.outlines import HEXAGON, PENTAGON, SQUARE, Outline
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from mineproof.board.wire import TopologyJson

NARROW_REACH = 8  # the width of most neighbour tables, for which the kernel is fastest
MAX_NEIGHBOURS = 32  # the most neighbours a cell has in any topology: the width of all other tables

Step = tuple[int, int]  # rows down, columns to the right
Steps = tuple[Step, ...]
Table = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Topology:
    """A board shape.

    ``steps[r % len(steps)][c % len(steps[0])]`` are the offsets to the neighbours of the cell in row ``r`` and column
    ``c``, and ``outlines`` are the same pattern of outlines. In pictures, columns are ``column_width`` apart and rows
    ``row_height``, and odd rows are ``odd_row_shift`` further to the right. ``flips_rows`` turns a strip upside down
    where its left and right borders are joined, as on a Möbius strip. ``label`` and ``description`` are for people,
    ``remark`` stands behind the size of a board in titles.
    """

    name: str
    steps: tuple[tuple[Steps, ...], ...]
    outlines: tuple[tuple[Outline, ...], ...] = ((SQUARE,),)
    column_width: float = 1.0
    row_height: float = 1.0
    odd_row_shift: float = 0.0
    joins_rows: bool = False  # the top border touches the bottom border
    joins_columns: bool = False  # the left border touches the right border
    flips_rows: bool = False
    label: str = ""
    description: str = ""
    remark: str = ""

    # which cells touch

    @property
    def kind(self) -> str:
        """How cells are arranged: ``pattern``, ``layers`` or ``sphere``."""
        return "pattern"

    @property
    def is_joined(self) -> bool:
        """Do any borders touch each other?"""
        return self.joins_rows or self.joins_columns

    @property
    def most_neighbours(self) -> int:
        """The most neighbours that a cell has."""
        return max(len(steps) for line in self.steps for steps in line)

    @property
    def largest_number(self) -> int:
        """The largest number that a cell may show: 8 on shapes whose cells touch fewer, as in position texts."""
        return max(self.most_neighbours, NARROW_REACH)

    @property
    def reach(self) -> int:
        """The width of the neighbour table."""
        return NARROW_REACH if self.most_neighbours <= NARROW_REACH else MAX_NEIGHBOURS

    def require_size(self, rows: int, columns: int) -> None:
        """Raise BoardSyntaxError if no board of this shape has this size."""

    def nearest_size(self, rows: int, columns: int) -> tuple[int, int]:
        """Return rows and columns of a board of this shape with about as many cells, if possible the same ones."""
        return rows, columns

    def holes(self, rows: int, columns: int) -> frozenset[int]:
        """Return the indices of the places that this shape does not have."""
        return frozenset()

    def neighbour_table(self, rows: int, columns: int) -> npt.NDArray[np.int32]:
        """Return an array (cells, `reach`) of cell indices, ascending.

        The index ``cells`` fills unused places.
        """
        cells = rows * columns
        row, column = np.divmod(np.arange(cells, dtype=np.int64), columns)
        table = np.full((cells, self.reach), cells, dtype=np.int64)
        for r, line in enumerate(self.steps):
            for c, steps in enumerate(line):
                here = (row % len(self.steps) == r) & (column % len(line) == c)
                for place, (down, right) in enumerate(steps):
                    table[here, place] = self._index(row[here] + down, column[here] + right, rows, columns)
        return _sort_table(table, cells)

    def _index(self, row: Table, column: Table, rows: int, columns: int) -> Table:
        """Return the indices of cells, and the number of cells for places outside the board."""
        inside = (row >= 0) & (row < rows) if not self.joins_rows else np.ones(row.shape, dtype=np.bool_)
        row = row % rows
        if self.joins_columns:
            turns, column = np.divmod(column, columns)
            row = np.where(turns % 2 == 1, rows - 1 - row, row) if self.flips_rows else row
        else:
            inside &= (column >= 0) & (column < columns)
        return np.where(inside, row * columns + column, rows * columns)

    def move(self, row: int, column: int, rows: int, columns: int) -> tuple[int, int]:
        """Return the cell at a place that may lie beyond a joined border."""
        if self.flips_rows and column // columns % 2:
            row = rows - 1 - row
        return row % rows if self.joins_rows else row, column % columns if self.joins_columns else column

    # pictures; lengths are in widths of a cell, places from the top left of the board

    @property
    def has_shifted_rows(self) -> bool:
        """Are odd rows drawn further to the right than even ones?"""
        return self.odd_row_shift > 0

    @property
    def has_one_outline(self) -> bool:
        """Do all cells have the same outline?"""
        return len(self.outlines) == len(self.outlines[0]) == 1

    @property
    def has_ruled_cells(self) -> bool:
        """Do the cells of a column lie below each other in pictures, and those of a row beside each other?"""
        return True

    @property
    def is_framed(self) -> bool:
        """Do pictures have a frame that shows which borders are joined?"""
        return self.is_joined

    def outline(self, row: int, column: int, rows: int, columns: int) -> Outline:
        """Return the outline of a cell."""
        line = self.outlines[row % len(self.outlines)]
        return line[column % len(line)]

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        """Return width and height of a board."""
        left, top, right, bottom = self._margins()
        shift = self.odd_row_shift if rows > 1 else 0
        return (columns - 1) * self.column_width + shift + left + right, (rows - 1) * self.row_height + top + bottom

    def middle(self, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
        """Return x and y of the middle of a cell."""
        left, top, _, _ = self._margins()
        line = self.outlines[row % len(self.outlines)]
        lower = line[column % len(line)].lower
        return left + column * self.column_width + row % 2 * self.odd_row_shift, top + row * self.row_height + lower

    def _margins(self) -> tuple[float, float, float, float]:
        """Return how far outlines reach from the places of their cells: left, up, right, down."""
        boxes = [(outline.box, outline.lower) for line in self.outlines for outline in line]
        return (
            max(-box[0] for box, _ in boxes),
            max(-box[1] - lower for box, lower in boxes),
            max(box[2] for box, _ in boxes),
            max(box[3] + lower for box, lower in boxes),
        )

    def as_json(self) -> TopologyJson:
        """Return what a page needs to draw boards and to preview moves."""
        return {
            "name": self.name,
            "kind": self.kind,
            "label": self.label,
            "description": self.description,
            "steps": [[[list(step) for step in steps] for steps in line] for line in self.steps],
            "outlines": [[outline.name for outline in line] for line in self.outlines],
            "column_width": self.column_width,
            "row_height": self.row_height,
            "odd_row_shift": self.odd_row_shift,
            "joins_rows": self.joins_rows,
            "joins_columns": self.joins_columns,
            "flips_rows": self.flips_rows,
        }


def _sort_table(table: Table, cells: int) -> npt.NDArray[np.int32]:
    """Return a table with sorted rows, without repeats and without the cell itself, as narrow joined boards have."""
    table.sort(axis=1)
    repeated = np.zeros_like(table, dtype=bool)
    repeated[:, 1:] = table[:, 1:] == table[:, :-1]
    repeated &= table < cells
    repeated |= table == np.arange(cells)[:, None]
    if repeated.any():
        table[repeated] = cells
        table.sort(axis=1)
    result = np.ascontiguousarray(table, dtype=np.int32)
    result.setflags(write=False)
    return result


def table_of(neighbours: dict[int, list[int]], cells: int, reach: int) -> npt.NDArray[np.int32]:
    """Return the neighbour table of a shape whose neighbours are listed; cells that are not named have none."""
    table = np.full((cells, reach), cells, dtype=np.int64)
    for cell, others in neighbours.items():
        table[cell, : len(others)] = others
    return _sort_table(table, cells)


class Layers(Topology):
    """Square layers on top of each other. On the board they lie side by side, the top one on the left.

    ``steps`` are those within a layer. A cell touches the same places, and the one straight above or below, in the two
    layers next to its own.
    """

    __slots__ = ()

    GAP = 0.6  # between two layers, in pictures

    @property
    def kind(self) -> str:
        return "layers"

    @property
    def most_neighbours(self) -> int:
        return 3 * len(self.steps[0][0]) + 2

    def require_size(self, rows: int, columns: int) -> None:
        if columns % rows:
            examples = " or ".join(size(rows, rows * layers) for layers in (3, 4))
            message = f"expected a width that is a multiple of the height for {self.name}, such as {examples}"
            raise BoardSyntaxError(f"{message}, got {size(rows, columns)}")

    def nearest_size(self, rows: int, columns: int) -> tuple[int, int]:
        if columns % rows == 0 and columns > rows:  # one layer alone is a grid
            return rows, columns
        side = max(1, round((rows * columns) ** (1 / 3)))
        return side, side * side

    def neighbour_table(self, rows: int, columns: int) -> npt.NDArray[np.int32]:
        cells, side = rows * columns, rows
        row, column = np.divmod(np.arange(cells, dtype=np.int64), columns)
        layer, column = np.divmod(column, side)
        table = np.full((cells, self.reach), cells, dtype=np.int64)
        steps = [(down, right, up) for up in (-1, 0, 1) for down, right in (*self.steps[0][0], (0, 0))]
        for place, (down, right, up) in enumerate(step for step in steps if step != (0, 0, 0)):
            r, c, upper = row + down, column + right, layer + up
            inside = (r >= 0) & (r < side) & (c >= 0) & (c < side) & (upper >= 0) & (upper < columns // side)
            table[:, place] = np.where(inside, r * columns + upper * side + c, cells)
        return _sort_table(table, cells)

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        return columns + self.GAP * (columns // rows - 1), rows

    def middle(self, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
        return column + 0.5 + self.GAP * (column // rows), row + 0.5


class Sphere(Topology):
    """Hexagons and twelve pentagons on a ball, drawn as a map: see `mineproof.board.sphere`."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return "sphere"

    @property
    def most_neighbours(self) -> int:
        return 6

    @property
    def has_one_outline(self) -> bool:
        return False

    @property
    def has_ruled_cells(self) -> bool:
        return False

    @property
    def is_framed(self) -> bool:
        return False

    def require_size(self, rows: int, columns: int) -> None:
        if sphere.frequency_of(rows, columns) is None:
            examples = ", ".join(size(3 * n + 1, sphere.GORES * n) for n in (2, 3, 4))
            message = f"expected a width of 5n and a height of 3n + 1 for {self.name}, such as {examples}"
            raise BoardSyntaxError(f"{message}, got {size(rows, columns)}")

    def nearest_size(self, rows: int, columns: int) -> tuple[int, int]:
        frequency = sphere.frequency_of(rows, columns) or max(1, round((rows * columns / 10) ** 0.5))
        return 3 * frequency + 1, sphere.GORES * frequency

    def holes(self, rows: int, columns: int) -> frozenset[int]:
        return _holes_of_sphere(columns // sphere.GORES)

    def neighbour_table(self, rows: int, columns: int) -> npt.NDArray[np.int32]:
        return table_of(sphere.neighbours(columns // sphere.GORES), rows * columns, self.reach)

    def outline(self, row: int, column: int, rows: int, columns: int) -> Outline:
        frequency = columns // sphere.GORES
        return PENTAGON if sphere.is_corner(frequency, row, column % frequency) else HEXAGON

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        _, top, _, bottom = HEXAGON.box
        return columns + columns / sphere.GORES / 2, (rows - 1) * self.row_height + bottom - top

    def middle(self, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
        shift = sphere.offset(columns // sphere.GORES, row)
        return column + 0.5 + shift, row * self.row_height - HEXAGON.box[1]


@lru_cache(maxsize=16)
def _holes_of_sphere(frequency: int) -> frozenset[int]:
    columns = sphere.GORES * frequency
    present = {row * columns + gore * frequency + place for row, gore, place in sphere.places(frequency)}
    return frozenset(range((3 * frequency + 1) * columns)) - present
