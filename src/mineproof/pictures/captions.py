"""Sizes, chances and titles of boards, in the language of the reader."""

from __future__ import annotations

from mineproof.board.board import Board
from mineproof.board.topology import topology_named
from mineproof.wording.catalogue import decimal, has_message, message, plural


def format_percent(chance: float) -> str:
    """Return the chance of something that is not certain, never as 0 % and never as 100 %."""
    shown = f"{chance:.1%}"
    if shown in ("0.0%", "100.0%"):
        return message("picture-percent-below" if shown == "0.0%" else "picture-percent-above")
    return message("picture-percent", value=decimal(100 * chance, 1))


def format_size(rows: int, columns: int, mines: int | None = None) -> str:
    """Return a size in the order players use: width × height, and the mines if their number is known."""
    if mines is None:
        return message("picture-size", rows=rows, columns=columns)
    return plural("picture-size-mines", mines, rows=rows, columns=columns)


def board_title(board: Board) -> str:
    """Return the title of a picture of a board: its size and its shape."""
    size = format_size(board.rows, board.columns, board.total_mines)
    key = f"picture-title-{board.topology}"
    if has_message(key):
        return message(key, size=size)
    remark = topology_named(board.topology).remark
    return message("picture-title-grid", size=f"{size}, {remark}" if remark else size)
