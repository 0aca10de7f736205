"""The default engine: the native kernel, or the reference in plain Python.

``MINEPROOF_ENGINE=reference`` selects the reference. A package without its kernel does not fall back to it: an error
message is better than a program that is suddenly hundreds of times slower.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.engine.answers import (
    Candidate,
    CellEstimate,
    Decision,
    Engine,
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
from mineproof.engine.batches import Batch, BatchAnswers
from mineproof.engine.games import GamesArrays, GamesOrder, ParallelGames
from mineproof.engine.problem_answers import ProblemCount
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords
from mineproof.errors import EngineMissing
from mineproof.problems.problem import Problem
from mineproof.version import VERSION

VARIABLE = "MINEPROOF_ENGINE"
NAMES = ("kernel", "reference")
ADVICE = (
    "Install a C++20 compiler and install mineproof again, "
    f"or set {VARIABLE}=reference to use the slow engine in plain Python."
)


@cache
def default_engine() -> Engine:
    """Return the engine that ``MINEPROOF_ENGINE`` names, by default the kernel."""
    name = os.environ.get(VARIABLE) or "kernel"
    if name not in NAMES:
        return MissingEngine(f"{VARIABLE} must be kernel or reference, got {name!r}. Unset it to use the kernel.")
    return engine_named(name)


def chosen_engine(engine: Engine | None) -> Engine:
    """Return the given engine, or the default one."""
    if engine is None:
        return default_engine()
    if not callable(getattr(engine, "solve", None)):
        raise TypeError(f"engine must be an Engine, got {type(engine).__name__} (engine_named returns one)")
    return engine


def engine_named(name: str) -> Engine:
    """Return the engine ``kernel`` or ``reference``.

    Raises ValueError for another name. If the kernel is not installed, every method of the engine raises EngineMissing
    with the reason.
    """
    checks.one_of("name", checks.instance("name", name, str), NAMES)
    if name == "reference":
        from mineproof.engine.reference_engine import ReferenceEngine

        return ReferenceEngine()
    try:
        from mineproof.engine import kernel
    except ImportError as error:
        return MissingEngine(f"The native kernel cannot be loaded ({error}). {ADVICE}")
    if kernel.VERSION != VERSION:
        return MissingEngine(f"The native kernel has version {kernel.VERSION}, mineproof {VERSION}. {ADVICE}")
    return kernel.KernelEngine()


class MissingEngine:
    """A missing engine: every method raises EngineMissing with the reason."""

    name = "none"
    plays = False
    strategies: tuple[Strategy, ...] = ()

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def _raise_missing(self) -> NoReturn:
        raise EngineMissing(self._reason)

    def solve(self, question: Question, budget: Budget) -> PositionCount:
        self._raise_missing()

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        self._raise_missing()

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        self._raise_missing()

    def solve_problem(self, problem: Problem, budget: Budget) -> ProblemCount:
        self._raise_missing()

    def sample_problem(self, problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        self._raise_missing()

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        self._raise_missing()

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        self._raise_missing()

    def choose(self, question: Question, strategy: str, seed: int, number: int, budget: Budget) -> int:
        self._raise_missing()

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        self._raise_missing()

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[CellEstimate, ...]], object] | None,
    ) -> ThinkResult:
        self._raise_missing()

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> PlayedOn:
        self._raise_missing()

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        self._raise_missing()

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        self._raise_missing()

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        self._raise_missing()

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        self._raise_missing()

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        self._raise_missing()

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        self._raise_missing()

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        self._raise_missing()

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        self._raise_missing()

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> ParallelGames:
        self._raise_missing()
