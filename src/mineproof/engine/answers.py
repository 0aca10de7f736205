"""What engines answer with, and what an engine is.

An `Engine` is an object: every function that counts takes one as ``engine=``, and takes that of
`mineproof.engine.choice` where none is handed in. What an engine cannot do it refuses with EngineMissing.
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
from mineproof.engine.games import Games, GamesArrays, GamesOrder
from mineproof.engine.question import Question
from mineproof.engine.records import GameRecords

NOT_IN_QUESTION, UNDECIDED, SAFE, MINE = range(4)  # verdicts on a cell

Reason = Literal["optimal", "fate", "ahead", "only"]


class Counted(Protocol):
    """What is known about a position. Exact numbers are worked out when they are asked for."""

    @property
    def states(self) -> int:
        """The effort: merged states made, the same on every machine."""

    def verdicts(self) -> bytes:
        """Per cell `UNDECIDED`, `SAFE` or `MINE`; `NOT_IN_QUESTION` where it is open, flagged or absent."""

    def mine_probability(self) -> npt.NDArray[np.float64]:
        """Flat, one value per cell; NaN where `exact` would refuse."""

    def exact(self, index: int) -> Fraction:
        """The mine probability of a covered or flagged cell."""

    def layouts(self) -> int:
        """How many layouts fit, over all totals when none is given."""

    def log10_layouts(self) -> float: ...


class Optimum(NamedTuple):
    """Layouts that optimal play wins, of all that fit.

    ``best`` is a cell to open first, None if nothing is left to open; ``values`` are the layouts won by the cell that
    is opened first, of those that are not certainly mines, and empty unless every cell was asked for. ``nodes`` is the
    effort: sets of layouts searched.
    """

    won: int
    layouts: int
    best: int | None
    values: dict[int, int]
    nodes: int = 0


class Outlook(NamedTuple):
    """A number that a cell may show, with its chance, and what would be known then.

    ``safe`` counts the cells that would be certainly free and would tell something; ``safety`` is the chance of the
    safest such cell to be free, 1 also where nothing would be left to find out.
    """

    number: int
    chance: float
    safe: int
    safety: float


class Candidate(NamedTuple):
    """What a guess was weighed by. ``score`` compares candidates and is no probability of anything.

    ``fate`` is the chance of fifty-fifties that a mine here would be part of, or wall in. ``progress`` is the chance
    that the cell is free and something is certainly safe afterwards. ``win_probability`` is None where it was not
    worked out.
    """

    cell: int
    mine_probability: float
    score: float
    fate: float
    progress: float
    win_probability: float | None
    outlook: tuple[Outlook, ...]


class Decision(NamedTuple):
    """The guess to make, None where there is none or it cannot be told, and all candidates, best first."""

    best: int | None
    reason: Reason
    candidates: tuple[Candidate, ...]


class Estimate(NamedTuple):
    """What playing on from a cell says of the chance to win; ``dropped`` if no more is played from it."""

    cell: int
    win_probability: float
    standard_error: float
    layouts: int
    played_by: str
    dropped: bool


class Thought(NamedTuple):
    """A decision that was thought over, and what is known of those it was between, the chosen one first.

    ``clear``: it ended by itself, before the time was up.
    """

    decision: Decision
    estimates: tuple[Estimate, ...]
    clear: bool


class NoGuess(NamedTuple):
    """A layout that needs no guess from its start, and what it took: layouts dealt, repairs of all of them."""

    mines: list[int]
    deals: int
    repairs: int


class NoGuessOrder(NamedTuple):
    """A layout to be made: ``codes`` are covered or absent, ``allowed`` has 1 where a mine may be, not on the start."""

    geometry: Geometry
    codes: bytes
    allowed: bytes
    mines: int
    start: int
    repair: bool


class Match(NamedTuple):
    """What the games of a series have in common; ``start`` is None where each begins with a cell of its own."""

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
    """Games with what was seen and chosen in them. Move 0 is the first click, the strategy's moves count from 1.

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
    """Such a game under way, its first click made."""

    @property
    def codes(self) -> bytes:
        """What is seen."""

    @property
    def is_over(self) -> bool: ...

    @property
    def weight(self) -> float: ...

    @property
    def blind(self) -> int: ...

    def open(self, cell: int) -> None:
        """Open a cell by its place in row order; ValueError unless it is covered and the game is not over."""


class Strategy(NamedTuple):
    """A way to play. ``decides``: it can be asked about a single position, not only for whole games.

    ``weighs``: it knows the odds of its guesses. ``looks_ahead``: it weighs what each cell would tell. ``layouts``: it
    plays optimally where no more of them fit.
    """

    name: str
    decides: bool
    weighs: bool
    looks_ahead: bool
    layouts: int


class Engine(Protocol):
    """Whatever can be asked about positions and games. All of it releases the GIL where the kernel answers."""

    @property
    def name(self) -> str: ...

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Those it knows, the quickest first, then those of the originals."""

    @property
    def plays(self) -> bool:
        """Does it weigh guesses, make boards without a guess and play whole games?"""

    def solve(self, question: Question, budget: Budget) -> Counted:
        """Count the layouts that fit.

        Raises ContradictionError when there is none and BudgetExceeded when the budget is spent.
        """

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """Count the layouts of many positions, each under the budget; the answers are those of `solve`.

        What is wrong with a position is told by its status; BudgetExceeded is raised only if the budget is cancelled.
        """

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        """The mines of layouts ``numbers`` of a seed, drawn uniformly (by density without a total), ascending."""

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        """The most layouts that can be won, if at most ``most`` fit; the budget's states are sets of layouts."""

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        """What each of some undecided cells would tell, where nothing is safe; scores are those `decide` compares."""

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        """The guess that a strategy makes where nothing is safe, and what it was weighed against."""

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[Estimate, ...]], object] | None,
    ) -> Thought:
        """The guess that `decide` makes for ``deep``, thought over until the budget's time is up or it is clear.

        ``progress`` is called after each round of games. When the budget is cancelled the best so far is the answer.
        """

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> list[int]:
        """Games won by each first cell when a strategy plays on, on the same ``count`` layouts drawn from a seed."""

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        """See `mineproof.base.rng.deal`: ``mines`` of the cells whose byte in ``allowed`` is not 0, ascending."""

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        """3BV and the like of many layouts, a row for each; see `mineproof.engine.reference_measures`."""

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        """Layout ``number`` of a seed that certainty alone opens from its start; BudgetExceeded if none was found."""

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        """Play games ``numbers`` of a match, or the first of them if ``cancelled`` says so; 1 for each game won."""

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        """The same with what is kept of each game; the sums are the same, too."""

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        """Play games ``numbers`` of a match and survive all guesses; of fewer games if ``cancelled`` says so."""

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        """One of these games, for whoever calls; the strategy of the match does not matter."""

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        """Play the same games as `simulate`, and tell what was seen and chosen in them."""

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> Games:
        """Games side by side, each one opening further with every step; what is seen of them goes to the arrays."""
