"""What can be known about a position: the facts, before anybody chooses a move."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from itertools import repeat

import numpy as np
import numpy.typing as npt

from mineproof.analysis import conflict
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.showing import Shown
from mineproof.base.words import plural, size
from mineproof.board.board import Board, Flags
from mineproof.board.cells import Cell
from mineproof.engine.answers import MINE, SAFE, UNDECIDED, Counted, Engine
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError

SCHEMA = "mineproof/analysis/1"
LONGEST_COUNT = 5_000  # digits of a number of layouts that are worked out unasked
SHORT_COUNT = 6  # digits of one that people read


class Analysis(Shown):
    """Exact facts about one board; see `analyze`. What is not asked for is not computed."""

    def __init__(self, board: Board, counted: Counted) -> None:
        self.board = board
        self._counted = counted

    @cached_property
    def layouts(self) -> int:
        """How many mine layouts fit, exactly; over all totals when the total is unknown."""
        return self._counted.layouts()

    @property
    def log10_layouts(self) -> float:
        """About how many digits `layouts` has; at once, also where the integer would be long in the making."""
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
        """Covered cells that are free of mines in every layout that fits."""
        return self._certain(SAFE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """Covered cells that are mines in every layout that fits; trusted flags are not repeated."""
        return self._certain(MINE)

    @cached_property
    def undecided(self) -> list[Cell]:
        """Covered cells that are mines in some layouts and free in others, in row order."""
        verdicts = self._counted.verdicts()
        return [self.board.cell(index) for index, verdict in enumerate(verdicts) if verdict == UNDECIDED]

    @cached_property
    def undecided_count(self) -> int:
        """How many cells `undecided` has, without listing them."""
        return self._counted.verdicts().count(UNDECIDED)

    @property
    def states(self) -> int:
        """The effort it took: a number that is the same on every machine."""
        return self._counted.states

    def _certain(self, verdict: int) -> frozenset[Cell]:
        return frozenset(self._in_order(verdict))

    def _in_order(self, verdict: int) -> list[Cell]:
        """The cells of a verdict in row order."""
        verdicts = self._counted.verdicts()
        if verdict not in verdicts:
            return []
        (found,) = (np.frombuffer(verdicts, dtype=np.uint8) == verdict).nonzero()
        return list(map(divmod, found.tolist(), repeat(self.board.columns)))

    def as_json(self, *, exact: bool = False, budget: Budget | float | None = None) -> dict[str, object]:
        """The ``mineproof/analysis/1`` shape; with ``exact`` every digit of the layouts, and ``mine_fraction``.

        Fractions of a large board have thousands of digits: BudgetExceeded where they take longer than a budget that
        is given.
        """
        chances = self.mine_probability.tolist()  # NaN is not 0 or more, which is asked faster than whether it is NaN
        known = [[chance if chance >= 0.0 else None for chance in row] for row in chances]
        safe, mines = (list(map(list, self._in_order(verdict))) for verdict in (SAFE, MINE))
        answer = self._shape(known, safe, mines, exact)
        return answer | {"mine_fraction": self._fractions(chances, budget)} if exact else answer

    def for_encoder(self) -> dict[str, object]:
        """What msgspec encodes as it does `as_json`: tuples for lists, and NaN for None. Saves a look at every cell."""
        return self._shape(self.mine_probability.tolist(), self._in_order(SAFE), self._in_order(MINE))

    def _shape(self, chances: object, safe: object, mines: object, exact: bool = False) -> dict[str, object]:
        board = self.board
        return {
            "schema": SCHEMA,
            "rows": board.rows,
            "columns": board.columns,
            "total_mines": board.total_mines,
            "layouts": str(self.layouts) if exact or self.log10_layouts <= LONGEST_COUNT else None,
            "log10_layouts": self.log10_layouts,
            "mine_probability": chances,
            "safe": safe,
            "mines": mines,
            "states": self.states,
            "board": board.as_json(),
        }

    def _fractions(self, chances: list[list[float]], budget: Budget | float | None) -> list[list[str | None]]:
        deadline = None if budget is None else Deadline(Budget.of(budget))

        def fraction(row: int, column: int) -> str:
            if deadline is not None:
                deadline.check()
            return str(self.exact(row, column))

        return [
            [None if math.isnan(chance) else fraction(row, column) for column, chance in enumerate(line)]
            for row, line in enumerate(chances)
        ]

    def __repr__(self) -> str:
        board, few = self.board, self.log10_layouts < SHORT_COUNT
        layouts = plural(self.layouts, "layout") if few else f"about 10^{self.log10_layouts:.1f} layouts"
        certain = f"{len(self.safe)} safe, {plural(len(self.mines), 'mine')}"
        return f"<Analysis of {size(board.rows, board.columns)}: {certain}, {layouts}>"


def analyze(
    board: Board,
    *,
    flags: Flags = "trust",
    density: float | Fraction | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Analysis:
    """Everything certain about a board, and the exact mine probability of every covered cell.

    With ``flags="ignore"`` flags are covered cells like others. ``density`` is the chance of a mine per cell where the
    total is unknown; a float stands for the decimal it prints as. Releases the GIL.

    Raises ContradictionError, with the few numbers that cannot hold together, when no layout fits.

    >>> found = analyze(Board.parse("1#/##", total_mines=1))
    >>> found.layouts, found.exact(1, 1)
    (3, Fraction(1, 3))
    """
    if type(board) is not Board:
        checks.instance("board", board, Board, "Board.parse reads text")
    seen = board if flags == "trust" else board.as_seen(flags)
    chance = None if density is None else as_fraction(density)
    return Analysis(board, solve(seen, Budget.of(budget), chosen_engine(engine), chance))


def solve(board: Board, budget: Budget, engine: Engine, density: Fraction | None = None) -> Counted:
    """The engine's answer about a board whose flags are mines; a contradiction is explained."""
    question = Question(board.geometry, board.codes, board.total_mines, density)
    try:
        return engine.solve(question, budget)
    except ContradictionError as error:
        raise conflict.explain(board, error, budget, engine) from None


def fits(board: Board, budget: Budget, engine: Engine) -> bool:
    """Is there a layout that fits a board whose flags are mines?"""
    try:
        engine.solve(Question.of(board), budget)
    except ContradictionError:
        return False
    return True


def as_fraction(density: float | Fraction) -> Fraction:
    """A density as an exact number strictly between 0 and 1; 0.2 is one fifth, not the double next to it."""
    return checks.chance("density", density)
