"""`lesson`: analyses the moments of a finished game that matter.

Guesses  For a needless guess, the easiest certain step, as a hint shows it. For a forced one, the best guess by
         `JUDGE`. The chances of the best cell and the chosen one are exact if few layouts are left. Otherwise
         `PLAYOUT_STRATEGY` continues the game from both, on the same layouts: `MAX_PLAYOUTS` of them, and fewer if many
         cells are undecided. The riskiest `MAX_FULL_GUESSES` guesses, including the one that lost, are analysed in
         full; of other needless guesses only the step, up to `MAX_HINTS`.
Pauses   See `mineproof.lessons.pauses`.
Limits   Time never changes the result: steps that take too many states are left out, and the budget covers the whole
         lesson, which raises BudgetExceeded once the budget is spent.
Cost     An expert game of 500 moves takes 0.3 s of CPU, most of it for playouts: benchmarks/lessons.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mineproof.analysis.analysis import Analysis
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.decision.best_moves import best_move, weigh_cells
from mineproof.decision.moves import BestMove, Option
from mineproof.deduction.ladder import LADDER_MAX_CELLS
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.errors import BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.help import HelpUsed
from mineproof.game.record import Record, moves_in_effect
from mineproof.game.reviews import JUDGE, GuessReview, Review, review
from mineproof.game.risks import MoveRisk, Risks
from mineproof.game.timelines import timeline
from mineproof.lessons import views
from mineproof.lessons.analyst import Analyst
from mineproof.lessons.pauses import find_pauses
from mineproof.lessons.results import FlagUse, GuessLesson, Lesson

PLAYOUT_STRATEGY = "fast"
MAX_PLAYOUTS = 400
MAX_PLAYOUT_CELLS = 80_000  # playouts times undecided cells
MAX_FULL_GUESSES = 20
MAX_HINTS = 100


def lesson(
    played: Game | Record,
    *,
    name: str = "",
    player: str = "",
    help_used: HelpUsed | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Lesson:
    """Return what can be learnt from a finished game: its guesses, pauses and clicks, and five points of advice.

    ``name`` is the name of the game and ``player`` that of the player; both are only shown. ``help_used`` is the
    help that the player used, None if unknown. The budget covers the whole lesson.
    Raises IllegalMoveError while the game is running, BoardSyntaxError if a record cannot be replayed, and
    BudgetExceeded for boards of more than 10,000 cells.

    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])), clock=iter(range(9)).__next__)
    >>> outcomes = [game.open(0, 3), game.open(0, 0)]
    >>> print(lesson(game).sentences[1].text)
    You guessed once, when nothing was certain.
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    if not record.over:
        raise IllegalMoveError("The game is still running. A lesson needs a finished game.")
    _check_size(record)
    analyst = Analyst(Deadline(Budget.of(budget)), chosen_engine(engine))
    game_review = review(record, help_used=help_used, budget=analyst.remaining_budget, engine=analyst.engine)
    game_timeline = timeline(record, budget=analyst.remaining_budget, engine=analyst.engine)
    steps = tuple(Risks(record, analyst.engine).follow(record, analyst.deadline))
    pace, pauses = find_pauses(steps, analyst)
    return Lesson(
        review=game_review,
        timeline=game_timeline,
        guesses=tuple(_analyze_guesses(game_review, steps, analyst)),
        pauses=tuple(pauses),
        pace=pace,
        flags=_count_flags(steps, game_timeline.mines),
        name=checks.instance("name", name, str),
        player=checks.instance("player", player, str),
    )


def _check_size(record: Record) -> None:
    cells = record.layout.rows * record.layout.columns
    if cells > LADDER_MAX_CELLS:
        message = f"lessons: expected a board of up to {LADDER_MAX_CELLS:,} cells, got {cells:,}"
        raise BudgetExceeded(message, limit="size")


# guesses


def _analyze_guesses(game_review: Review, steps: Sequence[MoveRisk], analyst: Analyst) -> Iterator[GuessLesson]:
    in_full = _choose_full_guesses(game_review.guesses)
    hints = 0
    for guess in game_review.guesses:
        step = steps[guess.index]
        assert step.guess is not None  # every guess has an analysis
        if not guess.forced and (guess.index in in_full or hints < MAX_HINTS):
            hints += 1
            yield _analyze_needless(guess, step.board, step.guess, guess.index in in_full, analyst)
        elif guess.forced and guess.index in in_full:
            yield _analyze_forced(guess, step.board, step.guess, analyst)
        else:
            yield GuessLesson(guess)


def _choose_full_guesses(guesses: Sequence[GuessReview]) -> frozenset[int]:
    """Indices of the guesses to analyse in full: those that lost, then the riskiest."""
    order = sorted(guesses, key=lambda guess: (guess.survived, -guess.mine_fraction, guess.index))
    return frozenset(guess.index for guess in order[:MAX_FULL_GUESSES])


def _analyze_needless(
    guess: GuessReview, board: Board, analysis: Analysis, in_full: bool, analyst: Analyst
) -> GuessLesson:  # fmt: skip
    step = analyst.find_safe_step(board)
    if step is None or not in_full:
        return GuessLesson(guess, step)
    best, chosen = _compare_options(guess, analysis, min(step.safe), analyst)
    return GuessLesson(guess, step, None, best, chosen, views.draw_needless_guess(guess, board, analysis, step))


def _analyze_forced(guess: GuessReview, board: Board, analysis: Analysis, analyst: Analyst) -> GuessLesson:
    move = _find_best_guess(analysis, analyst)
    cell = None if move is None else move.cell
    best, chosen = (None, None) if cell is None else _compare_options(guess, analysis, cell, analyst)
    return GuessLesson(guess, None, move, best, chosen, views.draw_forced_guess(guess, board, analysis, move))


def _find_best_guess(analysis: Analysis, analyst: Analyst) -> BestMove | None:
    """The best guess by `JUDGE`, or None if the engine does not play."""
    if not analyst.engine.plays:
        return None
    return best_move(analysis.board, JUDGE, budget=analyst.remaining_budget, playouts=0, engine=analyst.engine)


def _compare_options(
    guess: GuessReview, analysis: Analysis, best: Cell, analyst: Analyst
) -> tuple[Option | None, Option | None]:
    """The chances of the best cell and of the chosen one; a chord of several cells has none."""
    if not analyst.engine.plays:
        return None, None
    cells = [best, *(guess.cells if len(guess.cells) == 1 else ())]
    playouts = min(MAX_PLAYOUTS, MAX_PLAYOUT_CELLS // max(analysis.undecided_count, 1))
    options = weigh_cells(
        analysis, cells, PLAYOUT_STRATEGY, playouts=playouts, budget=analyst.remaining_budget, engine=analyst.engine
    )
    return options[0], options[1] if len(options) > 1 else None


# flags


def _count_flags(steps: Sequence[MoveRisk], mines: frozenset[Cell]) -> FlagUse:
    """Count flags on mines, each cell once, and those that a chord used; moves that were taken back do not count."""
    used: dict[Cell, bool] = {}
    for index in moves_in_effect([step.move for step in steps]):
        board, move = steps[index].board, steps[index].move
        assert move.cell is not None
        if move.kind == "flag" and move.cell in mines and board[move.cell] != FLAGGED:
            used.setdefault(move.cell, False)
        elif move.kind == "chord":
            used |= {near: True for near in board.neighbours(move.cell) if near in used and board[near] == FLAGGED}
    return FlagUse(len(used), sum(not is_used for is_used in used.values()))
