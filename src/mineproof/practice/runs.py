"""Runs: puzzles one after the other, until the first mistake (streak) or for three minutes (storm).

The store has the start of a run, its score and its mistakes, and the server's clock decides when a storm is over. So
neither a changed clock of the player nor a second answer to the same puzzle gains anything. A run starts with the
easiest technique and gets harder as the score grows. Its answers do not change the rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, Self, get_args

from mineproof.base import checks
from mineproof.base.rng import PUZZLES, Random, derive
from mineproof.history.store import StoredRun
from mineproof.practice.puzzles import START, TECHNIQUES

if TYPE_CHECKING:
    from mineproof.practice.wire import RunJson

SCHEMA: Final = "mineproof/run/1"
STORM_SECONDS = 180.0
MISTAKE_SECONDS = 10.0  # that a mistake costs in a storm
ANSWER_GRACE_SECONDS = 1.0  # an answer that was sent in time may arrive a little later
ANSWERS_PER_RUNG = 4  # right answers after which a run gets harder

RunMode = Literal["streak", "storm"]
RUN_MODES: tuple[RunMode, ...] = get_args(RunMode)


@dataclass(frozen=True, slots=True)
class Run:
    """A streak or a storm; see `Training.start_run`."""

    id: int
    mode: RunMode
    level: str
    started: datetime
    score: int
    mistakes: int

    @classmethod
    def from_stored(cls, stored: StoredRun) -> Self:
        mode: RunMode = "storm" if stored.mode == "storm" else "streak"
        started = datetime.fromisoformat(stored.started)
        return cls(stored.id, mode, stored.level, started, stored.score, stored.mistakes)

    def seconds_left(self, now: datetime) -> float | None:
        """Seconds until a storm is over; None for a streak, which has no time limit."""
        if self.mode == "streak":
            return None
        return max(0.0, STORM_SECONDS - MISTAKE_SECONDS * self.mistakes - (now - self.started).total_seconds())

    def is_over(self, now: datetime) -> bool:
        """Has a streak had its mistake, or a storm its time?"""
        return self.mistakes > 0 if self.mode == "streak" else self.seconds_left(now) == 0.0

    def takes_answers(self, now: datetime) -> bool:
        """Does an answer that arrives now count?"""
        if self.mode == "streak":
            return self.mistakes == 0
        lasts = STORM_SECONDS - MISTAKE_SECONDS * self.mistakes + ANSWER_GRACE_SECONDS
        return (now - self.started).total_seconds() <= lasts

    def technique(self, seed: int) -> str:
        """Choose the technique of the next puzzle: one that fits the score, or the one before it, drawn by the seed."""
        by_rating = sorted(TECHNIQUES, key=START.__getitem__)
        rung = min(self.score // ANSWERS_PER_RUNG, len(by_rating) - 1)
        choices = by_rating[max(0, rung - 1) : rung + 1]
        return choices[Random(derive(checks.seed("seed", seed), PUZZLES), len(TECHNIQUES) + 2).below(len(choices))]

    def as_json(self, now: datetime) -> RunJson:
        """The ``mineproof/run/1`` shape."""
        return {
            "schema": SCHEMA,
            "id": self.id,
            "mode": self.mode,
            "level": self.level,
            "started": self.started.isoformat().replace("+00:00", "Z"),
            "score": self.score,
            "mistakes": self.mistakes,
            "seconds_left": self.seconds_left(now),
            "over": self.is_over(now),
        }
