"""A game looked back upon: what players count, every guess with its odds, and how lucky it all was.

A *guess* is a reveal that might have lost: some layout that fits what was seen before it has a mine among the cells it
opens. It was *forced* if no cell was certainly safe then, and needless otherwise. Its risk is exact: the share of the
layouts that have such a mine, which for several cells at once is counted with all of them taken off the board (a free
cell that shows no number). The first click is a guess only where nothing keeps it from losing. The player's flags are
marks, and take no part in the odds.

*Luck* is the chance of getting through all the guesses that were survived: the product of what was left of each. One
that fair play rescued took no luck, and one that was taken back does not count.

Odds take all layouts for equally likely. Of a layout made to need no guess that is not true, and is said.

Cost    One analysis for each reveal that opens what was not known to be safe before (`mineproof.game.risks`), one or
        two more for a guess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from mineproof.analysis.analysis import Analysis
from mineproof.analysis.judgement import risk_of
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.showing import Shown
from mineproof.base.words import at, listing, percent, plural, size
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.choosing import best_move
from mineproof.decision.safest import safest_cell
from mineproof.engine.answers import Engine
from mineproof.engine.choice import default_engine
from mineproof.errors import BudgetExceeded
from mineproof.game.game import Game
from mineproof.game.game_measures import NUMBERS, GameMeasures, measure_finished, move_clicks
from mineproof.game.measures import Measures
from mineproof.game.record import Move, Record, standing
from mineproof.game.risks import Risks, Step
from mineproof.game.rules import GameStatus, MoveKind, revealed

SCHEMA = "mineproof/review/1"
JUDGE = "strong"  # the strategy whose guesses are called best


@dataclass(frozen=True, slots=True)
class GuessReview:
    """A reveal that might have lost; ``index`` is its place among the moves of the game, ``cells`` what it opened.

    ``mine_fraction`` is the chance of a mine among the cells. ``alternative`` is a certainly safe cell if there was
    one, else the safest cell if that was safer, else None; ``alternative_fraction`` is its chance of a mine.
    ``was_best`` says that the cell was the best guess all the same, by the strategy `JUDGE`.
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
        return float(self.mine_fraction)

    @property
    def alternative_probability(self) -> float | None:
        return None if self.alternative_fraction is None else float(self.alternative_fraction)

    @property
    def counts(self) -> bool:
        """Does it count towards `Review.luck`?"""
        return self.survived and not self.redrawn and not self.undone

    @property
    def text(self) -> str:
        """All of it in words."""
        return " ".join(_sentences(self))

    def as_json(self) -> dict[str, object]:
        other = self.alternative_fraction
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
            "alternative_fraction": None if other is None else str(other),
            "was_best": self.was_best,
            "text": self.text,
        }


@dataclass(frozen=True, slots=True)
class Review(Shown):
    """See `review`. While a game is on, what would tell of its mines (``numbers``, ``measures``, …) is None.

    ``moves`` are those that count in the end; ``clicks`` are all that were made, taken back or not, undos left out.
    ``numbers`` are what players compare; see `mineproof.game.game_measures`.
    """

    board: Board
    status: GameStatus
    numbers: GameMeasures | None
    moves: int
    clicks: int
    seconds: float
    redraws: int
    guesses: tuple[GuessReview, ...]
    notes: tuple[str, ...]

    @property
    def measures(self) -> Measures | None:
        """The numbers of the layout."""
        return None if self.numbers is None else self.numbers.measures

    @property
    def solved_bbbv(self) -> int | None:
        return None if self.numbers is None else self.numbers.solved_bbbv

    @property
    def efficiency(self) -> float | None:
        """Solved 3BV per click."""
        return None if self.numbers is None else self.numbers.efficiency

    @property
    def bbbv_per_second(self) -> float | None:
        return None if self.numbers is None else self.numbers.bbbv_per_second

    @property
    def luck(self) -> float:
        """The chance of surviving every guess that was survived."""
        return float(self.luck_fraction)

    @property
    def luck_fraction(self) -> Fraction:
        """The same, exactly."""
        return prod((1 - guess.mine_fraction for guess in self.guesses if guess.counts), start=Fraction(1))

    @property
    def luck_text(self) -> str:
        """How lucky it was, and what became of the guesses that luck does not count."""
        return _luck(self)

    def __repr__(self) -> str:
        board = size(self.board.rows, self.board.columns, self.board.total_mines)
        guesses = f"{len(self.guesses)} {'guess' if len(self.guesses) == 1 else 'guesses'}"
        return f"<Review of {board}: {self.status}, {self.seconds:.3f} s, {plural(self.clicks, 'click')}, {guesses}>"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/review/1`` shape."""
        told = None if self.numbers is None else self.numbers.as_json()
        numbers = dict.fromkeys(NUMBERS) if told is None else told
        return {
            "schema": SCHEMA,
            "rows": self.board.rows,
            "columns": self.board.columns,
            "total_mines": self.board.total_mines,
            "topology": self.board.topology,
            "status": self.status,
            **numbers,
            "moves": self.moves,
            "clicks": self.clicks,
            "seconds": self.seconds,
            "redraws": self.redraws,
            "luck": self.luck,
            "luck_fraction": str(self.luck_fraction),
            "guesses": [guess.as_json() for guess in self.guesses],
            "notes": list(self.notes),
        }


def review(played: Game | Record, *, budget: Budget | float | None = None, engine: Engine | None = None) -> Review:
    """Look back upon a game: its numbers, its guesses, its luck. The budget is for all of it.

    Raises BoardSyntaxError when a record cannot be replayed.

    >>> from mineproof.game.layout import Layout
    >>> game = Game(Layout(2, 4, frozenset([(1, 0)])))
    >>> outcomes = [game.open(0, 3), game.open(0, 0)]
    >>> found = review(game)
    >>> found.measures.bbbv, found.luck_fraction
    (2, Fraction(1, 2))
    >>> print(found.guesses[0].text)
    The chance of a mine at (0,0) was 50.0 %. No cell was certainly safe, and none was safer. It went well.
    """
    record = played.record() if isinstance(played, Game) else checks.instance("played", played, Record, "or a Game")
    game = Game.replay(record)
    numbers = measure_finished(record, game) if game.is_over else None
    made = record.clicks or move_clicks(record)
    return Review(
        board=game.board,
        status=game.status,
        numbers=numbers,
        moves=len(game.line),
        clicks=made.total if numbers is None else numbers.clicks.total,
        seconds=record.ms / 1000,
        redraws=game.redraws,
        guesses=tuple(_guesses(record, Deadline(Budget.of(budget)), engine)),
        notes=tuple(_notes(record)),
    )


def _notes(record: Record) -> Iterator[str]:
    """What the odds do not tell."""
    if record.layout.no_guess:
        yield (
            "The layout was made to need no guess. The odds take all layouts for equally likely, "
            "which is not true of such a layout: a guess on it was less, or more, risky than they say."
        )
    if record.rules.fairness != "none":
        yield f"Fair play ({record.rules.fairness}) was on. The odds are those without it."
    if len(standing(record.moves)) < len(record.moves):
        yield "Moves were taken back. The odds do not count what they had shown."


# guesses


def _guesses(record: Record, deadline: Deadline, engine: Engine | None) -> Iterator[GuessReview]:
    stands = frozenset(standing(record.moves))
    for index, step in enumerate(Risks(record, engine).follow(record, deadline)):
        if step.guess is not None:
            yield _guess(index, step, step.guess, index not in stands, deadline, engine)


def _guess(
    index: int, step: Step, found: Analysis, undone: bool, deadline: Deadline, engine: Engine | None
) -> GuessReview:
    """What is to be said about a reveal that might have lost."""
    seen, move, outcome = step.seen, step.move, step.outcome
    assert move.cell is not None  # only an undo has none
    cells = revealed(seen, move.kind, move.cell)
    risk = risk_of(found, cells, deadline.rest(), engine)
    alternative, other = _alternative(found, seen, move.cell, risk)
    survived = not outcome.exploded
    was_best = alternative is not None and not found.safe and _was_best(found, move, deadline, engine)
    return GuessReview(
        index, move.kind, move.cell, tuple(sorted(cells)), move.ms, risk, not found.safe,
        survived, outcome.redrawn, undone, alternative, other, was_best,
    )  # fmt: skip


def _was_best(found: Analysis, move: Move, deadline: Deadline, engine: Engine | None) -> bool:
    """Would the strongest quick strategy have opened this cell, although another was safer?"""
    using = engine or default_engine()
    if move.kind != "open" or not using.plays or found.board.total_mines is None:
        return False
    try:
        return best_move(found.board, JUDGE, budget=deadline.rest(), playouts=0, engine=using).cell == move.cell
    except BudgetExceeded as error:
        if error.limit == "cancelled":
            raise
        return False


def _alternative(found: Analysis, seen: Board, cell: Cell, risk: Fraction) -> tuple[Cell | None, Fraction | None]:
    """The nearest certainly safe cell, else the best guess if it was safer; with its chance of a mine."""
    if found.safe:
        near = min(found.safe, key=lambda safe: (max(abs(safe[0] - cell[0]), abs(safe[1] - cell[1])), safe))
        return near, Fraction(0)
    if not found.undecided_count:
        return None, None  # nothing but mines was covered
    best = safest_cell(found, seen)
    return (best.cell, best.fraction) if best.fraction < risk else (None, None)


# words


def _luck(found: Review) -> str:
    guesses = found.guesses
    if not guesses:
        return "No guess was made"
    ends = {
        "survived": sum(guess.counts for guess in guesses),
        "lost": sum(not guess.survived and not guess.undone for guess in guesses),
        "saved by fair play": sum(guess.survived and guess.redrawn and not guess.undone for guess in guesses),
        "taken back": sum(guess.undone for guess in guesses),
    }
    (end, count), *rest = [(end, count) for end, count in ends.items() if count]
    first = f"{count} {'guess' if count == 1 else 'guesses'} {end}"
    words = ", ".join([first, *(f"{count} {end}" for end, count in rest)])
    if not ends["survived"]:
        return words
    rare = f", 1 in {round(1 / found.luck):,}" if found.luck * 2 < 1 else ""
    return f"Luck {percent(found.luck)}{rare}: {words}"


def _sentences(guess: GuessReview) -> Iterator[str]:
    places = listing([at(cell) for cell in guess.cells])
    several = len(guess.cells) > 1
    if guess.kind == "chord":
        yield f"The chord at {at(guess.cell)} opened {places}."
    if guess.mine_fraction == 1:
        yield "One of them was certainly a mine." if several else f"{places} was certainly a mine."
    else:
        chance = percent(guess.mine_probability)
        yield f"The chance of a mine {'among them' if several else f'at {places}'} was {chance}."
    yield _comparison(guess)
    yield _result(guess)
    if guess.undone:
        yield "The move was taken back."


def _comparison(guess: GuessReview) -> str:
    if guess.alternative is None or guess.alternative_probability is None:
        return "No cell was certainly safe, and none was safer."
    if not guess.forced:
        return f"It was needless: {at(guess.alternative)} was certainly safe."
    chance = percent(guess.alternative_probability)
    if guess.was_best:
        return f"No cell was certainly safe. It was the best guess, though {at(guess.alternative)} was safer: {chance}."
    return f"No cell was certainly safe, but {at(guess.alternative)} was safer: {chance}."


def _result(guess: GuessReview) -> str:
    if guess.redrawn:
        return (
            "Fair play moved the mines out of the way." if guess.survived else "Fair play moved a mine there: it lost."
        )
    return "It went well." if guess.survived else "It lost."
