"""What the exact engine is asked during a game: from what is seen only, with the player's flags ignored."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.analysis.judgement import judge, risk
from mineproof.base.budget import Budget
from mineproof.base.words import at, percent
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell

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
    chances, sea = found.mine_probability.tolist(), board.sea().tolist()
    shown = {}
    for row, column in [*board.cells(COVERED), *board.cells(FLAGGED)]:
        chance = chances[row][column]
        shown[row, column] = Odds(_percent(chance), chance, not sea[row][column])
    shown.update(dict.fromkeys(found.safe, Odds(SAFE, 0.0, True)))
    shown.update(dict.fromkeys(found.mines, Odds(MINE, 1.0, True)))
    return shown


def _percent(mine_probability: float) -> str:
    """Two characters, which never say 0 or 100."""
    rounded = min(round(mine_probability * 100), 99)
    return str(rounded) if rounded else "<1"


def verdict(board: Board, cells: frozenset[Cell], budget: Budget) -> str:
    """How likely a mine was where cells were opened, and whether there was no need to open them."""
    judgement = judge(board, cells, budget)
    if not judgement.may_be_free:
        return f"{_sure(cells)}: the numbers prove it."
    chance = percent(float(risk(board, cells, budget)))
    odds_words = f"The chance of a mine was {chance}"
    if judgement.forced:
        return f"{odds_words}, and the guess was forced: no cell was certainly safe."
    safe = min(analyze(board, flags="ignore", budget=budget).safe, key=lambda cell: _distance(cell, cells))
    return f"{odds_words}, and the guess was needless: {at(safe)} was certainly safe."


def _sure(cells: frozenset[Cell]) -> str:
    return "It was certainly a mine" if len(cells) == 1 else "There was certainly a mine among them"


def _distance(cell: Cell, others: frozenset[Cell]) -> tuple[int, Cell]:
    return min(max(abs(cell[0] - row), abs(cell[1] - column)) for row, column in others), cell
