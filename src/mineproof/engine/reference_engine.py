"""The reference as an engine: the methods it has, and errors for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from mineproof.base import rng
from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.engine import reference, reference_measures, reference_optimal, reference_problem
from mineproof.engine.answers import (
    Candidate,
    CellEstimate,
    Decision,
    GameSums,
    Match,
    NoGuess,
    NoGuessOrder,
    Optimum,
    PlayedOn,
    PositionCount,
    Strategy,
    SurvivalGame,
    SurvivalWeights,
    ThinkResult,
    WatchedGames,
)
from mineproof.engine.batches import Batch, BatchAnswers, answer_one_by_one
from mineproof.engine.games import GamesArrays, GamesOrder, ParallelGames
from mineproof.engine.problem_answers import ProblemCount
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords
from mineproof.errors import EngineMissing
from mineproof.problems.problem import Problem


class ReferenceEngine:
    """See `mineproof.engine.answers.Engine`. Whole games, no-guess boards and evaluated guesses need the kernel."""

    name = "reference"
    plays = False
    strategies = (
        Strategy("fast", decides=True, weighs=True, looks_ahead=False, layouts=200),
        Strategy("minesolver", decides=True, weighs=True, looks_ahead=False, layouts=0),
    )

    def solve(self, question: Question, budget: Budget) -> PositionCount:
        return reference.solve(question, budget)

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """Count one after the other: threads do not help plain Python."""
        answer_one_by_one(self, batch, answers, budget)

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        return reference.sample(question, seed, numbers, budget)

    def solve_problem(self, problem: Problem, budget: Budget) -> ProblemCount:
        return reference_problem.solve_problem(problem, budget)

    def sample_problem(self, problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        return reference_problem.sample_problem(problem, seed, numbers, budget)

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        return reference_optimal.optimal(question, budget, every=every, most=most)

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        cells = [cell for cell, may in enumerate(allowed) if may]
        return rng.deal(rng.Random(seed, number), cells, mines)

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        return reference_measures.measure(geometry, array, zini)

    # kernel only

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        _raise_cannot_evaluate()

    def choose(self, question: Question, strategy: str, seed: int, number: int, budget: Budget) -> int:
        _raise_cannot_evaluate()

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        _raise_cannot_evaluate()

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[CellEstimate, ...]], object] | None,
    ) -> ThinkResult:
        _raise_cannot_evaluate()

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> PlayedOn:
        _raise_cannot_evaluate()

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        _raise_missing("Generating no-guess layouts needs the native kernel. This is the reference engine.")

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        _raise_cannot_play()

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        _raise_cannot_play()

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        _raise_cannot_survive()

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        _raise_cannot_survive()

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        _raise_missing("Watching games needs the native kernel. This is the reference engine.")

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> ParallelGames:
        _raise_missing("Playing parallel games needs the native kernel. This is the reference engine.")


def _raise_cannot_play() -> NoReturn:
    _raise_missing(
        "Playing built-in strategies needs the native kernel. This is the reference engine, which can simulate "
        "Python functions."
    )


def _raise_cannot_survive() -> NoReturn:
    _raise_missing("Survival-weighted games need the native kernel. This is the reference engine.")


def _raise_cannot_evaluate() -> NoReturn:
    _raise_missing(
        "Evaluating guesses needs the native kernel. This is the reference engine, which has the strategy 'fast' "
        "and optimal play of small positions."
    )


def _raise_missing(message: str) -> NoReturn:
    raise EngineMissing(message)
