"""Survival-weighted games of strategies of one's own: the kernel holds the game, the strategy chooses its cells.

The kernel counts the odds of each cell that is opened, so a strategy need not know them. It is asked as in plain games
(`mineproof.simulation.own_games`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mineproof.analysis.many import analyze_many
from mineproof.base import checks
from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.decision.own import Own
from mineproof.engine.answers import Engine, Match, SurvivalGame, SurvivalWeights
from mineproof.errors import IllegalMoveError, OutsideError
from mineproof.simulation.own_games import WIDEST, analysis_or_none
from mineproof.simulation.series import Series
from mineproof.simulation.spreading import Stop


@dataclass
class _Play:
    """One game under way."""

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
        chose = f"{self.series.strategy} chose {checks.shortened(choice)}"
        raise IllegalMoveError(f"game {self.number}: {chose}, expected a covered cell")


def survive_own(
    series: Series, match: Match, own: Own, engine: Engine, numbers: range, stopped: Stop
) -> SurvivalWeights:
    """Play games ``numbers``; of fewer games if it was stopped."""
    plays = [_Play(series, number, engine.survival_game(match, number)) for number in numbers]
    if own.answers_many:
        _play_side_by_side(plays, own, engine, stopped)
    else:
        for play in plays:
            if not stopped():
                _play_alone(play, own, engine)
    over = [play.game for play in plays if play.game.is_over]
    return SurvivalWeights(np.array([game.weight for game in over]), sum(game.blind for game in over))


def _play_alone(play: _Play, own: Own, engine: Engine) -> None:
    choose = own.for_game(play.series.seed, play.number)
    while not play.game.is_over:
        board = play.board
        play.open(board, choose.ask(board, analysis_or_none(board, engine)))


def _play_side_by_side(plays: list[_Play], own: Own, engine: Engine, stopped: Stop) -> None:
    """All games make a move, then all that are left make the next one."""
    series = plays[0].series
    choose = own.for_games(series.seed, plays[0].number)
    while (left := [play for play in plays if not play.game.is_over]) and not stopped():
        boards = [play.board for play in left]
        codes = np.array([board.to_array() for board in boards])
        found = analyze_many(codes, series.mines, topology=series.topology, threads=1, budget=WIDEST, engine=engine)
        for play, board, cell in zip(left, boards, choose(codes, found), strict=True):
            play.open(board, cell)
