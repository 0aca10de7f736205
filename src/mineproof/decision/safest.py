"""The safest cell where nothing is certain: the one with the lowest mine probability.

Idea    Of equally safe cells the one with the fewest covered neighbours is the likeliest to show a zero and open more;
        then corners come before edges, as with FairMinesweeper and the Go simulator; then the first in row order. A
        cell the player has flagged comes after one that is as safe and bare.
Cost    One fraction for each group of cells that the same numbers touch, and only for those that are close to the
        lowest odds; floats decide which are close, fractions which are equal.
Limits  The safest cell is not always the best one to win with: what a cell may show counts too.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell

CLOSE = 1e-9  # relative: far more than the error of a float, far less than odds that differ


class SafestCell(NamedTuple):
    """The safest cell, its odds, and all cells that are exactly as safe, itself included."""

    cell: Cell
    fraction: Fraction
    peers: list[Cell]


def safest_cell(found: Analysis, board: Board) -> SafestCell:
    """The safest undecided cell of an analysis with odds; ``board`` is the same position with the player's flags."""
    codes, table = np.frombuffer(board.codes, dtype=np.int8), board.geometry.table
    least, peers = _safest(found)
    covered = (codes == COVERED) | (codes == FLAGGED)
    hidden, present = (np.append(kind, False)[table].sum(axis=1) for kind in (covered, codes != ABSENT))
    best = min(peers, key=lambda index: (codes[index] == FLAGGED, hidden[index], present[index], index))
    return SafestCell(board.cell(best), least, [board.cell(index) for index in peers])


def _safest(found: Analysis) -> tuple[Fraction, list[int]]:
    """The lowest odds, and the cells that have them."""
    board = found.board
    codes, table = np.frombuffer(board.codes, dtype=np.int8), board.geometry.table
    undecided = np.zeros(len(codes), dtype=np.bool_)
    undecided[[board.index(cell) for cell in found.undecided]] = True
    chances = np.where(undecided, found.mine_probability.ravel(), 2.0)
    close = np.flatnonzero(chances <= chances.min() * (1 + CLOSE))
    around = np.where(np.append(codes >= 0, False)[table[close]], table[close], -1)
    _, first, group = np.unique(around, axis=0, return_index=True, return_inverse=True)
    odds = [found.exact(*board.cell(index)) for index in close[first].tolist()]
    least = min(odds)
    return least, [index for index, at in zip(close.tolist(), group.ravel().tolist(), strict=True) if odds[at] == least]
