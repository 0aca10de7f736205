"""What the exact engine is asked during a game: from what is seen only, with the player's flags ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.analysis.judgement import judge, risk
from mineproof.base.budget import Budget
from mineproof.base.words import at, percent
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.decision.choosing import PLAYOUTS, best_move
from mineproof.decision.moves import BestMove
from mineproof.game.rules import Fairness

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


def sea(shown: Mapping[Cell, Odds]) -> str:
    """The odds that all cells have which no number touches, if there are such cells."""
    return next((odds.label for odds in shown.values() if not odds.near), "")


def _percent(mine_probability: float) -> str:
    """Two characters, which never say 0 or 100."""
    rounded = min(round(mine_probability * 100), 99)
    return str(rounded) if rounded else "<1"


def best(board: Board, budget: Budget, *, playouts: int = PLAYOUTS) -> BestMove:
    """The best move; without playouts the chance to win is told only where it is exact, and the move is the same."""
    return best_move(board, flags="ignore", budget=budget, playouts=playouts)


def best_words(found: BestMove, fairness: Fairness) -> str:
    """A best move: the cell, its chance of a mine and to win, and why."""
    if found.cell is None or found.reason == "safe":
        return found.text
    # The one sentence that does not tell it already.
    wins = f" It wins {found.moves[0].wins} of the time." if found.reason == "fate" and found.win_probability else ""
    fair = "" if fairness == "none" else f" By the rule {fairness} it cannot lose."
    return f"Best guess: {found.text}{wins}{fair}"


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
