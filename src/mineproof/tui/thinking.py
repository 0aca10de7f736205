"""What the exact engine is asked during a game: from what is seen only, with the player's flags ignored."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mineproof.analysis import analyze
from mineproof.board import Board
from mineproof.budget import Budget
from mineproof.codes import ABSENT, COVERED, FLAGGED
from mineproof.errors import Cell
from mineproof.fair import judge
from mineproof.wording import at, percent

SAFE, MINE = "S", "M"


class Odds(NamedTuple):
    """What is shown of a covered cell: at most two characters, and the chance of a mine they stand for.

    ``near``: a number touches the cell. Those that none touches all have the same odds, and are the least interesting.
    """

    label: str
    mine_probability: float
    near: bool


def odds(board: Board, budget: Budget) -> dict[Cell, Odds]:
    """Every covered cell, flagged or not: its chance of a mine in per cent, or that it is certain."""
    found = analyze(board, flags="ignore", budget=budget)
    chances, touched = found.mine_probability.tolist(), _touched(board)
    shown = {}
    for row, column in [*board.cells(COVERED), *board.cells(FLAGGED)]:
        chance = chances[row][column]
        shown[row, column] = Odds(_percent(chance), chance, touched[row][column])
    shown.update(dict.fromkeys(found.safe, Odds(SAFE, 0.0, True)))
    shown.update(dict.fromkeys(found.mines, Odds(MINE, 1.0, True)))
    return shown


def _touched(board: Board) -> list[list[bool]]:
    """Which cells have a number next to them."""
    numbers = np.append(np.frombuffer(board.codes, dtype=np.int8) >= 0, False)
    touched: list[list[bool]] = (
        numbers[board.topology.neighbours].any(axis=1).reshape(board.rows, board.columns).tolist()
    )
    return touched


def _percent(mine_probability: float) -> str:
    """Two characters, which never say 0 or 100."""
    rounded = min(round(mine_probability * 100), 99)
    return str(rounded) if rounded else "<1"


def revealed(board: Board, kind: str, cell: Cell) -> frozenset[Cell]:
    """The cells that a move would open at once."""
    if kind == "open":
        return frozenset([cell])
    return frozenset(other for other in board.neighbours(cell) if board[other] == COVERED)


def verdict(board: Board, cells: frozenset[Cell], budget: Budget) -> str:
    """How likely a mine was where cells were opened, and whether there was no need to open them."""
    judgement = judge(board, cells, budget)
    if not judgement.may_be_free:
        return f"{_sure(cells)}: the numbers prove it."
    chance = percent(_mine_among(board, sorted(cells), budget))
    told = f"The chance of a mine was {chance}"
    if judgement.forced:
        return f"{told}, and the guess was forced: no cell was certainly safe."
    safe = min(analyze(board, flags="ignore", budget=budget).safe, key=lambda cell: _distance(cell, cells))
    return f"{told}, and the guess was needless: {at(safe)} was certainly safe."


def _sure(cells: frozenset[Cell]) -> str:
    return "It was certainly a mine" if len(cells) == 1 else "There was certainly a mine among them"


def _mine_among(board: Board, cells: list[Cell], budget: Budget) -> float:
    """The chance of a mine in at least one of the cells, which may all be free."""
    free = 1.0
    for place, (row, column) in enumerate(cells):
        # A cell taken away is free and tells no number: what is left are the layouts in which those before are free.
        rest = board.without_flags().replace(dict.fromkeys(cells[:place], ABSENT))
        free *= 1 - float(analyze(rest, budget=budget).mine_probability[row, column])
    return 1 - free


def _distance(cell: Cell, others: frozenset[Cell]) -> tuple[int, Cell]:
    return min(max(abs(cell[0] - row), abs(cell[1] - column)) for row, column in others), cell
