"""Was this reveal a guess, and was it forced? The verdict of the exact engine, from what is seen and nothing else.

Idea    A reveal opens some covered cells U at once: one cell, or those around a chord. Flags are a player's marks and
        are taken for covered cells. A cell outside the board is free and tells no number, so "the layouts in which all
        of U is free" are the layouts of the board with U taken away, of the same total: one more question decides
        whether there is any, and a drawn layout of that board is uniform among them.
        For a layout with a mine somewhere in U, the first mined cell of U is drawn with its odds; the cells before it
        are taken away and it is flagged, and the rest is drawn as above.
Cost    One or two analyses for a verdict; for a redraw as many as there are cells in U, and one drawn layout.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from mineproof import engine
from mineproof.analysis import analyze
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.codes import ABSENT, COVERED, FLAGGED
from mineproof.errors import Cell, ContradictionError
from mineproof.rng import CHOICES, Random, derive

EVEN = Fraction(1, 2)  # the density at which all layouts weigh the same, where the total is unknown


class Judgement(NamedTuple):
    """What can be said about a reveal before it happens.

    ``forced``: no covered cell of the board is certainly safe. ``may_be_free``: some layout that fits has all the
    cells free. ``may_be_mine``: some layout that fits has a mine among them.
    """

    forced: bool
    may_be_free: bool
    may_be_mine: bool


def judge(board: Board, cells: frozenset[Cell], budget: Budget | float | None = None) -> Judgement:
    """The verdict on opening covered or flagged cells at once.

    Raises ContradictionError when no layout fits the board.

    >>> judge(Board.parse("11/##", total_mines=1), frozenset([(1, 0)]))
    Judgement(forced=True, may_be_free=True, may_be_mine=True)
    """
    limit = Budget.of(budget)
    found = analyze(board, flags="ignore", budget=limit)
    may_be_free = cells.isdisjoint(found.mines)
    if may_be_free and len(cells - found.safe) > 1:  # each may be free, but all of them together?
        may_be_free = _fits(board, _supposing(board, free=cells), limit)
    return Judgement(not found.safe, may_be_free, not cells <= found.safe)


def redraw_free(
    board: Board, cells: frozenset[Cell], seed: int, number: int, budget: Budget | float | None = None
) -> frozenset[Cell]:
    """All mines of layout ``number`` of a seed, uniform among those that fit and have all the cells free.

    Raises ContradictionError when there is none.
    """
    return _drawn(board, _supposing(board, free=cells), seed, number, Budget.of(budget))


def redraw_mined(
    board: Board, cells: frozenset[Cell], seed: int, number: int, budget: Budget | float | None = None
) -> frozenset[Cell]:
    """The same, uniform among the layouts with a mine in at least one of the cells."""
    limit = Budget.of(budget)
    order = sorted(cells)
    odds = _first_mine(board, order, limit)
    choice = Random(derive(seed, CHOICES), number).uniform() * sum(odds)
    last = max((place for place, chance in enumerate(odds) if chance > 0), default=0)  # rounding must not pass it
    first = next((place for place in range(last) if choice < sum(odds[: place + 1])), last)
    codes = _supposing(board, free=frozenset(order[:first]), mine=order[first])
    return _drawn(board, codes, seed, number, limit)


def _first_mine(board: Board, cells: list[Cell], budget: Budget) -> list[float]:
    """For each of the cells the chance that it is a mine and those before it are not."""
    odds, none_before = [], 1.0
    for place, cell in enumerate(cells):
        codes = _supposing(board, free=frozenset(cells[:place]))
        found = engine.solve(board.topology, codes, board.total_mines, EVEN, budget)
        chance = float(found.mine_probability()[board.index(cell)])
        odds.append(none_before * chance)
        none_before *= 1 - chance
        if none_before == 0:  # the next question would contradict itself
            break
    return odds


def _supposing(board: Board, free: frozenset[Cell], mine: Cell | None = None) -> bytes:
    """The codes of a board without its flags in which some cells are known to be free, and one to be a mine."""
    codes = bytearray(board.codes.replace(bytes([FLAGGED & 0xFF]), bytes([COVERED & 0xFF])))
    for cell in free:
        codes[board.index(cell)] = ABSENT & 0xFF
    if mine is not None:
        codes[board.index(mine)] = FLAGGED & 0xFF
    return bytes(codes)


def _fits(board: Board, codes: bytes, budget: Budget) -> bool:
    try:
        engine.solve(board.topology, codes, board.total_mines, None, budget)
    except ContradictionError:
        return False
    return True


def _drawn(board: Board, codes: bytes, seed: int, number: int, budget: Budget) -> frozenset[Cell]:
    numbers = range(number, number + 1)
    (mines,) = engine.sample(board.topology, codes, board.total_mines, None, budget, seed, numbers)
    return frozenset(map(board.cell, mines))
