"""JSON documents about simulations."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson, IntervalJson, PairJson
from mineproof.board.start import FirstClick
from mineproof.game.rules import Fairness
from mineproof.simulation.results import Tally


class GamesOfSeriesJson(TypedDict):
    """Board and rules of a series of games."""

    rows: int
    columns: int
    mines: int
    topology: str
    absent: NotRequired[list[CellJson]]
    first_click: FirstClick
    start: CellJson | Literal["random"]
    fairness: NotRequired[Fairness]
    seed: int


class SeriesJson(GamesOfSeriesJson):
    """Board, rules and strategy of a series of games."""

    strategy: str


class ForfeitJson(TypedDict):
    """A game that a bot forfeited."""

    game: int
    reason: str


class ForfeitsJson(TypedDict):
    """The number of forfeited games, and the first of them."""

    count: int
    first: list[ForfeitJson]


class SimulationJson(SeriesJson):
    """Games of one strategy; ``won`` and ``tally`` are in files and in events of the server."""

    schema: Literal["mineproof/simulation/1"]
    first_game: int
    asked: int
    weighed: bool
    games: int
    wins: int
    win_rate: float | None
    interval: IntervalJson
    moves_per_win: float | None
    guesses_per_win: float | None
    forced_guesses_per_win: float | None
    needless_guesses_per_win: float | None
    guesses_per_game: float | None
    survived_odds: float | None
    fallbacks: int
    cpu_seconds: float | None
    seconds: float | None
    forfeits: NotRequired[ForfeitsJson]
    tally: NotRequired[Tally]
    won: NotRequired[str]


class ComparisonJson(TypedDict):
    """Two strategies on the same games."""

    schema: Literal["mineproof/comparison/1"]
    strategies: PairJson
    games: int
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: float | None
    interval: IntervalJson
    simulations: NotRequired[list[SimulationJson]]


class EstimateErrorJson(TypedDict):
    """How precise an estimate is; ``deviation`` is that of one game."""

    standard_error: float | None
    interval: IntervalJson
    deviation: float | None


class DifferenceJson(EstimateErrorJson):
    """A difference of two win rates with its error."""

    difference: float | None


class PlayersDifferenceJson(DifferenceJson):
    """The win rate of one player minus that of another."""

    strategies: PairJson


class WeightedPlayerJson(EstimateErrorJson):
    """The win rate of a player with its error; ``weights`` are in files."""

    strategy: str
    win_rate: float | None
    blind: int
    cpu_seconds: float
    forfeits: NotRequired[ForfeitsJson]
    weights: NotRequired[str]


class TournamentJson(GamesOfSeriesJson):
    """Strategies on the same survival-weighted games."""

    schema: Literal["mineproof/tournament/1"]
    first_game: int
    asked: int
    until: float | None
    games: int
    players: list[WeightedPlayerJson]
    differences: list[PlayersDifferenceJson]
    seconds: float
