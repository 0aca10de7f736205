"""JSON documents about boards."""

from typing import Literal, TypedDict


class BoardJson(TypedDict):
    """A position; ``cells`` has one string per row."""

    schema: Literal["mineproof/board/1"]
    rows: int
    columns: int
    total_mines: int | None
    topology: str
    cells: list[str]


class TopologyJson(TypedDict):
    """What a page needs to draw boards of a shape and to preview moves on them."""

    name: str
    kind: str
    label: str
    description: str
    steps: list[list[list[list[int]]]]
    outlines: list[list[str]]
    column_width: float
    row_height: float
    odd_row_shift: float
    joins_rows: bool
    joins_columns: bool
    flips_rows: bool
