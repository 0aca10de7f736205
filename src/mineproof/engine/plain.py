"""The reference as an engine: what it answers, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from mineproof.base import rng
from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.engine import reference, reference_measures, reference_optimal
from mineproof.engine.answers import (
    Candidate,
    Counted,
    Decision,
    Estimate,
    GameSums,
    Match,
    NoGuess,
    NoGuessOrder,
    Optimum,
    Strategy,
    SurvivalGame,
    SurvivalWeights,
    Thought,
    WatchedGames,
)
from mineproof.engine.batches import Batch, BatchAnswers, answer_one_by_one
from mineproof.engine.games import Games, GamesArrays, GamesOrder
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords
from mineproof.errors import EngineMissing


class ReferenceEngine:
    """See `mineproof.engine.answers.Engine`. Whole games, boards without a guess, weighed guesses: kernel only."""

    name = "reference"
    plays = False
    strategies = (
        Strategy("fast", decides=True, weighs=True, looks_ahead=False, layouts=200),
        Strategy("minesolver", decides=True, weighs=True, looks_ahead=False, layouts=0),
    )

    def solve(self, question: Question, budget: Budget) -> Counted:
        return reference.solve(question, budget)

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """One after the other: threads do not help plain Python."""
        answer_one_by_one(self, batch, answers, budget)

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        return reference.sample(question, seed, numbers, budget)

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        return reference_optimal.optimal(question, budget, every=every, most=most)

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        cells = [cell for cell, may in enumerate(allowed) if may]
        return rng.deal(rng.Random(seed, number), cells, mines)

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        return reference_measures.measure(geometry, array, zini)

    # what it does not do

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        _refuse_to_weigh()

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        _refuse_to_weigh()

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[Estimate, ...]], object] | None,
    ) -> Thought:
        _refuse_to_weigh()

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> list[int]:
        _refuse_to_weigh()

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        _refuse("layouts that need no guess are made by the native kernel only, and this is the reference")

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        _refuse_to_play()

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        _refuse_to_play()

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        _refuse_to_survive()

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        _refuse_to_survive()

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        _refuse("games are watched move by move by the native kernel only, and this is the reference")

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> Games:
        _refuse("games side by side are played by the native kernel only, and this is the reference")


def _refuse_to_play() -> NoReturn:
    _refuse(
        "strategies with a name are played by the native kernel only, and this is the reference; "
        "a Python function can be simulated"
    )


def _refuse_to_survive() -> NoReturn:
    _refuse("survival-weighted games are played by the native kernel only, and this is the reference")


def _refuse_to_weigh() -> NoReturn:
    _refuse(
        "guesses are weighed by the native kernel only, and this is the reference; "
        "strategy 'fast' and optimal play of small positions need no kernel"
    )


def _refuse(message: str) -> NoReturn:
    raise EngineMissing(message)
