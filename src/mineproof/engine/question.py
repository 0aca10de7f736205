"""A question to an engine: a position and a density."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from mineproof.board.board import Board
from mineproof.board.geometry import Geometry


class Question(NamedTuple):
    """A position whose consistent layouts an engine counts. Flags are mines.

    ``density`` is the chance of a mine per cell, for odds without a total; it is ignored if the total is known.
    """

    geometry: Geometry
    codes: bytes
    total_mines: int | None = None
    density: Fraction | None = None

    @staticmethod
    def of(board: Board, density: Fraction | None = None) -> Question:
        """Return the question about a board."""
        return Question(board.geometry, board.codes, board.total_mines, density)
