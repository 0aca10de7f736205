"""Puzzles: positions from real games in which the easiest certain step takes a chosen technique.

Source        Layouts are drawn for a first click in the middle and played as in `mineproof.practice.positions`, one
              after the other, until a position fits. For the easy techniques, which every game is full of, a few
              positions are skipped, so that not all puzzles are from the start of a game.
Proof         A position fits only if the ladder finds nothing with all easier techniques, and its next step, proved
              with the exact engine, is by the technique. So no cell can be found without it. The solution is every cell
              that is safe by the techniques up to it; for ``single-flag``, which finds mines only, every mine it finds.
Guesses       No cell is certain, at most `GUESS_MAX_LAYOUTS` layouts are consistent, and with optimal play some cell
              wins at least `GUESS_MIN_MARGIN` more than any of the safest ones. The solution is every cell that wins as
              much as the best, by exact fractions.
Determinism   A puzzle is a function of (technique, level, seed). Layouts use a seed derived from the seed and the
              technique. Time limits never change the puzzle; they only raise BudgetExceeded.
Cost          About 20 ms per expert game; docs/practice.md has the number of games per technique.
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
from mineproof.base.rng import PUZZLES, Random, derive, fresh_seed
from mineproof.board.board import Board
from mineproof.board.levels import Size, read_size
from mineproof.decision.best_moves import best_move
from mineproof.deduction.ladder import LADDER, LADDER_MAX_CELLS, steps
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BoardSyntaxError, BudgetExceeded
from mineproof.generation.generator import generate
from mineproof.history.game_row import level_name
from mineproof.practice.positions import GamePosition, play_positions
from mineproof.practice.puzzles import GUESS, TECHNIQUES, Puzzle

LEVEL = "expert"
RUNGS = tuple(LADDER)
GUESS_MAX_LAYOUTS = 1_000
GUESS_MIN_MARGIN = Fraction(1, 50)

# The technique of the daily puzzle; 0 is Monday.
WEEK = {technique.weekday: name for name, technique in LADDER.items() if technique.weekday is not None} | {5: GUESS}


def puzzle(
    technique: str | None = None,
    *,
    level: str = LEVEL,
    seed: int | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Puzzle:
    """Return a position from a real game that needs exactly this technique; the same for the same arguments.

    ``technique`` is one of the ladder, or ``"guess"`` for positions in which nothing is certain and the best guess is
    not the safest; None draws one by the seed. Without a ``seed`` a random one is drawn; the ``seed`` of the result
    reproduces the puzzle. ``level`` is a name or ``"WxHxM"``. Flags are mines that were proved on the way.

    Raises BudgetExceeded with the number of searched positions if no puzzle was found in time.

    >>> task = puzzle("bounds", level="beginner", seed=7)
    >>> task.board[0, 3], task.board[2, 4], sorted(task.solution)
    (1, 3, [(0, 4)])
    >>> task.deduction.technique
    'bounds'
    """
    seed = fresh_seed() if seed is None else checks.seed("seed", seed)
    technique = _draw_technique(seed) if technique is None else technique
    checks.one_of("technique", technique, TECHNIQUES)
    size = read_size(checks.instance("level", level, str))
    _check_size(size)
    limit, engine = Budget.of(budget), chosen_engine(engine)
    deadline = Deadline(limit)
    positions = games = 0
    skip = _draw_skip(technique, seed)
    try:
        for games, game in enumerate(_play_games(size, technique, seed, deadline, engine), 1):
            for position in game:
                positions += 1
                limit.raise_if_cancelled()
                task = _puzzle_from(position, technique, deadline.rest(), engine)
                if task is None:
                    continue
                if skip == 0:
                    return replace(task, level=level_name(size), seed=seed, positions=positions, games=games)
                skip -= 1
    except BudgetExceeded as error:
        searched = f"{words.plural(positions, 'position')} of {words.plural(games, 'game')}"
        raise BudgetExceeded(
            f"Found no {technique} puzzle ({searched} searched). {error}",
            limit=error.limit, seconds=error.seconds, states=error.states, width=error.width,
        ) from None  # fmt: skip
    raise AssertionError("games never end")


def daily_puzzle(
    day: date | None = None, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> Puzzle:
    """Return the puzzle of a day, by default today's in UTC. It is the same for everyone.

    It is an expert puzzle. Its seed is the date as a number, YYYYMMDD, and its technique depends on the day of the
    week: from Monday on partition, bounds, elimination, total, contradiction, guess, exhaustive.

    >>> task = daily_puzzle(date(2026, 11, 16))
    >>> task.technique, task.level, task.seed
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
    """Return the puzzle for a position and a technique, with no level and seed 0; None if the position does not fit.

    The position is proved in the same way as those that `puzzle` finds, so a server can judge answers without storing
    its puzzles.
    """
    checks.instance("board", board, Board, "Board.parse reads text")
    checks.one_of("technique", technique, TECHNIQUES)
    limit, engine = Budget.of(budget), chosen_engine(engine)
    if technique == GUESS:
        return _prove_guess(board, limit, engine)
    return _prove_step(board, technique, limit, engine)


# the search


def _check_size(size: Size) -> None:
    cells = size.rows * size.columns
    if cells > LADDER_MAX_CELLS:
        message = f"puzzles: expected a board of up to {LADDER_MAX_CELLS:,} cells, got {cells:,}"
        raise BudgetExceeded(message, limit="size")
    if not 0 < size.mines < cells:
        raise BoardSyntaxError(f"expected at least one mine and one free cell, got {words.size(*size)}")


def _draw_technique(seed: int) -> str:
    return TECHNIQUES[Random(derive(seed, PUZZLES), len(TECHNIQUES)).below(len(TECHNIQUES))]


def _layout_seed(technique: str, seed: int) -> int:
    """The seed of the layouts: a different one per technique, so that their puzzles are from different games."""
    return Random(derive(seed, PUZZLES), TECHNIQUES.index(technique)).next()


def _draw_skip(technique: str, seed: int) -> int:
    """Number of fitting positions to skip."""
    choices = 1 if technique == GUESS else LADDER[technique].skipped_positions
    return Random(derive(_layout_seed(technique, seed), PUZZLES), 0).below(choices)


def _play_games(
    size: Size, technique: str, seed: int, deadline: Deadline, engine: Engine
) -> Iterator[Iterator[GamePosition]]:
    usable = [] if technique == GUESS else RUNGS[: TECHNIQUES.index(technique) + 1]
    start, layout_seed = (size.rows // 2, size.columns // 2), _layout_seed(technique, seed)
    for number in count():
        deadline.check()
        layout = generate(
            *size,
            seed=layout_seed,
            number=number,
            start=start,
            first_click="open",
            budget=deadline.rest(),
            engine=engine,
        )
        yield play_positions(layout, usable, deadline, engine)


def _puzzle_from(position: GamePosition, technique: str, budget: Budget, engine: Engine) -> Puzzle | None:
    if position.technique != technique:
        return None
    return puzzle_at(position.board, technique, budget=budget, engine=engine)


# the proof


def _prove_step(board: Board, technique: str, budget: Budget, engine: Engine) -> Puzzle | None:
    """A puzzle if the technique takes the next step and easier techniques find nothing."""
    rung = TECHNIQUES.index(technique)
    if rung and next(steps(board, upto=RUNGS[rung - 1], budget=budget, engine=engine), None) is not None:
        return None
    ladder_steps = tuple(steps(board, upto=technique, by_rung=True, budget=budget, engine=engine))
    if not ladder_steps or ladder_steps[0].technique != technique:
        return None
    first = ladder_steps[0]
    if technique != GUESS and LADDER[technique].finds_mines_only:
        mines = frozenset(cell for step in ladder_steps if step.technique == technique for cell in step.mines)
        return Puzzle(board, technique, "flag", mines, first, ladder_steps, None, "", 0)
    if not first.safe:
        return None
    safe = frozenset(cell for step in ladder_steps for cell in step.safe)
    return Puzzle(board, technique, "open", safe, first, ladder_steps, None, "", 0)


def _prove_guess(board: Board, budget: Budget, engine: Engine) -> Puzzle | None:
    """A puzzle if optimal play is known and wins clearly more than the safest cells."""
    analysis = analyze(board, budget=budget, engine=engine)
    if analysis.safe or analysis.mines or not analysis.undecided_count or not _has_few_layouts(analysis):
        return None
    move = best_move(board, exact=True, playouts=0, budget=budget, engine=engine)
    win_fractions = {option.cell: option.win_fraction or Fraction(0) for option in move.moves}
    best = max(win_fractions.values())
    odds = {cell: analysis.exact(*cell) for cell in win_fractions}
    safest = [win_fractions[cell] for cell, chance in odds.items() if chance == min(odds.values())]
    if best - max(safest) < GUESS_MIN_MARGIN:
        return None
    solution = frozenset(cell for cell, wins in win_fractions.items() if wins == best)
    return Puzzle(board, GUESS, "guess", solution, None, (), move, "", 0)


def _has_few_layouts(analysis: Analysis) -> bool:
    # The logarithm first: the exact number may have thousands of digits.
    return analysis.log10_layouts < 6 and analysis.layouts <= GUESS_MAX_LAYOUTS
