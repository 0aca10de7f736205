"""The rules of a game, and the names of its moves and states.

``first_click`` is about the first opening, ``fairness`` about every later one, ``chord_rule`` about opening around a
number: see `mineproof.game.game`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.board.start import FirstClick

MoveKind = Literal["open", "flag", "question", "chord", "undo"]
Fairness = Literal["none", "forced", "kind", "strict", "safest", "local"]
ChordRule = Literal["equal", "at-least"]
GameStatus = Literal["new", "running", "won", "lost"]

MOVE_KINDS: tuple[MoveKind, ...] = get_args(MoveKind)
FAIRNESSES: tuple[Fairness, ...] = get_args(Fairness)
COMPARING: tuple[Fairness, ...] = ("safest", "local")  # they compare the risk of a guess with that of other cells
REVEALS = ("open", "chord")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game. Raises ValueError for an unknown rule."""

    first_click: FirstClick = "safe"
    fairness: Fairness = "none"
    chord_rule: ChordRule = "equal"

    def __post_init__(self) -> None:
        choices = (("first_click", FirstClick), ("fairness", Fairness), ("chord_rule", ChordRule))
        for name, known in choices:
            if getattr(self, name) not in get_args(known):
                raise ValueError(f"{name} must be one of {', '.join(get_args(known))}, got {getattr(self, name)!r}")


class HintOptions(TypedDict, total=False):
    """Arguments of `mineproof.advice.hints.hint`."""

    fair: bool
    strategy: str | None


def hint_options(fairness: Fairness) -> HintOptions:
    """Return the arguments of `hint` for a rule: some rules protect only the safest cell, so that is the guess."""
    if fairness in COMPARING:
        return {"fair": True, "strategy": None}
    return {"fair": fairness != "none"}


def revealed_cells(board: Board, kind: MoveKind, cell: Cell) -> frozenset[Cell]:
    """Return the covered cells that a move opens itself, without those that zeros open."""
    if kind == "open":
        return frozenset([cell])
    if kind == "chord":
        return frozenset(other for other in board.neighbours(cell) if board[other] == COVERED)
    return frozenset()
