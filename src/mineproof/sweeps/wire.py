"""JSON documents about sweeps."""

from typing import Literal, TypedDict

from mineproof.base.wire import PairJson
from mineproof.bench.wire import PlaySignatureJson
from mineproof.simulation.wire import SeriesJson, SimulationJson


class SweepJson(TypedDict):
    """Simulations in the order of the options."""

    schema: Literal["mineproof/sweep/1"]
    configurations: list[SimulationJson]


class PackageJson(TypedDict):
    """The installed package that provides a strategy."""

    name: str
    version: str


class ConfigurationJson(SeriesJson):
    """A series of games in units."""

    package: PackageJson | None
    weighed: bool
    unit: int
    record: list[PairJson]


class PlanJson(TypedDict):
    """What a sweep plays."""

    schema: Literal["mineproof/plan/1"]
    version: str
    signature: PlaySignatureJson
    games: int
    until: float | None
    configurations: list[ConfigurationJson]
