"""A profile: what the lessons of several games have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mineproof.base import checks
from mineproof.base.words import plural
from mineproof.deduction.ladder import LADDER
from mineproof.lessons import pages, sentences
from mineproof.lessons.results import GuessLesson, Lesson, Pause
from mineproof.lessons.sentences import LostTime, Sentence

SCHEMA = "mineproof/profile/1"


@dataclass(frozen=True, slots=True)
class Missed:
    """What a technique would have told in all games: needless guesses avoided, and pauses with the seconds lost."""

    technique: str
    guesses: int
    pauses: int
    seconds: float

    def as_json(self) -> dict[str, object]:
        return {"technique": self.technique, "guesses": self.guesses, "pauses": self.pauses, "seconds": self.seconds}


@dataclass(frozen=True)
class Profile:
    """See `mineproof.profile`. ``unread`` are files that no lesson could be made of, each with the reason."""

    lessons: tuple[Lesson, ...]
    unread: tuple[tuple[str, str], ...] = ()

    @property
    def games(self) -> int:
        return len(self.lessons)

    @property
    def won(self) -> int:
        return sum(lesson.review.status == "won" for lesson in self.lessons)

    @property
    def guesses(self) -> list[GuessLesson]:
        return [guess for lesson in self.lessons for guess in lesson.guesses]

    @property
    def pauses(self) -> list[Pause]:
        return [pause for lesson in self.lessons for pause in lesson.pauses]

    @property
    def clicks(self) -> int:
        return sum(lesson.review.clicks for lesson in self.lessons)

    @property
    def effective_clicks(self) -> int:
        return sum(lesson.review.numbers.effective.total for lesson in self.lessons if lesson.review.numbers)

    @cached_property
    def missed(self) -> tuple[Missed, ...]:
        """Every technique that would have helped, the easiest first."""
        guesses = Counter(guess.technique for guess in self.guesses if guess.technique is not None)
        lost = {each.technique: each for each in sentences.lost_time(self.pauses)}
        none = LostTime("", 0, 0.0)
        used = [(name, lost.get(name, none)) for name in LADDER if guesses[name] or name in lost]
        return tuple(Missed(name, guesses[name], each.pauses, each.seconds) for name, each in used)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Five of them, as of a lesson."""
        return sentences.of_lessons(self.lessons)

    @property
    def text(self) -> str:
        """The five sentences, a line each."""
        return "\n".join(sentence.text for sentence in self.sentences)

    def html(self, *, practise: str | None = None) -> str:
        """All of it as one page, with the lesson of each game in it; see `Lesson.html`."""
        return pages.profile_page(self, practise)

    def __repr__(self) -> str:
        return f"<Profile of {plural(self.games, 'game')}: {self.won} won>"

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/profile/1`` shape; ``lessons`` tell what each game is called, not all of them."""
        return {
            "schema": SCHEMA,
            "games": self.games,
            "won": self.won,
            "sentences": [sentence.as_json() for sentence in self.sentences],
            "guesses": len(self.guesses),
            "needless": sum(not each.guess.forced for each in self.guesses),
            "forced": sum(each.guess.forced for each in self.guesses),
            "was_worse": sum(each.guess.forced and each.was_worse for each in self.guesses),
            "lost_seconds": sum(pause.lost for pause in self.pauses),
            "clicks": self.clicks,
            "effective_clicks": self.effective_clicks,
            "missed": [each.as_json() for each in self.missed],
            "names": [lesson.name for lesson in self.lessons],
            "unread": [{"name": name, "message": message} for name, message in self.unread],
        }


def profile(lessons: Iterable[Lesson], *, unread: Iterable[tuple[str, str]] = ()) -> Profile:
    """What lessons have in common; ValueError if there is none.

    ``unread`` are names of files that no lesson could be made of, with the reason of each, to be told on the page.
    """
    given: dict[str, object] = {"lessons": lessons, "unread": unread}
    for name, value in given.items():
        if isinstance(value, str) or not isinstance(value, Iterable):
            raise TypeError(f"found {name} of type {type(value).__name__}, expected several")
    found = tuple(checks.instance("lessons", each, Lesson) for each in lessons)
    if not found:
        raise ValueError("found no lesson, expected one at least")
    told = tuple((checks.instance("unread", name, str), str(why)) for name, why in map(_pair, unread))
    return Profile(found, told)


def _pair(value: object) -> tuple[object, object]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError(f"found unread with {value!r}, expected names of files, each with a reason")
    return value[0], value[1]
