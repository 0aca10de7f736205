"""How well a player does at puzzles: ratings, streaks and the next technique, stored in the file of the history.

Only the first answer of a player to a puzzle counts. It is a game of Glicko-2 between the player and the technique.
Both ratings change in one transaction, so several programs may do so at once. The start ratings of techniques in
`START` are not measured: they follow the order of the ladder, and answers correct them. A player starts at the rating
of the easiest technique, with a large deviation, so the first answers move the rating quickly. It is provisional until
the deviation is small. Ratings that were stored when players still started at 1500 stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from os import PathLike
from statistics import median
from typing import TYPE_CHECKING, Final, Self, cast

from mineproof.base import checks
from mineproof.base.rng import PUZZLES, Random, derive
from mineproof.history.connection import StoreClient
from mineproof.history.game_row import timestamp
from mineproof.history.store import RatingChange, StoredAnswer, StoredRating
from mineproof.practice.answers import Answer
from mineproof.practice.puzzles import START, TECHNIQUES, technique_label
from mineproof.practice.rating import Rating
from mineproof.practice.runs import RUN_MODES, Run, RunMode
from mineproof.practice.search import LEVEL as DAILY_LEVEL
from mineproof.practice.search import WEEK
from mineproof.practice.variety import RECENT_SHAPES, puzzle_shape

if TYPE_CHECKING:
    from mineproof.practice.wire import (
        DailyJson,
        DailyResultJson,
        DashboardJson,
        DayResultsJson,
        FailedPuzzleJson,
        StandingJson,
        TechniqueRatingJson,
        TechniqueResultsJson,
    )

SCHEMA: Final = "mineproof/standing/1"
DASHBOARD_SCHEMA: Final = "mineproof/dashboard/1"
DAILY_SCHEMA: Final = "mineproof/daily/1"
UNNAMED_PLAYER = ""  # the player at this machine
NEAREST_TECHNIQUES = 2  # techniques closest to the player's rating, one of which comes next
START_DEVIATION = 150.0  # of techniques
START_PLAYER = Rating(700.0, 350.0)
PROVISIONAL_DEVIATION = 110.0  # a rating with a larger deviation is provisional
DASHBOARD_DAYS = 14
DASHBOARD_FAILED = 50  # puzzles to retry, at most
RATED_ANSWERS = 200  # latest answers by one technique that its rating depends on


@dataclass(frozen=True, slots=True)
class Standing:
    """Rating and streaks of a player; see `Training`.

    ``streak`` is the current number of right answers in a row, ``best_streak`` the highest so far. ``daily_streak`` is
    the number of days in a row, up to today or yesterday, with a right answer to the daily puzzle.
    """

    rating: Rating
    answers: int
    right: int
    streak: int
    best_streak: int
    daily_streak: int

    @property
    def provisional(self) -> bool:
        """Is the rating still uncertain, because there are few answers?"""
        return self.rating.deviation > PROVISIONAL_DEVIATION

    def as_json(self) -> StandingJson:
        """The ``mineproof/standing/1`` shape."""
        return {
            "schema": SCHEMA,
            "rating": self.rating.rating,
            "deviation": self.rating.deviation,
            "volatility": self.rating.volatility,
            "provisional": self.provisional,
            "answers": self.answers,
            "right": self.right,
            "streak": self.streak,
            "best_streak": self.best_streak,
            "daily_streak": self.daily_streak,
        }


class Training(StoreClient):
    """Answers to puzzles in the file of a `History`. Several programs and threads may use it at once.

    >>> from tempfile import TemporaryDirectory
    >>> from mineproof.practice.search import puzzle
    >>> from mineproof.practice.answers import answer
    >>> task = puzzle("single-open", seed=1)
    >>> with TemporaryDirectory() as folder, Training.open(folder) as training:
    ...     before = training.standing().rating.rating
    ...     counted = training.add(answer(task, min(task.solution)))
    ...     again = training.add(answer(task, min(task.solution)))
    ...     standing = training.standing()
    >>> before, counted, again, standing.answers, standing.streak, standing.rating.rating > before
    (700.0, True, False, 1, 1, True)
    """

    @classmethod
    def open(cls, path: str | PathLike[str] | None = None) -> Self:
        """Open the answers in a file or folder, by default those of ``mineproof puzzle``. Raises HistoryError."""
        return super().open(path)

    def add(
        self,
        answer: Answer,
        *,
        player: str = UNNAMED_PLAYER,
        when: datetime | None = None,
        ms: int | None = None,
        run: Run | None = None,
    ) -> bool:
        """Count an answer. Returns False and changes nothing if it does not count.

        An answer does not count if the player has answered the same puzzle before, or if the cell is certain only by a
        harder technique, so that the answer is neither right nor wrong. ``ms`` is how long the player took. An answer
        in a ``run`` changes the score of the run instead of the rating, and does not count when the run is over.
        """
        checks.instance("answer", answer, Answer, "answer makes one")
        checks.instance("player", player, str)
        moment = datetime.now(UTC) if when is None else checks.instance("when", when, datetime)
        if answer.verdict == "harder" or (run is not None and not run.takes_answers(moment)):
            return False
        puzzle = answer.puzzle
        values = {
            "answered": timestamp(moment),
            "player": player,
            "technique": puzzle.technique,
            "level": puzzle.level,
            "seed": str(puzzle.seed),
            "day": None if puzzle.day is None else puzzle.day.isoformat(),
            "answer_row": answer.cell[0],
            "answer_column": answer.cell[1],
            "was_right": answer.right,
            "ms": ms,
            "shape": puzzle_shape(puzzle),
            "board": str(puzzle.board),
            "run": None if run is None else run.id,
        }
        player_start, puzzle_start = _stored_rating(START_PLAYER), _stored_rating(_start_rating(puzzle.technique))
        change = _rating_change(answer.right) if run is None else None
        return self._store.rate(values, player_start, puzzle_start, change)

    def solve_later(self, answer: Answer, *, player: str = UNNAMED_PLAYER, when: datetime | None = None) -> bool:
        """Take a puzzle off the list of failed ones, if this answer to it is right. The rating stays."""
        moment = datetime.now(UTC) if when is None else when
        puzzle = answer.puzzle
        name = puzzle.technique, puzzle.level, str(puzzle.seed)
        return answer.right and self._store.solve_later(player, *name, timestamp(moment))

    def standing(self, player: str = UNNAMED_PLAYER, *, day: date | None = None) -> Standing:
        """Return the rating and streaks of a player; ``day`` defaults to today in UTC."""
        checks.instance("player", player, str)
        today = datetime.now(UTC).date() if day is None else checks.instance("day", day, date)
        results = self._store.puzzle_results(player)
        best = streak = 0
        for right in results:
            streak = streak + 1 if right else 0
            best = max(best, streak)
        daily = _count_days_in_a_row({date.fromisoformat(text) for text in self._store.puzzle_days(player)}, today)
        stored = self._store.player_rating(player)
        rating = START_PLAYER if stored is None else Rating(*stored)
        return Standing(rating, len(results), sum(results), streak, best, daily)

    def ratings(self) -> dict[str, Rating]:
        """Return the rating of each technique, in the order of the ladder."""
        stored = self._store.puzzle_ratings()
        return {name: Rating(*stored[name]) if name in stored else _start_rating(name) for name in TECHNIQUES}

    def techniques_json(self, player: str = UNNAMED_PLAYER) -> list[TechniqueRatingJson]:
        """Return the techniques as JSON, the easiest first: name, label, rating and right answers of the player."""
        right = self._store.right_answers(player)
        return [
            {"name": name, "label": technique_label(name), "rating": rating.rating, "deviation": rating.deviation,
             "right": right.get(name, 0)}
            for name, rating in self.ratings().items()
        ]  # fmt: skip

    def next_technique(self, seed: int, *, player: str = UNNAMED_PLAYER) -> str:
        """Choose the next technique for a player: one of those nearest in rating, drawn by the seed."""
        player_rating = self.standing(player).rating.rating
        ratings = self.ratings()
        near = sorted(TECHNIQUES, key=lambda name: abs(ratings[name].rating - player_rating))[:NEAREST_TECHNIQUES]
        return near[Random(derive(checks.seed("seed", seed), PUZZLES), len(TECHNIQUES) + 1).below(len(near))]

    # variety

    def recent_shapes(self, player: str = UNNAMED_PLAYER) -> list[str]:
        """Return the shapes of the puzzles that a player answered last; see `mineproof.practice.variety`."""
        return [row.shape for row in self._store.answers(player, RECENT_SHAPES) if row.shape is not None]

    def answered_seeds(self, technique: str, level: str, *, player: str = UNNAMED_PLAYER) -> set[int]:
        """Return the seeds of the puzzles of a technique and level that a player has answered."""
        rows = self._store.answers(player)
        return {int(row.seed) for row in rows if (row.technique, row.level) == (technique, level)}

    def answered_board(self, technique: str, level: str, seed: int, *, player: str = UNNAMED_PLAYER) -> str | None:
        """Return the position of a puzzle that a player has answered; None if it is not stored."""
        return self._store.answered_board(player, technique, level, str(seed))

    # runs

    def start_run(
        self, mode: RunMode, level: str, *, player: str = UNNAMED_PLAYER, when: datetime | None = None
    ) -> Run:
        """Start a streak or a storm."""
        checks.one_of("mode", mode, RUN_MODES)
        moment = datetime.now(UTC) if when is None else when
        run_id = self._store.start_run(player, mode, level, timestamp(moment))
        return self.run(run_id, player=player)

    def run(self, run_id: int, *, player: str = UNNAMED_PLAYER) -> Run:
        """Return a run of a player. Raises LookupError if there is no such run."""
        stored = self._store.run(player, run_id)
        if stored is None:
            raise LookupError(f"There is no run {run_id}.")
        return Run.from_stored(stored)

    def best_scores(self, player: str = UNNAMED_PLAYER) -> dict[RunMode, int]:
        """Return the best score of each mode, 0 if there is none."""
        runs = self._store.runs(player)
        return {mode: max((run.score for run in runs if run.mode == mode), default=0) for mode in RUN_MODES}

    # what a player sees of all this

    def dashboard_json(self, player: str = UNNAMED_PLAYER, *, day: date | None = None) -> DashboardJson:
        """Return the ``mineproof/dashboard/1`` shape: results by technique and by day, failed puzzles, best runs."""
        today = datetime.now(UTC).date() if day is None else day
        answers = self._store.answers(player)
        runs = [run for run in self._store.runs(player) if run.score or run.mistakes]
        days = [today - timedelta(days=back) for back in reversed(range(DASHBOARD_DAYS))]
        return {
            "schema": DASHBOARD_SCHEMA,
            "standing": self.standing(player, day=today).as_json(),
            "techniques": [_technique_json(name, [row for row in answers if row.technique == name])
                           for name in TECHNIQUES],
            "days": [_day_json(shown, [row for row in answers if row.answered.startswith(shown.isoformat())])
                     for shown in days],
            "failed": [_failed_json(row) for row in answers if not row.was_right and row.solved_later is None]
                      [:DASHBOARD_FAILED],
            "best": self.best_scores(player),
            "runs": [{"mode": cast("RunMode", run.mode), "level": run.level, "started": run.started, "score": run.score,
                      "mistakes": run.mistakes} for run in runs[:10]],
        }  # fmt: skip

    def daily_json(self, month: date, player: str = UNNAMED_PLAYER, *, day: date | None = None) -> DailyJson:
        """Return the ``mineproof/daily/1`` shape: the daily puzzles of a month that a player has answered."""
        today = datetime.now(UTC).date() if day is None else day
        days: list[DailyResultJson] = []
        for row in reversed(self._store.answers(player)):
            answered_day = _daily_date(row)
            if answered_day is not None and (answered_day.year, answered_day.month) == (month.year, month.month):
                days.append({
                    "date": answered_day.isoformat(), "right": row.was_right, "on_time": row.day is not None,
                    "ms": row.ms, "solved": row.was_right or row.solved_later is not None,
                })  # fmt: skip
        streak = self.standing(player, day=today).daily_streak
        return {
            "schema": DAILY_SCHEMA,
            "month": f"{month:%Y-%m}",
            "today": today.isoformat(),
            "days": days,
            "daily_streak": streak,
        }


def _daily_date(row: StoredAnswer) -> date | None:
    """The day whose puzzle an answer is about, also if it came later; None if it is not about a daily puzzle."""
    if row.day is not None:
        return date.fromisoformat(row.day)
    if row.level != DAILY_LEVEL or not (len(row.seed) == 8 and row.seed.isdigit()):
        return None
    try:
        day = date(int(row.seed[:4]), int(row.seed[4:6]), int(row.seed[6:]))
    except ValueError:
        return None
    return day if WEEK[day.weekday()] == row.technique else None


def _technique_json(name: str, answers: list[StoredAnswer]) -> TechniqueResultsJson:
    """Results by one technique. Its rating is that of a player who has given only these answers; null without any."""
    times = [row.ms for row in answers if row.ms is not None and row.was_right]
    rating, opponent = START_PLAYER, _start_rating(name)
    for row in reversed(answers[:RATED_ANSWERS]):
        rating = rating.after([(opponent, 1.0 if row.was_right else 0.0)])
    return {
        "name": name,
        "label": technique_label(name),
        "answered": len(answers),
        "right": sum(row.was_right for row in answers),
        "median_ms": round(median(times)) if times else None,
        "rating": rating.rating if answers else None,
        "provisional": rating.deviation > PROVISIONAL_DEVIATION,
    }


def _day_json(day: date, answers: list[StoredAnswer]) -> DayResultsJson:
    return {"date": day.isoformat(), "answered": len(answers), "right": sum(row.was_right for row in answers)}


def _failed_json(row: StoredAnswer) -> FailedPuzzleJson:
    return {
        "technique": row.technique, "level": row.level, "seed": int(row.seed), "answered": row.answered,
    }  # fmt: skip


def _start_rating(technique: str) -> Rating:
    return Rating(START[technique], START_DEVIATION)


def _stored_rating(rating: Rating) -> StoredRating:
    return StoredRating(rating.rating, rating.deviation, rating.volatility)


def _rating_change(right: bool) -> RatingChange:
    """A function from both ratings before an answer to both after it."""

    def change(player: StoredRating, puzzle: StoredRating) -> tuple[StoredRating, StoredRating]:
        player_rating, puzzle_rating = Rating(*player), Rating(*puzzle)
        score = 1.0 if right else 0.0
        return (
            _stored_rating(player_rating.after([(puzzle_rating, score)])),
            _stored_rating(puzzle_rating.after([(player_rating, 1.0 - score)])),
        )

    return change


def _count_days_in_a_row(days: set[date], today: date) -> int:
    """Count days without a gap that end today or yesterday, because today's puzzle may still be answered."""
    last = today if today in days else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in days:
        count += 1
    return count
