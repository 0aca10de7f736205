"""JSON documents about reports."""

from typing import Literal, TypedDict

from mineproof.base.wire import CountJson, IntervalJson
from mineproof.simulation.wire import ComparisonJson, SimulationJson


class ReportComparisonJson(ComparisonJson):
    """Two configurations with the same games."""

    configurations: CountJson


class CalibrationJson(TypedDict):
    """Guesses with odds between two bounds."""

    low: float
    high: float
    guesses: int
    mines: int
    stated: float
    interval: IntervalJson


class LossesJson(TypedDict):
    """How games were lost; ``moves`` and ``guesses`` are pairs of a number and the games that were lost at it."""

    games: int
    lost: int
    moves: list[CountJson]
    guesses: list[CountJson]
    cells: list[list[int]] | None
    calibration: list[CalibrationJson]


class ReportJson(TypedDict):
    """What a sweep shows."""

    schema: Literal["mineproof/report/1"]
    version: str
    complete: bool
    configurations: list[SimulationJson]
    comparisons: list[ReportComparisonJson]
    losses: list[LossesJson] | None
    left_out: list[str]
