"""JSON documents about screenshots."""

from typing import Annotated, Literal, TypedDict

from msgspec import Meta

from mineproof.base.wire import CellJson


class MarkChanceJson(TypedDict):
    """A mark, and the chance that it is the right one."""

    mark: str
    chance: float


class DoubtJson(TypedDict):
    """Cells that look alike and may be misread."""

    cells: list[CellJson]
    mark: str
    confidence: float
    alternatives: list[MarkChanceJson]


class SizeDoubtJson(TypedDict):
    """A row or column at the border that may not belong to the board (-1), or be missing (1)."""

    side: str
    change: int
    chance: float


class ReadingJson(TypedDict):
    """A board in a screenshot."""

    schema: Literal["mineproof/reading/1"]
    rows: int
    columns: int
    cells: list[str]
    total_mines: int | None
    confidence: list[list[float]]
    box: Annotated[list[float], Meta(min_length=4, max_length=4)]
    counter: int | None
    sure: bool
    doubts: list[DoubtJson]
    size_doubts: list[SizeDoubtJson]
    certainty: float
    wrong_flags: list[CellJson]
    notes: list[str]
