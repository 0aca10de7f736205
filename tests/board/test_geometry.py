"""The neighbour table against what "touching" means in the plane."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from mineproof.board.geometry import TOPOLOGIES, Geometry, Topology
from support.positions import CLASSIC

Cell = tuple[int, int]
Touch = Callable[[Geometry, Cell, Cell], bool]
SIZES = list(product(range(1, 7), range(1, 7)))


def by_a_kings_move(_: Geometry, one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def around_the_border(topology: Geometry, one: Cell, other: Cell) -> bool:
    """A king's move from one cell to a copy of the other on the endless board."""
    shifts = product((-topology.rows, 0, topology.rows), (-topology.columns, 0, topology.columns))
    return one != other and any(by_a_kings_move(topology, one, (other[0] + r, other[1] + c)) for r, c in shifts)


def by_a_side(_: Geometry, one: Cell, other: Cell) -> bool:
    """Hexagons of unit width in rows, odd rows half a cell to the right: neighbours have their centres 1 apart."""
    (y, x), (b, a) = ((row * math.sqrt(3) / 2, column + row % 2 / 2) for row, column in (one, other))
    return math.isclose(math.hypot(x - a, y - b), 1)


TOUCH: dict[Topology, Touch] = {"grid": by_a_kings_move, "torus": around_the_border, "hex": by_a_side}


@pytest.mark.parametrize("kind", CLASSIC)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_table(kind: Topology, rows: int, columns: int) -> None:
    geometry = Geometry(kind, rows, columns)
    cells = list(product(range(rows), range(columns)))
    for index, cell in enumerate(cells):
        touching = [other for other, at in enumerate(cells) if TOUCH[kind](geometry, cell, at)]
        assert geometry.table[index].tolist() == touching + [geometry.cells] * (8 - len(touching))
        assert list(geometry.neighbours(index)) == touching


@pytest.mark.parametrize(
    ("kind", "rows", "columns", "neighbours"),
    [
        ("torus", 1, 1, 0),
        ("torus", 1, 2, 1),
        ("torus", 1, 9, 2),
        ("torus", 2, 2, 3),
        ("torus", 2, 9, 5),
        ("torus", 3, 3, 8),
    ],
)
def test_narrow_tori_count_no_cell_twice(kind: Topology, rows: int, columns: int, neighbours: int) -> None:
    geometry = Geometry(kind, rows, columns)
    assert all(len(list(geometry.neighbours(index))) == neighbours for index in range(geometry.cells))


@pytest.mark.slow
def test_touching_is_mutual_on_a_board_of_real_size() -> None:
    sizes = {"cube": (12, 60), "sphere": (22, 35)}
    for kind in TOPOLOGIES:
        table = Geometry(kind, *sizes.get(kind, (40, 61))).table
        pairs = {(index, other) for index, row in enumerate(table.tolist()) for other in row if other < len(table)}
        assert pairs == {(other, index) for index, other in pairs}


def test_the_table_is_shared_so_nobody_may_write_to_it() -> None:
    table = Geometry("grid", 3, 3).table
    assert table is Geometry("grid", 3, 3).table
    assert table.dtype == np.int32
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1
