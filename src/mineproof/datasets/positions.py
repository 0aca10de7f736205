"""Positions of games with their analysis and the chosen move.

The kernel plays the games and reports which move opened each cell. So the position before any move is one comparison,
and only the selected positions are built. They are analyzed as by `analyze_many`.

Which    All positions, or those without a certainly safe cell. Moves that a strategy calls certain are safe, so only
         its guesses are checked: some strategies guess although a cell is safe.
Drawn    With ``per_game``, the moves of a game with the lowest random numbers, which the kernel draws from (seed, game,
         move). All sets are equally likely, and a smaller set is part of a larger one.
Budget   Counted in states, not in seconds, so a position is too large on every machine or on none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, budget_error
from mineproof.base.work import Stop
from mineproof.board.cells import COVERED
from mineproof.datasets.plan import DatasetPlan
from mineproof.datasets.schema import Columns
from mineproof.engine.answers import SAFE, Match, WatchedGames
from mineproof.engine.batches import Batch, BatchAnswers, PositionStatus
from mineproof.engine.default import default_engine
from mineproof.simulation.simulator import match_of

NO_TIME_LIMIT = 1e9  # seconds

Moves = npt.NDArray[np.intp]  # positions in the arrays of all moves of some games


def positions_of(plan: DatasetPlan, numbers: range, stopped: Stop) -> Iterator[Columns]:
    """Yield the selected positions of these games in order, one slice at a time, at most those of the plan.

    Raises BudgetExceeded if it was stopped.
    """
    match = _match(plan.series)
    games = default_engine().watch(match, numbers, stopped)
    if len(games.won) < len(numbers):
        raise budget_error("cancelled", 0.0, 0, None)
    watched = _RecordedGames(match, numbers.start, games, Budget(seconds=NO_TIME_LIMIT, cancelled=stopped))
    moves = np.arange(len(games.chosen))
    if plan.only == "guesses":
        moves = watched.select_stuck(moves[~games.certain], plan.slice)
    if plan.per_game is not None:
        moves = watched.draw(moves, plan.per_game)
    for part in _slices(moves[: plan.positions], plan.slice):
        yield watched.columns(part)


_match = lru_cache(maxsize=16)(match_of)


def _slices(moves: Moves, size: int) -> Iterator[Moves]:
    for first in range(0, len(moves), size):
        yield moves[first : first + size]


class _RecordedGames:
    """Games recorded by the kernel, with the numbers of their moves."""

    def __init__(self, match: Match, first: int, games: WatchedGames, budget: Budget) -> None:
        self._match, self._first, self._games, self._budget = match, first, games, budget
        begins = np.concatenate([[0], games.ends[:-1]])
        self._game = np.repeat(np.arange(len(games.won)), games.ends - begins)  # of each move
        self._move = (np.arange(len(games.chosen)) - begins[self._game] + 1).astype(np.int32)
        self._opened = games.opened.view(np.uint32)  # never is the last of all moves

    def select_stuck(self, moves: Moves, size: int) -> Moves:
        """Return the moves before which no cell is certainly safe, without positions that are too large to count."""
        stuck_moves = [np.empty(0, dtype=np.intp)]
        for part in _slices(moves, size):
            answers = self._analyze(self._codes(part))
            known = answers.status == PositionStatus.OK
            stuck_moves.append(part[known & ~np.any(answers.verdicts == SAFE, axis=1)])
        return np.concatenate(stuck_moves)

    def draw(self, moves: Moves, count: int) -> Moves:
        """Return up to ``count`` random moves of each game."""
        by_lot = moves[np.lexsort((self._games.lots[moves], self._game[moves]))]
        game = self._game[by_lot]
        rank = np.arange(len(game)) - np.searchsorted(game, game)
        return np.sort(by_lot[rank < count])

    def columns(self, moves: Moves) -> Columns:
        """Return the columns of the positions before these moves."""
        games, game, chosen = self._games, self._game[moves], self._games.chosen[moves]
        codes = self._codes(moves)
        answers = self._analyze(codes)
        layout = games.mined[game]
        row = np.arange(len(moves))
        return {
            "game": game + self._first,
            "move": self._move[moves],
            "cells": codes,
            "mine_probability": answers.mine_probability,
            "certainty": answers.verdicts,
            "safe_cells": np.count_nonzero(answers.verdicts == SAFE, axis=1).astype(np.int32),
            "log10_layouts": answers.log10_layouts,
            "status": answers.status,
            "chosen": chosen,
            "chosen_odds": answers.mine_probability[row, chosen],
            "certain": games.certain[moves],
            "lost": layout[row, chosen].astype(bool),
            "won": games.won[game],
            "layout": layout,
        }

    def _codes(self, moves: Moves) -> npt.NDArray[np.int8]:
        """Return the visible board before each of these moves."""
        game = self._game[moves]
        codes = self._games.numbers[game]
        np.copyto(codes, np.int8(COVERED), where=self._opened[game] >= self._move[moves, None].view(np.uint32))
        return codes

    def _analyze(self, codes: npt.NDArray[np.int8]) -> BatchAnswers:
        count, cells = codes.shape
        answers = BatchAnswers(
            np.empty((count, cells)),
            np.empty((count, cells), dtype=np.int8),
            np.empty(count),
            np.full(count, PositionStatus.OK, dtype=np.int8),
            np.zeros(count, dtype=np.uint8),
        )
        totals = np.full(count, self._match.mines, dtype=np.int64)
        default_engine().solve_many(Batch(self._match.geometry, codes, totals, None, True), answers, self._budget, 1)
        return answers
