"""Cells: their coordinates, and the codes shared by library, arrays and kernel."""

from __future__ import annotations

from collections.abc import Iterable

Cell = tuple[int, int]  # (row, column), from 0, from the top left

COVERED = -1
FLAGGED = -2
ABSENT = -9  # not part of the board: never a mine, never counted
LARGEST_DIGIT = 8  # the largest number that texts write as a digit: that of a cell of a grid
LARGEST_NUMBER = 32  # the largest number of any shape
MAX_CELLS = 1_000_000


def pairs(cells: Iterable[Cell]) -> list[list[int]]:
    """Return cells as JSON lists, in row order."""
    return [list(cell) for cell in sorted(cells)]
