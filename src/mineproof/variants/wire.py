"""JSON documents about boards of variants."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson
from mineproof.wording.wire import VariantClauseJson


class VariantBoardJson(TypedDict):
    """A position of a variant; ``cells`` has one string per row."""

    schema: Literal["mineproof/variant-board/1"]
    rows: int
    columns: int
    total_mines: int | None
    topology: str
    rules: str
    cells: list[str]


class VariantAnalysisJson(TypedDict):
    """The exact odds of a position of a variant."""

    schema: Literal["mineproof/variant-analysis/1"]
    rows: int
    columns: int
    total_mines: int | None
    layouts: str
    mine_probability: list[list[float | None]]
    safe: list[CellJson]
    mines: list[CellJson]
    mine_fraction: NotRequired[list[list[int | str]]]
    board: NotRequired[VariantBoardJson]


class VariantLayoutsJson(TypedDict):
    """The number of layouts of a variant that fit. Each of the lines after it is a `MinesJson`."""

    schema: Literal["mineproof/layouts/1"]
    rows: int
    columns: int
    total_mines: int | None
    count: str
    board: VariantBoardJson


class VariantStepJson(TypedDict):
    """A step on a board of a variant."""

    technique: str
    safe: list[CellJson]
    mines: list[CellJson]
    because: list[CellJson]
    rules: list[str]
    uses_total: bool
    text: str
    argument: VariantClauseJson


class VariantSolutionJson(TypedDict):
    """The certain cells of a position of a variant, with steps."""

    schema: Literal["mineproof/variant-solution/1"]
    safe: list[CellJson]
    mines: list[CellJson]
    steps: list[VariantStepJson]
    board: NotRequired[VariantBoardJson]


class VariantHintJson(TypedDict):
    """A hint; keys that the level does not show are null."""

    schema: Literal["mineproof/variant-hint/1"]
    kind: str
    level: int
    text: str
    technique: str | None
    because: list[CellJson] | None
    rules: list[str] | None
    uses_total: bool | None
    safe: list[CellJson] | None
    mines: list[CellJson] | None
    cell: CellJson | None
    mine_probability: float | None
    mine_fraction: str | None
    argument: VariantClauseJson | None
    board: NotRequired[VariantBoardJson]


class VariantOptionJson(TypedDict):
    """A move on a board of a variant."""

    cell: CellJson
    mine_probability: float
    mine_fraction: str
    win_probability: float | None
    win_fraction: str | None


class VariantBestJson(TypedDict):
    """The best move on a board of a variant."""

    schema: Literal["mineproof/variant-best/1"]
    best: CellJson | None
    mine_probability: float | None
    win_probability: float | None
    exact: bool
    moves: list[VariantOptionJson]
    text: str
    board: NotRequired[VariantBoardJson]


class VariantPuzzleCheckJson(TypedDict):
    """Whether a puzzle has exactly one solution."""

    schema: Literal["mineproof/variant-puzzle-check/1"]
    solutions: str
    unique: bool
    board: VariantBoardJson
