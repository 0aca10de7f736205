"""Boards put together on purpose: pieces that hear of each other only through the total, and one that is too wide.

In our alphabet: ``#`` covered, ``~`` not part of the board, digits, ``/`` between rows.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from mineproof.board.board import Board
from support.positions import ground

ONE_OR_TWO = "#1#1#"  # the middle cell, or both outer ones
ONE_OR_THREE = "#1~1#/~~#~~/~~1~~/~~#~~"  # the middle cell or the three around it, never two mines
ONE_OR_FOUR = "~~#~~/~~1~~/#1#1#/~~1~~/~~#~~"  # the middle cell or the four around it


def two_faced(links: int) -> str:
    """A piece of four cells a link that holds ``links`` mines or three times as many, and no number between.

    Every number has two covered cells, so one choice decides them all: the cells in the middle of the crosses, or
    all the others.
    """
    arm, tip = "1~~~" * links, "#~~~" * links
    return "/".join([tip, arm, ("#1#1" * links)[:-1] + "~", arm, tip])


def glued(pieces: Sequence[str], sea: int = 0, total_mines: int | None = None) -> Board:
    """The pieces one below the other, with cells between them that are not part of the board, and then a sea."""
    blocks = [piece.split("/") for piece in pieces]
    width = max(len(row) for block in blocks for row in block)
    blocks.append(["#" * min(width, sea - start) for start in range(0, sea, width)])
    rows = [row.ljust(width, "~") for block in blocks for row in [*block, ""]]
    return Board.parse("\n".join(rows), total_mines, alphabet="mineproof")


def too_wide(size: int = 80, share: float = 0.4) -> Board:
    """Every second cell open among many mines: on 80 × 80 it takes an engine minutes and gigabytes, if it ends."""
    truth = ground(random.Random(0), size, size, int(size * size * share))
    return truth.board(cell for cell in truth.safe if sum(cell) % 2 == 0)
