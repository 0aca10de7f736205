"""A position as an engine is asked about it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from mineproof.board.board import Board
from mineproof.board.geometry import Geometry


class Question(NamedTuple):
    """Which layouts fit these codes? Flags are taken for mines.

    ``density`` is the chance of a mine per cell, for the odds where the total is unknown; a known total makes it
    irrelevant.
    """

    geometry: Geometry
    codes: bytes
    total_mines: int | None = None
    density: Fraction | None = None

    @staticmethod
    def of(board: Board, density: Fraction | None = None) -> Question:
        return Question(board.geometry, board.codes, board.total_mines, density)
