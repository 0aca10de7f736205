"""A lesson as data: a finished game with what was certain when its player guessed or paused, and what to do about it.

Its page is made from nothing else (`mineproof.lessons.pages`), and neither are its five sentences
(`mineproof.lessons.sentences`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from mineproof.advice.hints import Hint
from mineproof.base.words import at, percent, plural
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove, Option
from mineproof.game.reviews import GuessReview, Review
from mineproof.game.timelines import Timeline
from mineproof.lessons import pages, sentences
from mineproof.lessons.sentences import Sentence
from mineproof.pictures.drawing import Picture

SCHEMA = "mineproof/lesson/1"
CLEAR = 2.0  # standard errors by which two estimates must differ to be told apart


@dataclass(frozen=True, slots=True)
class GuessLesson:
    """A guess with what could have been known.

    Of a needless guess ``hint`` is the easiest certain step there was, of a forced one ``best`` is the best guess.
    ``best_option`` and ``chosen_option`` are what the best cell and the chosen one are worth; None where that was not
    worked out, as of a chord that opened several cells.
    """

    guess: GuessReview
    hint: Hint | None = None
    best: BestMove | None = None
    best_option: Option | None = None
    chosen_option: Option | None = None
    picture: Picture | None = field(default=None, compare=False)

    @property
    def technique(self) -> str | None:
        """What told a safe cell."""
        return None if self.hint is None else self.hint.technique

    @property
    def cost(self) -> float | None:
        """By how much the chance to win of the best move was higher; an estimate may be below 0."""
        best, chosen = self.best_option, self.chosen_option
        if best is None or chosen is None or best.win_probability is None or chosen.win_probability is None:
            return None
        if best.win_fraction is not None and chosen.win_fraction is not None:
            return float(best.win_fraction - chosen.win_fraction)
        return best.win_probability - chosen.win_probability

    @property
    def exact(self) -> bool:
        """Is the cost no estimate?"""
        options = (self.best_option, self.chosen_option)
        return all(option is not None and option.exact for option in options)

    @property
    def was_worse(self) -> bool:
        """Was the chosen cell certainly worse than the best one, or is its estimate, by far more than its error?"""
        cost = self.cost
        return cost is not None and (cost > 0 if self.exact else cost > CLEAR * self._error)

    @property
    def _error(self) -> float:
        options = (self.best_option, self.chosen_option)
        return math.hypot(*(option.standard_error or 0.0 for option in options if option is not None))

    @property
    def text(self) -> str:
        """What was certain, or the best guess, and what the choice cost."""
        words = self.hint.text if self.hint is not None else self.best.text if self.best is not None else ""
        return f"{words} {self.cost_text}".strip()

    @property
    def cost_text(self) -> str:
        """What the best cell and the chosen one are worth, in words."""
        best, chosen, cost = self.best_option, self.chosen_option, self.cost
        if best is None or best.win_probability is None:
            return ""
        if chosen is None or cost is None:
            return f"Opening {at(best.cell)} wins {best.wins}."
        if best.cell == chosen.cell:
            return f"{at(best.cell)} was the best guess there was: it wins {best.wins}."
        worth = f"Opening {at(best.cell)} wins {best.wins}, {at(chosen.cell)} {chosen.wins}"
        if not self.was_worse:
            return f"{worth}: {'as much' if self.exact else 'too close to tell apart'}."
        points = percent(cost).removesuffix(" %") if self.exact else f"about {100 * cost:.0f}"
        return f"{worth}: it cost {points} percentage points."

    def as_json(self) -> dict[str, object]:
        best = None if self.best_option is None else list(self.best_option.cell)
        return {
            "index": self.guess.index,
            "technique": self.technique,
            "hint": None if self.hint is None else self.hint.as_json(),
            "best": best,
            "best_win": _worth(self.best_option),
            "chosen_win": _worth(self.chosen_option),
            "cost": self.cost,
            "exact": self.exact,
            "was_worse": self.was_worse,
            "text": self.text,
        }


def _worth(option: Option | None) -> dict[str, object] | None:
    if option is None:
        return None
    keys = ("mine_probability", "win_probability", "exact", "win_fraction", "standard_error")
    told = option.as_json()
    return {key: told[key] for key in keys}


@dataclass(frozen=True, slots=True)
class Pause:
    """A long wait while a safe cell was certain; ``index`` is the place of the move that ended it.

    ``ms`` is when it began, ``lost`` are the seconds beyond what the player usually takes between two moves, and
    ``since`` is the time in milliseconds from which on the cells of the ``hint`` were certain.
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
        return str(self.hint.technique)

    @property
    def cell(self) -> Cell:
        """One that could have been opened."""
        return min(self.hint.safe)

    @property
    def lay(self) -> float:
        """Seconds for which that was certain before the move."""
        return (self.ms - self.since) / 1000 + self.seconds

    def as_json(self) -> dict[str, object]:
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
    """How long the player takes: ``usual`` seconds between two moves at the median, ``long`` those of a long wait.

    ``waits`` are all that were as long, ``looked_at`` those of them that were analysed, the longest.
    """

    usual: float
    long: float
    waits: int
    looked_at: int


@dataclass(frozen=True, slots=True)
class FlagUse:
    """Flags set on mines, and those of them that no later chord was next to."""

    placed: int
    unused: int


@dataclass(frozen=True)
class Lesson:
    """See `mineproof.lesson`. ``guesses`` are those of the ``review``; ``name`` is what the game is called.

    ``pace`` is None where the record tells no times.
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
        """Five of them, in the same order for every game: the end, guesses, choices, time, clicks."""
        return sentences.of_lesson(self)

    @property
    def text(self) -> str:
        """The five sentences, a line each."""
        return "\n".join(sentence.text for sentence in self.sentences)

    @property
    def needless(self) -> list[GuessLesson]:
        return [each for each in self.guesses if not each.guess.forced]

    @property
    def forced(self) -> list[GuessLesson]:
        return [each for each in self.guesses if each.guess.forced]

    @property
    def lost_seconds(self) -> float:
        """In all pauses together."""
        return sum(pause.lost for pause in self.pauses)

    def html(self, *, practise: str | None = None) -> str:
        """The lesson as one page that asks for nothing from elsewhere.

        ``practise`` is the address of puzzles, to which the name of a technique is added; without it the page tells the
        command.
        """
        return pages.lesson_page(self, practise)

    def __repr__(self) -> str:
        guesses = f"{len(self.guesses)} {'guess' if len(self.guesses) == 1 else 'guesses'}"
        return (
            f"<Lesson of {self.name or 'a game'}: {self.review.status}, {guesses}, {plural(len(self.pauses), 'pause')}>"
        )

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/lesson/1`` shape."""
        pace = self.pace
        return {
            "schema": SCHEMA,
            "name": self.name,
            "player": self.player,
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "review": self.review.as_json(),
            "guesses": [each.as_json() for each in self.guesses],
            "pauses": [pause.as_json() for pause in self.pauses],
            "lost_seconds": self.lost_seconds,
            "lost_by_technique": [each._asdict() for each in sentences.lost_time(self.pauses)],
            "usual_seconds": None if pace is None else pace.usual,
            "long_seconds": None if pace is None else pace.long,
            "long_waits": None if pace is None else pace.waits,
            "flags_placed": self.flags.placed,
            "flags_unused": self.flags.unused,
        }
