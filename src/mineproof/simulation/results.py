"""Results of many games: win rates with intervals, averages, and their JSON.

Moves and guesses are counted as in the Go simulator. A move opens a cell (with everything a zero opens) or flags a
mine. A guess is an opening that was not certainly safe, including the first click. Both are averaged over won games.

All sums are integers, including logarithms (in units of 2⁻³²), so the order of addition does not matter.
"""

from __future__ import annotations

import base64
import math
import operator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, cast

import msgspec
import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.simulation import arrow
from mineproof.simulation.arrow import Frame, Table
from mineproof.simulation.forfeits import NO_FORFEITS, Forfeits, ForfeitsDocument
from mineproof.simulation.intervals import Interval, wilson
from mineproof.simulation.series import PARTS, Series, SeriesDocument

if TYPE_CHECKING:
    from mineproof.simulation.wire import SimulationJson

SCHEMA: Final = "mineproof/simulation/1"

LOG_UNIT = 2.0**-32  # unit of sums of logarithms
MAX_SUM = 2**62


class Tally(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sums over games. Moves, guesses, needless guesses and odds are summed over won games only."""

    wins: int = 0
    moves: int = 0
    guesses: int = 0
    needless: int = 0  # guesses while some cell was certainly safe
    all_guesses: int = 0  # in all games
    survived: int = 0  # logarithm of the odds survived after the first click, in `LOG_UNIT`s
    fallbacks: int = 0  # positions of all games that were too large to count

    def __add__(self, other: Tally) -> Tally:
        return Tally(*map(operator.add, msgspec.structs.astuple(self), msgspec.structs.astuple(other)))


@dataclass(frozen=True, kw_only=True, repr=False)
class Totals(Series):
    """Sums over the games of a series, starting with ``first_game``. The size does not depend on the number of games.

    ``asked`` is the requested number of games. ``games`` is smaller if the run was interrupted, or if fewer games were
    enough. ``weighed`` says whether the strategy knows the odds of its guesses and whether they were forced.
    """

    first_game: int
    asked: int
    games: int = 0
    tally: Tally
    weighed: bool = True

    def __repr__(self) -> str:
        board = size(self.rows, self.columns, self.mines)
        low, high = (f"{100 * end:.1f}" for end in self.interval)
        rate = "" if not self.games else f", {100 * self.win_rate:.1f} % ({low} to {high})"
        won = f"{self.strategy} won {self.wins:,} of {plural(self.games, 'game')}{rate}"
        return f"<{type(self).__name__} of {board}: {won}>"

    @property
    def is_complete(self) -> bool:
        """Were all requested games played?"""
        return self.games == self.asked

    @property
    def wins(self) -> int:
        """Number of games won."""
        return self.tally.wins

    @property
    def win_rate(self) -> float:
        """Share of games won; NaN (null in JSON) before the first game is finished."""
        return self.wins / self.games if self.games else math.nan

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % confidence interval of the win rate."""
        return wilson(self.wins, self.games)

    @property
    def moves_per_win(self) -> float | None:
        """Mean number of moves in won games, or None without wins."""
        return ratio(self.tally.moves, self.wins)

    @property
    def guesses_per_win(self) -> float | None:
        """Mean number of guesses in won games, or None without wins."""
        return ratio(self.tally.guesses, self.wins)

    @property
    def forced_guesses_per_win(self) -> float | None:
        """Mean number of guesses in won games while no cell was certainly safe, without the first click.

        None if the strategy does not know, or without wins.
        """
        return self._if_weighed(ratio(self.tally.guesses - self.tally.needless - self.wins, self.wins))

    @property
    def needless_guesses_per_win(self) -> float | None:
        """Mean number of guesses in won games while a cell was certainly safe.

        None if the strategy does not know, or without wins.
        """
        return self._if_weighed(ratio(self.tally.needless, self.wins))

    @property
    def guesses_per_game(self) -> float | None:
        """Mean number of guesses in all games, won or lost; None without games."""
        return ratio(self.tally.all_guesses, self.games)

    @property
    def survived_odds(self) -> float | None:
        """Geometric mean over won games of the chance to survive all guesses of the game; None without wins."""
        if not self.wins:
            return None
        return self._if_weighed(math.exp(self.log_first_click + self.tally.survived * LOG_UNIT / self.wins))

    @property
    def fallbacks(self) -> int:
        """Number of positions that were too large to count, where the strategy chose a cell without odds."""
        return self.tally.fallbacks

    def _if_weighed(self, value: float | None) -> float | None:
        return value if self.weighed else None

    def to_arrow(self) -> Table:
        """Return a ``pyarrow.Table`` of one row: configuration, games, wins, rates. Needs pyarrow."""
        return arrow.totals_table([self], numbered=False)

    def to_pandas(self) -> Frame:
        """Return the row of `to_arrow` as a ``pandas.DataFrame``."""
        return arrow.frame(self.to_arrow())

    def as_json(self) -> SimulationJson:
        """Return the ``mineproof/simulation/1`` object."""
        document = {
            "schema": SCHEMA,
            **self.series_json(),
            "first_game": self.first_game,
            "asked": self.asked,
            "weighed": self.weighed,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate if self.games else None,
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
        return cast("SimulationJson", document)


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(Totals):
    """Result of the games of a series. ``outcomes`` has one byte per game, 1 for a win.

    ``forfeits`` are games that a bot lost because it crashed, was too slow or broke the engine protocol. The time that
    a bot takes counts as processor time.

    Two simulations are equal if everything except their running time is equal.
    """

    outcomes: bytes = field(repr=False)
    forfeits: Forfeits = NO_FORFEITS
    cpu_seconds: float = field(default=0.0, compare=False)
    seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "games", len(self.outcomes))

    @property
    def won(self) -> npt.NDArray[np.bool_]:
        """One bool per game: True if it was won. Read-only."""
        return np.frombuffer(self.outcomes, dtype=np.bool_)

    @property
    def cpu_seconds_per_game(self) -> float | None:
        """Mean processor time per game, or None without games."""
        return ratio(self.cpu_seconds, self.games)

    def to_arrow(self, *, games: bool = False) -> Table:
        """Return the table of `Totals.to_arrow`; with ``games`` one row per game: its number and whether it was won."""
        checks.flag("games", games)
        return arrow.outcomes_table(self.first_game, self.won) if games else super().to_arrow()

    def to_pandas(self, *, games: bool = False) -> Frame:
        """Return the table of `to_arrow` as a ``pandas.DataFrame``."""
        return arrow.frame(self.to_arrow(games=games))

    # combine simulations

    def plus(self, tally: Tally, outcomes: bytes, cpu_seconds: float, forfeits: Forfeits = NO_FORFEITS) -> Simulation:
        """Return a copy with the games that follow added."""
        return replace(
            self,
            tally=self.tally + tally,
            outcomes=self.outcomes + outcomes,
            cpu_seconds=self.cpu_seconds + cpu_seconds,
            forfeits=self.forfeits.plus(forfeits),
        )

    def merge(self, other: Simulation) -> Simulation:
        """Return this simulation and one that continues it as a single simulation."""
        checks.instance("other", other, Simulation, "simulate makes one")
        end = self.first_game + self.games
        if differ := [name for name in PARTS if getattr(self, name) != getattr(other, name)]:
            raise ValueError(f"The simulations are of different series. They must have the same {', '.join(differ)}.")
        if other.first_game != end:
            raise ValueError(f"expected a simulation that starts with game {end}, got one from game {other.first_game}")
        both = self.plus(other.tally, other.outcomes, other.cpu_seconds, other.forfeits)
        return replace(both, asked=self.games + other.asked, seconds=self.seconds + other.seconds)

    # JSON

    def as_json(self) -> SimulationJson:
        """Return the ``mineproof/simulation/1`` object."""
        document = super().as_json() | {"cpu_seconds": self.cpu_seconds, "seconds": self.seconds}
        forfeits = self.forfeits.as_json()
        return document if forfeits is None else document | {"forfeits": forfeits}

    def to_json(self) -> str:
        """Return one line of JSON for `from_json`: `as_json` plus the sums and one bit per game, 1 for a win."""
        bits = base64.b64encode(np.packbits(self.won).tobytes()).decode("ascii")
        document = self.as_json() | {"tally": self.tally, "won": bits}
        return msgspec.json.encode(document).decode("utf-8")

    @staticmethod
    def from_json(text: str | bytes) -> Simulation:
        """Parse the output of `to_json`; BoardSyntaxError names the invalid key."""
        try:
            return _simulation(_read_document(text))
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError) as error:
            raise BoardSyntaxError(f"JSON: {error}") from None


def ratio(total: float, count: int) -> float | None:
    """Return total / count, or None if the count is 0."""
    return total / count if count else None


class _SimulationDocument(SeriesDocument, tag_field="schema", tag=SCHEMA, kw_only=True):
    """The stored keys; the other keys follow from them."""

    strategy: str
    first_game: int
    asked: int
    weighed: bool = True
    games: int
    cpu_seconds: float
    seconds: float
    tally: Tally
    won: str
    forfeits: ForfeitsDocument | None = None


# Created at import: msgspec crashes if two threads create a decoder at once.
_read_document = msgspec.json.Decoder(_SimulationDocument).decode


def _simulation(document: _SimulationDocument) -> Simulation:
    return Simulation(
        **document.parts(),
        strategy=document.strategy,
        first_game=document.first_game,
        asked=document.asked,
        tally=_require_valid_tally(document.tally),
        outcomes=_outcomes(document),
        weighed=document.weighed,
        forfeits=NO_FORFEITS if document.forfeits is None else document.forfeits.forfeits(),
        cpu_seconds=document.cpu_seconds,
        seconds=document.seconds,
    )


def _require_valid_tally(tally: Tally) -> Tally:
    """Return the sums; BoardSyntaxError if one is impossible. Logarithms of odds are at most 0, the rest at least 0."""
    counts = msgspec.structs.replace(tally, survived=-tally.survived)
    if not all(0 <= count < MAX_SUM for count in msgspec.structs.astuple(counts)):
        raise BoardSyntaxError("expected the sums that `to_json` writes in `tally`, got an impossible one")
    return tally


def _outcomes(document: _SimulationDocument) -> bytes:
    games, wins = document.games, document.tally.wins
    if not 0 <= games <= document.asked:
        raise BoardSyntaxError(f"expected 0 to {document.asked} in `games` (see `asked`), got {games}")
    bits = np.unpackbits(np.frombuffer(base64.b64decode(document.won, validate=True), dtype=np.uint8))
    if len(bits) != -(-games // 8) * 8 or bits[games:].any():
        raise BoardSyntaxError(f"expected {games} bits in `won`, and zeros up to a whole byte, got {len(bits)} bits")
    if wins != bits.sum():
        raise BoardSyntaxError(f"expected {bits.sum()} wins in `tally`, as in `won`, got {wins}")
    return bits[:games].tobytes()
