"""Review of a game: its statistics, every guess with its odds, and the luck that it took.

A *guess* is a reveal that could have lost: at least one layout consistent with the board before it has a mine among the
opened cells. A guess was *forced* if no cell was certainly safe, and needless otherwise. Its risk is exact: the share
of consistent layouts with such a mine. For several cells at once, the share is counted with all of them taken off the
board (a free cell that shows no number). The first click is a guess only if no rule protects it. The player's flags are
marks and do not change the odds.

*Luck* is the chance that all survived guesses work out: the product of their survival chances. Guesses that fair play
rescued and guesses that were taken back do not count.

*Accuracy* compares the choices with the best ones, whatever came of them: the product of `GuessReview.kept` over all
guesses that were not taken back. It is 1 if no guess was worse than another cell, and 0 if a certain mine was opened.
It uses the chance to survive, which is exact, and no estimate of the chance to win.

Odds treat all layouts as equally likely. That is not true for a layout generated without guesses; a note says so.

Cost    One analysis per reveal of a cell that was not known to be safe (`mineproof.game.risks`), and one or two more
        per guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final, cast

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.judgement import risk_of
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.notebook import Shown
from mineproof.base.words import plural, size
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.best_moves import best_move
from mineproof.decision.safest import safest_cell
from mineproof.engine.answers import Engine
from mineproof.engine.default import default_engine
from mineproof.errors import BudgetExceeded
from mineproof.game.game import Game
from mineproof.game.game_measures import NUMBERS, GameMeasures, measure_finished, move_clicks
from mineproof.game.help import HelpUsed
from mineproof.game.measures import Measures
from mineproof.game.record import Move, Record, moves_in_effect
from mineproof.game.risks import MoveRisk, Risks
from mineproof.game.rules import GameStatus, MoveKind, revealed_cells
from mineproof.wording import reviews as wording
from mineproof.wording.phrases import HasText

if TYPE_CHECKING:
    from mineproof.game.wire import GameMeasuresJson, GuessReviewJson, ReviewJson

SCHEMA: Final = "mineproof/review/1"
JUDGE = "strong"  # strategy that decides which guess is the best


@dataclass(frozen=True, slots=True)
class GuessReview(HasText):
    """A reveal that could have lost. ``index`` is its place among the moves, ``cells`` are the cells that it opened.

    ``mine_fraction`` is the chance of a mine among the cells. ``alternative`` is a certainly safe cell if there was
    one, else the safest cell if it was safer, else None; ``alternative_fraction`` is its chance of a mine.
    ``was_best`` is True if the strategy `JUDGE` would have opened the cell although another one was safer.
    """

    index: int
    kind: MoveKind
    cell: Cell
    cells: tuple[Cell, ...]
    ms: int
    mine_fraction: Fraction
    forced: bool
    survived: bool
    redrawn: bool
    undone: bool
    alternative: Cell | None
    alternative_fraction: Fraction | None
    was_best: bool = False

    @property
    def mine_probability(self) -> float:
        """Chance of a mine among the opened cells."""
        return float(self.mine_fraction)

    @property
    def alternative_probability(self) -> float | None:
        """Chance of a mine in the alternative, or None if there is none."""
        return None if self.alternative_fraction is None else float(self.alternative_fraction)

    @property
    def kept(self) -> Fraction:
        """The chance to survive, as a share of that of the best cell; 1 if no cell was better.

        The best cell is a certainly safe one if there was one, else the safest. A riskier cell that `JUDGE` would have
        opened is as good as the safest.
        """
        if self.was_best or self.alternative_fraction is None:
            return Fraction(1)
        return (1 - self.mine_fraction) / (1 - self.alternative_fraction)

    @property
    def counts(self) -> bool:
        """Does this guess count towards `Review.luck`?"""
        return self.survived and not self.redrawn and not self.undone

    @property
    def text(self) -> str:
        """What was opened, whether it was necessary, and how it ended; in the current language."""
        return wording.guess_text(self)

    def as_json(self) -> GuessReviewJson:
        """Return this guess as a JSON object."""
        alternative_fraction = self.alternative_fraction
        return {
            "index": self.index,
            "kind": self.kind,
            "cell": list(self.cell),
            "cells": [list(cell) for cell in self.cells],
            "ms": self.ms,
            "mine_probability": self.mine_probability,
            "mine_fraction": str(self.mine_fraction),
            "forced": self.forced,
            "survived": self.survived,
            "redrawn": self.redrawn,
            "undone": self.undone,
            "alternative": None if self.alternative is None else list(self.alternative),
            "alternative_probability": self.alternative_probability,
            "alternative_fraction": None if alternative_fraction is None else str(alternative_fraction),
            "was_best": self.was_best,
            "kept": float(self.kept),
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Review(Shown, HasText):
    """Review of a game; see `review`. Values that would reveal mines (``numbers``, …) are None until the game is over.

    ``moves`` is the number of moves that were not taken back; ``clicks`` counts all moves except undos. ``numbers`` are
    the statistics that players compare; see `mineproof.game.game_measures`. ``note_codes`` name the remarks about the
    odds that `notes` puts in words: ``no-guess``, ``fairness-forced``, ``fairness-strict``, ``undone``.
    ``help_used`` is the help that the player used, None if unknown.
    """

    board: Board
    status: GameStatus
    numbers: GameMeasures | None
    moves: int
    clicks: int
    seconds: float
    redraws: int
    guesses: tuple[GuessReview, ...]
    note_codes: tuple[str, ...]
    help_used: HelpUsed | None = None

    @property
    def measures(self) -> Measures | None:
        """Measures of the layout, or None while the game is running."""
        return None if self.numbers is None else self.numbers.measures

    @property
    def solved_bbbv(self) -> int | None:
        """Solved 3BV, or None while the game is running."""
        return None if self.numbers is None else self.numbers.solved_bbbv

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click."""
        return None if self.numbers is None else self.numbers.efficiency

    @property
    def bbbv_per_second(self) -> float | None:
        """Solved 3BV per second, or None without time or while the game is running."""
        return None if self.numbers is None else self.numbers.bbbv_per_second

    @property
    def luck(self) -> float:
        """Chance that all survived guesses would work out."""
        return float(self.luck_fraction)

    @property
    def luck_fraction(self) -> Fraction:
        """`luck` as an exact fraction."""
        return prod((1 - guess.mine_fraction for guess in self.guesses if guess.counts), start=Fraction(1))

    @property
    def accuracy(self) -> float:
        """How good the choices were, from 0 to 1: the product of `GuessReview.kept` of guesses not taken back."""
        return float(prod((guess.kept for guess in self.guesses if not guess.undone), start=Fraction(1)))

    @property
    def with_help(self) -> bool | None:
        """Did the player use help? None if unknown."""
        return None if self.help_used is None else self.help_used.any

    @property
    def help_line(self) -> str:
        """A sentence about the help used, in the current language; empty if there was none or it is unknown."""
        if self.help_used is None or not self.help_used.any:
            return ""
        return wording.help_line(self.help_used.text)

    @property
    def luck_text(self) -> str:
        """One line about luck and how the guesses ended, in the current language; without a full stop."""
        return wording.luck_text(self.luck, _count_ends(self.guesses))

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks about the odds, in the current language."""
        return tuple(wording.note_text(code) for code in self.note_codes)

    @property
    def text(self) -> str:
        """Luck, guesses and notes, one line each, in the current language."""
        help_lines = [self.help_line] if self.help_line else []
        return "\n".join([self.luck_text, *help_lines, *(guess.text for guess in self.guesses), *self.notes])

    def __repr__(self) -> str:
        board = size(self.board.rows, self.board.columns, self.board.total_mines)
        guesses = f"{len(self.guesses)} {'guess' if len(self.guesses) == 1 else 'guesses'}"
        return f"<Review of {board}: {self.status}, {self.seconds:.3f} s, {plural(self.clicks, 'click')}, {guesses}>"

    def as_json(self) -> ReviewJson:
        """The ``mineproof/review/1`` shape."""
        unknown = cast("GameMeasuresJson", dict.fromkeys(NUMBERS))
        return {
            "schema": SCHEMA,
            "rows": self.board.rows,
            "columns": self.board.columns,
            "total_mines": self.board.total_mines,
            "topology": self.board.topology,
            "status": self.status,
            **(unknown if self.numbers is None else self.numbers.as_json()),
            "moves": self.moves,
            "clicks": self.clicks,
            "seconds": self.seconds,
            "redraws": self.redraws,
            "luck": self.luck,
            "luck_fraction": str(self.luck_fraction),
            "accuracy": self.accuracy,
            "with_help": self.with_help,
            "help_used": None if self.help_used is None else self.help_used.as_json(),
            "help_text": self.help_line,
            "guesses": [guess.as_json() for guess in self.guesses],
            "notes": list(self.notes),
        }


def review(
    played: Game | Record,
    *,
    help_used: HelpUsed | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Review:
    """Review a game: its statistics, its guesses with their odds, its luck. The budget covers the whole review.

    ``help_used`` is the help that the player used, which a record does not contain; None if unknown.
    Raises BoardSyntaxError if a record cannot be replayed.

    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])))
    >>> outcomes = [game.open(0, 3), game.open(0, 0)]
    >>> result = review(game)
    >>> result.measures.bbbv, result.luck_fraction
    (2, Fraction(1, 2))
    >>> print(result.guesses[0].text.partition(" No ")[0])
    You opened (0,0). The chance of a mine was 50.0 %.
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    game = Game.replay(record)
    numbers = measure_finished(record, game) if game.is_over else None
    clicks = record.clicks or move_clicks(record)
    return Review(
        board=game.board,
        status=game.status,
        numbers=numbers,
        moves=len(game.line),
        clicks=clicks.total if numbers is None else numbers.clicks.total,
        seconds=record.ms / 1000,
        redraws=game.redraws,
        guesses=tuple(_review_guesses(record, Deadline(Budget.of(budget)), engine)),
        note_codes=tuple(_note_codes(record)),
        help_used=help_used,
    )


def _note_codes(record: Record) -> Iterator[str]:
    """Codes of what the odds leave out."""
    if record.layout.no_guess:
        yield "no-guess"
    if record.rules.fairness != "none":
        yield f"fairness-{record.rules.fairness}"
    if len(moves_in_effect(record.moves)) < len(record.moves):
        yield "undone"


def _count_ends(guesses: tuple[GuessReview, ...]) -> dict[wording.GuessEnd, int]:
    """Number of guesses by how they ended."""
    return {
        "survived": sum(guess.counts for guess in guesses),
        "lost": sum(not guess.survived and not guess.undone for guess in guesses),
        "rescued": sum(guess.survived and guess.redrawn and not guess.undone for guess in guesses),
        "undone": sum(guess.undone for guess in guesses),
    }


# guesses


def _review_guesses(record: Record, deadline: Deadline, engine: Engine | None) -> Iterator[GuessReview]:
    standing_moves = frozenset(moves_in_effect(record.moves))
    for index, move_risk in enumerate(Risks(record, engine).follow(record, deadline)):
        if move_risk.guess is not None:
            yield _review_guess(index, move_risk, move_risk.guess, index not in standing_moves, deadline, engine)


def _review_guess(
    index: int, move_risk: MoveRisk, analysis: Analysis, undone: bool, deadline: Deadline, engine: Engine | None
) -> GuessReview:
    """Compare a reveal that could have lost with the other cells."""
    board, move, outcome = move_risk.board, move_risk.move, move_risk.outcome
    assert move.cell is not None  # only an undo has none
    cells = revealed_cells(board, move.kind, move.cell)
    risk = risk_of(analysis, cells, deadline.rest(), engine)
    alternative, alternative_risk = _find_alternative(analysis, board, move.cell, risk)
    survived = not outcome.exploded
    was_best = alternative is not None and not analysis.safe and _was_best(analysis, move, deadline, engine)
    return GuessReview(
        index, move.kind, move.cell, tuple(sorted(cells)), move.ms, risk, not analysis.safe,
        survived, outcome.redrawn, undone, alternative, alternative_risk, was_best,
    )  # fmt: skip


def _was_best(analysis: Analysis, move: Move, deadline: Deadline, engine: Engine | None) -> bool:
    """Would the strategy `JUDGE` have opened this cell, although another one was safer?"""
    engine = engine or default_engine()
    board = analysis.board
    if move.kind != "open" or not engine.plays or board.total_mines is None:
        return False
    try:
        return best_move(board, JUDGE, budget=deadline.rest(), playouts=0, engine=engine).cell == move.cell
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        return False


def _find_alternative(
    analysis: Analysis, board: Board, cell: Cell, risk: Fraction
) -> tuple[Cell | None, Fraction | None]:
    """The nearest certainly safe cell, else the safest guess if it was safer; with its chance of a mine."""
    if analysis.safe:
        nearest = min(analysis.safe, key=lambda safe: (max(abs(safe[0] - cell[0]), abs(safe[1] - cell[1])), safe))
        return nearest, Fraction(0)
    if not analysis.undecided_count:
        return None, None  # only mines were covered
    best = safest_cell(analysis, board)
    return (best.cell, best.fraction) if best.fraction < risk else (None, None)
