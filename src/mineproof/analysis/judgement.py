"""Judge a reveal by what the player sees: was it a guess, was it forced, and how likely was a mine?

Idea    A reveal opens some covered cells U at once: one cell, or those around a chord. Flags are marks of the player
        and count as covered cells. The layouts in which all of U is safe are the layouts of the board that supposes U
        safe, with the same total. One more analysis decides whether there are any, counting them gives the exact risk,
        and a sample of that board is uniform among them.
        For a layout with a mine somewhere in U, the first mined cell of U is drawn by its odds. The cells before it are
        supposed safe, the cell itself a mine, and the rest is sampled as above.
        A reveal is among the safest if no covered cell is less likely a mine than some cell of U. Odds are compared as
        fractions, unless they differ by far more than the error of a float. `region_of` defines a region.
Cost    One or two analyses for a judgement or a risk. A redraw takes one analysis for each cell in U, and one sample.
        A comparison takes up to two analyses, and an exact count for each kind of cell with about the same odds.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import NamedTuple

from mineproof.analysis.analysis import Analysis, analyze, fits
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import CHOICES, Random, derive
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question
from mineproof.errors import ContradictionError

FLOAT_ERROR = 1e-6  # odds that differ by more differ exactly; those that differ by less are compared as fractions
EVEN_DENSITY = Fraction(1, 2)  # gives all layouts the same weight if the total is unknown


class Judgement(NamedTuple):
    """The facts about a reveal before it happens.

    ``forced``: no covered cell of the board is certainly safe. ``may_be_free``: in some layout that fits, all of the
    cells are safe. ``may_be_mine``: in some layout that fits, at least one of them is a mine.
    """

    forced: bool
    may_be_free: bool
    may_be_mine: bool


def judge(
    board: Board, cells: Collection[Cell], budget: Budget | float | None = None, *, engine: Engine | None = None
) -> Judgement:
    """Judge opening covered or flagged cells at once.

    Raises ContradictionError if no layout fits the board.

    >>> judge(Board.parse("11/##", total_mines=1), [(1, 0)])
    Judgement(forced=True, may_be_free=True, may_be_mine=True)
    """
    limit, using, opened = Budget.of(budget), chosen_engine(engine), checks.cells("cells", cells)
    analysis = analyze(board, flags="ignore", budget=limit, engine=using)
    may_be_free = opened.isdisjoint(analysis.mines)
    if may_be_free and len(opened - analysis.safe) > 1:  # each one may be safe, but all of them together?
        may_be_free = fits(board.without_flags().suppose(free=opened), limit, using)
    return Judgement(not analysis.safe, may_be_free, not opened <= analysis.safe)


def risk(
    board: Board, cells: Collection[Cell], budget: Budget | float | None = None, *, engine: Engine | None = None
) -> Fraction:
    """Return the chance of a mine among covered or flagged cells that are opened at once, on a board with a total.

    >>> risk(Board.parse("11/##", total_mines=1), [(1, 0), (1, 1)])
    Fraction(1, 1)
    """
    limit, opened = Budget.of(budget), checks.cells("cells", cells)
    checks.instance("board", board, Board, "Board.parse reads text")
    return risk_of(analyze(board.without_flags(), budget=limit, engine=engine), opened, limit, engine)


def risk_of(analysis: Analysis, cells: Collection[Cell], budget: Budget, engine: Engine | None = None) -> Fraction:
    """Return the risk on an analyzed board without flags; see `risk`."""
    uncertain = frozenset(cells) - analysis.safe
    if not uncertain:
        return Fraction(0)
    if uncertain & analysis.mines:
        return Fraction(1)
    if len(uncertain) == 1:
        return analysis.exact(*next(iter(uncertain)))
    question = Question.of(analysis.board.suppose(free=uncertain))
    try:
        free = chosen_engine(engine).solve(question, budget)
    except ContradictionError:
        return Fraction(1)
    return 1 - Fraction(free.layouts(), analysis.layouts)


def is_safest(
    board: Board,
    cells: Collection[Cell],
    budget: Budget | float | None = None,
    *,
    local: bool = False,
    engine: Engine | None = None,
) -> bool:
    """Return whether no covered cell is safer than this reveal; with ``local``, no cell of its region.

    A cell is safer if its chance of a mine is lower than the chance that the reveal hits one. Flags are covered cells.
    Raises ValueError if the total is unknown, and ContradictionError if no layout fits.

    >>> board = Board.parse("1#####/######", total_mines=2)  # 1/3 beside the 1, 1/8 elsewhere
    >>> is_safest(board, [(0, 1)]), is_safest(board, [(0, 1)], local=True), is_safest(board, [(0, 5)])
    (False, True, True)
    """
    deadline, opened, seen = Deadline(Budget.of(budget)), checks.cells("cells", cells), board.without_flags()
    if board.total_mines is None:
        raise ValueError("board must have a total of mines")
    analysis = analyze(seen, budget=deadline.rest(), engine=engine)
    chance = risk_of(analysis, opened, deadline.rest(), engine)
    rivals = region_of(seen, opened, analysis.mines) if local else frozenset(seen.cells(COVERED)) - analysis.mines
    odds, limit, compared = analysis.mine_probability, float(chance), set()
    for cell in rivals:
        if odds[cell] < limit - FLOAT_ERROR:
            return False
        if odds[cell] > limit + FLOAT_ERROR:
            continue
        kind = frozenset(number for number in seen.neighbours(cell) if seen[number] >= 0)  # equal odds for equal kinds
        if kind not in compared and analysis.exact(*cell) < chance:
            return False
        compared.add(kind)
    return True


def region_of(board: Board, cells: Collection[Cell], mines: Collection[Cell] = ()) -> frozenset[Cell]:
    """Return the independent region of some covered cells, without certain ``mines``.

    Two covered cells that are not certainly mines are in the same region if they touch the same open number, or are
    connected by a chain of such cells. All cells that touch no open number are one region.

    >>> board = Board.parse("1#####1/#######")
    >>> sorted(region_of(board, [(0, 1)])), sorted(region_of(board, [(0, 3)]))
    ([(0, 1), (1, 0), (1, 1)], [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)])
    """
    known = frozenset(mines)
    numbers_around = {
        cell: [number for number in board.neighbours(cell) if board[number] >= 0]
        for cell in board.cells(COVERED)
        if cell not in known
    }
    region = set(cells) & numbers_around.keys()
    if any(not numbers_around[cell] for cell in region):
        region |= {cell for cell, numbers in numbers_around.items() if not numbers}
    waiting, seen = list(region), set[Cell]()
    while waiting:
        for number in numbers_around[waiting.pop()]:
            if number not in seen:
                seen.add(number)
                reached = {cell for cell in board.neighbours(number) if cell in numbers_around} - region
                region |= reached
                waiting += reached
    return frozenset(region)


def redraw_free(
    board: Board,
    cells: Collection[Cell],
    seed: int,
    number: int,
    budget: Budget | float | None = None,
    *,
    engine: Engine | None = None,
) -> frozenset[Cell]:
    """Return the mines of sample ``number`` of a seed, uniform among layouts that fit and have all the cells safe.

    Raises ContradictionError if there is no such layout.
    """
    supposed = board.without_flags().suppose(free=cells)
    return _sample_one(supposed, seed, number, Budget.of(budget), chosen_engine(engine))


def redraw_mined(
    board: Board,
    cells: Collection[Cell],
    seed: int,
    number: int,
    budget: Budget | float | None = None,
    *,
    engine: Engine | None = None,
) -> frozenset[Cell]:
    """Return the mines of a sample that is uniform among layouts with a mine in at least one of the cells."""
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.without_flags()
    order = sorted(cells)
    odds = _first_mine_odds(seen, order, limit, using)
    choice = Random(derive(seed, CHOICES), number).uniform() * sum(odds)
    last = max((place for place, chance in enumerate(odds) if chance > 0), default=0)  # rounding must not pass it
    first = next((place for place in range(last) if choice < sum(odds[: place + 1])), last)
    supposed = seen.suppose(free=order[:first], mines=[order[first]])
    return _sample_one(supposed, seed, number, limit, using)


def _first_mine_odds(board: Board, cells: list[Cell], budget: Budget, engine: Engine) -> list[float]:
    """Return, for each cell, the chance that it is a mine and the cells before it are not."""
    odds, none_before = [], 1.0
    for place, cell in enumerate(cells):
        counted = engine.solve(Question.of(board.suppose(free=cells[:place]), EVEN_DENSITY), budget)
        chance = float(counted.mine_probability()[board.index(cell)])
        odds.append(none_before * chance)
        none_before *= 1 - chance
        if none_before == 0:  # the next board would contradict itself
            break
    return odds


def _sample_one(board: Board, seed: int, number: int, budget: Budget, engine: Engine) -> frozenset[Cell]:
    (mines,) = engine.sample(Question.of(board), seed, range(number, number + 1), budget)
    return frozenset(map(board.cell, mines))
