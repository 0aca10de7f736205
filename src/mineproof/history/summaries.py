"""Statistics of the games of one level: win rate, streaks, best times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Final

from mineproof.board.geometry import Topology
from mineproof.game.rules import Fairness
from mineproof.history.game_row import KeptGame, rules_name
from mineproof.history.store import GameResult, LevelGroup
from mineproof.simulation.intervals import Interval, wilson

if TYPE_CHECKING:
    from mineproof.history.wire import LevelSummaryJson, SummaryJson

SCHEMA: Final = "mineproof/summary/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelSummary:
    """Statistics of the games of one level; see `History.summary`.

    Streaks are wins in a row; ``current_streak`` includes the last game. ``best_without_help`` and ``best_with_help``
    are the fastest wins, None if no win has a time. ``bbbv_per_second`` is the mean over won games with a time.
    """

    level: str
    topology: Topology
    fairness: Fairness
    no_guess: bool
    games: int
    wins: int
    current_streak: int
    longest_streak: int
    bbbv_per_second: float | None
    best_without_help: KeptGame | None
    best_with_help: KeptGame | None

    @property
    def win_rate(self) -> float | None:
        """Share of games won, or None without games."""
        return self.wins / self.games if self.games else None

    @property
    def interval(self) -> Interval:
        """95 % confidence interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def rules(self) -> str:
        """Special rules of the games, such as ``torus, no guess``; empty for plain rules."""
        return rules_name(self.topology, self.fairness, self.no_guess)

    def as_json(self) -> LevelSummaryJson:
        """One of the levels of the ``mineproof/summary/1`` shape."""
        return {
            "level": self.level,
            "topology": self.topology,
            "fairness": self.fairness,
            "no_guess": self.no_guess,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "interval": list(self.interval),
            "current_streak": self.current_streak,
            "longest_streak": self.longest_streak,
            "bbbv_per_second": self.bbbv_per_second,
            "best_without_help": None if self.best_without_help is None else self.best_without_help.as_json(),
            "best_with_help": None if self.best_with_help is None else self.best_with_help.as_json(),
        }


def summary_json(levels: Iterable[LevelSummary]) -> SummaryJson:
    """The ``mineproof/summary/1`` shape."""
    return {"schema": SCHEMA, "levels": [level.as_json() for level in levels]}


def summarize_level(
    group: LevelGroup, results: Sequence[GameResult], *, without_help: KeptGame | None, with_help: KeptGame | None
) -> LevelSummary:
    """Summarize games in the order in which they were played; the fastest wins are given."""
    current, longest = streaks([result.won for result in results if result.dated])
    speeds = [result.bbbv_per_second for result in results if result.bbbv_per_second is not None]
    return LevelSummary(
        level=group.level,
        topology=group.topology,
        fairness=group.fairness,
        no_guess=group.no_guess,
        games=len(results),
        wins=sum(result.won for result in results),
        current_streak=current,
        longest_streak=longest,
        bbbv_per_second=fmean(speeds) if speeds else None,
        best_without_help=without_help,
        best_with_help=with_help,
    )


def streaks(won: Sequence[bool]) -> tuple[int, int]:
    """Return the wins in a row at the end, and the longest run of wins.

    >>> streaks([True, True, True, False, True]), streaks([True, False]), streaks([])
    ((1, 3), (0, 1), (0, 0))
    """
    runs = [(kind, sum(1 for _ in run)) for kind, run in groupby(won)]
    lengths = [length for kind, length in runs if kind]
    return runs[-1][1] if runs and runs[-1][0] else 0, max(lengths, default=0)
