"""Survival-weighted games of strategies written in Python: the kernel holds the game, the strategy chooses cells.

The kernel computes the odds of each opened cell, so the strategy does not need to know them. Strategies are called as
in plain games (`mineproof.simulation.custom_games`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mineproof.analysis.many import analyze_many
from mineproof.base import checks
from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.decision.custom import Own
from mineproof.engine.answers import Engine, Match, SurvivalGame, SurvivalWeights
from mineproof.errors import IllegalMoveError, OutsideError
from mineproof.simulation.chunks import Stop
from mineproof.simulation.custom_games import POSITION_BUDGET, analysis_or_none
from mineproof.simulation.series import Series


@dataclass
class _WeightedGame:
    """One survival-weighted game in progress."""

    series: Series
    number: int
    game: SurvivalGame

    @property
    def board(self) -> Board:
        series = self.series
        return Board(series.rows, series.columns, self.game.codes, series.mines, series.topology)

    def open(self, board: Board, choice: object) -> None:
        try:
            cell = checks.cell("cell", choice)
            if board[cell] == COVERED:
                return self.game.open(board.index(cell))
        except (TypeError, OutsideError):
            pass
        name, chosen = self.series.strategy, checks.shorten(choice)
        raise IllegalMoveError(f"game {self.number}: expected a covered cell from {name}, got {chosen}")


def survive_own(
    series: Series, match: Match, own: Own, engine: Engine, numbers: range, stopped: Stop
) -> SurvivalWeights:
    """Play games ``numbers`` and return their weights; fewer weights if it was stopped."""
    plays = [_WeightedGame(series, number, engine.survival_game(match, number)) for number in numbers]
    if own.answers_many:
        _play_side_by_side(plays, own, engine, stopped)
    else:
        for play in plays:
            if not stopped():
                _play_alone(play, own, engine)
    over = [play.game for play in plays if play.game.is_over]
    return SurvivalWeights(np.array([game.weight for game in over]), sum(game.blind for game in over))


def _play_alone(play: _WeightedGame, own: Own, engine: Engine) -> None:
    choose = own.for_game(play.series.seed, play.number)
    while not play.game.is_over:
        board = play.board
        play.open(board, choose.ask(board, analysis_or_none(board, engine)))


def _play_side_by_side(plays: list[_WeightedGame], own: Own, engine: Engine, stopped: Stop) -> None:
    """Make one move in every unfinished game, and repeat until all are over."""
    series = plays[0].series
    choose = own.for_games(series.seed, plays[0].number)
    while (left := [play for play in plays if not play.game.is_over]) and not stopped():
        boards = [play.board for play in left]
        codes = np.array([board.to_array() for board in boards])
        analyses = analyze_many(
            codes, series.mines, topology=series.topology, threads=1, budget=POSITION_BUDGET, engine=engine
        )
        for play, board, cell in zip(left, boards, choose(codes, analyses), strict=True):
            play.open(board, cell)
