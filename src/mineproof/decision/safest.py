"""The safest cell if no cell is certain: the one with the lowest mine probability.

Idea    Of equally safe cells, the one with the fewest covered neighbours is most likely to show a zero and open more.
        Ties go to corners before edges, as in FairMinesweeper and the Go simulator, then to the first cell in row
        order. A cell that the player flagged comes after one that is as safe and unflagged.
Cost    One fraction for each group of cells that the same numbers touch, and only for groups close to the lowest odds.
        Floats decide which are close, fractions which are equal.
Limits  The safest cell is not always the one that wins most: the numbers that a cell may show count too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell

CLOSE_ODDS = 1e-9  # relative difference: far above the error of a float, far below odds that really differ


class SafestCell(NamedTuple):
    """The safest cell, its odds, and all cells that are exactly as safe, itself included."""

    cell: Cell
    fraction: Fraction
    peers: list[Cell]


def safest_cell(analysis: Analysis, board: Board) -> SafestCell:
    """Return the safest undecided cell of an analysis with odds; ``board`` is the position with the player's flags."""
    codes, table = np.frombuffer(board.codes, dtype=np.int8), board.geometry.table
    least, peers = _safest_cells(analysis)
    covered = (codes == COVERED) | (codes == FLAGGED)
    hidden, present = (np.append(kind, False)[table].sum(axis=1) for kind in (covered, codes != ABSENT))
    best = min(peers, key=lambda index: (codes[index] == FLAGGED, hidden[index], present[index], index))
    return SafestCell(board.cell(best), least, [board.cell(index) for index in peers])


def _safest_cells(analysis: Analysis) -> tuple[Fraction, list[int]]:
    """Return the lowest odds and the cells that have them."""
    board = analysis.board
    codes, table = np.frombuffer(board.codes, dtype=np.int8), board.geometry.table
    undecided = np.zeros(len(codes), dtype=np.bool_)
    undecided[[board.index(cell) for cell in analysis.undecided]] = True
    chances = np.where(undecided, analysis.mine_probability.ravel(), 2.0)
    close = np.flatnonzero(chances <= chances.min() * (1 + CLOSE_ODDS))
    around = np.where(np.append(codes >= 0, False)[table[close]], table[close], -1)
    _, first, group = np.unique(around, axis=0, return_index=True, return_inverse=True)
    odds = [analysis.exact(*board.cell(index)) for index in close[first].tolist()]
    least = min(odds)
    return least, [index for index, at in zip(close.tolist(), group.ravel().tolist(), strict=True) if odds[at] == least]
