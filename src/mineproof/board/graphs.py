"""Custom shapes: any graph, with outlines for pictures if it has any.

The name of such a topology is the graph itself: ``graph:0-1,1-2,2-0`` has three cells that touch each other. So every
text, JSON and pickle of a board carries its shape, and nothing has to be registered. Cells are numbered in row order,
and a board is one row unless the text or the caller divides it into more. Outlines are kept by name in this process.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import plural
from mineproof.board.cells import MAX_CELLS
from mineproof.board.lattices import MAX_NEIGHBOURS, Topology, table_of
from mineproof.board.outlines import DISC, Outline
from mineproof.board.topology import GRAPH_PREFIX
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from mineproof.board.topology import TopologyName

Corners = tuple[tuple[float, float], ...]

_EDGES = re.compile(r"(?:[0-9]{1,7}-[0-9]{1,7}(?:,[0-9]{1,7}-[0-9]{1,7})*)?")
_OUTLINES: dict[str, tuple[tuple[float, float, Outline], ...]] = {}  # by name: x and y of each middle, and the outline


@dataclass(frozen=True)
class Graph(Topology):
    """A topology that is a list of the cells that touch each other."""

    edges: tuple[tuple[int, int], ...] = ()
    table: dict[int, list[int]] = field(default_factory=dict, compare=False)

    @property
    def kind(self) -> str:
        return "graph"

    @property
    def most_neighbours(self) -> int:
        return max(map(len, self.table.values()), default=0)

    @property
    def least_cells(self) -> int:
        """The number of cells that a board must have at least."""
        return max(self.table, default=-1) + 1

    @property
    def has_one_outline(self) -> bool:
        return False

    @property
    def has_ruled_cells(self) -> bool:
        return False

    def require_size(self, rows: int, columns: int) -> None:
        if rows * columns < self.least_cells:
            message = f"expected at least {plural(self.least_cells, 'cell')} for this graph, got {rows * columns}"
            raise BoardSyntaxError(message)

    def neighbour_table(self, rows: int, columns: int) -> npt.NDArray[np.int32]:
        return table_of(self.table, rows * columns, self.reach)

    def outline(self, row: int, column: int, rows: int, columns: int) -> Outline:
        return _place(self.name, row * columns + column, rows * columns)[2]

    def middle(self, row: int, column: int, rows: int, columns: int) -> tuple[float, float]:
        x, y, _ = _place(self.name, row * columns + column, rows * columns)
        return x, y

    def extent(self, rows: int, columns: int) -> tuple[float, float]:
        places = [_place(self.name, cell, rows * columns) for cell in range(rows * columns)]
        return max(x + outline.box[2] for x, _, outline in places), max(y + outline.box[3] for _, y, outline in places)


def _place(name: str, cell: int, cells: int) -> tuple[float, float, Outline]:
    """Return where a cell is drawn: by its outline, or on a circle with all the others."""
    places = _OUTLINES.get(name, ())
    if cell < len(places):
        return places[cell]
    radius = max(0.6 / math.sin(math.pi / cells), 0.6) if cells > 1 else 0.0
    angle = 2 * math.pi * cell / cells - math.pi / 2
    return radius * (1 + math.cos(angle)) + 0.5, radius * (1 + math.sin(angle)) + 0.5, DISC


@lru_cache(maxsize=64)
def read_graph(name: str) -> Graph:
    """Return the topology of a name such as ``graph:0-1,1-2``. Raises BoardSyntaxError for any other name."""
    text = name.removeprefix(GRAPH_PREFIX)
    if _EDGES.fullmatch(text) is None:
        raise BoardSyntaxError(f"expected pairs of cells such as graph:0-1,1-2, got {checks.shorten(name)}")
    table: dict[int, list[int]] = {}
    edges = tuple((int(a), int(b)) for a, b in (pair.split("-") for pair in text.split(",") if pair))
    for first, second in edges:
        if first == second:
            raise BoardSyntaxError(f"expected two different cells in each pair of a graph, got {first}-{second}")
        if max(first, second) >= MAX_CELLS:
            raise BoardSyntaxError(f"expected cells below {MAX_CELLS:,} in a graph, got {max(first, second):,}")
        table.setdefault(first, []).append(second)
        table.setdefault(second, []).append(first)
    table = {cell: sorted(set(others)) for cell, others in table.items()}
    graph = Graph(name, (), edges=edges, table=table, label="Graph", description="Any graph.", remark="a graph")
    if graph.most_neighbours > MAX_NEIGHBOURS:
        cell = max(table, key=lambda cell: len(table[cell]))
        message = f"expected at most {MAX_NEIGHBOURS} neighbours of a cell, got {len(table[cell])} of cell {cell}"
        raise BoardSyntaxError(message)
    return graph


@dataclass(frozen=True)
class Shape:
    """A custom board shape: ``topology`` is the name to pass wherever a topology is expected.

    Boards of this shape have ``rows`` and ``columns``, one row of all cells. Pass the same numbers to `generate`.
    """

    topology: TopologyName
    cells: int

    @classmethod
    def from_neighbours(
        cls, neighbours: Sequence[Iterable[int]], *, outlines: Sequence[Sequence[tuple[float, float]]] | None = None
    ) -> Shape:
        """Return the shape in which cell ``i`` touches the cells ``neighbours[i]``.

        It is enough to name a pair of cells once. ``outlines`` are the corners of each cell for pictures, in any unit;
        without them, cells are drawn as discs on a circle. Raises ValueError for a cell that does not exist or touches
        itself, and BoardSyntaxError for more than 32 neighbours.

        >>> import mineproof as mp
        >>> ring = mp.Shape.from_neighbours([[1, 5], [2], [3], [4], [5], []])
        >>> board = mp.Board.parse("1#1###", total_mines=2, topology=ring.topology)
        >>> mp.analyze(board).layouts
        2
        """
        lists = [sorted({checks.whole("neighbours", other) for other in others}) for others in neighbours]
        count = len(lists)
        if not 1 <= count <= MAX_CELLS:
            raise ValueError(f"neighbours must name 1 to {MAX_CELLS:,} cells, got {count:,}")
        edges = set()
        for cell, others in enumerate(lists):
            for other in others:
                if not 0 <= other < count or other == cell:
                    raise ValueError(f"neighbours of cell {cell} must be other cells up to {count - 1}, got {other}")
                edges.add((min(cell, other), max(cell, other)))
        name = GRAPH_PREFIX + ",".join(f"{first}-{second}" for first, second in sorted(edges))
        read_graph(name)
        if outlines is not None:
            _OUTLINES[name] = _scaled_outlines(outlines, count)
        return cls(cast("TopologyName", name), count)

    @property
    def rows(self) -> int:
        """Number of rows: 1."""
        return 1

    @property
    def columns(self) -> int:
        """Number of columns: one for each cell."""
        return self.cells

    @property
    def neighbours(self) -> list[list[int]]:
        """The neighbours of each cell, in order."""
        table = read_graph(self.topology).table
        return [table.get(cell, []) for cell in range(self.cells)]


def _scaled_outlines(
    outlines: Sequence[Sequence[tuple[float, float]]], count: int
) -> tuple[tuple[float, float, Outline], ...]:
    """Return middles and outlines; lengths are scaled so that a sign fits into half of the cells."""
    if len(outlines) != count:
        raise ValueError(f"outlines must be as many as cells, {count}, got {len(outlines)}")
    drawn = [_around_middle(corners) for corners in outlines]
    scale = 1 / sorted(outline.depth for _, _, outline in drawn)[count // 2]
    left = min(x + outline.box[0] for x, _, outline in drawn)
    top = min(y + outline.box[1] for _, y, outline in drawn)
    return tuple(
        (
            (x - left) * scale,
            (y - top) * scale,
            Outline("own", tuple((px * scale, py * scale) for px, py in outline.corners)),
        )
        for x, y, outline in drawn
    )


def _around_middle(corners: Sequence[tuple[float, float]]) -> tuple[float, float, Outline]:
    """Return the middle of a polygon, and its outline around it."""
    if len(corners) < 3:
        raise ValueError(f"outlines must have at least three corners each, got {len(corners)}")
    places = [(checks.any_number("outlines", x), checks.any_number("outlines", y)) for x, y in corners]
    if not all(math.isfinite(value) for place in places for value in place):
        raise ValueError("outlines must be finite numbers")
    x, y = (sum(values) / len(places) for values in zip(*places, strict=True))
    outline = Outline("own", tuple((px - x, py - y) for px, py in places))
    if not outline.depth > 0:
        raise ValueError("outlines must enclose an area around the middle of their corners")
    return x, y, outline
