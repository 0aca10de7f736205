"""JSON of arguments: trees of clauses."""

from typing import TypedDict

from mineproof.base.wire import CellJson


class NumberAtJson(TypedDict):
    """An open number that an argument uses."""

    cell: CellJson
    value: int
    need: int | None


class ClauseJson(TypedDict):
    """One clause of an argument."""

    kind: str
    cells: list[CellJson]
    numbers: list[NumberAtJson]
    count: int | None
    parts: "list[ClauseJson]"


class SourceJson(TypedDict):
    """A clue or rule that an argument on a board of a variant quotes."""

    rule: str
    cell: CellJson | None
    clue: str


class VariantClauseJson(TypedDict):
    """One clause of an argument on a board of a variant."""

    kind: str
    cells: list[CellJson]
    sources: list[SourceJson]
    amounts: list[int]
    count: int | None
    parts: "list[VariantClauseJson]"
