"""Arguments of steps in a form that tests can compare: kind, numbers, cells and count of each clause."""

from __future__ import annotations

from mineproof.board.cells import Cell
from mineproof.wording.clauses import Clause

Outline = tuple[str, list[Cell], list[Cell], int | None]


def outline(argument: Clause) -> list[Outline]:
    """Return every clause of an argument, in reading order, without the argument itself."""
    return [
        (clause.kind, [number.cell for number in clause.numbers], list(clause.cells), clause.count)
        for clause in argument.walk()
        if clause is not argument
    ]
