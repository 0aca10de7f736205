"""Cells that are alike because turning or mirroring the board changes nothing that is visible.

Their chances to win are equal, whatever was sampled. Every map is checked against the neighbours of all cells, so a
topology needs no rule of its own here.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from mineproof.board.board import Board
from mineproof.board.cells import Cell

SYMMETRY_MAX_CELLS = 10_000  # on larger boards no cells are called alike

Map = tuple[int, ...]  # where each cell goes, by index


def alike_cells(board: Board, cells: frozenset[Cell]) -> dict[Cell, frozenset[Cell]]:
    """Return the cells of a board that are like each given cell, itself included.

    >>> alike = alike_cells(Board.parse("###/#1#/###"), frozenset([(0, 0)]))
    >>> sorted(alike[0, 0])
    [(0, 0), (0, 2), (2, 0), (2, 2)]
    """
    maps = list(_symmetries(board)) if len(board.codes) <= SYMMETRY_MAX_CELLS else []
    return {cell: frozenset([cell, *(board.cell(map_[board.index(cell)]) for map_ in maps)]) for cell in cells}


def _symmetries(board: Board) -> Iterator[Map]:
    """Yield the maps that keep every visible symbol and all neighbours, except the one that moves nothing."""
    codes, neighbours = board.codes, board.geometry.neighbours
    for map_ in _mirrored_and_turned(board.rows, board.columns):
        if any(codes[target] != code for target, code in zip(map_, codes, strict=True)):
            continue
        if all(sorted(map_[other] for other in neighbours(place)) == sorted(neighbours(map_[place]))
               for place in range(len(codes))):  # fmt: skip
            yield map_


def _mirrored_and_turned(rows: int, columns: int) -> Iterator[Map]:
    for flip_rows, flip_columns, swap in product((False, True), repeat=3):
        if (swap and rows != columns) or not (flip_rows or flip_columns or swap):
            continue
        targets = []
        for row, column in product(range(rows), range(columns)):
            r = rows - 1 - row if flip_rows else row
            c = columns - 1 - column if flip_columns else column
            targets.append((c if swap else r) * columns + (r if swap else c))
        yield tuple(targets)
