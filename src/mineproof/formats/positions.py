"""Position text: the alphabets of `mineproof.board.notation` as formats, so that boards come and go by name.

All of them are read. Written are our own, which holds every board there is, and JSMinesweeper's ``.mine``, which people
paste into bug reports and which wants a known total on a plain grid.
"""

from __future__ import annotations

from functools import cache

from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.formats.exchange import ParsedValue, board_of_grid, require_grid
from mineproof.wording.catalogue import language, message


def read(text: str, alphabet: str) -> ParsedValue:
    """Read rows in one alphabet."""
    return _parsed_value(notation.read(text, alphabet))


def read_stream(text: str, rows: int, columns: int) -> ParsedValue:
    """Read a stream of cells, as Minedetector does for a given size."""
    return _parsed_value(notation.read_stream(text, rows, columns))


def _parsed_value(grid: notation.Grid) -> ParsedValue:
    return ParsedValue(board_of_grid(grid), grid.topology, _note(grid.alphabet, language()))


@cache
def _note(alphabet: str, _: str) -> str:
    """Return the note in a language, which is the current one."""
    known = notation.ALPHABETS[alphabet]
    signs = {"covered": known.covered, "mine": known.flagged, "absent": known.absent}
    legend = [message(f"format-sign-{name}", signs=" ".join(symbols)) for name, symbols in signs.items() if symbols]
    return message("format-note-position", name=alphabet, legend=message("list-separator").join(legend))


def write_mine(board: Board) -> str:
    """Return the board as ``.mine`` text."""
    require_grid(board, "mine")
    return notation.write_mine(board.rows, board.columns, board.codes, board.total_mines)
