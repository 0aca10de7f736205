"""Parallel games of an engine, and the arrays that show them."""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.board.start import FirstClick

Autoreset = Literal["never", "next_step", "same_step"]


class StepRewards(NamedTuple):
    """Rewards of a step; all that apply are added.

    ``win`` is for the last safe cell, ``lose`` for a mine. ``progress`` is shared by all safe cells of the board: a
    step gets the share of the cells that it opens. ``blind`` is for opening a cell that touches no open cell, except
    for the first click. ``repeat`` is for an open cell, which changes nothing.
    """

    win: float = 1.0
    lose: float = -1.0
    progress: float = 0.0
    blind: float = 0.0
    repeat: float = -0.1


class GamesOrder(NamedTuple):
    """Settings of parallel games.

    ``longest`` is the number of steps after which a game is truncated, 0 for no limit. ``budget.states`` limit one
    judgement of the fairness rule (see `mineproof.game.rules`); its seconds do not count, so that games are the same on
    every machine. ``budget.cancelled`` stops a step.
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


class ParallelGames(Protocol):
    """Running games. They reveal the mines of finished games only."""

    def reset(self, which: npt.NDArray[np.bool_]) -> None:
        """Start the games in the arrays for which ``which`` is True."""

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        """Open a cell, by its index in row order, in every running game.

        Raises OutsideError for a cell that is not on the board, and IllegalMoveError for a finished game without
        autoreset or a game whose process was forked during a step; nothing changes then. A game is truncated if the
        fairness rule cannot judge a reveal. A step that is stopped by Ctrl-C, or with BudgetExceeded by
        ``budget.cancelled``, leaves games that have not moved unchanged.
        """

    def mines_of(self, game: int) -> list[int]:
        """Return the mines of a finished game, ascending. Raises IllegalMoveError while it is running."""
