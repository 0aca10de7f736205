"""The board as rules see it: its shape, its cells, and what is around a cell.

Every shape has neighbours. A *ring* is the list of neighbours in order around a cell, each touching the next one.
*Sides* are the neighbours that share more than a corner. *Steps* lead to other places on boards made of rows and
columns. A rule that needs what a shape does not have refuses that shape by its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from mineproof.board.cells import Cell
from mineproof.board.geometry import Geometry, Topology
from mineproof.board.topology import topology_named
from mineproof.problems.problem import Constraint

Offset: TypeAlias = tuple[int, int]

# Around the cell, clockwise from the top left, so that neighbours in the list touch.
RING: tuple[Offset, ...] = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
SIDES: tuple[Offset, ...] = RING[1::2]

# Shapes whose cells are squares in rows and columns; on some of them, numbers count other cells than those around.
SQUARES = ("grid", "torus", "cylinder", "moebius", "knight", "orthogonal", "cross", "radius2")
WITH_RING = ("grid", "torus", "cylinder", "moebius", "hex", "triangles", "octagons")
WITH_COLOURS = (*SQUARES, "triangles", "octagons")
WITH_ROWS = (*SQUARES, "hex", "triangles", "octagons")
WITH_BORDER = tuple(name for name in WITH_ROWS if name != "torus")


@dataclass(frozen=True, slots=True)
class Area:
    """The board of a rule: its size, its cells, the mines on it if their number is known, and its shape."""

    rows: int
    columns: int
    cells: frozenset[Cell]
    total: int | None
    topology: Topology = "grid"

    def index(self, cell: Cell) -> int:
        """Return the number of a cell, which is that of its variable."""
        return cell[0] * self.columns + cell[1]

    def near(self, cell: Cell, offsets: Iterable[Offset]) -> list[Cell]:
        """Return the cells of the board at some offsets, across joined borders; each once and not the cell itself."""
        places = dict.fromkeys(place for place in self.places(cell, offsets) if place is not None)
        return [place for place in places if place != cell]

    def places(self, cell: Cell, offsets: Iterable[Offset]) -> list[Cell | None]:
        """Return the cell at each of some offsets, across joined borders; None for a place off the board."""
        row, column = cell
        if self.topology == "grid":
            beside = [(row + down, column + right) for down, right in offsets]
        else:
            move = topology_named(self.topology).move
            beside = [move(row + down, column + right, self.rows, self.columns) for down, right in offsets]
        return [place if place in self.cells else None for place in beside]

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the cells that touch a cell on this shape."""
        geometry = Geometry(self.topology, self.rows, self.columns)
        around = (divmod(other, self.columns) for other in geometry.neighbours(self.index(cell)))
        return [other for other in around if other in self.cells]

    def ring(self, cell: Cell) -> list[Cell | None]:
        """Return the places around a cell in order, each touching the next; None for a place off the board.

        Raises ValueError on joined borders so close that a cell would be there twice.
        """
        places = self.places(cell, _ring_steps(self.topology, *cell))
        present = [place for place in places if place is not None]
        if len({*present, cell}) <= len(present):
            raise ValueError(f"a ring needs a board of at least three rows and columns, got {self.rows}×{self.columns}")
        return places

    def sides(self, cell: Cell) -> list[Cell]:
        """Return the cells that share a side with a cell."""
        if self.topology in SQUARES:
            return self.near(cell, SIDES)
        if self.topology == "triangles":
            return self.near(cell, _triangle_sides(*cell))
        around = self.neighbours(cell)
        if self.topology == "cube":
            row, layer, column = self._in_cube(cell)
            return [
                other
                for other in around
                for r, upper, c in [self._in_cube(other)]
                if abs(r - row) + abs(upper - layer) + abs(c - column) == 1
            ]
        return around

    def _in_cube(self, cell: Cell) -> tuple[int, int, int]:
        return cell[0], *divmod(cell[1], self.rows)

    def at_border(self, cell: Cell) -> bool:
        """Is a side of a cell not shared with another cell? Shapes without a border say no."""
        if self.topology == "triangles":
            steps = _triangle_sides(*cell)
        elif self.topology in SQUARES:
            steps = SIDES
        else:
            steps = _steps(self.topology, *cell)
        return None in self.places(cell, steps)

    def constraint(self, cells: Iterable[Cell], sums: Iterable[int], name: str) -> Constraint:
        """Return a constraint on the number of mines in some cells."""
        return Constraint([self.index(cell) for cell in cells], sums, name=name)


def _triangle_sides(row: int, column: int) -> tuple[Offset, ...]:
    base = 1 if (row + column) % 2 == 0 else -1
    return (0, -1), (0, 1), (base, 0)


def _steps(topology: Topology, row: int, column: int) -> tuple[Offset, ...]:
    lines = topology_named(topology).steps
    line = lines[row % len(lines)]
    return line[column % len(line)]


def _ring_steps(topology: Topology, row: int, column: int) -> tuple[Offset, ...]:
    return RING if topology == "grid" else _ordered_steps(topology, row % 2, column % 2)


@lru_cache(maxsize=64)
def _ordered_steps(topology: Topology, row: int, column: int) -> tuple[Offset, ...]:
    """Return the steps to the neighbours, clockwise in pictures, from the top left on."""
    shape = topology_named(topology)
    row, column = row + 2, column + 2  # so that no step leads off the pattern
    x, y = shape.middle(row, column, 8, 8)

    def angle(step: Offset) -> float:
        other_x, other_y = shape.middle(row + step[0], column + step[1], 8, 8)
        return (math.atan2(other_y - y, other_x - x) + 3 * math.pi / 4 + 1e-9) % (2 * math.pi)

    return tuple(sorted(_steps(topology, row, column), key=angle))
