"""Topologies: every board shape is one object, declared here, with all that the rest of the program asks of it.

A topology is data. ``steps`` are the offsets to the neighbours of a cell; they repeat over the board like a pattern, so
that rows of hexagons or of triangles can take turns. ``joins_rows`` and ``joins_columns`` say which borders touch each
other, and ``outline`` is how a cell is drawn. Neighbour tables, pictures, cursor movement, help texts and the schema of
the HTTP API are made from these. Symmetries need no declaration: `mineproof.decision.optimal` tries flips, turns and
shifts and uses those that map neighbours to neighbours.

* ``grid``  the usual rectangle, eight neighbours inside, fewer at the border;
* ``torus`` the same with opposite borders joined. On boards narrower than three cells, a neighbour reached twice counts
  once, and no cell is its own neighbour;
* ``hex``   six neighbours, odd rows shifted half a cell to the right.

A new shape is one more `register` at the end of this file. A program can register its own, before it imports the room
that uses it: the command line and the HTTP API list the topologies when they are imported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    TopologyName = Literal["grid", "torus", "hex"]  # at run time: the names of all registered topologies

MAX_NEIGHBOURS = 8  # the most neighbours a cell has in any topology: the width of the neighbour table

Step = tuple[int, int]  # rows down, columns to the right
Steps = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The shape of a cell in pictures. Lengths are in widths of a cell.

    ``corners`` are around the middle of the cell, ``height`` is from top to bottom, ``row_height`` from one row to the
    next, and odd rows are ``odd_row_shift`` further to the right.
    """

    name: str
    corners: tuple[tuple[float, float], ...]
    height: float
    row_height: float
    odd_row_shift: float

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        """Return width and height of a board."""
        shift = self.odd_row_shift if rows > 1 else 0
        return columns + shift, (rows - 1) * self.row_height + self.height

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """Return x and y of the middle of a cell, from the top left of the board."""
        return column + 0.5 + row % 2 * self.odd_row_shift, row * self.row_height + self.height / 2


_HEXAGON_SIDE = 1 / math.sqrt(3)
SQUARE = Outline("square", ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)), 1.0, 1.0, 0.0)
HEXAGON = Outline(
    "hexagon",
    tuple(
        (_HEXAGON_SIDE * math.cos(math.pi / 6 + corner * math.pi / 3),
         _HEXAGON_SIDE * math.sin(math.pi / 6 + corner * math.pi / 3))
        for corner in range(6)
    ),
    2 * _HEXAGON_SIDE,
    math.sqrt(3) / 2,
    0.5,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Topology:
    """A board shape.

    ``steps[r % len(steps)][c % len(steps[0])]`` are the offsets to the neighbours of the cell in row ``r`` and column
    ``c``. ``label`` and ``description`` are for people, ``remark`` stands behind the size of a board in titles.
    """

    name: str
    steps: tuple[tuple[Steps, ...], ...]
    outline: Outline = SQUARE
    joins_rows: bool = False  # the top border touches the bottom border
    joins_columns: bool = False  # the left border touches the right border
    label: str = ""
    description: str = ""
    remark: str = ""

    @property
    def is_joined(self) -> bool:
        """Do any borders touch each other?"""
        return self.joins_rows or self.joins_columns

    @property
    def has_shifted_rows(self) -> bool:
        """Are odd rows drawn further to the right than even ones?"""
        return self.outline.odd_row_shift > 0

    def move(self, row: int, column: int, rows: int, columns: int) -> tuple[int, int]:
        """Return the cell at a place that may lie beyond a joined border."""
        return row % rows if self.joins_rows else row, column % columns if self.joins_columns else column

    def neighbour_table(self, rows: int, columns: int) -> npt.NDArray[np.int32]:
        """Return an array (cells, `MAX_NEIGHBOURS`) of cell indices, ascending.

        The index ``cells`` fills unused places.
        """
        cells = rows * columns
        row, column = np.divmod(np.arange(cells, dtype=np.int64), columns)
        table = np.full((cells, MAX_NEIGHBOURS), cells, dtype=np.int64)
        for r, line in enumerate(self.steps):
            for c, steps in enumerate(line):
                here = (row % len(self.steps) == r) & (column % len(line) == c)
                for place, (down, right) in enumerate(steps):
                    table[here, place] = self._index(row[here] + down, column[here] + right, rows, columns)
        table.sort(axis=1)
        if self.is_joined:  # drop repeats and the cell itself, which only narrow boards have
            repeated = np.zeros_like(table, dtype=bool)
            repeated[:, 1:] = table[:, 1:] == table[:, :-1]
            table[repeated | (table == np.arange(cells)[:, None])] = cells
            table.sort(axis=1)
        result = np.ascontiguousarray(table, dtype=np.int32)
        result.setflags(write=False)
        return result

    def _index(
        self, row: npt.NDArray[np.int64], column: npt.NDArray[np.int64], rows: int, columns: int
    ) -> npt.NDArray[np.int64]:
        """Return the indices of cells, and the number of cells for places outside the board."""
        row = row % rows if self.joins_rows else row
        column = column % columns if self.joins_columns else column
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        return np.where(inside, row * columns + column, rows * columns)

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to draw boards and to preview moves."""
        return {
            "name": self.name,
            "label": self.label,
            "description": self.description,
            "outline": self.outline.name,
            "steps": [[[list(step) for step in steps] for steps in line] for line in self.steps],
            "joins_rows": self.joins_rows,
            "joins_columns": self.joins_columns,
        }


TOPOLOGIES: list[TopologyName] = []  # the names of all topologies, in the order of lists for people
_BY_NAME: dict[str, Topology] = {}


def register(topology: Topology) -> Topology:
    """Add a topology and return it. Raises ValueError for an invalid name, a name in use, or too many neighbours."""
    if topology.name in _BY_NAME:
        raise ValueError(f"A topology named {topology.name} is registered already.")
    if not topology.name.isidentifier():
        raise ValueError(f"the name of a topology must be one word of letters, digits and _, got {topology.name!r}")
    most = max(len(steps) for line in topology.steps for steps in line)
    checks.whole(f"the number of neighbours in topology {topology.name}", most, 0, MAX_NEIGHBOURS)
    TOPOLOGIES.append(topology.name)  # type: ignore[arg-type]  # its name is not in the static list
    _BY_NAME[topology.name] = topology
    return topology


def topology_named(name: str) -> Topology:
    """Return a topology by its name. Raises BoardSyntaxError if there is none."""
    require_topology(name)
    return _BY_NAME[name]


def require_topology(name: str) -> None:
    """Raise BoardSyntaxError unless a topology has this name."""
    if name not in TOPOLOGIES:
        raise BoardSyntaxError(f"topology must be one of {', '.join(TOPOLOGIES)}, got {name!r}")


def __getattr__(name: str) -> object:
    if name == "TopologyName":  # decoders of JSON are built from this type when their module is imported
        return Literal[tuple(TOPOLOGIES)]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_EIGHT: Steps = tuple((down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0))
_SIX_EVEN: Steps = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0))
_SIX_ODD: Steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1))

register(
    Topology(
        "grid",
        ((_EIGHT,),),
        label="Squares",
        description="A cell touches the eight cells around it.",
    )
)
register(
    Topology(
        "torus",
        ((_EIGHT,),),
        joins_rows=True,
        joins_columns=True,
        label="Torus",
        description="Opposite borders are joined: the left border touches the right one, the top the bottom.",
        remark="opposite edges joined",
    )
)
register(
    Topology(
        "hex",
        ((_SIX_EVEN,), (_SIX_ODD,)),
        HEXAGON,
        label="Hexagons",
        description="A cell touches six others.",
        remark="hexagons",
    )
)
