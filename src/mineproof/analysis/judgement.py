"""Was this reveal a guess, was it forced, and how likely was a mine? From what is seen and nothing else.

Idea    A reveal opens some covered cells U at once: one cell, or those around a chord. Flags are a player's marks and
        are taken for covered cells. "The layouts in which all of U is free" are the layouts of the board that supposes
        U free, of the same total: one more question decides whether there is any, counting them gives the exact risk,
        and a drawn layout of that board is uniform among them.
        For a layout with a mine somewhere in U, the first mined cell of U is drawn with its odds; the cells before it
        are supposed free and it is supposed a mine, and the rest is drawn as above.
Cost    One or two analyses for a judgement or a risk; for a redraw as many as there are cells in U, and one drawn
        layout.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from mineproof.analysis.analysis import Analysis, analyze, fits
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.base.rng import CHOICES, Random, derive
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError

EVEN = Fraction(1, 2)  # the density at which all layouts weigh the same, where the total is unknown


class Judgement(NamedTuple):
    """What can be said about a reveal before it happens.

    ``forced``: no covered cell of the board is certainly safe. ``may_be_free``: some layout that fits has all the
    cells free. ``may_be_mine``: some layout that fits has a mine among them.
    """

    forced: bool
    may_be_free: bool
    may_be_mine: bool


def judge(
    board: Board, cells: Collection[Cell], budget: Budget | float | None = None, *, engine: Engine | None = None
) -> Judgement:
    """The judgement on opening covered or flagged cells at once.

    Raises ContradictionError when no layout fits the board.

    >>> judge(Board.parse("11/##", total_mines=1), [(1, 0)])
    Judgement(forced=True, may_be_free=True, may_be_mine=True)
    """
    limit, using, opened = Budget.of(budget), chosen_engine(engine), checks.cells("cells", cells)
    found = analyze(board, flags="ignore", budget=limit, engine=using)
    may_be_free = opened.isdisjoint(found.mines)
    if may_be_free and len(opened - found.safe) > 1:  # each may be free, but all of them together?
        may_be_free = fits(board.without_flags().suppose(free=opened), limit, using)
    return Judgement(not found.safe, may_be_free, not opened <= found.safe)


def risk(
    board: Board, cells: Collection[Cell], budget: Budget | float | None = None, *, engine: Engine | None = None
) -> Fraction:
    """The chance of a mine among covered or flagged cells that are opened at once, on a board with a total.

    >>> risk(Board.parse("11/##", total_mines=1), [(1, 0), (1, 1)])
    Fraction(1, 1)
    """
    limit, opened = Budget.of(budget), checks.cells("cells", cells)
    checks.instance("board", board, Board, "Board.parse reads text")
    return risk_of(analyze(board.without_flags(), budget=limit, engine=engine), opened, limit, engine)


def risk_of(found: Analysis, cells: Collection[Cell], budget: Budget, engine: Engine | None = None) -> Fraction:
    """The same of a board that is analysed already, and has no flags."""
    uncertain = frozenset(cells) - found.safe
    if not uncertain:
        return Fraction(0)
    if uncertain & found.mines:
        return Fraction(1)
    if len(uncertain) == 1:
        return found.exact(*next(iter(uncertain)))
    question = Question.of(found.board.suppose(free=uncertain))
    try:
        free = chosen_engine(engine).solve(question, budget)
    except ContradictionError:
        return Fraction(1)
    return 1 - Fraction(free.layouts(), found.layouts)


def redraw_free(
    board: Board,
    cells: Collection[Cell],
    seed: int,
    number: int,
    budget: Budget | float | None = None,
    *,
    engine: Engine | None = None,
) -> frozenset[Cell]:
    """All mines of layout ``number`` of a seed, uniform among those that fit and have all the cells free.

    Raises ContradictionError when there is none.
    """
    supposed = board.without_flags().suppose(free=cells)
    return _drawn(supposed, seed, number, Budget.of(budget), chosen_engine(engine))


def redraw_mined(
    board: Board,
    cells: Collection[Cell],
    seed: int,
    number: int,
    budget: Budget | float | None = None,
    *,
    engine: Engine | None = None,
) -> frozenset[Cell]:
    """The same, uniform among the layouts with a mine in at least one of the cells."""
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.without_flags()
    order = sorted(cells)
    odds = _first_mine(seen, order, limit, using)
    choice = Random(derive(seed, CHOICES), number).uniform() * sum(odds)
    last = max((place for place, chance in enumerate(odds) if chance > 0), default=0)  # rounding must not pass it
    first = next((place for place in range(last) if choice < sum(odds[: place + 1])), last)
    supposed = seen.suppose(free=order[:first], mines=[order[first]])
    return _drawn(supposed, seed, number, limit, using)


def _first_mine(board: Board, cells: list[Cell], budget: Budget, engine: Engine) -> list[float]:
    """For each of the cells the chance that it is a mine and those before it are not."""
    odds, none_before = [], 1.0
    for place, cell in enumerate(cells):
        found = engine.solve(Question.of(board.suppose(free=cells[:place]), EVEN), budget)
        chance = float(found.mine_probability()[board.index(cell)])
        odds.append(none_before * chance)
        none_before *= 1 - chance
        if none_before == 0:  # the next question would contradict itself
            break
    return odds


def _drawn(board: Board, seed: int, number: int, budget: Budget, engine: Engine) -> frozenset[Cell]:
    (mines,) = engine.sample(Question.of(board), seed, range(number, number + 1), budget)
    return frozenset(map(board.cell, mines))
