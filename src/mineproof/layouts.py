"""The layouts themselves, one after the other or drawn at random.

Listing
    The engine knows which cells are decided. While some are not, take the first of them in row order, suppose it
    free, then suppose it a mine: both are possible, or it would have been decided. So every branch ends in a layout,
    none is met twice, and n layouts cost about 2n questions, whatever the board: no dead ends, no table of all
    layouts. The order is stable: by the first cell in row order in which two layouts differ, free before mined.

Drawing
    Uniform over all layouts that fit, by the engine. Layout i of a seed does not depend on how many are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from mineproof import contradiction, engine
from mineproof.analysis import Flags, as_fraction, uncovered_flags
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.codes import ABSENT, FLAGGED
from mineproof.errors import Cell, ContradictionError

BATCH = 256  # layouts drawn per call: a few milliseconds, and the first comes at once


def enumerate_layouts(
    board: Board, *, flags: Flags = "trust", budget: Budget | float | None = None
) -> Iterator[frozenset[Cell]]:
    """Every layout that fits, each once, as the set of all its mines; lazily, in a stable order.

    The budget is for each step to the next layout. Raises ContradictionError at once when there is none.

    >>> [sorted(mines) for mines in enumerate_layouts(Board.parse("1#/##", total_mines=1))]
    [[(1, 1)], [(1, 0)], [(0, 1)]]
    """
    limit = Budget.of(budget)
    codes = uncovered_flags(board, flags)
    _must_fit(board, codes, limit)
    return _walk(board, codes, limit)


def _must_fit(board: Board, codes: bytes, budget: Budget) -> None:
    try:
        engine.solve(board.topology, codes, board.total_mines, None, budget)
    except ContradictionError as error:
        raise contradiction.explain(board.topology, codes, board.total_mines, error, budget) from None


def _walk(board: Board, codes: bytes, budget: Budget) -> Iterator[frozenset[Cell]]:
    pending = [codes]
    undecided, mine = bytes([engine.UNDECIDED]), engine.MINE
    while pending:
        supposed = pending.pop()
        verdicts = engine.solve(board.topology, supposed, board.total_mines, None, budget).verdicts()
        first = verdicts.find(undecided)
        if first < 0:
            flagged = FLAGGED & 0xFF
            yield frozenset(
                board.cell(index)
                for index, (code, verdict) in enumerate(zip(supposed, verdicts, strict=True))
                if code == flagged or verdict == mine
            )
            continue
        # A free cell that tells no number is, to the engine, a cell outside the board.
        pending += [_with(supposed, first, FLAGGED), _with(supposed, first, ABSENT)]


def _with(codes: bytes, index: int, code: int) -> bytes:
    return codes[:index] + bytes([code & 0xFF]) + codes[index + 1 :]


def sample_layouts(
    board: Board,
    count: int,
    *,
    seed: int = 0,
    flags: Flags = "trust",
    density: float | Fraction | None = None,
    budget: Budget | float | None = None,
) -> Iterator[frozenset[Cell]]:
    """Layouts drawn independently, each that fits equally likely; the same for the same seed.

    Without a total all layouts over all totals are equally likely, or weighed by ``density`` if that is given.
    The two engines draw from the same distribution but not the same layouts.
    """
    if count < 0:
        raise ValueError(f"found a count of {count}, expected 0 or more")
    if not 0 <= seed < 2**64:
        raise ValueError(f"found a seed of {seed}, expected 0 to 2**64 - 1")
    limit = Budget.of(budget)
    codes = uncovered_flags(board, flags)
    chance = None if density is None else as_fraction(density)
    _must_fit(board, codes, limit)
    return _draw(board, codes, chance, limit, seed, count)


def _draw(
    board: Board, codes: bytes, density: Fraction | None, budget: Budget, seed: int, count: int
) -> Iterator[frozenset[Cell]]:
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        for mines in engine.sample(board.topology, codes, board.total_mines, density, budget, seed, numbers):
            yield frozenset(map(board.cell, mines))
