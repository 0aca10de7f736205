"""Which engine counts where none is handed in: the native kernel, or the reference in plain Python.

The kernel is used unless ``MINEPROOF_ENGINE=reference`` asks for the reference. A package without its kernel does
not fall back on its own: a program that is suddenly hundreds of times slower is told why instead.
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
    Counted,
    Decision,
    Engine,
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
from mineproof.engine.batches import Batch, BatchAnswers
from mineproof.engine.games import Games, GamesArrays, GamesOrder
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords
from mineproof.errors import EngineMissing
from mineproof.version import VERSION

VARIABLE = "MINEPROOF_ENGINE"


@cache
def default_engine() -> Engine:
    """The engine that ``MINEPROOF_ENGINE`` names, by default the kernel; looked up once."""
    return engine_named(os.environ.get(VARIABLE) or "kernel")


def chosen_engine(engine: Engine | None) -> Engine:
    """The engine that a caller gives, or else the default one."""
    if engine is None:
        return default_engine()
    if not callable(getattr(engine, "solve", None)):
        raise TypeError(f"found engine of type {type(engine).__name__}, expected an Engine (engine_named makes one)")
    return engine


def engine_named(name: str) -> Engine:
    """The engine ``kernel`` or ``reference``; one that refuses every question, and says why, where it cannot be had."""
    checks.instance("name", name, str)
    if name == "reference":
        from mineproof.engine.plain import ReferenceEngine

        return ReferenceEngine()
    if name != "kernel":
        return MissingEngine(f"{VARIABLE} is {name!r}, expected kernel or reference")
    try:
        from mineproof.engine import kernel
    except ImportError as error:
        return MissingEngine(f"the native kernel cannot be loaded ({error})")
    if kernel.VERSION != VERSION:
        return MissingEngine(f"the native kernel is of version {kernel.VERSION}, mineproof of {VERSION}")
    return kernel.KernelEngine()


class MissingEngine:
    """No engine: whatever is asked is refused with the reason."""

    name = "none"
    plays = False
    strategies: tuple[Strategy, ...] = ()

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def _refuse(self) -> NoReturn:
        raise EngineMissing(
            f"{self._reason}. Install a C++20 compiler and install mineproof again, "
            f"or set {VARIABLE}=reference to count in plain Python, slowly"
        )

    def solve(self, question: Question, budget: Budget) -> Counted:
        self._refuse()

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        self._refuse()

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        self._refuse()

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        self._refuse()

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        self._refuse()

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        self._refuse()

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[Estimate, ...]], object] | None,
    ) -> Thought:
        self._refuse()

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> list[int]:
        self._refuse()

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        self._refuse()

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        self._refuse()

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        self._refuse()

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        self._refuse()

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        self._refuse()

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        self._refuse()

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        self._refuse()

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        self._refuse()

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> Games:
        self._refuse()
