"""Cells in words: by index, as in the library and in JSON, or by the labels on a board's ruler, as players see them.

Programs and the command line count from zero: ``(0,2)`` is row 0, column 2. The page and the terminal game show a ruler
with letters for columns and numbers from 1 for rows: the same cell is ``C1``. `use_cell_labels` chooses for a block of
code, in one thread or task, as `use_language` does.

With ``chips``, a text names its cells by tokens such as ``⟦safe|0,2;0,3⟧`` or ``⟦1|0,2⟧``, which the page turns into
"these 2 cells" and "this 1" and lights up on the board. The word before the bar is the value of a number, or the role
of the cells: ``name`` (the page shows the ruler's label), ``cell``, ``safe``, ``mine`` or ``suppose``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import listing, message
from mineproof.wording.clauses import NumberAt

CellLabels = Literal["index", "ruler", "chips"]
CellRole = Literal["cell", "safe", "mine", "suppose"]


_labels: ContextVar[CellLabels] = ContextVar("cell_labels", default="index")


@contextmanager
def use_cell_labels(labels: CellLabels) -> Iterator[None]:
    """Choose how cells are named in a block of code."""
    token = _labels.set(labels)
    try:
        yield
    finally:
        _labels.reset(token)


def cell_labels() -> CellLabels:
    """The current style of cell names."""
    return _labels.get()


def cell_label(cell: Cell) -> str:
    """The name of a cell in the current style.

    >>> cell_label((0, 27))
    '(0,27)'
    >>> with use_cell_labels("ruler"):
    ...     cell_label((0, 27))
    'AB1'
    """
    row, column = cell
    if _labels.get() == "chips":
        return _chip("name", [cell])
    return f"({row},{column})" if _labels.get() == "index" else f"{column_label(column)}{row + 1}"


def column_label(column: int) -> str:
    """The letters of a column on the ruler: A to Z, then AA, AB and so on."""
    letters = ""
    while column >= 0:
        letters = chr(ord("A") + column % 26) + letters
        column = column // 26 - 1
    return letters


def cell_list(cells: Iterable[Cell], key: str = "list-and") -> str:
    """Cells in row order: ``(1,1), (1,2) and (1,3)``."""
    return listing([cell_label(cell) for cell in sorted(cells)], key)


def cell_phrase(cells: Iterable[Cell], role: CellRole = "cell") -> str:
    """Cells as one part of a sentence: a list of their names, or one chip with their role.

    >>> with use_cell_labels("chips"):
    ...     cell_phrase([(0, 3), (0, 2)], "safe")
    '⟦safe|0,2;0,3⟧'
    """
    return _chip(role, cells) if _labels.get() == "chips" else cell_list(cells)


def _chip(role: str, cells: Iterable[Cell]) -> str:
    places = ";".join(f"{row},{column}" for row, column in sorted(cells))
    return f"⟦{role}|{places}⟧"


def cells_are_highlighted() -> bool:
    """Does the reader see the cells of a message highlighted on a board? On the page and in the terminal game."""
    return _labels.get() != "index"


def number_label(number: NumberAt) -> str:
    """The name of an open number: ``the 1 at (3,4)``."""
    return clue_label(str(number.value), number.cell)


def clue_label(clue: str, cell: Cell) -> str:
    """The name of a clue, which may be more than a number: ``the 1+4 at (3,4)``."""
    if _labels.get() == "chips":
        return _chip(clue, [cell])
    return message("argument-number", value=clue, cell=cell_label(cell))
