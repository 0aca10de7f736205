"""The position as others read it: our text, or a link to the analyser of JSMinesweeper."""

from __future__ import annotations

from typing import Literal

from mineproof import formats
from mineproof.board.board import Board
from mineproof.board.notation import size_line

What = Literal["text", "link"]

TITLES: dict[What, str] = {"text": "Position as text", "link": "Position as a link"}
WHERE = (
    "It is in the clipboard, if the terminal lets programs write to it. If not: most terminals select with the mouse "
    "while shift is held down."
)
ANALYSER = "https://davidnhill.github.io/JSMinesweeper/index.html"


def position(board: Board, what: What) -> str:
    """The position; BoardSyntaxError where a link cannot hold it. ``F`` are the player's flags."""
    if what == "text":
        return str(board)
    code = formats.write(board, "jsminesweeper")
    head = size_line(board.rows, board.columns, board.total_mines, board.topology)
    return f"{ANALYSER}?board={head}&analysis={code!s}"
