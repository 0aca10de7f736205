"""Odds, counts and places as people read them."""

from __future__ import annotations

from decimal import Decimal

from mineproof.analysis import Analysis
from mineproof.board import Board
from mineproof.errors import Cell

SHORT_COUNT = 15  # digits of a number of layouts that people read
LEAST_SIDE = 6  # rows or columns from which on a third of a board is worth a name


def percent(mine_probability: float) -> str:
    """The odds of a cell that is not certain: never 0 and never 100."""
    shown = f"{mine_probability:.1%}".replace("%", " %")
    return {"0.0 %": "< 0.1 %", "100.0 %": "> 99.9 %"}.get(shown, shown)


def layouts_fit(found: Analysis, *, every_digit: bool = False) -> str:
    """How many layouts there are, as a sentence without its full stop."""
    if every_digit or found.log10_layouts < SHORT_COUNT:
        return "1 layout fits" if found.layouts == 1 else f"{found.layouts:,} layouts fit"
    digits, power = f"{Decimal(10) ** Decimal(found.log10_layouts):.2e}".split("e+")
    return f"≈ {digits} × 10^{power} layouts fit"


def at(cell: Cell) -> str:
    """A cell in a sentence: ``(0,2)``."""
    return f"({cell[0]},{cell[1]})"


def region(board: Board, cell: Cell) -> str:
    """Which third of the board, up and down and across; nothing on boards that one looks over at a glance."""
    vertical = _third(cell[0], board.rows, ("top", "", "bottom"))
    across = _third(cell[1], board.columns, ("left", "", "right"))
    if vertical or across:
        return f"{'at' if vertical else 'on'} the {f'{vertical} {across}'.strip()}"
    return "" if max(board.rows, board.columns) < LEAST_SIDE else "in the middle"


def _third(place: int, size: int, names: tuple[str, str, str]) -> str:
    return "" if size < LEAST_SIDE else names[3 * place // size]
