"""How well somebody does at puzzles: ratings, streaks and what to ask next, kept in the file of the history.

An answer counts once for each player and puzzle: the first one. It is a game of Glicko-2 between the player and the
technique, and changes both ratings in one transaction, so several programs may do so at once. A technique begins where
`START` has it: not measured, but made up from the order of the ladder; answers correct it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from os import PathLike
from typing import Self

from mineproof.base import checks
from mineproof.base.rng import PUZZLES, Random, derive
from mineproof.history.kept import timestamp
from mineproof.history.opening import InStore
from mineproof.history.store import Change, Rated
from mineproof.practice.judging import Answer
from mineproof.practice.puzzles import GUESS, LABELS, TECHNIQUES
from mineproof.practice.rating import Rating

SCHEMA = "mineproof/standing/1"
SOMEBODY = ""  # the player who has no name: whoever uses this machine
NEAREST = 2  # techniques of about the player's strength, one of which is asked

START = {
    "single-open": 700.0,
    "single-flag": 800.0,
    "partition": 1200.0,
    "bounds": 1400.0,
    "elimination": 1700.0,
    "contradiction": 1800.0,
    "total": 1600.0,
    "exhaustive": 2000.0,
    GUESS: 1900.0,
}
START_DEVIATION = 150.0


@dataclass(frozen=True, slots=True)
class Standing:
    """How a player stands; see `Training`.

    ``streak`` is how many of the last answers were right in a row, ``best_streak`` the most there were;
    ``daily_streak`` is how many days in a row, up to today or yesterday, the daily puzzle was answered rightly.
    """

    rating: Rating
    answers: int
    right: int
    streak: int
    best_streak: int
    daily_streak: int

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/standing/1`` shape."""
        return {
            "schema": SCHEMA,
            "rating": self.rating.rating,
            "deviation": self.rating.deviation,
            "volatility": self.rating.volatility,
            "answers": self.answers,
            "right": self.right,
            "streak": self.streak,
            "best_streak": self.best_streak,
            "daily_streak": self.daily_streak,
        }


class Training(InStore):
    """Answers to puzzles, in the file of a `History`, which several programs and threads may use at once.

    >>> from tempfile import TemporaryDirectory
    >>> from mineproof.practice.finding import puzzle
    >>> from mineproof.practice.judging import answer
    >>> asked = puzzle("single-open", seed=1)
    >>> with TemporaryDirectory() as folder, Training.open(folder) as training:
    ...     before = training.standing().rating.rating
    ...     counted = training.add(answer(asked, min(asked.solution)))
    ...     again = training.add(answer(asked, min(asked.solution)))
    ...     standing = training.standing()
    >>> before, counted, again, standing.answers, standing.streak, standing.rating.rating > before
    (1500.0, True, False, 1, 1, True)
    """

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """The answers in a file or folder, by default those of ``mineproof puzzle``; errors are those of a history."""
        return super().open(path)

    def add(self, answer: Answer, *, player: str = SOMEBODY, when: datetime | None = None) -> bool:
        """Count an answer; False, and nothing is changed, if it does not count.

        That is the case where the player has answered the same puzzle before, and where the cell is certain by a harder
        technique, so that the answer is neither right nor wrong.
        """
        checks.instance("answer", answer, Answer, "answer makes one")
        checks.instance("player", player, str)
        if answer.verdict == "harder":
            return False
        asked = answer.puzzle
        moment = datetime.now(UTC) if when is None else checks.instance("when", when, datetime)
        values = {
            "answered": timestamp(moment),
            "player": player,
            "technique": asked.technique,
            "level": asked.level,
            "seed": str(asked.seed),
            "day": None if asked.day is None else asked.day.isoformat(),
            "answer_row": answer.cell[0],
            "answer_column": answer.cell[1],
            "was_right": answer.right,
        }
        return self._store.rate(values, _rated(Rating()), _rated(_start(asked.technique)), _played(answer.right))

    def standing(self, player: str = SOMEBODY, *, day: date | None = None) -> Standing:
        """How a player stands; ``day`` is today in UTC if left out."""
        checks.instance("player", player, str)
        today = datetime.now(UTC).date() if day is None else checks.instance("day", day, date)
        results = self._store.puzzle_results(player)
        best = streak = 0
        for right in results:
            streak = streak + 1 if right else 0
            best = max(best, streak)
        daily = _days_in_a_row({date.fromisoformat(each) for each in self._store.puzzle_days(player)}, today)
        kept = self._store.ratings("player").get(player)
        rating = Rating() if kept is None else Rating(*kept)
        return Standing(rating, len(results), sum(results), streak, best, daily)

    def ratings(self) -> dict[str, Rating]:
        """How hard each technique is, the easiest of the ladder first."""
        kept = self._store.ratings("puzzle")
        return {name: Rating(*kept[name]) if name in kept else _start(name) for name in TECHNIQUES}

    def techniques_json(self) -> list[dict[str, object]]:
        """What can be practised, the easiest of the ladder first: name, words, and how hard it is."""
        return [
            {"name": name, "label": LABELS[name], "rating": rating.rating, "deviation": rating.deviation}
            for name, rating in self.ratings().items()
        ]

    def next_technique(self, seed: int, *, player: str = SOMEBODY) -> str:
        """What to ask a player: one of the techniques nearest in rating, which the seed decides."""
        own = self.standing(player).rating.rating
        ratings = self.ratings()
        near = sorted(TECHNIQUES, key=lambda name: abs(ratings[name].rating - own))[:NEAREST]
        return near[Random(derive(checks.seed("seed", seed), PUZZLES), len(TECHNIQUES) + 1).below(len(near))]


def _start(technique: str) -> Rating:
    return Rating(START[technique], START_DEVIATION)


def _rated(rating: Rating) -> Rated:
    return Rated(rating.rating, rating.deviation, rating.volatility)


def _played(right: bool) -> Change:
    """Both ratings after an answer."""

    def change(player: Rated, puzzle: Rated) -> tuple[Rated, Rated]:
        one, other = Rating(*player), Rating(*puzzle)
        score = 1.0 if right else 0.0
        return _rated(one.after([(other, score)])), _rated(other.after([(one, 1.0 - score)]))

    return change


def _days_in_a_row(days: set[date], today: date) -> int:
    """Days without a gap that end today, or yesterday: today's may still come."""
    last = today if today in days else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in days:
        count += 1
    return count
