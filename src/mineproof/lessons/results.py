"""A lesson as data: a finished game, with what was certain when its player guessed or paused, and what to improve.

The page (`mineproof.lessons.pages`) and the five points of advice (`mineproof.lessons.sentences`) are built from it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mineproof.advice.hints import Hint
from mineproof.base.cached import cached_property
from mineproof.base.words import plural
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove, Option
from mineproof.game.reviews import GuessReview, Review
from mineproof.game.timelines import Timeline
from mineproof.lessons import pages, sentences
from mineproof.lessons.sentences import Sentence, option_fields
from mineproof.pictures.draw_api import Picture
from mineproof.wording.phrases import HasText, Phrase, phrase

if TYPE_CHECKING:
    from mineproof.lessons.wire import GuessLessonJson, LessonJson, LessonReviewJson, PauseJson, WinChanceJson

SCHEMA: Final = "mineproof/lesson/1"
CLEAR_DIFFERENCE = 2.0  # standard errors by which two estimates must differ


@dataclass(frozen=True, slots=True)
class GuessLesson(HasText):
    """A guess and the better move.

    For a needless guess, ``hint`` is the easiest certain step. For a forced one, ``best`` is the best guess.
    ``best_option`` and ``chosen_option`` are the chances of the best cell and the chosen one; None if they were not
    computed, for example for a chord that opened several cells.
    """

    guess: GuessReview
    hint: Hint | None = None
    best: BestMove | None = None
    best_option: Option | None = None
    chosen_option: Option | None = None
    picture: Picture | None = field(default=None, compare=False)

    @property
    def technique(self) -> str | None:
        """Technique that would have found a safe cell, or None."""
        return None if self.hint is None else self.hint.technique

    @property
    def cost(self) -> float | None:
        """Chance to win that the choice cost; an estimate may be below 0."""
        best, chosen = self.best_option, self.chosen_option
        if best is None or chosen is None or best.win_probability is None or chosen.win_probability is None:
            return None
        if best.win_fraction is not None and chosen.win_fraction is not None:
            return float(best.win_fraction - chosen.win_fraction)
        return best.win_probability - chosen.win_probability

    @property
    def exact(self) -> bool:
        """Is the cost exact, not an estimate?"""
        options = (self.best_option, self.chosen_option)
        return all(option is not None and option.exact for option in options)

    @property
    def was_worse(self) -> bool:
        """Was the chosen cell worse than the best one? Estimates must differ by more than their error."""
        cost = self.cost
        return cost is not None and (cost > 0 if self.exact else cost > CLEAR_DIFFERENCE * self._error)

    @property
    def _error(self) -> float:
        options = (self.best_option, self.chosen_option)
        return math.hypot(*(option.standard_error or 0.0 for option in options if option is not None))

    @property
    def text(self) -> str:
        """What was certain, or the best guess, and what the choice cost; in the current language."""
        move = self.hint if self.hint is not None else self.best
        return f"{'' if move is None else move.text} {self.cost_text}".strip()

    @property
    def cost_text(self) -> str:
        """The chances of the best cell and the chosen one, in the current language."""
        cost = self.cost_phrase
        return "" if cost is None else cost.text

    @property
    def cost_phrase(self) -> Phrase | None:
        """The chances of the best cell and the chosen one; None if they are unknown."""
        best, chosen, cost = self.best_option, self.chosen_option, self.cost
        if best is None or best.win_probability is None:
            return None
        if chosen is None or cost is None:
            return phrase("lesson-cost-best", **option_fields("best", best))
        if best.cell == chosen.cell:
            return phrase("lesson-cost-none", **option_fields("best", best))
        fields = {**option_fields("best", best), **option_fields("chosen", chosen)}
        if not self.was_worse:
            if not self.exact:
                return phrase("lesson-cost-close", **fields)
            return phrase("lesson-cost-equal", **option_fields("best", best), chosen=fields["chosen"])
        return phrase("lesson-cost", **fields)

    def as_json(self) -> GuessLessonJson:
        """Return this guess as a JSON object."""
        best = None if self.best_option is None else list(self.best_option.cell)
        return {
            "index": self.guess.index,
            "technique": self.technique,
            "hint": None if self.hint is None else self.hint.as_json(),
            "best": best,
            "best_win": _option_json(self.best_option),
            "chosen_win": _option_json(self.chosen_option),
            "cost": self.cost,
            "exact": self.exact,
            "was_worse": self.was_worse,
            "text": self.text,
        }


def _option_json(option: Option | None) -> WinChanceJson | None:
    if option is None:
        return None
    document = option.as_json()
    return {
        "mine_probability": document["mine_probability"],
        "win_probability": document["win_probability"],
        "exact": document["exact"],
        "win_fraction": document["win_fraction"],
        "standard_error": document["standard_error"],
    }


@dataclass(frozen=True, slots=True)
class Pause:
    """A long wait while a safe cell was certain; ``index`` is the place of the move that ended it.

    ``ms`` is when the pause began. ``lost`` are the seconds beyond the player's usual time for a move. ``since`` is the
    time in milliseconds from which the cells of the ``hint`` were certain.
    """

    index: int
    ms: int
    seconds: float
    lost: float
    since: int
    hint: Hint
    picture: Picture | None = field(default=None, compare=False)

    @property
    def technique(self) -> str:
        """Technique that would have found a safe cell."""
        return str(self.hint.technique)

    @property
    def cell(self) -> Cell:
        """A safe cell that could have been opened."""
        return min(self.hint.safe)

    @property
    def lay(self) -> float:
        """Seconds for which the cell was certain before the move."""
        return (self.ms - self.since) / 1000 + self.seconds

    def as_json(self) -> PauseJson:
        """Return this pause as a JSON object."""
        return {
            "index": self.index,
            "time": self.ms / 1000,
            "seconds": self.seconds,
            "lost": self.lost,
            "lay": self.lay,
            "technique": self.technique,
            "hint": self.hint.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the player moves: ``usual`` is the median time for a move in seconds, ``long`` that of a long wait.

    ``waits`` is the number of long waits, ``looked_at`` how many of them were analysed, the longest first.
    """

    usual: float
    long: float
    waits: int
    looked_at: int


@dataclass(frozen=True, slots=True)
class FlagUse:
    """Number of flags set on mines, and of those that no later chord used."""

    placed: int
    unused: int


@dataclass(frozen=True)
class Lesson(HasText):
    """What a player can learn from a finished game; see `mineproof.lesson`.

    ``guesses`` are those of the ``review``. ``name`` is the name of the game, ``player`` that of the player. ``pace``
    is None if the record has no times.
    """

    review: Review
    timeline: Timeline
    guesses: tuple[GuessLesson, ...]
    pauses: tuple[Pause, ...]
    pace: Pace | None
    flags: FlagUse
    name: str = ""
    player: str = ""

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Five points of advice, always in this order: the end, guesses, choices, time, clicks."""
        return sentences.describe_lesson(self)

    @property
    def text(self) -> str:
        """The five points of advice, one per line, in the current language."""
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def needless(self) -> list[GuessLesson]:
        """Guesses that were needless: a cell was certainly safe."""
        return [guess for guess in self.guesses if not guess.guess.forced]

    @property
    def forced(self) -> list[GuessLesson]:
        """Guesses that were forced: no cell was certainly safe."""
        return [guess for guess in self.guesses if guess.guess.forced]

    @property
    def lost_seconds(self) -> float:
        """Seconds lost in all pauses together."""
        return sum(pause.lost for pause in self.pauses)

    def html(self, *, practise: str | None = None) -> str:
        """Return the lesson as one self-contained HTML page, in the current language.

        ``practise`` is the address of the puzzles, to which the name of a technique is appended. Without it the page
        shows the command.
        """
        return pages.lesson_page(self, practise)

    def __repr__(self) -> str:
        guesses = f"{len(self.guesses)} {'guess' if len(self.guesses) == 1 else 'guesses'}"
        return (
            f"<Lesson of {self.name or 'a game'}: {self.review.status}, {guesses}, {plural(len(self.pauses), 'pause')}>"
        )

    def as_json(self) -> LessonJson:
        """The ``mineproof/lesson/1`` shape."""
        pace = self.pace
        return {
            "schema": SCHEMA,
            "name": self.name,
            "player": self.player,
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "review": self.review.as_json(),
            "guesses": [guess.as_json() for guess in self.guesses],
            "pauses": [pause.as_json() for pause in self.pauses],
            "lost_seconds": self.lost_seconds,
            "lost_by_technique": [
                {"technique": lost.technique, "pauses": lost.pauses, "seconds": lost.seconds}
                for lost in sentences.lost_time(self.pauses)
            ],
            "usual_seconds": None if pace is None else pace.usual,
            "long_seconds": None if pace is None else pace.long,
            "long_waits": None if pace is None else pace.waits,
            "flags_placed": self.flags.placed,
            "flags_unused": self.flags.unused,
        }


def lesson_review_json(review: Review, lesson: Lesson) -> LessonReviewJson:
    """Return the review of a game with its lesson."""
    return {**review.as_json(), "lesson": lesson.as_json()}
