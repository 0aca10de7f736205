"""Where on the board, in words."""

from __future__ import annotations

from mineproof.board.board import Board
from mineproof.board.cells import Cell

LEAST_SIDE = 6  # rows or columns from which on a third of a board is worth a name


def region(board: Board, cell: Cell) -> str:
    """Which third of the board, up and down and across; nothing on boards that one looks over at a glance."""
    vertical = _third(cell[0], board.rows, ("top", "", "bottom"))
    across = _third(cell[1], board.columns, ("left", "", "right"))
    if vertical or across:
        return f"{'at' if vertical else 'on'} the {f'{vertical} {across}'.strip()}"
    return "" if max(board.rows, board.columns) < LEAST_SIDE else "in the middle"


def _third(place: int, size: int, names: tuple[str, str, str]) -> str:
    return "" if size < LEAST_SIDE else names[3 * place // size]
