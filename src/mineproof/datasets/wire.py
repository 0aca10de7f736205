"""JSON documents about datasets."""

from typing import Literal, TypedDict

from mineproof.bench.wire import PlaySignatureJson
from mineproof.simulation.wire import SeriesJson


class DatasetPlanJson(SeriesJson):
    """What a dataset contains."""

    schema: Literal["mineproof/dataset-plan/1"]
    version: str
    signature: PlaySignatureJson
    positions: int
    only: str
    per_game: int | None


class DatasetJson(TypedDict):
    """A finished dataset."""

    schema: Literal["mineproof/dataset/1"]
    plan: DatasetPlanJson
    positions: int
    games: int
    stuck: int
    unanswered: int
