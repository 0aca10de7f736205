"""JSON documents about hints."""

from typing import Literal, NotRequired, TypedDict

from mineproof.advice.hints import HintKind
from mineproof.base.wire import CellJson
from mineproof.board.wire import BoardJson
from mineproof.wording.wire import ClauseJson


class HintJson(TypedDict):
    """A hint; keys that the level does not reveal are null. Answers have the ``board`` too."""

    schema: Literal["mineproof/hint/1"]
    kind: HintKind
    level: int
    text: str
    near: CellJson | None
    technique: str | None
    pattern: str | None
    because: list[CellJson] | None
    uses_total: bool | None
    safe: list[CellJson] | None
    mines: list[CellJson] | None
    cell: CellJson | None
    mine_probability: float | None
    mine_fraction: str | None
    safest: CellJson | None
    candidates: list[CellJson] | None
    argument: ClauseJson | None
    board: NotRequired[BoardJson]
