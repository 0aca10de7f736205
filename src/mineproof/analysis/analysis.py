"""Exact facts about a position: certain cells, mine probabilities, number of layouts."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import numpy as np
import numpy.typing as npt

from mineproof.analysis import conflict
from mineproof.analysis.problem_analysis import ProblemAnalysis, analyze_problem
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.cached import cached_property
from mineproof.base.notebook import Shown
from mineproof.base.words import plural, size
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell
from mineproof.board.other_boards import Analyzable, refuse_options
from mineproof.engine.answers import MINE, SAFE, UNDECIDED, Engine, PositionCount
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError
from mineproof.problems.problem import Problem

if TYPE_CHECKING:
    from mineproof.analysis.wire import AnalysisJson

SCHEMA: Final = "mineproof/analysis/1"
JSON_COUNT_MAX_DIGITS = 5_000  # longer numbers of layouts are counted only if every digit is requested
REPR_COUNT_MAX_DIGITS = 6

LONGEST_COUNT = JSON_COUNT_MAX_DIGITS  # name until cli uses the new one

A = TypeVar("A")


class Analysis(Shown):
    """Exact facts about one board; see `analyze`. Facts are computed when they are first read.

    An analysis is a value. It can be pickled, copied and sent to other processes. Two analyses are equal if board,
    treatment of flags and, if the total is unknown, density are the same.
    """

    def __init__(self, board: Board, counted: PositionCount) -> None:
        self.board = board
        self._counted = counted

    @cached_property
    def layouts(self) -> int:
        """The exact number of layouts that fit; over all totals if the total is unknown.

        Counting starts at the first read. It may use the budget that `analyze` left, and raises BudgetExceeded after
        that. `count_layouts` takes a separate budget.
        """
        return self._counted.layouts()

    def count_layouts(self, budget: Budget | float | None = None) -> int:
        """Return `layouts`. Counting takes at most ``budget``, by default the rest of the budget of `analyze`.

        Raises BudgetExceeded if that is not enough. `log10_layouts` is known without counting.
        """
        known: int | None = vars(self).get("layouts")
        if known is not None or budget is None:
            return self.layouts
        count: int = vars(self).setdefault("layouts", self._counted.layouts(Budget.of(budget)))
        return count

    @property
    def log10_layouts(self) -> float:
        """The decimal logarithm of `layouts`, which is about its number of digits; known without counting."""
        return self._counted.log10_layouts()

    @cached_property
    def mine_probability(self) -> npt.NDArray[np.float64]:
        """Read-only (rows, columns); NaN on open cells, and on undecided ones if neither total nor density is known."""
        flat = self._counted.mine_probability()
        flat.flags.writeable = False
        return flat.reshape(self.board.rows, self.board.columns)

    def exact(self, row: int, column: int) -> Fraction:
        """The mine probability of one covered cell as a fraction; ValueError where `mine_probability` is NaN."""
        return self._counted.exact(self.board.index((row, column)))

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Covered cells that are safe in every layout that fits."""
        return self._certain(SAFE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """Covered cells that are mines in every layout that fits; trusted flags are not repeated."""
        return self._certain(MINE)

    @cached_property
    def undecided(self) -> list[Cell]:
        """Covered cells that are mines in some layouts and safe in others, in row order."""
        verdicts = self._counted.verdicts()
        return [self.board.cell(index) for index, verdict in enumerate(verdicts) if verdict == UNDECIDED]

    @cached_property
    def undecided_count(self) -> int:
        """Number of `undecided` cells, without listing them."""
        return self._counted.verdicts().count(UNDECIDED)

    @property
    def states(self) -> int:
        """The effort of the analysis: a number that is the same on every machine."""
        return self._counted.states

    def _certain(self, verdict: int) -> frozenset[Cell]:
        return frozenset(self._in_order(verdict))

    def _in_order(self, verdict: int) -> list[Cell]:
        """The cells with this verdict, in row order."""
        verdicts = self._counted.verdicts()
        if verdict not in verdicts:
            return []
        (indices,) = (np.frombuffer(verdicts, dtype=np.uint8) == verdict).nonzero()
        return list(map(divmod, indices.tolist(), repeat(self.board.columns)))

    def as_json(self, *, exact: bool = False, budget: Budget | float | None = None) -> AnalysisJson:
        """Return the ``mineproof/analysis/1`` document; ``exact`` adds all digits of the layouts and ``mine_fraction``.

        ``layouts`` is null if counting takes longer than ``budget``, by default the rest of the budget of `analyze`.
        With ``exact``, counts and fractions that exceed the budget raise BudgetExceeded.
        """
        deadline = None if budget is None else Deadline(Budget.of(budget))
        chances = self.mine_probability.tolist()  # NaN >= 0 is false, and faster than a test for NaN
        known = [[chance if chance >= 0.0 else None for chance in row] for row in chances]
        safe, mines = (list(map(list, self._in_order(verdict))) for verdict in (SAFE, MINE))
        layouts = self._every_digit(deadline) if exact else self._count_in_time(deadline)
        document = self._document(known, safe, mines, layouts)
        return document | {"mine_fraction": self._fractions(chances, deadline)} if exact else document

    def for_encoder(self, budget: Budget | float | None = None) -> AnalysisJson:
        """Return data that msgspec encodes like `as_json`, with tuples for lists and NaN for None.

        Raises BudgetExceeded if the layouts are not counted within the budget.
        """
        deadline = None if budget is None else Deadline(Budget.of(budget))
        layouts = self._every_digit(deadline) if self._is_countable else None
        return self._document(self.mine_probability.tolist(), self._in_order(SAFE), self._in_order(MINE), layouts)

    @property
    def _is_countable(self) -> bool:
        return self.log10_layouts <= JSON_COUNT_MAX_DIGITS

    def _every_digit(self, deadline: Deadline | None) -> str:
        return str(self.count_layouts(None if deadline is None else deadline.rest()))

    def _count_in_time(self, deadline: Deadline | None) -> str | None:
        """The number of layouts, or None if it is too long or takes too long to count."""
        try:
            return self._every_digit(deadline) if self._is_countable else None
        except BudgetExceeded as error:
            if error.limit == "cancelled":
                raise
            return None

    def _document(self, chances: Any, safe: Any, mines: Any, layouts: str | None) -> AnalysisJson:
        board = self.board
        return {
            "schema": SCHEMA,
            "rows": board.rows,
            "columns": board.columns,
            "total_mines": board.total_mines,
            "layouts": layouts,
            "log10_layouts": self.log10_layouts,
            "mine_probability": chances,
            "safe": safe,
            "mines": mines,
            "states": self.states,
            "board": board.as_json(),
        }

    def _fractions(self, chances: list[list[float]], deadline: Deadline | None) -> list[list[str | None]]:
        def fraction(row: int, column: int) -> str:
            if deadline is not None:
                deadline.check()
            return str(self.exact(row, column))

        return [
            [None if math.isnan(chance) else fraction(row, column) for column, chance in enumerate(line)]
            for row, line in enumerate(chances)
        ]

    def __repr__(self) -> str:
        verdicts = self._counted.verdicts()
        certain = f"{verdicts.count(SAFE):,} safe, {plural(verdicts.count(MINE), 'mine')}"
        return f"<Analysis of {size(self.board.rows, self.board.columns)}: {certain}, {self._about_layouts()}>"

    def _about_layouts(self) -> str:
        """The number of layouts for the repr, without counting them."""
        try:
            digits = self.log10_layouts
        except BudgetExceeded:  # too many for floats; only exact counting gives the number
            return "layouts not counted"
        return (
            plural(round(10**digits), "layout") if digits < REPR_COUNT_MAX_DIGITS else f"about 10^{digits:.1f} layouts"
        )

    # value semantics

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Analysis):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[object, ...]:
        """The values that determine all facts."""
        question = self._counted.question
        return self.board, question.codes, question.density if question.total_mines is None else None

    def __getstate__(self) -> dict[str, object]:
        """The state that is expensive to compute again: the facts, and the number of layouts if it was counted."""
        return {name: value for name, value in vars(self).items() if name in {"board", "_counted", "layouts"}}


@overload
def analyze(
    board: Board,
    *,
    flags: Flags = "trust",
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Analysis: ...


@overload
def analyze(
    board: Problem, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> ProblemAnalysis: ...


@overload
def analyze(
    board: Analyzable[A],
    *,
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> A: ...


def analyze(
    board: Board | Problem | Analyzable[Any],
    *,
    flags: Flags = "trust",
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Any:
    """Return all certain cells of a board and the exact mine probability of every covered cell.

    With ``flags="ignore"``, flags are covered cells like others. ``density`` is the chance of a mine per cell if the
    total is unknown; a float stands for the decimal it prints as. Releases the GIL.

    A `Problem` in place of the board gives a `ProblemAnalysis`: the number of solutions and the chance of every value.
    A `VariantBoard` gives a `VariantAnalysis`.

    Raises ContradictionError, with the few numbers that contradict each other, if no layout fits.

    >>> analysis = analyze(Board.parse("1#/##", total_mines=1))
    >>> analysis.layouts, analysis.exact(1, 1)
    (3, Fraction(1, 3))
    """
    if type(board) is not Board:
        if isinstance(board, Problem):
            if flags != "trust" or density is not None:
                raise ValueError("flags and density are for boards. Weights of values are part of a problem.")
            return analyze_problem(board, budget, engine)
        if isinstance(board, Analyzable):
            refuse_options(flags=flags != "trust")
            return board.analyze(density=density, budget=budget, engine=engine)
        checks.instance("board", board, Board, "Board.parse reads text")
    seen = board if flags == "trust" else board.as_seen(flags)
    chance = None if density is None else as_fraction(density)
    return Analysis(board, solve(seen, Budget.of(budget), chosen_engine(engine), chance))


def solve(board: Board, budget: Budget, engine: Engine, density: Fraction | None = None) -> PositionCount:
    """Return the engine's result for a board whose flags are mines; contradictions are explained."""
    question = Question(board.geometry, board.codes, board.total_mines, density)
    try:
        return engine.solve(question, budget)
    except ContradictionError as error:
        raise conflict.explain(board, error, budget, engine) from None


def fits(board: Board, budget: Budget, engine: Engine) -> bool:
    """Does any layout fit a board whose flags are mines?"""
    try:
        engine.solve(Question.of(board), budget)
    except ContradictionError:
        return False
    return True


def as_fraction(density: float | Fraction | Decimal) -> Fraction:
    """Return a density as an exact fraction between 0 and 1; 0.2 is one fifth, not the nearest double."""
    return checks.chance("density", density)
