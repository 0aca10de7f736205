"""Survival-weighted games of strategies written in Python: the kernel holds the game, the strategy chooses cells.

The kernel computes the odds of each opened cell, so the strategy does not need to know them. Strategies are called as
in plain games (`mineproof.simulation.custom_games`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.analysis.many import analyze_many
from mineproof.base import checks
from mineproof.base.work import Stop
from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.decision.custom import Own
from mineproof.engine.answers import Engine, Match, SurvivalGame
from mineproof.errors import BotError, IllegalMoveError, OutsideError
from mineproof.simulation.custom_games import POSITION_BUDGET, analysis_or_none
from mineproof.simulation.forfeits import NO_FORFEITS, Forfeits, report_forfeit
from mineproof.simulation.series import Series


class WeightedPlays(NamedTuple):
    """The weights of games, their blind guesses and forfeits, and the time that the strategy waited."""

    weights: npt.NDArray[np.float64]
    blind: int
    forfeits: Forfeits = NO_FORFEITS
    waited_seconds: float = 0.0


@dataclass
class _WeightedGame:
    """One survival-weighted game in progress."""

    series: Series
    number: int
    game: SurvivalGame
    forfeits: Forfeits = NO_FORFEITS  # one, if the strategy gave up the game

    @property
    def is_over(self) -> bool:
        """Is the game won, or does it weigh nothing?"""
        return self.game.is_over or bool(self.forfeits.total)

    @property
    def weight(self) -> float:
        return 0.0 if self.forfeits.total else self.game.weight

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


def survive_own(series: Series, match: Match, own: Own, engine: Engine, numbers: range, stopped: Stop) -> WeightedPlays:
    """Play games ``numbers`` and return their weights; fewer weights if it was stopped."""
    before = own.waited_seconds
    plays = [_WeightedGame(series, number, engine.survival_game(match, number)) for number in numbers]
    if own.answers_many:
        _play_side_by_side(plays, own, engine, stopped)
    else:
        for play in plays:
            if not stopped():
                _play_alone(play, own, engine)
    over = [play for play in plays if play.is_over]
    forfeits = reduce(Forfeits.plus, (play.forfeits for play in over), NO_FORFEITS)
    weights, blind = np.array([play.weight for play in over]), sum(play.game.blind for play in over)
    return WeightedPlays(weights, blind, forfeits, own.waited_seconds - before)


def _play_alone(play: _WeightedGame, own: Own, engine: Engine) -> None:
    choose = own.for_game(play.series.seed, play.number)
    while not play.is_over:
        board = play.board
        try:
            choice = choose.ask(board, analysis_or_none(board, engine))
        except BotError as error:
            play.forfeits = report_forfeit(own.name, play.number, str(error))
            return
        play.open(board, choice)


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
