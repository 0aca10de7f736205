"""Puzzles: positions out of real games in which the easiest certain step takes a chosen technique.

Where from    Layouts are drawn for a first click in the middle and played as `walking` says, one after the other, until
              a position suits. Of the easy techniques, which every game is full of, a few positions are passed over, so
              that not all puzzles are beginnings.
Proved        A position is taken only if the ladder finds nothing with all techniques before the wanted one, and its
              next step, proved with the exact engine, is by the wanted one. So no cell can be told without it. The
              solution is every cell that is safe by the techniques up to it; of ``single-flag``, which finds mines
              only, every mine it finds.
Guesses       No cell is certain, `MOST_LAYOUTS` layouts fit at most, and by optimal play some cell wins at least
              `MARGIN` more than any of the safest ones. The solution is every cell that wins as much as the best:
              exact fractions, so nothing is left to taste.
The same      A puzzle is a function of (technique, level, seed): layouts are those of a seed derived from the seed and
              the technique, and no limit on time decides which position is taken, only whether there is an answer.
Cost          About 20 ms for each expert game that is looked at; docs/practice.md tells how many games that takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from fractions import Fraction
from itertools import count

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.base import checks, words
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import PUZZLES, Random, derive
from mineproof.board.board import Board
from mineproof.board.levels import Size, read_size
from mineproof.decision.choosing import best_move
from mineproof.deduction.ladder import LADDER, MOST_CELLS, Technique, steps
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BoardSyntaxError, BudgetExceeded
from mineproof.generation.making import generate
from mineproof.history.kept import level_name
from mineproof.practice.puzzles import GUESS, TECHNIQUES, Puzzle
from mineproof.practice.walking import SINGLE_FLAG, Stop, stops

LEVEL = "expert"
RUNGS: tuple[Technique, ...] = tuple(LADDER)
PASSED = {"single-open": 16, "single-flag": 16, "partition": 8, "bounds": 3}  # positions: less than so many, drawn
MOST_LAYOUTS = 1_000
MARGIN = Fraction(1, 50)

# The technique of the daily puzzle, Monday first.
WEEK = ("partition", "bounds", "elimination", "total", "contradiction", GUESS, "exhaustive")


def puzzle(
    technique: str | None = None,
    *,
    level: str = LEVEL,
    seed: int = 0,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Puzzle:
    """A position out of a real game in which nothing easier than a technique helps; the same for the same arguments.

    ``technique`` is one of the ladder, or ``"guess"`` for positions in which nothing is certain and the best guess is
    not the safest; None draws one that the seed decides. ``level`` is a name or ``"WxHxM"``. Flags are mines that were
    proved on the way.

    Raises BudgetExceeded, which says how many positions were looked at, when none was found in time.

    >>> found = puzzle("bounds", level="beginner", seed=7)
    >>> found.board[0, 3], found.board[2, 4], sorted(found.solution)
    (1, 3, [(0, 4)])
    >>> found.text.partition("; ")[0]
    'The 1 at (0,3) needs 1 mine among (0,4), (1,3) and (1,4)'
    """
    seed = checks.seed("seed", seed)
    wanted = _drawn(seed) if technique is None else technique
    checks.one_of("technique", wanted, TECHNIQUES)
    size = read_size(checks.instance("level", level, str))
    _require_size(size)
    limit, using = Budget.of(budget), chosen_engine(engine)
    deadline = Deadline(limit)
    positions = games = 0
    passed = _passed(wanted, seed)
    try:
        for games, game in enumerate(_games(size, wanted, seed, deadline, using), 1):
            for stop in game:
                positions += 1
                limit.stop_if_asked()
                found = _at(stop, wanted, deadline.rest(), using)
                if found is not None and next(passed):
                    name = level_name(size)
                    return replace(found, level=name, seed=seed, positions=positions, games=games)
    except BudgetExceeded as error:
        looked = f"{words.plural(positions, 'position')} of {words.plural(games, 'game')}"
        raise BudgetExceeded(
            f"found no puzzle for {wanted} among {looked}: {error}",
            limit=error.limit, seconds=error.seconds, states=error.states, width=error.width,
        ) from None  # fmt: skip
    raise AssertionError("games never end")


def daily_puzzle(
    day: date | None = None, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> Puzzle:
    """The puzzle of a day, by default today's in UTC: the same for everybody.

    It is an expert puzzle whose seed is the date as a number, YYYYMMDD, and whose technique depends on the day of the
    week: from Monday on partition, bounds, elimination, total, contradiction, guess, exhaustive.

    >>> found = daily_puzzle(date(2026, 11, 16))
    >>> found.technique, found.level, found.seed
    ('partition', 'expert', 20261116)
    """
    if day is None:
        day = datetime.now(UTC).date()
    checks.instance("day", day, date)
    chosen = date(day.year, day.month, day.day)  # without the hour of a datetime
    technique, seed = WEEK[chosen.weekday()], chosen.year * 10_000 + chosen.month * 100 + chosen.day
    return replace(puzzle(technique, seed=seed, budget=budget, engine=engine), day=chosen)


def puzzle_at(
    board: Board, technique: str, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> Puzzle | None:
    """The puzzle that a position is for a technique, with no level and seed 0; None if it is none.

    What `puzzle` proves of the positions it finds is proved here of one that is given, so a server can judge answers
    without keeping what it has asked.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("technique", technique, TECHNIQUES)
    limit, using = Budget.of(budget), chosen_engine(engine)
    return _guess(board, limit, using) if technique == GUESS else _step(board, technique, limit, using)


# the search


def _require_size(size: Size) -> None:
    cells = size.rows * size.columns
    if cells > MOST_CELLS:
        raise BudgetExceeded(f"puzzles are on boards of up to {MOST_CELLS:,} cells, found {cells:,}", limit="size")
    if not 0 < size.mines < cells:
        raise BoardSyntaxError(f"found {words.size(*size)}, expected a mine and a free cell at least")


def _drawn(seed: int) -> str:
    return TECHNIQUES[Random(derive(seed, PUZZLES), len(TECHNIQUES)).below(len(TECHNIQUES))]


def _key(wanted: str, seed: int) -> int:
    """The seed of the layouts: another for each technique, so that their puzzles are of different games."""
    return Random(derive(seed, PUZZLES), TECHNIQUES.index(wanted)).next()


def _passed(wanted: str, seed: int) -> Iterator[bool]:
    """For one position that suits after the other, whether it is taken."""
    most = PASSED.get(wanted, 1)
    first = Random(derive(_key(wanted, seed), PUZZLES), 0).below(most)
    return (number >= first for number in count())


def _games(size: Size, wanted: str, seed: int, deadline: Deadline, engine: Engine) -> Iterator[Iterator[Stop]]:
    usable = [] if wanted == GUESS else RUNGS[: TECHNIQUES.index(wanted) + 1]
    start, key = (size.rows // 2, size.columns // 2), _key(wanted, seed)
    for number in count():
        deadline.check()
        layout = generate(
            *size, seed=key, number=number, start=start, first_click="open", budget=deadline.rest(), engine=engine
        )
        yield stops(layout, usable, deadline, engine)


def _at(stop: Stop, wanted: str, budget: Budget, engine: Engine) -> Puzzle | None:
    return puzzle_at(stop.board, wanted, budget=budget, engine=engine) if stop.technique == wanted else None


# the proof


def _step(board: Board, technique: str, budget: Budget, engine: Engine) -> Puzzle | None:
    """A puzzle if the wanted technique takes the next step, and those before it find nothing."""
    place = TECHNIQUES.index(technique)
    if place and next(steps(board, upto=RUNGS[place - 1], budget=budget, engine=engine), None) is not None:
        return None
    found = tuple(steps(board, upto=technique, by_rung=True, budget=budget, engine=engine))
    if not found or found[0].technique != technique:
        return None
    first = found[0]
    if technique == SINGLE_FLAG:
        mines = frozenset(cell for step in found if step.technique == technique for cell in step.mines)
        return Puzzle(board, technique, "flag", mines, first, found, None, "", 0)
    if not first.safe:
        return None
    safe = frozenset(cell for step in found for cell in step.safe)
    return Puzzle(board, technique, "open", safe, first, found, None, "", 0)


def _guess(board: Board, budget: Budget, engine: Engine) -> Puzzle | None:
    """A puzzle if optimal play is known, and wins clearly more than the safest cells do."""
    found = analyze(board, budget=budget, engine=engine)
    if found.safe or found.mines or not found.undecided_count or not _are_few(found):
        return None
    move = best_move(board, exact=True, playouts=0, budget=budget, engine=engine)
    worth = {option.cell: option.win_fraction or Fraction(0) for option in move.moves}
    best = max(worth.values())
    odds = {cell: found.exact(*cell) for cell in worth}
    safest = [worth[cell] for cell, chance in odds.items() if chance == min(odds.values())]
    if best - max(safest) < MARGIN:
        return None
    solution = frozenset(cell for cell, value in worth.items() if value == best)
    return Puzzle(board, GUESS, "guess", solution, None, (), move, "", 0)


def _are_few(found: Analysis) -> bool:
    return found.log10_layouts < 6 and found.layouts <= MOST_LAYOUTS  # first by a look: the number may be long
