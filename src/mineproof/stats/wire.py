"""JSON documents about files of games."""

from typing import Literal, TypedDict


class MeasureSummaryJson(TypedDict):
    """One measure over many layouts or games; ``quantiles`` by their level, such as ``0.5``."""

    count: int
    mean: float
    min: float
    quantiles: dict[str, float]
    max: float


class StatsJson(TypedDict):
    """Measures of many layouts and games by name; those without values are left out."""

    schema: Literal["mineproof/stats/1"]
    layouts: int
    games: int
    won: int
    lost: int
    unread: int
    numbers: dict[str, MeasureSummaryJson]
