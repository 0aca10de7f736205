"""Results of survival-weighted games: win rates of strategies, their differences, and their JSON.

A plain game is won or lost. In a survival-weighted game every guess is survived, and the weight of the game is the
product of the survival chances of its guesses. native/src/survival.cpp explains why the mean weight is the win rate.
Strategies that play the same games see the same mines wherever possible, so the difference of their weights is far more
precise than either win rate.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.simulation.estimates import Estimate, estimate
from mineproof.simulation.forfeits import NO_FORFEITS, Forfeits, ForfeitsDocument
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import ratio
from mineproof.simulation.series import Series, SeriesDocument

if TYPE_CHECKING:
    from mineproof.simulation.wire import DifferenceJson, TournamentJson, WeightedPlayerJson

SCHEMA: Final = "mineproof/tournament/1"

WEIGHT = np.dtype("<f8")


@dataclass(frozen=True, kw_only=True, repr=False)
class WeightedGames(Series):
    """Survival-weighted games of one strategy, starting with ``first_game``. ``data`` holds their weights, 0 to 1.

    ``blind`` counts guesses in positions too large to count; there the layout decided, as in a plain game. Games that a
    bot forfeited weigh nothing. Two objects are equal if everything except their running time is equal.
    """

    first_game: int
    data: bytes = b""
    blind: int = 0
    forfeits: Forfeits = NO_FORFEITS
    cpu_seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.mines)
        rate = _format_estimate(self.estimate)
        return f"<WeightedGames of {board}: {self.strategy}, {plural(self.games, 'game')}{rate}>"

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.data) // WEIGHT.itemsize

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Weight of each game. Read-only."""
        return np.frombuffer(self.data, dtype=WEIGHT)

    @property
    def estimate(self) -> Estimate:
        """Mean weight, which is the win rate, with its standard error."""
        return estimate(self.weights, Interval(0.0, 1.0))

    @property
    def win_rate(self) -> float | None:
        """Estimated win rate; None before the first game is finished."""
        return self.estimate.value

    @property
    def standard_error(self) -> float | None:
        """Standard error of the win rate; None with fewer than two games."""
        return self.estimate.standard_error

    @property
    def interval(self) -> Interval:
        """95 % confidence interval of the win rate."""
        return self.estimate.interval

    @property
    def cpu_seconds_per_game(self) -> float | None:
        """Mean processor time per game, or None without games."""
        return ratio(self.cpu_seconds, self.games)


@dataclass(frozen=True, repr=False)
class Tournament:
    """Strategies that played the same survival-weighted games, at most ``asked`` of them.

    With ``until`` a tournament ends early: when the difference of every two strategies (for one strategy: its win rate)
    has a standard error of at most ``until`` percentage points.
    """

    players: tuple[WeightedGames, ...]
    asked: int
    until: float | None = None
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        names = " and ".join(player.strategy for player in self.players)
        apart = _format_estimate(self.difference(), "points", "+") if len(self.players) > 1 else ""
        return f"<Tournament of {names}: {plural(self.games, 'game')}{apart}>"

    @property
    def games(self) -> int:
        """Number of games that every player has played."""
        return self.players[0].games

    @property
    def seed(self) -> int:
        """Seed of the layouts."""
        return self.players[0].seed

    @property
    def is_complete(self) -> bool:
        """Were all requested games played, or is the result precise enough?"""
        return self.games >= self.asked or self.is_sure

    @property
    def is_sure(self) -> bool:
        """Are all standard errors at most ``until``?"""
        if self.until is None:
            return False
        return all(estimate.is_within(self.until / 100) for estimate in self._deciding_estimates())

    def difference(self, first: int = 0, second: int = 1) -> Estimate:
        """Return the win rate of one player minus that of another, given by their positions in ``players``."""
        weights = self.players[first].weights - self.players[second].weights
        return estimate(weights, Interval(-1.0, 1.0))

    def _deciding_estimates(self) -> Iterator[Estimate]:
        """Yield the estimates that ``until`` applies to."""
        if len(self.players) == 1:
            yield self.players[0].estimate
        for pair in combinations(range(len(self.players)), 2):
            yield self.difference(*pair)

    # JSON

    def as_json(self) -> TournamentJson:
        """Return the ``mineproof/tournament/1`` object."""
        return {
            "schema": SCHEMA,
            **self.players[0].games_json(),
            "first_game": self.players[0].first_game,
            "asked": self.asked,
            "until": self.until,
            "games": self.games,
            "players": [_player_json(player) for player in self.players],
            "differences": [
                {
                    "strategies": [self.players[place].strategy for place in pair],
                    **difference_json(self.difference(*pair)),
                }
                for pair in combinations(range(len(self.players)), 2)
            ],
            "seconds": self.seconds,
        }

    def to_json(self) -> str:
        """Return one line of JSON for `from_json`: `as_json` plus the weight of each game."""
        document = self.as_json()
        for entry, player in zip(document["players"], self.players, strict=True):
            entry["weights"] = base64.b64encode(player.data).decode("ascii")
        return msgspec.json.encode(document).decode("utf-8")

    @staticmethod
    def from_json(text: str | bytes) -> Tournament:
        """Parse the output of `to_json`; BoardSyntaxError names the invalid key."""
        try:
            return _tournament(_read_document(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None


def _format_estimate(mean: Estimate, unit: str = "%", sign: str = "") -> str:
    """Return an estimate for the end of a repr."""
    if mean.value is None:
        return ""
    low, high = (f"{100 * end:{sign}.2f}" for end in mean.interval)
    return f", {100 * mean.value:{sign}.2f} {unit} ({low} to {high})"


def _player_json(player: WeightedGames) -> WeightedPlayerJson:
    estimate, forfeits = player.estimate, player.forfeits.as_json()
    document: WeightedPlayerJson = {
        "strategy": player.strategy,
        "win_rate": estimate.value,
        "standard_error": estimate.standard_error,
        "interval": list(estimate.interval),
        "deviation": estimate.deviation,
        "blind": player.blind,
        "cpu_seconds": player.cpu_seconds,
    }
    return document if forfeits is None else document | {"forfeits": forfeits}


def difference_json(difference: Estimate) -> DifferenceJson:
    """Return the JSON of a difference of two win rates."""
    return {
        "difference": difference.value,
        "standard_error": difference.standard_error,
        "interval": list(difference.interval),
        "deviation": difference.deviation,
    }


class _PlayerDocument(msgspec.Struct, kw_only=True):
    strategy: str
    blind: int
    cpu_seconds: float
    weights: str
    forfeits: ForfeitsDocument | None = None


class _TournamentDocument(SeriesDocument, tag_field="schema", tag=SCHEMA, kw_only=True):
    """The stored keys; the other keys follow from them."""

    first_game: int
    asked: int
    until: float | None
    games: int
    players: list[_PlayerDocument]
    seconds: float


# Created at import: msgspec crashes if two threads create a decoder at once.
_read_document = msgspec.json.Decoder(_TournamentDocument).decode


def _tournament(document: _TournamentDocument) -> Tournament:
    if not document.players:
        raise BoardSyntaxError("expected one or more entries in `players`, got none")
    players = tuple(
        WeightedGames(
            **document.parts(),
            strategy=player.strategy,
            first_game=document.first_game,
            data=_data(player, document.games),
            blind=player.blind,
            forfeits=NO_FORFEITS if player.forfeits is None else player.forfeits.forfeits(),
            cpu_seconds=player.cpu_seconds,
        )
        for player in document.players
    )
    return Tournament(players, document.asked, document.until, document.seconds)


def _data(player: _PlayerDocument, games: int) -> bytes:
    data = base64.b64decode(player.weights, validate=True)
    if len(data) != games * WEIGHT.itemsize:
        raise BoardSyntaxError(
            f"expected {WEIGHT.itemsize} bytes in `weights` for each of {games} games, got {len(data)} in all"
        )
    weights = np.frombuffer(data, dtype=WEIGHT)
    if not ((weights >= 0) & (weights <= 1)).all():  # NaN is neither
        raise BoardSyntaxError("expected numbers from 0 to 1 in `weights`, got another one")
    return data
