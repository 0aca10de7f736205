"""Many games side by side as an engine is asked to play them, and the arrays in which they are seen."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.board.start import FirstClick

Autoreset = Literal["never", "next_step", "same_step"]


class StepRewards(NamedTuple):
    """What a step is worth; the parts that apply are added up.

    ``win`` is for the last safe cell, ``lose`` for a mine. ``progress`` is for all safe cells of the board together:
    a step has its share of it by the cells that it opens. ``blind`` is for opening a cell that touches no open one,
    the first click left out. ``repeat`` is for choosing a cell that is open already, which changes nothing.
    """

    win: float = 1.0
    lose: float = -1.0
    progress: float = 0.0
    blind: float = 0.0
    repeat: float = -0.1


class GamesOrder(NamedTuple):
    """What the games have in common.

    ``longest`` is the number of steps after which a game is cut short, 0 for none. ``budget.states`` are for one
    judgement of the fairness rule (see `mineproof.game.rules`); its seconds do not count, so that games are the same on
    every machine. ``budget.cancelled`` breaks a step off.
    """

    geometry: Geometry
    mines: int
    first_click: FirstClick
    fairness: str
    autoreset: Autoreset
    longest: int
    rewards: StepRewards
    budget: Budget


class GamesArrays(NamedTuple):
    """An entry or a row for each game. The caller sets seeds and numbers before a reset; the rest is for reading.

    Game ``numbers[i]`` of ``seeds[i]`` is played. ``codes`` and ``masks`` (1 where a cell is covered) have a column for
    each cell, and so has ``last_codes``, where games are reset in the same step: what was seen when the last one ended.
    It is empty otherwise. ``unjudged`` games are truncated because the budget did not suffice to judge a reveal.
    """

    seeds: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.uint64]
    codes: npt.NDArray[np.int8]
    masks: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    won: npt.NDArray[np.bool_]
    unjudged: npt.NDArray[np.bool_]
    last_codes: npt.NDArray[np.int8]


class Games(Protocol):
    """Games under way. They know their mines, and tell them of games that are over."""

    def reset(self, which: npt.NDArray[np.bool_]) -> None:
        """Begin the games that the arrays name, wherever ``which`` is True."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Open a cell, by its place in row order, in every game that is not over.

        Raises OutsideError where there is no such cell, IllegalMoveError where a game is over and is not reset by
        itself, or was in the middle of a step when the process was forked; nothing has changed then. A game in which
        a reveal cannot be judged by the fairness rule is truncated. A step that is broken off, by Ctrl-C or with
        BudgetExceeded by ``budget.cancelled``, leaves games that have not moved as they are.
        """

    def mines_of(self, game: int) -> list[int]:
        """The mines of a game that is over, ascending; IllegalMoveError before."""
