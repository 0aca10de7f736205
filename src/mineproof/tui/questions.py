"""Questions to the exact engine during a game. It gets what the player sees, and ignores the player's flags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.analysis.judgement import judge, risk
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.decision.best_moves import PLAYOUTS, best_move
from mineproof.decision.moves import BestMove
from mineproof.game.rules import COMPARING, Fairness
from mineproof.pictures.captions import format_percent
from mineproof.tui.texts import cell_label, join_sentences, with_ruler_labels
from mineproof.wording.catalogue import message, plural

SAFE, MINE = "S", "M"


class CellOdds(NamedTuple):
    """The odds of a covered cell: a label of at most two characters, and the chance of a mine behind it.

    ``near``: a number touches the cell. All other cells have the same odds and are less interesting.
    """

    label: str
    mine_probability: float
    near: bool


def compute_odds(board: Board, budget: Budget) -> dict[Cell, CellOdds]:
    """Return the odds of every covered cell, flagged or not: the chance of a mine in per cent, or a certainty."""
    analysis = analyze(board, flags="ignore", budget=budget)
    chances, sea = analysis.mine_probability.tolist(), board.sea().tolist()
    odds = {}
    for row, column in [*board.cells(COVERED), *board.cells(FLAGGED)]:
        chance = chances[row][column]
        odds[row, column] = CellOdds(_percent_label(chance), chance, not sea[row][column])
    odds.update(dict.fromkeys(analysis.safe, CellOdds(SAFE, 0.0, True)))
    odds.update(dict.fromkeys(analysis.mines, CellOdds(MINE, 1.0, True)))
    return odds


def sea_label(odds: Mapping[Cell, CellOdds]) -> str:
    """Return the odds that all cells without a number next to them share, or nothing if there are no such cells."""
    return next((cell_odds.label for cell_odds in odds.values() if not cell_odds.near), "")


def percent_at(odds: Mapping[Cell, CellOdds], cell: Cell) -> str:
    """Return the odds of a cell in per cent, or nothing if it has none or is certain."""
    cell_odds = odds.get(cell)
    return "" if cell_odds is None or cell_odds.label in (SAFE, MINE) else f"{cell_odds.label} %"


def _percent_label(mine_probability: float) -> str:
    """Return two characters, never 0 or 100."""
    rounded = min(round(mine_probability * 100), 99)
    return str(rounded) if rounded else "<1"


def find_best_move(board: Board, budget: Budget, *, playouts: int = PLAYOUTS) -> BestMove:
    """Return the best move. Without playouts the move is the same, but only exact chances to win are known."""
    return best_move(board, flags="ignore", budget=budget, playouts=playouts).weighed()


def describe_best_move(move: BestMove, fairness: Fairness, *, no_guess: bool = False) -> str:
    """Return the best move as text: the cell, its chances and the reason; on a no-guess board what the odds assume."""
    text = with_ruler_labels(lambda: move.text)
    if move.cell is None:
        return text
    has_chances = move.reason != "safe" or move.win_probability not in (None, 1.0)
    assumption = message("tui-best-no-guess") if no_guess and has_chances else ""
    if move.reason == "safe":
        return join_sentences(text, assumption)
    # Only the text of the reason "fate" leaves out the chance to win.
    show_wins = move.reason == "fate" and move.win_probability
    wins = message("tui-best-wins", chance=format_percent(move.moves[0].win_probability or 0.0)) if show_wins else ""
    protects = fairness not in ("none", *COMPARING) or move.safest.cell == move.cell
    fair = "" if not protects else message("tui-best-fair", name=message(f"tui-fairness-{fairness}"))
    return join_sentences(message("tui-best-guess", text=text), wins, fair, assumption)


def explain_loss(board: Board, cells: frozenset[Cell], budget: Budget) -> str:
    """Return how likely a mine was in the cells that lost the game, and whether the guess was necessary."""
    judgement = judge(board, cells, budget)
    if not judgement.may_be_free:
        return plural("tui-lost-proved", len(cells))
    chance = format_percent(float(risk(board, cells, budget)))
    if judgement.forced:
        return message("tui-lost-forced", chance=chance)
    safe = min(analyze(board, flags="ignore", budget=budget).safe, key=lambda cell: _distance(cell, cells))
    return message("tui-lost-needless", chance=chance, cell=cell_label(safe))


def _distance(cell: Cell, others: frozenset[Cell]) -> tuple[int, Cell]:
    return min(max(abs(cell[0] - row), abs(cell[1] - column)) for row, column in others), cell
