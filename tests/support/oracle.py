"""Brute force: every way to put mines on the covered cells, kept when all numbers agree.

It shares no code with ``src/``: it reads the public attributes of a board and has its own idea of who touches whom.
A subset of the covered cells is a bit mask, and numpy tries all of them at once against one number after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from mineproof.board.board import Board

MOST_COVERED = 20
COVERED, FLAGGED, ABSENT = -1, -2, -9

Cell = tuple[int, int]
Masks = npt.NDArray[np.int64]


def neighbours(kind: str, rows: int, columns: int, cell: Cell) -> set[Cell]:
    """The cells that touch one cell, absent ones included, by the definition of the shape in words or in space."""
    if kind in ("grid", "torus", "hex"):
        return _near(kind, rows, columns, cell)
    return set(touching(kind, rows, columns).get(cell, ()))


def _near(kind: str, rows: int, columns: int, cell: Cell) -> set[Cell]:
    """On a rectangle, a torus or hexagons: found by looking at all places nearby."""
    row, column = cell
    near = {(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)}
    if kind == "hex":  # in the rows above and below, the cell further out on the unshifted side does not touch
        outer = column + 1 if row % 2 == 0 else column - 1
        near -= {(row - 1, outer), (row + 1, outer)}
    if kind == "torus":
        return {(r % rows, c % columns) for r, c in near} - {cell}
    return {(r, c) for r, c in near if 0 <= r < rows and 0 <= c < columns} - {cell}


@cache
def touching(kind: str, rows: int, columns: int) -> dict[Cell, set[Cell]]:
    """Every cell of a shape with those that touch it: each two places are compared."""
    places = list(product(range(rows), range(columns)))
    touch: Callable[[Cell, Cell], bool]
    if kind in ("grid", "torus", "hex"):
        touch = lambda a, b: b in _near(kind, rows, columns, a)  # noqa: E731
    elif kind in _APART:
        far = _APART[kind]
        touch = lambda a, b: far(abs(a[0] - b[0]), abs(a[1] - b[1]))  # noqa: E731
    elif kind in ("cylinder", "moebius"):
        touch = lambda a, b: any(_next_to(a, copy) for copy in _copies(kind, rows, columns, b))  # noqa: E731
    elif kind == "triangles":
        touch = lambda a, b: not _triangle(a).isdisjoint(_triangle(b))  # noqa: E731
    elif kind == "octagons":  # octagons have even sums; two squares never touch
        touch = lambda a, b: _next_to(a, b) and not sum(a) % 2 == sum(b) % 2 == 1  # noqa: E731
    elif kind == "cube":
        where = {cell: (cell[0], cell[1] % rows, cell[1] // rows) for cell in places}
        touch = lambda a, b: max(abs(x - y) for x, y in zip(where[a], where[b], strict=True)) == 1  # noqa: E731
    elif kind == "sphere":
        points = _points(columns // 5)
        places = sorted(points)
        touch = lambda a, b: math.dist(points[a], points[b]) < 1.3  # noqa: E731
    else:
        raise ValueError(f"the oracle does not know the shape {kind}")
    return {a: {b for b in places if b != a and touch(a, b)} for a in places}


# Which cells count, by the distance in rows and in columns.
_APART: dict[str, Callable[[int, int], bool]] = {
    "knight": lambda down, across: down * across == 2,
    "orthogonal": lambda down, across: down + across == 1,
    "cross": lambda down, across: down * across == 0 and down + across <= 2,
    "radius2": lambda down, across: max(down, across) <= 2,
}


def _next_to(a: Cell, b: Cell) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def _copies(kind: str, rows: int, columns: int, cell: Cell) -> Iterator[Cell]:
    """A cell on the strip that is rolled off several times; every second turn of a Möbius strip is upside down."""
    for turn in range(-3, 4):
        row = rows - 1 - cell[0] if kind == "moebius" and turn % 2 else cell[0]
        yield row, cell[1] + turn * columns


def _triangle(cell: Cell) -> set[Cell]:
    """The corners of a triangle, in rows of corners and half sides; the first of a board points up."""
    row, column = cell
    up = (row + column) % 2 == 0
    base, tip = (row + 1, row) if up else (row, row + 1)
    return {(base, column), (base, column + 2), (tip, column + 1)}


def _points(frequency: int) -> dict[Cell, tuple[float, ...]]:
    """The cells of a sphere as points on an icosahedron whose edges have the length of the frequency."""
    golden = (1 + math.sqrt(5)) / 2
    radius = frequency * math.sqrt(golden * math.sqrt(5)) / 2  # of the ball around it
    ring_height, ring_radius = radius / math.sqrt(5), 2 * radius / math.sqrt(5)

    def corner(turn: float, height: float) -> npt.NDArray[np.float64]:
        angle = 2 * math.pi * turn / 5
        return np.array([ring_radius * math.cos(angle), ring_radius * math.sin(angle), height])

    top, bottom = np.array([0, 0, radius]), np.array([0, 0, -radius])
    found: dict[Cell, tuple[float, ...]] = {}
    for row, gore, place in product(range(3 * frequency + 1), range(5), range(frequency)):
        upper, next_upper = corner(gore, ring_height), corner(gore + 1, ring_height)
        lower, next_lower = corner(gore + 0.5, -ring_height), corner(gore + 1.5, -ring_height)
        down = row - frequency
        if row in (0, 3 * frequency):
            if (gore, place) != (2, 0):
                continue
            at = top if row == 0 else bottom
        elif row < frequency:
            if place >= row:
                continue
            left, right = top + (upper - top) * row / frequency, top + (next_upper - top) * row / frequency
            at = left + (right - left) * place / row
        elif down <= frequency:
            at = upper + (lower - upper) * down / frequency  # down the left edge, then to the right
            bend = min(place, frequency - down)
            at = at + (next_upper - upper) * bend / frequency + (next_lower - lower) * (place - bend) / frequency
        else:
            width = 3 * frequency - row
            if place >= width:
                continue
            left = bottom + (lower - bottom) * width / frequency
            right = bottom + (next_lower - bottom) * width / frequency
            at = left + (right - left) * place / width
        found[row, gore * frequency + place] = tuple(at.tolist())
    return found


@dataclass(frozen=True)
class Truth:
    """All layouts that fit a board: ``masks`` has a bit per cell of ``covered``."""

    board: Board
    covered: list[Cell]
    masks: Masks

    @property
    def consistent(self) -> bool:
        return len(self.masks) > 0

    @property
    def count(self) -> int:
        return len(self.masks)

    @cached_property
    def safe(self) -> set[Cell]:
        return self._cells(lambda mined: not mined.any())

    @cached_property
    def mines(self) -> set[Cell]:
        return self._cells(lambda mined: bool(mined.all()))

    def layouts(self) -> Iterator[frozenset[Cell]]:
        """Each layout as the set of its mines, flags included."""
        flags = frozenset(self.board.cells(FLAGGED))
        for mask in self.masks.tolist():
            yield flags | {cell for bit, cell in enumerate(self.covered) if mask >> bit & 1}

    def tally(self, cell: Cell) -> dict[int, int]:
        """Layouts with a mine in one covered cell, by the number of mines in covered cells."""
        return _by_mines(self.masks[self._mined(cell)])

    def mine_probability(self, cell: Cell, density: Fraction | None = None) -> Fraction:
        """By counting alike, or by weighing each layout by its mines when a density is given."""
        odds = Fraction(1) if density is None else density / (1 - density)
        return _weigh(self.tally(cell), odds) / _weigh(_by_mines(self.masks), odds)

    def _mined(self, cell: Cell) -> npt.NDArray[np.bool_]:
        return (self.masks >> self.covered.index(cell) & 1).astype(np.bool_)

    def _cells(self, decided: Callable[[npt.NDArray[np.bool_]], bool]) -> set[Cell]:
        return {cell for cell in self.covered if self.consistent and decided(self._mined(cell))}


def brute_force(board: Board, numbers: Collection[Cell] | None = None) -> Truth:
    """Every layout that fits; ``numbers`` narrows it down to those open cells, as if the others had not been read."""
    covered = list(board.cells(COVERED))
    if len(covered) > MOST_COVERED:
        raise ValueError(f"{len(covered)} covered cells are too many for brute force")
    masks = np.arange(1 << len(covered), dtype=np.int64)
    flags = set(board.cells(FLAGGED))
    for cell in _open_cells(board) if numbers is None else numbers:
        around = neighbours(board.topology, board.rows, board.columns, cell)
        seen = sum(1 << bit for bit, other in enumerate(covered) if other in around)
        masks = masks[_bits(masks & seen) == board[cell] - len(flags & around)]
    if board.total_mines is not None:
        masks = masks[_bits(masks) == board.total_mines - len(flags)]
    return Truth(board, covered, masks)


def _open_cells(board: Board) -> Iterator[Cell]:
    cells = ((row, column) for row in range(board.rows) for column in range(board.columns))
    return (cell for cell in cells if board[cell] >= 0)


_BITS_OF_BYTE = np.array([byte.bit_count() for byte in range(256)], dtype=np.int64)


def _bits(masks: Masks) -> Masks:
    bits: Masks = sum((_BITS_OF_BYTE[masks >> shift & 0xFF] for shift in (0, 8, 16)), start=np.zeros_like(masks))
    return bits


def _by_mines(masks: Masks) -> dict[int, int]:
    return {mines: count for mines, count in enumerate(np.bincount(_bits(masks)).tolist()) if count}


def _weigh(tally: dict[int, int], odds: Fraction) -> Fraction:
    return sum((count * odds**mines for mines, count in tally.items()), Fraction(0))
