"""Lines of the engine protocol, version 1: what a bot answers, and the words of both sides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from mineproof.base import checks
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.errors import BotError

GREETING = "mineproof"  # the first word of the first line, before the version
VERSION = 1
UNNAMED = "unnamed"  # the name of a bot that states none
DEFAULT_TOPOLOGIES = ("grid",)  # of a bot that states no capabilities

_CELL = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)


@dataclass
class BotIdentity:
    """What a bot says about itself before its first game. ``capabilities`` are topologies and optional abilities."""

    name: str = UNNAMED
    version: str = "0"
    capabilities: frozenset[str] = frozenset(DEFAULT_TOPOLOGIES)

    def add(self, line: str) -> None:
        """Read one line; unknown lines are ignored."""
        word, _, rest = line.partition(" ")
        if word == "capabilities":
            self.capabilities = frozenset(rest.split())
        elif word == "id":
            key, _, value = rest.strip().partition(" ")
            if key in ("name", "version") and value.strip():
                setattr(self, key, value.strip()[:80])


@dataclass
class BotAnswer:
    """The answer to ``go``.

    ``cell`` is the cell to open and ``more`` are further cells to open after it. With ``is_safe`` the bot claims that
    all of them are certainly safe. ``odds`` are the mine probabilities that the bot stated, ``comments`` its remarks.
    """

    cell: Cell = (-1, -1)
    more: tuple[Cell, ...] = ()
    is_safe: bool = False
    odds: dict[Cell, float] = field(default_factory=dict)
    comments: list[str] = field(default_factory=list)

    def add(self, line: str) -> bool:
        """Read one line, and return whether it ends the answer. Raises BotError for a line that is wrong."""
        word, _, rest = line.partition(" ")
        if word == "bestmove":
            self._read_move(rest.split())
            return True
        if word == "odds":
            self._read_odds(rest.split())
        elif word == "info":
            self.comments.append(rest.strip())
        elif word == "error":
            raise BotError(f"the bot reported: {rest.strip() or 'no reason'}")
        return False

    def _read_move(self, words: list[str]) -> None:
        cells: list[Cell] = []
        for word in words:
            if word == "safe":
                self.is_safe = True
            elif word != "more":
                cells.append(parse_cell(word))
        if not cells:
            raise BotError("expected `bestmove ROW,COLUMN`, got no cell")
        self.cell, self.more = cells[0], tuple(cells[1:])

    def _read_odds(self, words: list[str]) -> None:
        if len(words) % 2:
            raise BotError(f"expected pairs of a cell and a number after `odds`, got {len(words)} words")
        for place in range(0, len(words), 2):
            try:
                chance = float(words[place + 1])
            except ValueError:
                chance = -1.0
            if not 0 <= chance <= 1:  # NaN is in no range
                raise BotError(f"expected odds from 0 to 1, got {checks.shorten(words[place + 1])}")
            self.odds[parse_cell(words[place])] = chance


def parse_cell(word: str) -> Cell:
    """Return the cell from ``ROW,COLUMN``; BotError for anything else."""
    match = _CELL.fullmatch(word)
    if match is None:
        raise BotError(f"expected a cell ROW,COLUMN, got {checks.shorten(word)}")
    return int(match[1]), int(match[2])


def format_cell(cell: Cell) -> str:
    """Return a cell as a word."""
    return f"{cell[0]},{cell[1]}"


def format_cells(cells: Iterable[Cell]) -> str:
    """Return cells as words."""
    return " ".join(map(format_cell, cells))


def format_new_game(board: Board, seed: int) -> str:
    """Return the line that begins a game on a board of this shape."""
    mines = "?" if board.total_mines is None else board.total_mines
    size = f"rows {board.rows} columns {board.columns} mines {mines}"
    return f"newgame {size} topology {board.topology} seed {seed}"


def format_position(board: Board) -> str:
    """Return the line that shows a board. Flags are covered cells: they are no knowledge of the bot."""
    return f"position {'/'.join(notation.write_rows(board.columns, board.without_flags().codes))}"
