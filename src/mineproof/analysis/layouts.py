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

from collections.abc import Iterable, Iterator
from fractions import Fraction

from mineproof.analysis.analysis import as_fraction, solve
from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.board import Board, Flags
from mineproof.board.cells import FLAGGED, Cell, pairs
from mineproof.engine.answers import MINE, UNDECIDED, Engine
from mineproof.engine.choice import chosen_engine
from mineproof.engine.question import Question

SCHEMA = "mineproof/layouts/1"
BATCH = 256  # layouts drawn per call: a few milliseconds, and the first comes at once


def enumerate_layouts(
    board: Board, *, flags: Flags = "trust", budget: Budget | float | None = None, engine: Engine | None = None
) -> Iterator[frozenset[Cell]]:
    """Every layout that fits, each once, as the set of all its mines; lazily, in a stable order.

    The budget is for each step to the next layout. Raises ContradictionError at once when there is none.

    >>> [sorted(mines) for mines in enumerate_layouts(Board.parse("1#/##", total_mines=1))]
    [[(1, 1)], [(1, 0)], [(0, 1)]]
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    solve(seen, limit, using)
    return _walk(seen, limit, using)


def _walk(board: Board, budget: Budget, engine: Engine) -> Iterator[frozenset[Cell]]:
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
    board: Board,
    count: int,
    *,
    seed: int = 0,
    flags: Flags = "trust",
    density: float | Fraction | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[frozenset[Cell]]:
    """Layouts drawn independently, each that fits equally likely; the same for the same seed.

    Without a total all layouts over all totals are equally likely, or weighed by ``density`` if that is given.
    The two engines draw from the same distribution but not the same layouts.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    count, seed = checks.whole("count", count, 0), checks.seed("seed", seed)
    limit, using, seen = Budget.of(budget), chosen_engine(engine), board.as_seen(flags)
    chance = None if density is None else as_fraction(density)
    solve(seen, limit, using)
    return _draw(Question.of(seen, chance), seed, count, limit, using)


def _draw(question: Question, seed: int, count: int, budget: Budget, engine: Engine) -> Iterator[frozenset[Cell]]:
    for first in range(0, count, BATCH):
        numbers = range(first, min(first + BATCH, count))
        for mines in engine.sample(question, seed, numbers, budget):
            yield frozenset(map(question.geometry.cell, mines))


def layouts_json(board: Board, count: str | None) -> dict[str, object]:
    """The ``mineproof/layouts/1`` shape that a list of layouts begins with; ``count`` is null if it was not counted."""
    sizes = {"rows": board.rows, "columns": board.columns, "total_mines": board.total_mines}
    return {"schema": SCHEMA, **sizes, "count": count, "board": board.as_json()}


def mines_json(mines: Iterable[Cell]) -> dict[str, object]:
    """One layout of such a list."""
    return {"mines": pairs(mines)}
