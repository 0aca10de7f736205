"""The positions of some games, with what is known about them and what was done.

The kernel plays the games and tells by which move each cell was opened; so the position before any move is one
comparison away, and only those that are kept are made. Then they are analysed as `analyze_many` does it.

Which    All, or those in which nothing is certainly safe. What a strategy calls certain is safe, so that only its
         guesses are looked at for that: some strategies guess where something is safe.
Drawn    Of each game the moves with the lowest lots, numbers that the kernel draws by (seed, game, move): every set of
         so many is as likely as any other, and fewer per game are a part of more.
Budget   Counted in states, not in seconds: a position that is too wide is so on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, exceeded
from mineproof.board.cells import COVERED
from mineproof.datasets.plan import DatasetPlan
from mineproof.datasets.schema import Columns
from mineproof.engine.answers import SAFE, Match, WatchedGames
from mineproof.engine.batches import Batch, BatchAnswers, PositionStatus
from mineproof.engine.choice import default_engine
from mineproof.simulation.running import match_of
from mineproof.simulation.spreading import Stop

FOREVER = 1e9  # seconds

Moves = npt.NDArray[np.intp]  # places in the arrays of all moves of some games


def positions_of(plan: DatasetPlan, numbers: range, stopped: Stop) -> Iterator[Columns]:
    """The positions of these games that are kept, in order, a slice at a time.

    No more than the plan wants in all. BudgetExceeded where it was stopped.
    """
    match = _match(plan.series)
    games = default_engine().watch(match, numbers, stopped)
    if len(games.won) < len(numbers):
        raise exceeded("cancelled", 0.0, 0, None)
    watched = _Watched(match, numbers.start, games, Budget(seconds=FOREVER, cancelled=stopped))
    moves = np.arange(len(games.chosen))
    if plan.only == "guesses":
        moves = watched.stuck(moves[~games.certain], plan.slice)
    if plan.per_game is not None:
        moves = watched.drawn(moves, plan.per_game)
    for part in _slices(moves[: plan.positions], plan.slice):
        yield watched.columns(part)


_match = lru_cache(maxsize=16)(match_of)


def _slices(moves: Moves, size: int) -> Iterator[Moves]:
    for first in range(0, len(moves), size):
        yield moves[first : first + size]


class _Watched:
    """Games that were watched, and the numbers of their moves."""

    def __init__(self, match: Match, first: int, games: WatchedGames, budget: Budget) -> None:
        self._match, self._first, self._games, self._budget = match, first, games, budget
        begins = np.concatenate([[0], games.ends[:-1]])
        self._game = np.repeat(np.arange(len(games.won)), games.ends - begins)  # of each move
        self._move = (np.arange(len(games.chosen)) - begins[self._game] + 1).astype(np.int32)
        self._opened = games.opened.view(np.uint32)  # never is the last of all moves

    def stuck(self, moves: Moves, size: int) -> Moves:
        """Those before which nothing is safe; without those that are too wide to know."""
        found = [np.empty(0, dtype=np.intp)]
        for part in _slices(moves, size):
            answers = self._analyzed(self._codes(part))
            known = answers.status == PositionStatus.OK  # too wide to count: nobody knows whether something is safe
            found.append(part[known & ~np.any(answers.verdicts == SAFE, axis=1)])
        return np.concatenate(found)

    def drawn(self, moves: Moves, count: int) -> Moves:
        """So many of each game, or all that it has."""
        by_lot = moves[np.lexsort((self._games.lots[moves], self._game[moves]))]
        game = self._game[by_lot]
        rank = np.arange(len(game)) - np.searchsorted(game, game)
        return np.sort(by_lot[rank < count])

    def columns(self, moves: Moves) -> Columns:
        """What is kept of the positions before these moves."""
        games, game, chosen = self._games, self._game[moves], self._games.chosen[moves]
        codes = self._codes(moves)
        answers = self._analyzed(codes)
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
        """What is seen before each of these moves."""
        game = self._game[moves]
        codes = self._games.numbers[game]
        np.copyto(codes, np.int8(COVERED), where=self._opened[game] >= self._move[moves, None].view(np.uint32))
        return codes

    def _analyzed(self, codes: npt.NDArray[np.int8]) -> BatchAnswers:
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
