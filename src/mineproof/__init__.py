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
from mineproof.certificate import Certificate, CertificateError, Check, certify, check, verify
from mineproof.choice import BestMove
from mineproof.difficulty import Grade, grade
from mineproof.errors import (
    BoardSyntaxError,
    BudgetExceeded,
    ContradictionError,
    EngineMissing,
    IllegalMoveError,
    MineproofError,
)
from mineproof.game import Game, Outcome
from mineproof.generate import Generated, generate, generate_many
from mineproof.hints import Hint, hint
from mineproof.ladder import deduce
from mineproof.layout import Layout
from mineproof.layouts import enumerate_layouts, sample_layouts
from mineproof.measures import Measures, measure
from mineproof.optimal import optimal_first_moves, optimal_moves, win_probability, win_probability_from_start
from mineproof.record import Move, Record, Rules
from mineproof.review import Review, review
from mineproof.simulate import simulate
from mineproof.simulation import Comparison, Simulation, compare
from mineproof.strategy import best_move
from mineproof.techniques.bounds import bounds_table
from mineproof.techniques.deduction import Deduction
from mineproof.techniques.elimination import matrix
from mineproof.version import VERSION

__version__ = VERSION

__all__ = [
    "Analysis",
    "BestMove",
    "Board",
    "BoardSyntaxError",
    "Budget",
    "BudgetExceeded",
    "Certificate",
    "CertificateError",
    "Check",
    "Comparison",
    "ContradictionError",
    "Deduction",
    "EngineMissing",
    "Game",
    "Generated",
    "Grade",
    "Hint",
    "IllegalMoveError",
    "Layout",
    "Measures",
    "MineproofError",
    "Move",
    "Outcome",
    "Record",
    "Review",
    "Rules",
    "Simulation",
    "analyze",
    "best_move",
    "bounds_table",
    "certify",
    "check",
    "compare",
    "deduce",
    "enumerate_layouts",
    "generate",
    "generate_many",
    "grade",
    "hint",
    "matrix",
    "measure",
    "optimal_first_moves",
    "optimal_moves",
    "review",
    "sample_layouts",
    "simulate",
    "verify",
    "win_probability",
    "win_probability_from_start",
]
