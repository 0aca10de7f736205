"""Exact Minesweeper: what can be known about a position, how likely the rest is, and why.

>>> import mineproof as mp
>>> found = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
>>> sorted(found.mines), sorted(found.safe)
([(0, 0), (0, 4)], [(0, 2)])
"""

from mineproof.analysis import Analysis, analyze
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.errors import (
    BoardSyntaxError,
    BudgetExceeded,
    ContradictionError,
    EngineMissing,
    IllegalMoveError,
    MineproofError,
)
from mineproof.layout import Layout
from mineproof.layouts import enumerate_layouts, sample_layouts
from mineproof.version import VERSION

__version__ = VERSION

__all__ = [
    "Analysis",
    "Board",
    "BoardSyntaxError",
    "Budget",
    "BudgetExceeded",
    "ContradictionError",
    "EngineMissing",
    "IllegalMoveError",
    "Layout",
    "MineproofError",
    "analyze",
    "enumerate_layouts",
    "sample_layouts",
]
