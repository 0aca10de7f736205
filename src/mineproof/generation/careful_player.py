"""The moves of a careful player: acting on certain cells. Other modules find them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mineproof.base import checks
from mineproof.base.words import at
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.deduction.deduction import Deduction
from mineproof.errors import IllegalMoveError
from mineproof.game.field import MineField
from mineproof.game.layout import Layout


def start_cell(layout: Layout, start: Cell | None) -> Cell:
    """Return the cell to open first: ``start``, or that of the layout. Raises IllegalMoveError if it cannot open."""
    checks.instance("layout", layout, Layout, "formats.read returns one")
    cell = layout.start if start is None else checks.cell("start", start)
    if cell is None:
        raise IllegalMoveError("The layout has no start cell. Pass `start=(row, column)`.")
    layout.geometry.index(cell)
    if cell in layout.absent:
        raise IllegalMoveError(f"Cannot start at {at(cell)}: it is not part of the board.")
    if cell in layout.mines:
        raise IllegalMoveError(f"Cannot start at {at(cell)}: it is a mine.")
    return cell


def open_safe(field: MineField, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Open the covered ones of some safe cells; return all cells that opened, in row order."""
    opened = field.open([cell for cell in cells if field[cell] == COVERED])
    return tuple(sorted(field.visible_codes(opened)))


def flag_mines(field: MineField, cells: Iterable[Cell]) -> None:
    """Flag cells."""
    for cell in cells:
        field.mark(cell, FLAGGED)


def take_singles(field: MineField) -> None:
    """Open and flag everything that single numbers decide, until they decide nothing more."""
    table = field.layout.geometry.table
    while True:
        codes = np.append(np.frombuffer(field.board.codes, dtype=np.int8), np.int8(ABSENT))
        around, numbers = codes[table], codes[:-1]
        covered = around == COVERED
        need = numbers - np.count_nonzero(around == FLAGGED, axis=1)
        unknown = np.where(numbers >= 0, np.count_nonzero(covered, axis=1), 0)
        full, done = (unknown > 0) & (need == unknown), (unknown > 0) & (need == 0)
        if not (full.any() or done.any()):
            return
        mines, safe = (np.unique(table[rows][covered[rows]]).tolist() for rows in (full, done))
        flag_mines(field, map(field.layout.geometry.cell, mines))
        field.open(map(field.layout.geometry.cell, safe))


def new_cells(field: MineField, claim: Deduction) -> list[Cell]:
    """Return the cells of a deduction that are neither open nor flagged, in row order."""
    safe = [cell for cell in claim.safe if field[cell] < 0]
    return sorted([*safe, *(cell for cell in claim.mines if field[cell] != FLAGGED)])


def take(field: MineField, claim: Deduction) -> tuple[Cell, ...]:
    """Act on a deduction; return the cells that opened."""
    flag_mines(field, claim.mines)
    return open_safe(field, claim.safe)
