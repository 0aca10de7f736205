"""Brute force: every way to put mines on the covered cells, kept when all numbers agree.

It shares no code with ``src/``: it reads the public attributes of a board and has its own idea of who touches whom.
A subset of the covered cells is a bit mask, and numpy tries all of them at once against one number after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mineproof.board.board import Board

MOST_COVERED = 20
COVERED, FLAGGED, ABSENT = -1, -2, -9

Cell = tuple[int, int]
Masks = npt.NDArray[np.int64]


def neighbours(kind: str, rows: int, columns: int, cell: Cell) -> set[Cell]:
    """The cells that touch one cell, absent ones included, found by looking at all places nearby."""
    row, column = cell
    near = {(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)}
    if kind == "hex":  # in the rows above and below, the cell further out on the unshifted side does not touch
        outer = column + 1 if row % 2 == 0 else column - 1
        near -= {(row - 1, outer), (row + 1, outer)}
    if kind == "torus":
        return {(r % rows, c % columns) for r, c in near} - {cell}
    return {(r, c) for r, c in near if 0 <= r < rows and 0 <= c < columns} - {cell}


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
