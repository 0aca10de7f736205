"""The next puzzle of a player: one whose shape none of the last puzzles had, from the book if it has one.

The command line and the server choose puzzles here. A puzzle stays a function of its technique, level and seed: only
the seed is chosen. If a few searches find only recent shapes, the one that was there longest ago is next.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mineproof.base.budget import Budget, Deadline
from mineproof.base.checks import LARGEST_SEED
from mineproof.base.rng import PUZZLES, Random, derive
from mineproof.board.board import Board
from mineproof.board.levels import read_size
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded
from mineproof.history.game_row import level_name
from mineproof.practice.book import BookEntry, book
from mineproof.practice.puzzles import TECHNIQUES, Puzzle
from mineproof.practice.search import puzzle, puzzle_at
from mineproof.practice.variety import puzzle_shape

MAX_SEARCHES = 8  # of different seeds, for one puzzle
VARIETY_SECONDS = 15.0  # after which a puzzle with a recent shape is good enough


def next_puzzle(
    technique: str,
    *,
    level: str,
    seed: int,
    recent: Sequence[str] = (),
    answered: Collection[int] = (),
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Puzzle:
    """Return a puzzle for a technique whose shape is not among the ``recent`` ones, the newest first.

    ``seed`` draws one of the book, and is where a search starts. ``answered`` are seeds of the book to leave out.

    >>> first = next_puzzle("total", level="beginner", seed=1)
    >>> second = next_puzzle("total", level="beginner", seed=1, recent=[puzzle_shape(first)])
    >>> puzzle_shape(first) == puzzle_shape(second)
    False
    """
    prepared = book_puzzle(technique, level=level, seed=seed, recent=recent, answered=answered, budget=budget)
    return prepared or search_varied(technique, level=level, seed=seed, recent=recent, budget=budget, engine=engine)


def unused_entries(
    technique: str, level: str, recent: Collection[str] = (), answered: Collection[int] = ()
) -> list[BookEntry]:
    """Return the puzzles of the book that are new to a player."""
    entries = book().get((technique, level_name(read_size(level))), [])
    return [entry for entry in entries if entry.seed not in answered and entry.shape not in recent]


def book_puzzle(
    technique: str,
    *,
    level: str,
    seed: int,
    recent: Collection[str] = (),
    answered: Collection[int] = (),
    budget: Budget | float | None = None,
) -> Puzzle | None:
    """Return a puzzle of the book that is new to a player, drawn by the seed; None if there is none left."""
    entries = unused_entries(technique, level, recent, answered)
    if not entries:
        return None
    drawn = Random(derive(seed, PUZZLES), len(TECHNIQUES) + 3).below(len(entries))
    entry = entries[drawn]
    task = puzzle_at(Board.parse(entry.position.replace("/", "\n")), technique, budget=budget)
    return None if task is None else replace(task, level=entry.level, seed=entry.seed)


def search_varied(
    technique: str,
    *,
    level: str,
    seed: int,
    recent: Sequence[str] = (),
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Puzzle:
    """Search puzzles with the seeds from ``seed`` on until one has a shape that is not recent."""
    limit = Budget.of(budget)
    deadline, patience = Deadline(limit), Deadline(replace(limit, seconds=min(VARIETY_SECONDS, limit.seconds)))
    best: tuple[int, Puzzle] | None = None
    for tried in range(MAX_SEARCHES):
        try:
            rest = limit if tried == 0 else deadline.rest()
            task = puzzle(technique, level=level, seed=(seed + tried) & LARGEST_SEED, budget=rest, engine=engine)
        except BudgetExceeded as error:
            if best is None or error.limit == "cancelled":
                raise
            break
        shape = puzzle_shape(task)
        if shape not in recent:
            return task
        age = recent.index(shape)
        if best is None or age > best[0]:
            best = age, task
        if patience.passed:
            break
    assert best is not None
    return best[1]
