"""JSON documents about steps that are certain."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.wording.wire import ClauseJson


class DeductionJson(TypedDict):
    """A step; one of an older file has no ``pattern`` and no ``argument``."""

    technique: str
    safe: list[CellJson]
    mines: list[CellJson]
    because: list[CellJson]
    uses_total: bool
    text: str
    pattern: NotRequired[str | None]
    argument: NotRequired[ClauseJson]


class SolutionJson(TypedDict):
    """The certain cells of a position, with steps; answers have the ``board`` too."""

    schema: Literal["mineproof/solution/1"]
    safe: list[CellJson]
    mines: list[CellJson]
    steps: list[DeductionJson]
    board: NotRequired[BoardJson]


class BoundsRowJson(TypedDict):
    """The fewest and the most mines among some cells."""

    cells: list[CellJson]
    least: int
    most: int


class BoundsJson(TypedDict):
    """Bounds of sets of cells."""

    schema: Literal["mineproof/bounds/1"]
    sets: list[BoundsRowJson]


class MatrixJson(TypedDict):
    """The reduced matrix of a position: a column per cell; entries are integers, or fractions as text."""

    schema: Literal["mineproof/matrix/1"]
    columns: list[CellJson]
    rows: list[list[int | str]]
