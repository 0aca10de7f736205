"""JSON documents about moves and strategies."""

from typing import Literal, NotRequired, TypedDict

from mineproof.base.wire import CellJson
from mineproof.board.start import FirstClick
from mineproof.board.wire import BoardJson
from mineproof.decision.moves import MoveReason


class OutlookJson(TypedDict):
    """A number that a cell can show, and how safe the next cell is then."""

    number: int
    chance: float
    safe: int
    safety: float


class OptionJson(TypedDict):
    """A cell that may be opened."""

    cell: CellJson
    mine_probability: float
    win_probability: float | None
    exact: bool
    win_fraction: str | None
    standard_error: float | None
    score: float | None
    progress: float | None
    fate: float | None
    outlook: list[OutlookJson]


class RankedOptionJson(OptionJson):
    """A cell that may be opened, with the cells that are like it because the position is symmetric."""

    alike: list[CellJson]


class RivalJson(TypedDict):
    """A cell that a thought compares."""

    cell: CellJson
    win_probability: float
    standard_error: float
    layouts: int
    played_by: str
    dropped: bool


class ThoughtJson(TypedDict):
    """How far a thought is; the best rival is first."""

    seconds: float
    clear: bool
    rivals: list[RivalJson]


class BestMoveJson(TypedDict):
    """The best move of a position; answers have the ``board`` too."""

    schema: Literal["mineproof/best/1"]
    best: CellJson | None
    mine_probability: float | None
    win_probability: float | None
    exact: bool
    win_fraction: str | None
    reason: MoveReason
    text: str
    safest: CellJson | None
    layouts: str | None
    complete: bool
    playouts: int
    thought: ThoughtJson | None
    moves: list[RankedOptionJson]
    board: NotRequired[BoardJson]


class FirstMoveJson(TypedDict):
    """A cell to begin with, and the chance to win by optimal play."""

    cell: CellJson
    mine_probability: float
    win_probability: float
    exact: Literal[True]
    win_fraction: str


class FirstMovesJson(TypedDict):
    """Where to begin on a size."""

    schema: Literal["mineproof/best/1"]
    best: CellJson | None
    mine_probability: float
    win_probability: float | None
    exact: Literal[True]
    win_fraction: str | None
    rows: int
    columns: int
    mines: int
    topology: str
    first_click: FirstClick
    moves: list[FirstMoveJson]


class StrategyJson(TypedDict):
    """A strategy that `simulate` accepts."""

    name: str
    package: str | None
    text: str


class StrategiesJson(TypedDict):
    """Every strategy that `simulate` accepts."""

    schema: Literal["mineproof/strategies/1"]
    strategies: list[StrategyJson]
