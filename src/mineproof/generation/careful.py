"""Acting on what is certain: the moves of a careful player, without a word on how certainty is found."""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.base import checks
from mineproof.base.words import at
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.errors import IllegalMoveError
from mineproof.game.field import Field
from mineproof.game.layout import Layout


def start_cell(layout: Layout, start: Cell | None) -> Cell:
    """Where a careful player begins: at a cell given or the layout's own. IllegalMoveError where nobody can."""
    checks.instance("layout", layout, Layout, "formats.read gives one")
    cell = layout.start if start is None else checks.cell("start", start)
    if cell is None:
        raise IllegalMoveError("found a layout that names no start, expected one that does, or a start")
    layout.geometry.index(cell)
    if cell in layout.absent:
        raise IllegalMoveError(f"{at(cell)} is not part of the board: nobody can start there")
    if cell in layout.mines:
        raise IllegalMoveError(f"{at(cell)} is a mine: nobody can start there")
    return cell


def open_safe(field: Field, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Open safe cells, those that are not open yet; all that was opened, in row order."""
    opened = field.open([cell for cell in cells if field[cell] == COVERED])
    return tuple(sorted(field.shown(opened)))


def flag_mines(field: Field, cells: Iterable[Cell]) -> None:
    for cell in cells:
        field.mark(cell, FLAGGED)


def take(field: Field, claim: Deduction) -> tuple[Cell, ...]:
    """Act on a deduction; the cells that opened."""
    flag_mines(field, claim.mines)
    return open_safe(field, claim.safe)
