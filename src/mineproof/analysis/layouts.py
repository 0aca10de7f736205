"""The layouts themselves: all of them in order, or samples.

Listing
    The engine knows which cells are decided. While some are not, take the first of them in row order, suppose it
    safe, then suppose it a mine: both are possible, or it would have been decided. So every branch ends in a layout,
    no layout appears twice, and n layouts cost about 2n calls of the engine on any board, without dead ends and
    without a table of all layouts. The order is stable: by the first cell in row order in which two layouts differ,
    safe before mined.

Sampling
    Uniform over all layouts that fit, by the engine. Layout i of a seed does not depend on the number of samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from mineproof.analysis.analysis import as_fraction, solve
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board, Flags
from mineproof.board.cells import FLAGGED, Cell, pairs
from mineproof.board.other_boards import Listing, refuse_options
from mineproof.engine.answers import MINE, UNDECIDED, Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.question import Question

if TYPE_CHECKING:
    from mineproof.analysis.wire import LayoutsJson, MinesJson

SCHEMA: Final = "mineproof/layouts/1"
SAMPLE_BATCH = 256  # layouts per call: a few milliseconds, so the first ones arrive at once


def enumerate_layouts(
    board: Board | Listing,
    *,
    flags: Flags = "trust",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[frozenset[Cell]]:
    """Yield every layout that fits, once, as the set of its mines, in a stable order.

    The budget applies to each step to the next layout. Raises ContradictionError at once if no layout fits.

    >>> [sorted(mines) for mines in enumerate_layouts(Board.parse("1#/##", total_mines=1))]
    [[(1, 1)], [(1, 0)], [(0, 1)]]
    """
    if not isinstance(board, Board) and isinstance(board, Listing):
        refuse_options(flags=flags != "trust")
        return board.enumerate_layouts(budget=budget, engine=engine)
    checks.instance("board", board, Board, "Board.parse reads text")
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    solve(seen, limit, using)
    return _enumerate(seen, limit, using)


def _enumerate(board: Board, budget: Budget, engine: Engine) -> Iterator[frozenset[Cell]]:
    pending = [board]
    while pending:
        supposed = pending.pop()
        verdicts = engine.solve(Question.of(supposed), budget).verdicts()
        first = verdicts.find(UNDECIDED)
        if first < 0:
            mines = frozenset(board.cell(index) for index, verdict in enumerate(verdicts) if verdict == MINE)
            yield mines.union(supposed.cells(FLAGGED))
            continue
        cell = board.cell(first)
        pending += [supposed.suppose(mines=[cell]), supposed.suppose(free=[cell])]


def sample_layouts(
    board: Board | Listing,
    count: int,
    *,
    seed: int = 0,
    flags: Flags = "trust",
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[frozenset[Cell]]:
    """Yield independent samples of the layouts that fit, all equally likely; the same for the same seed.

    Without a total, all layouts of all totals are equally likely, or weighted by ``density`` if that is given. The two
    engines sample from the same distribution but do not return the same layouts.
    """
    if not isinstance(board, Board) and isinstance(board, Listing):
        refuse_options(flags=flags != "trust")
        return board.sample_layouts(count, seed=seed, density=density, budget=budget, engine=engine)
    checks.instance("board", board, Board, "Board.parse reads text")
    count, seed = checks.whole("count", count, 0), checks.seed("seed", seed)
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    chance = None if density is None else as_fraction(density)
    solve(seen, limit, using)
    return _sample(Question.of(seen, chance), seed, count, limit, using)


def _sample(question: Question, seed: int, count: int, budget: Budget, engine: Engine) -> Iterator[frozenset[Cell]]:
    for first in range(0, count, SAMPLE_BATCH):
        numbers = range(first, min(first + SAMPLE_BATCH, count))
        for mines in engine.sample(question, seed, numbers, budget):
            yield frozenset(map(question.geometry.cell, mines))


def layouts_json(board: Board, count: str | None) -> LayoutsJson:
    """Return the head of a ``mineproof/layouts/1`` document; ``count`` is null if the layouts were not counted."""
    return {
        "schema": SCHEMA,
        "rows": board.rows,
        "columns": board.columns,
        "total_mines": board.total_mines,
        "count": count,
        "board": board.as_json(),
    }


def mines_json(mines: Iterable[Cell]) -> MinesJson:
    """Return one layout of a ``mineproof/layouts/1`` document."""
    return {"mines": pairs(mines)}
