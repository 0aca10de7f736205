"""What became of many games: rates with their intervals, averages, and their JSON.

Counts are those of the Go simulator: a move opens a cell, with all that a zero opens, or flags a mine; a guess is an
opening that was not certain, the first click included; both are averaged over games won.

All sums are of whole numbers, logarithms among them (in units of 2⁻³²), so that parts give the same whole in whichever
order they are added.
"""

from __future__ import annotations

import base64
import math
import operator
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.simulation import arrow
from mineproof.simulation.arrow import Frame, Table
from mineproof.simulation.intervals import Interval, wilson
from mineproof.simulation.series import PARTS, Series, SeriesDocument

SCHEMA = "mineproof/simulation/1"

UNIT = 2.0**-32  # of sums of logarithms
LARGEST_SUM = 2**62


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sums over games. Those of moves, guesses and luck are over games won."""

    wins: int = 0
    moves: int = 0
    guesses: int = 0
    needless: int = 0  # guesses while some cell was certainly safe
    all_guesses: int = 0  # in all games
    survived: int = 0  # logarithm of the odds survived after the first click, in `UNIT`s
    fallbacks: int = 0  # positions of all games that were too wide to count

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(operator.add, msgspec.structs.astuple(self), msgspec.structs.astuple(other)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Totals(Series):
    """What became of games of a series, from ``first_game`` on, in sums: small, however many games there were.

    ``asked`` games were to be played; fewer were if it was broken off, or if fewer did. ``weighed`` says whether the
    strategy knows the odds of its guesses, and whether they were needed.
    """

    first_game: int
    asked: int
    games: int = 0
    tally: Tally
    weighed: bool = True

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.mines)
        low, high = (f"{100 * end:.1f}" for end in self.interval)
        rate = "" if self.win_rate is None else f", {100 * self.win_rate:.1f} % ({low} to {high})"
        won = f"{self.strategy} won {self.wins:,} of {plural(self.games, 'game')}{rate}"
        return f"<{type(self).__name__} of {board}: {won}>"

    @property
    def is_complete(self) -> bool:
        return self.games == self.asked

    @property
    def wins(self) -> int:
        return self.tally.wins

    @property
    def win_rate(self) -> float | None:
        """None before the first game is finished."""
        return ratio(self.wins, self.games)

    @property
    def interval(self) -> Interval:
        """Holds the true win rate in 95 of 100 simulations."""
        return wilson(self.wins, self.games)

    @property
    def moves_per_win(self) -> float | None:
        return ratio(self.tally.moves, self.wins)

    @property
    def guesses_per_win(self) -> float | None:
        return ratio(self.tally.guesses, self.wins)

    @property
    def forced_guesses_per_win(self) -> float | None:
        """Guesses where nothing was certain, without the first click; None if the strategy cannot tell."""
        return self._if_weighed(ratio(self.tally.guesses - self.tally.needless - self.wins, self.wins))

    @property
    def needless_guesses_per_win(self) -> float | None:
        """Guesses while some cell was certainly safe; None if the strategy cannot tell."""
        return self._if_weighed(ratio(self.tally.needless, self.wins))

    @property
    def guesses_per_game(self) -> float | None:
        """Over all games, those lost included."""
        return ratio(self.tally.all_guesses, self.games)

    @property
    def survived_odds(self) -> float | None:
        """The chance of surviving all guesses of a game that was won: the geometric mean over these games."""
        if not self.wins:
            return None
        return self._if_weighed(math.exp(self.log_first_click + self.tally.survived * UNIT / self.wins))

    @property
    def fallbacks(self) -> int:
        """Positions that were too wide to count, where a cell was chosen without odds."""
        return self.tally.fallbacks

    def _if_weighed(self, value: float | None) -> float | None:
        return value if self.weighed else None

    def to_arrow(self) -> Table:
        """A ``pyarrow.Table`` of one row: what was played, games, wins, rates. ImportError if pyarrow is missing."""
        return arrow.totals_table([self], numbered=False)

    def to_pandas(self) -> Frame:
        """The same as a ``pandas.DataFrame``."""
        return arrow.frame(self.to_arrow())

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/simulation/1`` shape."""
        return {
            "schema": SCHEMA,
            **self.series_json(),
            "first_game": self.first_game,
            "asked": self.asked,
            "weighed": self.weighed,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate,
            "interval": list(self.interval),
            "moves_per_win": self.moves_per_win,
            "guesses_per_win": self.guesses_per_win,
            "forced_guesses_per_win": self.forced_guesses_per_win,
            "needless_guesses_per_win": self.needless_guesses_per_win,
            "guesses_per_game": self.guesses_per_game,
            "survived_odds": self.survived_odds,
            "fallbacks": self.fallbacks,
            "cpu_seconds": None,
            "seconds": None,
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(Totals):
    """What became of the games of a series, one by one: ``outcomes`` has a byte for each game, 1 for a win.

    ``games`` is how many those are. Two simulations are equal when everything but the time they took is.
    """

    outcomes: bytes = field(repr=False)
    cpu_seconds: float = field(default=0.0, compare=False)
    seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "games", len(self.outcomes))

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """For each game, was it won? Read-only."""
        return np.frombuffer(self.outcomes, dtype=np.bool_)

    @property
    def cpu_seconds_per_game(self) -> float | None:
        return ratio(self.cpu_seconds, self.games)

    def to_arrow(self, *, games: bool = False) -> Table:
        """As of `Totals`; with ``games`` a row for each game: its number, and whether it was won."""
        checks.flag("games", games)
        return arrow.outcomes_table(self.first_game, self.won) if games else super().to_arrow()

    def to_pandas(self, *, games: bool = False) -> Frame:
        """The same as a ``pandas.DataFrame``."""
        return arrow.frame(self.to_arrow(games=games))

    # several in one

    def plus(self, tally: Tally, outcomes: bytes, cpu_seconds: float) -> Simulation:
        """With the games that follow, which took so long."""
        return replace(
            self,
            tally=self.tally + tally,
            outcomes=self.outcomes + outcomes,
            cpu_seconds=self.cpu_seconds + cpu_seconds,
        )

    def merge(self, other: Simulation) -> Simulation:
        """This simulation and one that goes on where it ends."""
        checks.instance("other", other, Simulation, "simulate makes one")
        end = self.first_game + self.games
        if differ := [name for name in PARTS if getattr(self, name) != getattr(other, name)]:
            raise ValueError(f"found simulations of two series, expected the same {', '.join(differ)}")
        if other.first_game != end:
            raise ValueError(f"found games from {other.first_game} on, expected those from {end} on")
        both = self.plus(other.tally, other.outcomes, other.cpu_seconds)
        return replace(both, asked=self.games + other.asked, seconds=self.seconds + other.seconds)

    # JSON

    def as_json(self) -> dict[str, object]:
        """The ``mineproof/simulation/1`` shape."""
        return super().as_json() | {"cpu_seconds": self.cpu_seconds, "seconds": self.seconds}

    def to_json(self) -> str:
        """All of it in one line, for `from_json`: the same shape with the sums and, a bit each, the games won."""
        bits = base64.b64encode(np.packbits(self.won).tobytes()).decode("ascii")
        document = self.as_json() | {"tally": self.tally, "won": bits}
        return msgspec.json.encode(document).decode("utf-8")

    @staticmethod
    def from_json(text: str | bytes) -> Simulation:
        """Read what `to_json` wrote; BoardSyntaxError names the key that is wrong."""
        try:
            return _simulation(_read_document(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None


def ratio(total: float, count: int) -> float | None:
    return total / count if count else None


class _Document(SeriesDocument, tag_field="schema", tag=SCHEMA, kw_only=True):
    """What is read back; the rest follows from it."""

    strategy: str
    first_game: int
    asked: int
    weighed: bool = True
    games: int
    cpu_seconds: float
    seconds: float
    tally: Tally
    won: str


# Made at import: msgspec crashes where two threads make one at once.
_read_document = msgspec.json.Decoder(_Document).decode


def _simulation(document: _Document) -> Simulation:
    return Simulation(
        **document.parts(),
        strategy=document.strategy,
        first_game=document.first_game,
        asked=document.asked,
        tally=_possible(document.tally),
        outcomes=_outcomes(document),
        weighed=document.weighed,
        cpu_seconds=document.cpu_seconds,
        seconds=document.seconds,
    )


def _possible(tally: Tally) -> Tally:
    """Sums that some games have: of logarithms of odds none above zero, of everything else none below."""
    counts = msgspec.structs.replace(tally, survived=-tally.survived)
    if not all(0 <= each < LARGEST_SUM for each in msgspec.structs.astuple(counts)):
        raise BoardSyntaxError("found a number in `tally` that is no sum, expected those that `to_json` wrote")
    return tally


def _outcomes(document: _Document) -> bytes:
    games, wins = document.games, document.tally.wins
    if not 0 <= games <= document.asked:
        raise BoardSyntaxError(f"found {games} in `games`, expected 0 to {document.asked}, which were asked for")
    bits = np.unpackbits(np.frombuffer(base64.b64decode(document.won, validate=True), dtype=np.uint8))
    if len(bits) != -(-games // 8) * 8 or bits[games:].any():
        raise BoardSyntaxError(f"found {len(bits)} bits in `won`, expected {games} and zeros to the end of the byte")
    if wins != bits.sum():
        raise BoardSyntaxError(f"found {wins} wins in `tally`, expected {bits.sum()} as in `won`")
    return bits[:games].tobytes()
