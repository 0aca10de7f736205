"""The position for other programs: our text format, or a link to the analyser of JSMinesweeper."""

from __future__ import annotations

from typing import Literal

from mineproof import formats
from mineproof.board.board import Board
from mineproof.board.notation import size_line

CopyFormat = Literal["text", "link"]

ANALYSER = "https://davidnhill.github.io/JSMinesweeper/index.html"


def write_position(board: Board, copy_format: CopyFormat) -> str:
    """Return the position with the player's flags; raise BoardSyntaxError if a link cannot hold it."""
    if copy_format == "text":
        return str(board)
    code = formats.write(board, "jsminesweeper")
    size = size_line(board.rows, board.columns, board.total_mines, board.topology)
    return f"{ANALYSER}?board={size}&analysis={code!s}"
