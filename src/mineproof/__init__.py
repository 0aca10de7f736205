"""Exact Minesweeper: what can be known about a position, how likely the rest is, and why.

>>> import mineproof as mp
>>> found = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
>>> sorted(found.mines), sorted(found.safe)
([(0, 0), (0, 4)], [(0, 2)])
>>> print(mp.hint(mp.Board.parse("#1#1#", total_mines=2)).text(level=3))
(0,4) is a mine: flag it.
"""

from mineproof.analysis import Analysis, analyze
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.difficulty import Grade, grade
from mineproof.errors import (
    BoardSyntaxError,
    BudgetExceeded,
    ContradictionError,
    EngineMissing,
    IllegalMoveError,
    MineproofError,
)
from mineproof.hints import Hint, hint
from mineproof.ladder import deduce
from mineproof.layout import Layout
from mineproof.layouts import enumerate_layouts, sample_layouts
from mineproof.techniques.bounds import bounds_table
from mineproof.techniques.deduction import Deduction
from mineproof.techniques.elimination import matrix
from mineproof.version import VERSION

__version__ = VERSION

__all__ = [
    "Analysis",
    "Board",
    "BoardSyntaxError",
    "Budget",
    "BudgetExceeded",
    "ContradictionError",
    "Deduction",
    "EngineMissing",
    "Grade",
    "Hint",
    "IllegalMoveError",
    "Layout",
    "MineproofError",
    "analyze",
    "bounds_table",
    "deduce",
    "enumerate_layouts",
    "grade",
    "hint",
    "matrix",
    "sample_layouts",
]
