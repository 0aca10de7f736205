"""Games of strategies written in Python: one after the other, or many at once if the strategy supports batches.

The strategy sees the visible board and chooses cells to open. Every position is analyzed once, to distinguish guesses
from safe moves. A strategy that takes the analysis as an argument receives it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from mineproof.analysis.analysis import Analysis, analyze
from mineproof.analysis.many import analyze_many
from mineproof.base.budget import Budget
from mineproof.base.rng import REDRAWS, Random, derive
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.custom import Own
from mineproof.engine.answers import Engine
from mineproof.engine.batches import PositionStatus
from mineproof.engine.records import GAME, GameRecords, add_guess, new_calibration
from mineproof.errors import BotError, BudgetExceeded, IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.measures import measure
from mineproof.simulation.forfeits import NO_FORFEITS, Forfeits, report_forfeit
from mineproof.simulation.results import LOG_UNIT, Tally
from mineproof.simulation.series import Series

POSITION_BUDGET = Budget(seconds=math.inf, states=1 << 20)  # the same limit as in games of the kernel
BATCH_GAMES = 256  # games that a batch strategy plays at once
BATCH_MAX_CELLS = 1 << 18  # of all boards of a batch

OWN_GAME = np.dtype([*GAME.descr, ("needless", "<i4")])  # guesses while some cell was certainly safe


def own_chunk(series: Series, own: Own) -> int:
    """Return the number of games in a chunk."""
    if not own.answers_many:
        return 1
    return max(1, min(BATCH_GAMES, BATCH_MAX_CELLS // (series.rows * series.columns)))


class PlayedGames(NamedTuple):
    """Sums, outcomes and forfeits of games, and the time that the strategy waited for other programs."""

    tally: Tally
    outcomes: bytes
    forfeits: Forfeits = NO_FORFEITS
    waited_seconds: float = 0.0


def play_own(series: Series, own: Own, engine: Engine, numbers: range, stopped: Callable[[], bool]) -> PlayedGames:
    """Play games ``numbers`` and return their sums and outcomes; both are empty if it was stopped."""
    before = own.waited_seconds
    plays = _play_games(series, own, engine, numbers, stopped)
    return PlayedGames(*_sum_plays(plays), _sum_forfeits(plays), own.waited_seconds - before)


def record_own(
    series: Series, own: Own, engine: Engine, numbers: range, stopped: Callable[[], bool]
) -> tuple[Tally, bytes, GameRecords]:
    """Play games ``numbers`` and also return a record of each, as `OWN_GAME`. The analysis supplies the odds."""
    plays = _play_games(series, own, engine, numbers, stopped)
    games, calibration = np.array([play.record() for play in plays], dtype=OWN_GAME), new_calibration()
    for play in plays:
        for stated, is_mine in play.stated:
            add_guess(calibration, stated, mined=is_mine)
    return *_sum_plays(plays), GameRecords(games, calibration)


def _play_games(
    series: Series, own: Own, engine: Engine, numbers: range, stopped: Callable[[], bool]
) -> list[_CustomGame]:
    """Return the finished games; an empty list if it was stopped."""
    plays = [_CustomGame(series, number) for number in numbers]
    if own.answers_many:
        _play_side_by_side(plays, series, own, engine, stopped)
    else:
        for play in plays:
            _play_alone(play, series, own, engine)
    return plays if all(play.is_over for play in plays) else []


def _sum_plays(plays: list[_CustomGame]) -> tuple[Tally, bytes]:
    tallies = [play.tally() for play in plays]
    return sum(tallies, Tally()), bytes(tally.wins for tally in tallies)


def _sum_forfeits(plays: list[_CustomGame]) -> Forfeits:
    return reduce(Forfeits.plus, (play.forfeits for play in plays), NO_FORFEITS)


@dataclass
class _CustomGame:
    """One game in progress, with its counters."""

    series: Series
    number: int
    game: Game = field(init=False)
    moves: int = 1
    guesses: int = 1
    needless: int = 0
    fallbacks: int = 0
    luck: float = 0.0
    odds: float = math.nan  # of the last guess, if they are known
    stated: list[tuple[float, bool]] = field(default_factory=list)  # known odds of guesses, and whether they hit a mine
    last: Cell = field(init=False)
    forfeits: Forfeits = NO_FORFEITS  # one, if the strategy gave up the game

    def __post_init__(self) -> None:
        redraws = Random(derive(self.series.seed, REDRAWS), self.number).next()
        self.game = Game(
            self.series.layout(self.number),  # one that the first click allows
            first_click="any", fairness=self.series.fairness, seed=redraws, budget=POSITION_BUDGET,
        )  # fmt: skip
        self.last = self.series.start_cell(self.number)
        self.game.open(*self.last)

    @property
    def is_over(self) -> bool:
        """Was the game won, lost or forfeited?"""
        return self.game.is_over or bool(self.forfeits.total)

    def open(self, choice: Any) -> Cell:
        """Open the cell that the strategy chose, and return it."""
        try:
            self.game.play("open", choice)
            row, column = choice
        except (IllegalMoveError, TypeError, ValueError) as error:
            name = self.series.strategy
            raise IllegalMoveError(
                f"game {self.number}: expected a covered cell from {name}, got {choice!r}: {error}"
            ) from None
        self.last = row, column
        return self.last

    def count(self, *, is_known: bool, is_safe: bool, any_safe: bool, mine_probability: float) -> None:
        """Count a move. If ``is_known`` is False, the position was too large to count and the rest is ignored."""
        self.moves += 1
        self.fallbacks += not is_known
        if not (is_known and is_safe):
            self.guesses += 1
            self.needless += is_known and any_safe
            self.luck += math.log1p(-mine_probability) if is_known and self.game.status != "lost" else 0.0
            self.odds = mine_probability if is_known else math.nan
            if is_known:
                self.stated.append((mine_probability, self.game.status == "lost"))

    def tally(self) -> Tally:
        if self.game.status != "won":
            return Tally(all_guesses=self.guesses, fallbacks=self.fallbacks)
        return Tally(
            wins=1,
            moves=self.moves,
            guesses=self.guesses,
            needless=self.needless,
            all_guesses=self.guesses,
            survived=round(self.luck / LOG_UNIT),
            fallbacks=self.fallbacks,
        )

    def record(self) -> tuple[float | int, ...]:
        """Return the fields of `OWN_GAME`."""
        won = self.game.status == "won"
        lost = self.game.status == "lost"  # by a mine
        lost_odds = self.odds if lost else math.nan
        lost_cell = self.last[0] * self.series.columns + self.last[1] if lost else -1
        layout = self.game.layout if self.game.is_over else self.series.layout(self.number)
        bbbv = measure(layout, zini=False).bbbv
        return self.luck, lost_odds, lost_cell, self.moves, self.guesses, self.fallbacks, bbbv, won, self.needless


def _play_alone(play: _CustomGame, series: Series, own: Own, engine: Engine) -> None:
    choose = own.for_game(series.seed, play.number)
    while not play.is_over:
        board = play.game.board
        analysis = analysis_or_none(board, engine)
        try:
            choice = choose.ask(board, analysis)
        except BotError as error:
            play.forfeits = report_forfeit(own.name, play.number, str(error))
            return
        cell = play.open(choice)
        if analysis is None:
            play.count(is_known=False, is_safe=False, any_safe=False, mine_probability=math.nan)
        else:
            chance = float(analysis.mine_probability[cell])
            play.count(
                is_known=True, is_safe=cell in analysis.safe, any_safe=bool(analysis.safe), mine_probability=chance
            )


def _play_side_by_side(
    plays: list[_CustomGame], series: Series, own: Own, engine: Engine, stopped: Callable[[], bool]
) -> None:
    """Make one move in every unfinished game, and repeat until all are over."""
    choose = own.for_games(series.seed, plays[0].number)
    while (left := [play for play in plays if not play.game.is_over]) and not stopped():
        boards = np.array([play.game.board.to_array() for play in left])
        analyses = analyze_many(
            boards, series.mines, topology=series.topology, threads=1, budget=POSITION_BUDGET, engine=engine
        )
        cells = choose(boards, analyses)
        for place, (play, cell) in enumerate(zip(left, cells, strict=True)):
            row, column = play.open(cell)
            play.count(
                is_known=analyses.status[place] == PositionStatus.OK,
                is_safe=bool(analyses.safe[place, row, column]),
                any_safe=bool(analyses.safe[place].any()),
                mine_probability=float(analyses.mine_probability[place, row, column]),
            )


def analysis_or_none(board: Board, engine: Engine) -> Analysis | None:
    """Return the analysis that a strategy receives; None if the board is too large to count."""
    try:
        return analyze(board, budget=POSITION_BUDGET, engine=engine)
    except BudgetExceeded:
        return None
