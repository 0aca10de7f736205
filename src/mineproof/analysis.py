"""What can be known about a position: the facts, before anybody chooses a move."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import repeat
from typing import Literal

import numpy as np
import numpy.typing as npt

from mineproof import contradiction, engine
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.errors import Cell, ContradictionError

Flags = Literal["trust", "ignore"]


class Analysis:
    """Exact facts about one board; see `analyze`. What is not asked for is not computed."""

    def __init__(self, board: Board, counted: engine.Counted) -> None:
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

    def exact(self, row: int, col: int) -> Fraction:
        """The mine probability of one covered cell; ValueError where `mine_probability` is NaN."""
        return self._counted.exact(self.board.index((row, col)))

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Covered cells that are free of mines in every layout that fits."""
        return self._certain(engine.SAFE)

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """Covered cells that are mines in every layout that fits; trusted flags are not repeated."""
        return self._certain(engine.MINE)

    @property
    def states(self) -> int:
        """The effort it took: a number that is the same on every machine."""
        return self._counted.states

    def _certain(self, verdict: int) -> frozenset[Cell]:
        verdicts = self._counted.verdicts()
        if verdict not in verdicts:
            return frozenset()
        found = np.flatnonzero(np.frombuffer(verdicts, dtype=np.uint8) == verdict)
        return frozenset(map(divmod, found.tolist(), repeat(self.board.columns)))

    def __repr__(self) -> str:
        size, digits = f"{self.board.rows} × {self.board.columns}", f"10^{self.log10_layouts:.1f}"
        return f"<Analysis of {size}: {len(self.safe)} safe, {len(self.mines)} mines, {digits} layouts>"


def analyze(
    board: Board,
    *,
    flags: Flags = "trust",
    density: float | Fraction | None = None,
    budget: Budget | float | None = None,
) -> Analysis:
    """Everything certain about a board, and the exact mine probability of every covered cell.

    With ``flags="ignore"`` flags are covered cells like others. ``density`` is the chance of a mine per cell where the
    total is unknown; a float stands for the decimal it prints as. Releases the GIL.

    Raises ContradictionError, with the few numbers that cannot hold together, when no layout fits.

    >>> found = analyze(Board.parse("1#/##", total_mines=1))
    >>> found.layouts, found.exact(1, 1)
    (3, Fraction(1, 3))
    """
    limit = Budget.of(budget)
    codes = board.codes if flags == "trust" else uncovered_flags(board, flags)
    chance = None if density is None else as_fraction(density)
    try:
        return Analysis(board, engine.solve(board.topology, codes, board.total_mines, chance, limit))
    except ContradictionError as error:
        raise contradiction.explain(board.topology, codes, board.total_mines, error, limit) from None


def uncovered_flags(board: Board, flags: str) -> bytes:
    """The codes of a board as a policy on flags sees them."""
    if flags not in ("trust", "ignore"):
        raise ValueError(f"found flags={flags!r}, expected 'trust' or 'ignore'")
    return board.codes if flags == "trust" else board.without_flags().codes


def as_fraction(density: float | Fraction) -> Fraction:
    """A density as an exact number strictly between 0 and 1; 0.2 is one fifth, not the double next to it."""
    chance = density if isinstance(density, Fraction) else Fraction(repr(float(density)))
    if not 0 < chance < 1:
        raise ValueError(f"found a density of {density}, expected one between 0 and 1, both excluded")
    return chance
