"""JSON documents about analyses and layouts."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson


class PossibleNumberJson(TypedDict):
    """A number that a covered cell can show; ``chance`` is null if it is unknown."""

    number: int
    chance: float | None


class AnalysisJson(TypedDict):
    """The exact odds of a position."""

    schema: Literal["mineproof/analysis/1"]
    rows: int
    columns: int
    total_mines: int | None
    layouts: str | None
    log10_layouts: float
    mine_probability: list[list[float | None]]
    safe: list[CellJson]
    mines: list[CellJson]
    states: int
    board: BoardJson
    mine_fraction: NotRequired[list[list[str | None]]]
    numbers: NotRequired[list[PossibleNumberJson]]


class ProblemAnalysisJson(TypedDict):
    """The exact chances of the values of a problem."""

    schema: Literal["mineproof/problem-analysis/1"]
    variables: int
    constraints: int
    solutions: str | None
    weight: str | None
    log10_weight: float
    value_probability: list[list[float]]
    certain: list[list[int]]
    states: int
    value_fraction: NotRequired[list[list[str]]]


class LayoutsJson(TypedDict):
    """The number of layouts that fit. Each of the lines after it is a `MinesJson`."""

    schema: Literal["mineproof/layouts/1"]
    rows: int
    columns: int
    total_mines: int | None
    count: str | None
    board: BoardJson


class MinesJson(TypedDict):
    """One layout."""

    mines: list[CellJson]
