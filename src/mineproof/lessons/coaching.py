"""`lesson`: looks at the moments of a finished game that matter, and at no others.

Guesses  Of a needless one the easiest certain step is looked for, as a hint would tell it, of a forced one the best
         guess, by `JUDGE`. What the best cell and the chosen one are worth is exact where few layouts are left; else
         `PLAYER` plays on from both, on the same layouts: `PLAYOUTS` of them, and fewer where many cells are undecided,
         so that no guess takes long. Of the riskiest `MOST_TOLD` guesses, the one that lost among them, all of this is
         told; of needless ones beyond, the step alone, of `MOST_HINTS` at most.
Pauses   See `mineproof.lessons.pausing`.
The same No limit on time decides what is told: steps that take too many states are left out, and the budget is for
         the whole, which is given up if it is spent.
Cost     An expert game of 500 moves takes 0.3 s of CPU, most of it for playing on: benchmarks/lessons.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.analysis.analysis import Analysis
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.decision.choosing import best_move, weigh_cells
from mineproof.decision.moves import BestMove, Option
from mineproof.deduction.ladder import MOST_CELLS
from mineproof.engine.answers import Engine
from mineproof.engine.choice import chosen_engine
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.record import Record, standing
from mineproof.game.reviews import JUDGE, GuessReview, Review, review
from mineproof.game.risks import Risks, Step
from mineproof.game.timelines import timeline
from mineproof.lessons import pausing, views
from mineproof.lessons.asking import Asking
from mineproof.lessons.results import FlagUse, GuessLesson, Lesson

PLAYER = "fast"
PLAYOUTS = 400
PLAYED_CELLS = 80_000  # playouts times undecided cells, at most
MOST_TOLD = 20
MOST_HINTS = 100


def lesson(
    played: Game | Record,
    *,
    name: str = "",
    player: str = "",
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Lesson:
    """What can be learnt from a finished game: its guesses, pauses and clicks, and five sentences to act upon.

    ``name`` is what the game is called, ``player`` who played it; both are shown and nothing else. The budget is for
    all of it. Raises IllegalMoveError while the game is on, BoardSyntaxError when a record cannot be replayed, and
    BudgetExceeded on boards of more than 10,000 cells.

    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])), clock=iter(range(9)).__next__)
    >>> outcomes = [game.open(0, 3), game.open(0, 0)]
    >>> print(lesson(game).sentences[1].text)
    You guessed once, when nothing was certain.
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    if not record.over:
        raise IllegalMoveError("the game is still on: there is a lesson when it is over")
    _require_small(record)
    asking = Asking(Deadline(Budget.of(budget)), chosen_engine(engine))
    found = review(record, budget=asking.rest, engine=asking.engine)
    line = timeline(record, budget=asking.rest, engine=asking.engine)
    steps = tuple(Risks(record, asking.engine).follow(record, asking.deadline))
    pace, pauses = pausing.find_pauses(steps, asking)
    return Lesson(
        review=found,
        timeline=line,
        guesses=tuple(_guesses(found, steps, asking)),
        pauses=tuple(pauses),
        pace=pace,
        flags=_flag_use(steps, line.mines),
        name=checks.instance("name", name, str),
        player=checks.instance("player", player, str),
    )


def _require_small(record: Record) -> None:
    cells = record.layout.rows * record.layout.columns
    if cells > MOST_CELLS:
        raise BudgetExceeded(f"lessons are of boards of up to {MOST_CELLS:,} cells, found {cells:,}", limit="size")


# guesses


def _guesses(found: Review, steps: Sequence[Step], asking: Asking) -> Iterator[GuessLesson]:
    told = _most_telling(found.guesses)
    hints = 0
    for guess in found.guesses:
        step = steps[guess.index]
        assert step.guess is not None  # of every guess there is an analysis
        if not guess.forced and (guess.index in told or hints < MOST_HINTS):
            hints += 1
            yield _needless(guess, step.seen, step.guess, guess.index in told, asking)
        elif guess.forced and guess.index in told:
            yield _forced(guess, step.seen, step.guess, asking)
        else:
            yield GuessLesson(guess)


def _most_telling(guesses: Sequence[GuessReview]) -> frozenset[int]:
    """Those that lost, then the riskiest."""
    order = sorted(guesses, key=lambda guess: (guess.survived, -guess.mine_fraction, guess.index))
    return frozenset(guess.index for guess in order[:MOST_TOLD])


def _needless(guess: GuessReview, seen: Board, found: Analysis, in_full: bool, asking: Asking) -> GuessLesson:
    step = asking.hint(seen)
    if step is None or not in_full:
        return GuessLesson(guess, step)
    best, chosen = _worth(guess, found, min(step.safe), asking)
    return GuessLesson(guess, step, None, best, chosen, views.needless_guess(guess, seen, found, step))


def _forced(guess: GuessReview, seen: Board, found: Analysis, asking: Asking) -> GuessLesson:
    move = _best(found, asking)
    cell = None if move is None else move.cell
    best, chosen = (None, None) if cell is None else _worth(guess, found, cell, asking)
    return GuessLesson(guess, None, move, best, chosen, views.forced_guess(guess, seen, found, move))


def _best(found: Analysis, asking: Asking) -> BestMove | None:
    """None where the engine does not play."""
    if not asking.engine.plays:
        return None
    return best_move(found.board, JUDGE, budget=asking.rest, playouts=0, engine=asking.engine)


def _worth(guess: GuessReview, found: Analysis, best: Cell, asking: Asking) -> tuple[Option | None, Option | None]:
    """What the best cell is worth, and the chosen one; a chord of several cells is none."""
    if not asking.engine.plays:
        return None, None
    cells = [best, *(guess.cells if len(guess.cells) == 1 else ())]
    playouts = min(PLAYOUTS, PLAYED_CELLS // max(found.undecided_count, 1))
    options = weigh_cells(found, cells, PLAYER, playouts=playouts, budget=asking.rest, engine=asking.engine)
    return options[0], options[1] if len(options) > 1 else None


# flags


def _flag_use(steps: Sequence[Step], mines: frozenset[Cell]) -> FlagUse:
    """Each cell counts once, whatever its flag went through; moves that were taken back do not."""
    used: dict[Cell, bool] = {}
    for index in standing([step.move for step in steps]):
        seen, move = steps[index].seen, steps[index].move
        assert move.cell is not None
        if move.kind == "flag" and move.cell in mines and seen[move.cell] != FLAGGED:
            used.setdefault(move.cell, False)
        elif move.kind == "chord":
            used |= {near: True for near in seen.neighbours(move.cell) if near in used and seen[near] == FLAGGED}
    return FlagUse(len(used), sum(not each for each in used.values()))
