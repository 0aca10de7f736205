"""JSON documents about leagues."""

from typing import Literal, TypedDict

from mineproof.base.wire import IntervalJson
from mineproof.simulation.wire import DifferenceJson, ForfeitJson, GamesOfSeriesJson, PlayersDifferenceJson


class LeagueRowJson(TypedDict):
    """A player of a league; ``behind`` is the difference from the best one."""

    strategy: str
    games: int
    win_rate: float | None
    interval: IntervalJson
    behind: DifferenceJson | None
    forfeits: int
    first_forfeits: list[ForfeitJson]
    seconds_per_game: float | None


class LeagueJson(GamesOfSeriesJson):
    """Players on the same layouts, the best first."""

    schema: Literal["mineproof/league/1"]
    weighted: bool
    asked: int
    games: int
    complete: bool
    players: list[LeagueRowJson]
    differences: list[PlayersDifferenceJson]
