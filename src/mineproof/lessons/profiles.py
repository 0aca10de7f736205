"""A profile: the lessons of several games together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof.base import checks
from mineproof.base.cached import cached_property
from mineproof.base.words import plural
from mineproof.deduction.ladder import LADDER
from mineproof.lessons import pages, sentences
from mineproof.lessons.results import GuessLesson, Lesson, Pause
from mineproof.lessons.sentences import LostTime, Sentence
from mineproof.wording.phrases import HasText

if TYPE_CHECKING:
    from mineproof.lessons.wire import MissedJson, ProfileJson

SCHEMA: Final = "mineproof/profile/1"


@dataclass(frozen=True, slots=True)
class Missed:
    """What a technique would have saved in all games: needless guesses, and pauses with the seconds lost."""

    technique: str
    guesses: int
    pauses: int
    seconds: float

    def as_json(self) -> MissedJson:
        return {"technique": self.technique, "guesses": self.guesses, "pauses": self.pauses, "seconds": self.seconds}


@dataclass(frozen=True)
class Profile(HasText):
    """The lessons of several games together; see `mineproof.profile`. ``unread`` are files without a lesson, with
    reasons."""

    lessons: tuple[Lesson, ...]
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.lessons)

    @property
    def won(self) -> int:
        """Number of games won."""
        return sum(lesson.review.status == "won" for lesson in self.lessons)

    @property
    def guesses(self) -> list[GuessLesson]:
        """Guesses in all games."""
        return [guess for lesson in self.lessons for guess in lesson.guesses]

    @property
    def pauses(self) -> list[Pause]:
        """Pauses in all games."""
        return [pause for lesson in self.lessons for pause in lesson.pauses]

    @property
    def clicks(self) -> int:
        """Clicks in all games."""
        return sum(lesson.review.clicks for lesson in self.lessons)

    @property
    def effective_clicks(self) -> int:
        """Effective clicks in all games."""
        return sum(lesson.review.numbers.effective.total for lesson in self.lessons if lesson.review.numbers)

    @cached_property
    def missed(self) -> tuple[Missed, ...]:
        """Every technique that would have helped, the easiest first."""
        guesses = Counter(guess.technique for guess in self.guesses if guess.technique is not None)
        lost_times = {lost.technique: lost for lost in sentences.lost_time(self.pauses)}
        none = LostTime("", 0, 0.0)
        missed = [(name, lost_times.get(name, none)) for name in LADDER if guesses[name] or name in lost_times]
        return tuple(Missed(name, guesses[name], lost.pauses, lost.seconds) for name, lost in missed)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Five points of advice, in the order of a lesson."""
        return sentences.describe_lessons(self.lessons)

    @property
    def text(self) -> str:
        """The five points of advice, one per line, in the current language."""
        return "\n".join(sentence.text for sentence in self.sentences)

    def html(self, *, practise: str | None = None) -> str:
        """Return the profile as one HTML page with the lesson of each game; see `Lesson.html`."""
        return pages.profile_page(self, practise)

    def __repr__(self) -> str:
        return f"<Profile of {plural(self.games, 'game')}: {self.won} won>"

    def as_json(self) -> ProfileJson:
        """The ``mineproof/profile/1`` shape. It has the names of the games, not their lessons."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "won": self.won,
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "guesses": len(self.guesses),
            "needless": sum(not guess.guess.forced for guess in self.guesses),
            "forced": sum(guess.guess.forced for guess in self.guesses),
            "was_worse": sum(guess.guess.forced and guess.was_worse for guess in self.guesses),
            "lost_seconds": sum(pause.lost for pause in self.pauses),
            "clicks": self.clicks,
            "effective_clicks": self.effective_clicks,
            "missed": [missed.as_json() for missed in self.missed],
            "names": [lesson.name for lesson in self.lessons],
            "unread": [{"name": name, "message": message} for name, message in self.unread],
        }


def profile(lessons: Iterable[Lesson], *, unread: Iterable[tuple[str, str]] = ()) -> Profile:
    """Summarize the lessons of several games. Raises ValueError without a lesson.

    ``unread`` are the names of files without a lesson, each with the reason, to be shown on the page.
    """
    arguments: dict[str, object] = {"lessons": lessons, "unread": unread}
    for name, value in arguments.items():
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise TypeError(f"{name}: expected an iterable, got {type(value).__name__}")
    all_lessons = tuple(checks.instance("lessons", lesson, Lesson) for lesson in lessons)
    if not all_lessons:
        raise ValueError("lessons: expected at least 1 lesson, got none")
    files = tuple((checks.instance("unread", name, str), str(reason)) for name, reason in map(_check_pair, unread))
    return Profile(all_lessons, files)


def _check_pair(value: object) -> tuple[object, object]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"unread: expected pairs of a file name and a reason, got {value!r}")
    return value[0], value[1]
