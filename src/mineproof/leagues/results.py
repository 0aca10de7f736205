"""The results of a league: win rates, differences, time per game, and their JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base.words import plural
from mineproof.errors import BoardSyntaxError
from mineproof.simulation.estimates import Estimate, estimate
from mineproof.simulation.forfeits import Forfeits
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import Simulation
from mineproof.simulation.weighted_results import Tournament, WeightedGames, difference_json

if TYPE_CHECKING:
    from mineproof.leagues.wire import LeagueJson, LeagueRowJson

SCHEMA: Final = "mineproof/league/1"


class LeagueRow(NamedTuple):
    """One player of the table: its place in the order of the players, and its results.

    ``behind`` is its win rate minus that of the best player, on the same games; None for the best. ``seconds`` is the
    time per game: processor time, and for a bot also the time that the host waited for it.
    """

    number: int
    strategy: str
    games: int
    win_rate: float
    interval: Interval
    behind: Estimate | None
    forfeits: int
    seconds: float


@dataclass(frozen=True, repr=False)
class League:
    """Players on the same layouts, in plain games (``simulations``) or survival-weighted ones (``tournament``).

    ``programs`` has the name and the version that each bot states. ``goal`` is the number of
    games of each player.
    """

    goal: int
    simulations: tuple[Simulation, ...]
    tournament: Tournament | None = None
    programs: tuple[tuple[str, str, str], ...] = ()

    def __repr__(self) -> str:
        kind = "weighted " if self.is_weighted else ""
        return f"<League of {plural(len(self.players), 'player')}: {self.games:,} {kind}games each>"

    @property
    def is_weighted(self) -> bool:
        """Are the games survival-weighted?"""
        return self.tournament is not None

    @property
    def players(self) -> Sequence[Simulation | WeightedGames]:
        """The games of each player, in the given order."""
        return self.simulations if self.tournament is None else self.tournament.players

    @property
    def games(self) -> int:
        """The number of games that every player has played."""
        return min(player.games for player in self.players)

    @property
    def is_complete(self) -> bool:
        """Has every player played all its games?"""
        return self.games == self.goal

    def difference(self, first: int, second: int) -> Estimate:
        """Return the win rate of one player minus that of another on the games that both have played."""
        one, other = _results(self.players[first]), _results(self.players[second])
        games = min(len(one), len(other))
        return estimate(one[:games] - other[:games], Interval(-1.0, 1.0))

    def table(self) -> list[LeagueRow]:
        """Return the players that have played, the best first."""
        order = sorted(
            (number for number, player in enumerate(self.players) if player.games),
            key=lambda number: (-(self.players[number].win_rate or 0.0), number),
        )
        return [self._row(number, order[0]) for number in order]

    def _row(self, number: int, best: int) -> LeagueRow:
        player = self.players[number]
        return LeagueRow(
            number,
            player.strategy,
            player.games,
            player.win_rate or 0.0,
            player.interval,
            None if number == best else self.difference(number, best),
            player.forfeits.total,
            player.cpu_seconds_per_game or 0.0,
        )

    # JSON

    def as_json(self) -> LeagueJson:
        """Return the ``mineproof/league/1`` object: the series, the table, and every difference."""
        pairs = [(first, second) for second in range(len(self.players)) for first in range(second)]
        return {
            "schema": SCHEMA,
            **self.players[0].games_json(),
            "weighted": self.is_weighted,
            "asked": self.goal,
            "games": self.games,
            "complete": self.is_complete,
            "players": [_row_json(row, self.players[row.number].forfeits) for row in self.table()],
            "differences": [
                {
                    "strategies": [self.players[first].strategy, self.players[second].strategy],
                    **difference_json(self.difference(first, second)),
                }
                for first, second in pairs
            ],
        }

    def to_json(self) -> str:
        """Return JSON for `from_json`, with the outcome of every game."""
        played = [self.tournament] if self.tournament is not None else list(self.simulations)
        document = {
            "schema": f"{SCHEMA}+games",
            "weighted": self.is_weighted,
            "goal": self.goal,
            "programs": self.programs,
            "results": [msgspec.Raw(result.to_json().encode()) for result in played],
        }
        return msgspec.json.encode(document).decode("utf-8")

    @staticmethod
    def from_json(text: str | bytes) -> League:
        """Parse the output of `to_json`; BoardSyntaxError says what is wrong."""
        try:
            document = _read_document(text)
            results = [bytes(result) for result in document.results]
            if document.weighted:
                (tournament,) = map(Tournament.from_json, results)
                return League(document.goal, (), tournament, tuple(document.programs))
            return League(document.goal, tuple(map(Simulation.from_json, results)), None, tuple(document.programs))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None


class _LeagueDocument(msgspec.Struct, tag_field="schema", tag=f"{SCHEMA}+games", kw_only=True):
    weighted: bool
    goal: int
    programs: list[tuple[str, str, str]]
    results: list[msgspec.Raw]


# Created at import: msgspec crashes if two threads create a decoder at once.
_read_document = msgspec.json.Decoder(_LeagueDocument).decode


def _results(player: Simulation | WeightedGames) -> npt.NDArray[np.float64]:
    """Return the result of each game: 1 or 0, or its weight."""
    return player.won.astype(np.float64) if isinstance(player, Simulation) else player.weights


def _row_json(row: LeagueRow, forfeits: Forfeits) -> LeagueRowJson:
    return {
        "strategy": row.strategy,
        "games": row.games,
        "win_rate": row.win_rate,
        "interval": list(row.interval),
        "behind": None if row.behind is None else difference_json(row.behind),
        "forfeits": row.forfeits,
        "first_forfeits": [{"game": forfeit.game, "reason": forfeit.reason} for forfeit in forfeits.first],
        "seconds_per_game": row.seconds,
    }
