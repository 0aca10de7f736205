"""Survival-weighted games of one or more strategies: what each wins, by how much they differ, and their JSON.

A plain game is won or lost. In a survival-weighted one no guess is lost: it is survived, and the game weighs as much as
the chances of all its guesses together (native/src/survival.cpp says why the mean weight is the win rate). Strategies
that play the same games go on with the same mines wherever they can, so the difference of their weights is known far
better than either win rate.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.simulation.estimates import Estimate, estimate
from mineproof.simulation.intervals import Interval
from mineproof.simulation.results import ratio
from mineproof.simulation.series import Series, SeriesDocument

SCHEMA = "mineproof/tournament/1"

WEIGHT = np.dtype("<f8")


@dataclass(frozen=True, kw_only=True, repr=False)
class WeightedGames(Series):
    """Survival-weighted games of one strategy, from ``first_game`` on: ``data`` has the weight of each, 0 to 1.

    ``blind`` guesses were made in positions too wide to count; the layout decided them, as in a plain game. Two are
    equal when everything but the time they took is.
    """

    first_game: int
    data: bytes = b""
    blind: int = 0
    cpu_seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.mines)
        return f"<WeightedGames of {board}: {self.strategy}, {plural(self.games, 'game')}{_shown(self.estimate)}>"

    @property
    def games(self) -> int:
        return len(self.data) // WEIGHT.itemsize

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """By game. Read-only."""
        return np.frombuffer(self.data, dtype=WEIGHT)

    @property
    def estimate(self) -> Estimate:
        """The mean weight, which is the win rate, and how sure it is."""
        return estimate(self.weights, Interval(0.0, 1.0))

    @property
    def win_rate(self) -> float | None:
        """None before the first game is finished."""
        return self.estimate.value

    @property
    def standard_error(self) -> float | None:
        """None with fewer than two games."""
        return self.estimate.standard_error

    @property
    def interval(self) -> Interval:
        """Holds the true win rate in 95 of 100 tournaments."""
        return self.estimate.interval

    @property
    def cpu_seconds_per_game(self) -> float | None:
        return ratio(self.cpu_seconds, self.games)


@dataclass(frozen=True, repr=False)
class Tournament:
    """Strategies that played the same survival-weighted games, at most ``asked`` of them.

    With ``until`` fewer are enough: they end where each two strategies' difference (a single strategy's win rate) has
    no larger a standard error, in percentage points.
    """

    players: tuple[WeightedGames, ...]
    asked: int
    until: float | None = None
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        names = " and ".join(player.strategy for player in self.players)
        apart = _shown(self.difference(), "points", "+") if len(self.players) > 1 else ""
        return f"<Tournament of {names}: {plural(self.games, 'game')}{apart}>"

    @property
    def games(self) -> int:
        return self.players[0].games

    @property
    def seed(self) -> int:
        return self.players[0].seed

    @property
    def is_complete(self) -> bool:
        return self.games >= self.asked or self.is_sure

    @property
    def is_sure(self) -> bool:
        """Are all standard errors as small as ``until`` asks for?"""
        return self.until is not None and all(each.is_within(self.until / 100) for each in self._wanted())

    def difference(self, first: int = 0, second: int = 1) -> Estimate:
        """The win rate of one player less that of another, by their places."""
        weights = self.players[first].weights - self.players[second].weights
        return estimate(weights, Interval(-1.0, 1.0))

    def _wanted(self) -> Iterator[Estimate]:
        if len(self.players) == 1:
            yield self.players[0].estimate
        for pair in combinations(range(len(self.players)), 2):
            yield self.difference(*pair)

    # JSON

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/tournament/1`` shape."""
        series = self.players[0].series_json()
        del series["strategy"]
        return {
            "schema": SCHEMA,
            **series,
            "first_game": self.players[0].first_game,
            "asked": self.asked,
            "until": self.until,
            "games": self.games,
            "players": [_player_json(player) for player in self.players],
            "differences": [
                {
                    "strategies": [self.players[place].strategy for place in pair],
                    **self.difference(*pair).as_json("difference"),
                }
                for pair in combinations(range(len(self.players)), 2)
            ],
            "seconds": self.seconds,
        }

    def to_json(self) -> str:
        """All of it in one line, for `from_json`: the same shape with the weight of each game."""
        document: dict[str, Any] = self.as_json()
        for told, player in zip(document["players"], self.players, strict=True):
            told["weights"] = base64.b64encode(player.data).decode("ascii")
        return msgspec.json.encode(document).decode("utf-8")

    @staticmethod
    def from_json(text: str | bytes) -> Tournament:
        """Read what `to_json` wrote; BoardSyntaxError names the key that is wrong."""
        try:
            return _tournament(_read_document(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None


def _shown(found: Estimate, unit: str = "%", sign: str = "") -> str:
    """An estimate at the end of a repr."""
    if found.value is None:
        return ""
    low, high = (f"{100 * end:{sign}.2f}" for end in found.interval)
    return f", {100 * found.value:{sign}.2f} {unit} ({low} to {high})"


def _player_json(player: WeightedGames) -> dict[str, object]:
    return {
        "strategy": player.strategy,
        **player.estimate.as_json("win_rate"),
        "blind": player.blind,
        "cpu_seconds": player.cpu_seconds,
    }


class _Player(msgspec.Struct, kw_only=True):
    strategy: str
    blind: int
    cpu_seconds: float
    weights: str


class _Document(SeriesDocument, tag_field="schema", tag=SCHEMA, kw_only=True):
    """What is read back; the rest follows from it."""

    first_game: int
    asked: int
    until: float | None
    games: int
    players: list[_Player]
    seconds: float


# Made at import: msgspec crashes where two threads make one at once.
_read_document = msgspec.json.Decoder(_Document).decode


def _tournament(document: _Document) -> Tournament:
    if not document.players:
        raise BoardSyntaxError("found no entry in `players`, expected one or more")
    players = tuple(
        WeightedGames(
            **document.parts(),
            strategy=player.strategy,
            first_game=document.first_game,
            data=_data(player, document.games),
            blind=player.blind,
            cpu_seconds=player.cpu_seconds,
        )
        for player in document.players
    )
    return Tournament(players, document.asked, document.until, document.seconds)


def _data(player: _Player, games: int) -> bytes:
    data = base64.b64decode(player.weights, validate=True)
    if len(data) != games * WEIGHT.itemsize:
        raise BoardSyntaxError(
            f"found {len(data)} bytes in `weights`, expected {WEIGHT.itemsize} for each of {games} games"
        )
    weights = np.frombuffer(data, dtype=WEIGHT)
    if not ((weights >= 0) & (weights <= 1)).all():  # NaN is neither
        raise BoardSyntaxError("found a number in `weights` that is no weight, expected 0 to 1")
    return data
