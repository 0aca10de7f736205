"""Position text: the alphabets of `mineproof.board.notation` as formats, so that boards come and go by name.

All of them are read. Written are our own, which holds every board there is, and JSMinesweeper's ``.mine``, which people
paste into bug reports and which wants a known total on a plain grid.
"""

from __future__ import annotations

from functools import cache

from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.formats.exchange import Found, require_grid


def read(text: str, alphabet: str) -> Found:
    """Read rows in one alphabet."""
    return _found(notation.read(text, alphabet))


def read_stream(text: str, rows: int, columns: int) -> Found:
    """Read as Minedetector does when it is told the size."""
    return _found(notation.read_stream(text, columns, rows))


def _found(grid: notation.Grid) -> Found:
    board = Board(grid.rows, grid.columns, grid.codes, grid.total_mines)
    return Found(board, grid.topology, _note(grid.alphabet))


@cache
def _note(alphabet: str) -> str:
    return f"position in the {alphabet} alphabet: {notation.ALPHABETS[alphabet].legend()}"


def write_mine(board: Board) -> str:
    """The board as ``.mine`` text."""
    require_grid(board, "mine")
    return notation.write_mine(board.rows, board.columns, board.codes, board.total_mines)
