"""Answers of engines, and the protocol of an engine.

Every function that counts takes an `Engine` as ``engine=``; the default is that of `mineproof.engine.default`. An
engine raises EngineMissing for what it cannot do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget
from mineproof.board.geometry import Geometry
from mineproof.engine.batches import Batch, BatchAnswers
from mineproof.engine.games import GamesArrays, GamesOrder, ParallelGames
from mineproof.engine.problem_answers import ProblemCount
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords
from mineproof.problems.problem import Problem

NOT_IN_QUESTION, UNDECIDED, SAFE, MINE = range(4)  # verdicts on a cell

Reason = Literal["optimal", "fate", "ahead", "only"]


class PositionCount(Protocol):
    """The count of a position. Exact numbers are counted on first use.

    A later count may use the seconds that are left of the budget, and all of its states, and raises BudgetExceeded if
    that is not enough. Objects can be pickled; a copy counts exact numbers again.
    """

    @property
    def question(self) -> Question:
        """The question of this answer."""

    @property
    def states(self) -> int:
        """The effort in merged states, the same on every machine."""

    def verdicts(self) -> bytes:
        """Return `UNDECIDED`, `SAFE` or `MINE` for each cell; `NOT_IN_QUESTION` for open, flagged and absent ones."""

    def mine_probability(self) -> npt.NDArray[np.float64]:
        """Return one value for each cell; NaN where `exact` would raise."""

    def exact(self, index: int) -> Fraction:
        """Return the mine probability of a covered or flagged cell."""

    def layouts(self, budget: Budget | None = None) -> int:
        """Return the number of consistent layouts, over all totals if none is given, within another ``budget``."""

    def log10_layouts(self) -> float:
        """Return the decimal logarithm of the number of consistent layouts."""


class Optimum(NamedTuple):
    """The layouts that optimal play wins, of all consistent layouts.

    ``best`` is a cell to open first, None if nothing is left to open. ``values`` are the layouts won by first cell, for
    cells that are not certain mines; empty unless ``every`` cell was requested. ``nodes`` is the effort in sets of
    layouts.
    """

    won: int
    layouts: int
    best: int | None
    values: dict[int, int]
    nodes: int = 0


class Outlook(NamedTuple):
    """A number that a cell may show, its chance, and what the player would know then.

    ``safe`` counts the useful cells that would be certainly safe. ``safety`` is the chance that the safest useful cell
    is safe; it is 1 if no cell is left to find out.
    """

    number: int
    chance: float
    safe: int
    safety: float


class Candidate(NamedTuple):
    """A guess and its evaluation. ``score`` compares candidates; it is not a probability.

    ``fate`` is the chance of fifty-fifties that a mine here would be part of, or wall in. ``progress`` is the chance
    that the cell is safe and another cell is certainly safe afterwards. ``win_probability`` is None if it was not
    computed.
    """

    cell: int
    mine_probability: float
    score: float
    fate: float
    progress: float
    win_probability: float | None
    outlook: tuple[Outlook, ...]


class Decision(NamedTuple):
    """The guess to make, or None, and all candidates, best first.

    Not ``complete`` if the budget ran out after the position was counted: then the guess is the best so far, and
    candidates that were not evaluated have no outlook.
    """

    best: int | None
    reason: Reason
    candidates: tuple[Candidate, ...]
    complete: bool = True


class PlayedOn(NamedTuple):
    """Games won by first cell, of ``layouts`` games for each cell."""

    wins: list[int]
    layouts: int


class CellEstimate(NamedTuple):
    """The estimated chance to win after a cell; ``dropped`` if no more games are played from it."""

    cell: int
    win_probability: float
    standard_error: float
    layouts: int
    played_by: str
    dropped: bool


class ThinkResult(NamedTuple):
    """A decision after thinking, and the estimates of its candidates, the chosen one first.

    ``clear``: the search ended before the time was up.
    """

    decision: Decision
    estimates: tuple[CellEstimate, ...]
    clear: bool


class NoGuess(NamedTuple):
    """A layout that needs no guess from its start, with the number of layouts dealt and repaired for it."""

    mines: list[int]
    deals: int
    repairs: int


class NoGuessOrder(NamedTuple):
    """A no-guess layout to generate: ``codes`` are covered or absent, ``allowed`` is 1 for cells that may be mines."""

    geometry: Geometry
    codes: bytes
    allowed: bytes
    mines: int
    start: int
    repair: bool


class Match(NamedTuple):
    """The settings of a series of games; ``start`` is None if each game begins with a random cell."""

    geometry: Geometry
    codes: bytes
    allowed: bytes
    mines: int
    start: int | None
    strategy: str
    seed: int


class GameSums(NamedTuple):
    """Sums over games; those of moves, guesses and ``log_survived`` (of the odds survived) are over games won."""

    games: int
    wins: int
    moves: int
    guesses: int
    all_guesses: int
    log_survived: float
    fallbacks: int


class WatchedGames(NamedTuple):
    """Games with their positions and moves. Move 0 is the first click, the strategy's moves count from 1.

    ``opened``, ``numbers`` and ``mined`` (games, cells): the move that opened a cell, -1 if none did; the code it shows
    then; 1 where the mines are. ``chosen``, ``certain`` and ``lots`` have an entry for each move of the strategy, game
    after game up to ``ends``: the cell, whether the strategy called it certain, and a random number that depends on
    (seed, game, move) alone. ``won`` has an entry for each game.
    """

    opened: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int8]
    mined: npt.NDArray[np.int8]
    chosen: npt.NDArray[np.int32]
    certain: npt.NDArray[np.bool_]
    lots: npt.NDArray[np.uint64]
    ends: npt.NDArray[np.int64]
    won: npt.NDArray[np.bool_]


class SurvivalWeights(NamedTuple):
    """Games in which every guess was survived: the product of their odds for each game.

    ``blind`` guesses, in positions too wide to count, were decided by the layout and do not weigh.
    """

    weights: npt.NDArray[np.float64]
    blind: int


class SurvivalGame(Protocol):
    """A running game of this kind, after its first click."""

    @property
    def codes(self) -> bytes:
        """The visible cells."""

    @property
    def is_over(self) -> bool: ...

    @property
    def weight(self) -> float: ...

    @property
    def blind(self) -> int: ...

    def open(self, cell: int) -> None:
        """Open a cell by its index in row order. Raises ValueError unless it is covered and the game is running."""


class Strategy(NamedTuple):
    """A built-in strategy. ``decides``: it can decide single positions, not only whole games.

    ``weighs``: it knows the odds of its guesses. ``looks_ahead``: it evaluates what each cell would show. ``layouts``:
    it plays optimally if at most this many layouts are consistent.
    """

    name: str
    decides: bool
    weighs: bool
    looks_ahead: bool
    layouts: int


class Engine(Protocol):
    """An engine answers questions about positions and games. The kernel releases the GIL."""

    @property
    def name(self) -> str:
        """Name of the engine: ``kernel`` or ``reference``."""

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Its strategies: the fastest first, then those of the original programs."""

    @property
    def plays(self) -> bool:
        """Can it evaluate guesses, generate no-guess boards and play whole games?"""

    def solve(self, question: Question, budget: Budget) -> PositionCount:
        """Count the consistent layouts.

        Raises ContradictionError if there is none, and BudgetExceeded if the budget is spent.
        """

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """Count the layouts of many positions, each under the budget; the answers are those of `solve`.

        Errors of positions are in their status. Raises BudgetExceeded only if the budget is cancelled.
        """

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        """Return the mines of layouts ``numbers`` of a seed, ascending; uniform, or by density without a total."""

    def solve_problem(self, problem: Problem, budget: Budget) -> ProblemCount:
        """Count the solutions of a problem; raises as `solve`."""

    def sample_problem(self, problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        """Return solutions ``numbers`` of a seed, by weight: a value for each variable."""

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        """Return the most layouts that can be won, if at most ``most`` fit; the budget's states are sets of layouts."""

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        """Evaluate some undecided cells of a position without safe cells; `decide` compares the same scores.

        Evaluates only the first cells if the budget runs out after the position was counted.
        """

    def choose(self, question: Question, strategy: str, seed: int, number: int, budget: Budget) -> int:
        """Return the cell that a strategy opens in a game that came to this position without flags, as in `simulate`.

        ``seed`` and ``number`` select the random numbers of the strategy. Raises BudgetExceeded.
        """

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        """Return the guess of a strategy in a position without safe cells, and its candidates."""

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[CellEstimate, ...]], object] | None,
    ) -> ThinkResult:
        """Return the guess of ``deep``, improved until the time is up or the result is clear.

        Calls ``progress`` after each round of games. If the budget is cancelled, returns the best so far.
        """

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> PlayedOn:
        """Return the games that a strategy wins after each first cell, on the same ``count`` layouts of a seed.

        Uses fewer layouts if the budget runs out. Raises BudgetExceeded if it is cancelled.
        """

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        """Draw ``mines`` of the cells whose byte in ``allowed`` is not 0, ascending; see `mineproof.base.rng.deal`."""

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        """Return 3BV and other measures of many layouts, one row each; see `mineproof.engine.reference_measures`."""

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        """Return no-guess layout ``number`` of a seed. Raises BudgetExceeded if none was found in time."""

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        """Play games ``numbers`` of a match, or the first of them if ``cancelled``; return sums, and 1 for each win."""

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        """Play as `simulate`, with a record of each game."""

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        """Play games ``numbers`` of a match and survive all guesses; stop early if ``cancelled``."""

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        """Return a survival game for the caller to play; the strategy of the match is ignored."""

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        """Play as `simulate`; return the positions and moves of all games."""

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> ParallelGames:
        """Return parallel games that open a cell in every step; visible cells go to the arrays."""
