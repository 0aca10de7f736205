"""The native engine for Python: the same questions and answers as `mineproof.engine.reference`.

Only this module and `kernel_problems` import the extensions: ``_kernel`` for most boards, and for shapes whose cells
have more than eight neighbours ``_kernel_wide``, the same sources compiled for longer neighbour tables. They answer
with named results, statuses and raw bytes; here they become errors with messages, arrays and exact numbers. Counts come
as residues modulo primes of 62 bits, as many as the count has bits for, and the Chinese remainder theorem puts them
together, so `layouts` and `exact` take a few passes of the kernel and no arithmetic on long integers until the end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import DEFAULT, Budget, budget_error
from mineproof.base.words import at, duration, plural
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import Geometry
from mineproof.board.lattices import NARROW_REACH
from mineproof.engine import _kernel, kernel_problems
from mineproof.engine.answers import (
    MINE,
    UNDECIDED,
    Candidate,
    CellEstimate,
    Decision,
    GameSums,
    Match,
    NoGuess,
    NoGuessOrder,
    Optimum,
    PlayedOn,
    Strategy,
    SurvivalGame,
    SurvivalWeights,
    ThinkResult,
    WatchedGames,
)
from mineproof.engine.batches import LIMITS, Batch, BatchAnswers, PositionStatus, answer_one
from mineproof.engine.games import GamesArrays, GamesOrder
from mineproof.engine.problem_answers import ProblemCount
from mineproof.engine.question import Question
from mineproof.engine.records import BIN, GAME, GameRecords
from mineproof.engine.reference_measures import width
from mineproof.errors import BudgetExceeded, ContradictionError, IllegalMoveError, MineproofError, OutsideError
from mineproof.problems.problem import Problem
from mineproof.wording.contradictions import Contradiction

VERSION = _kernel.__version__

_PRIME_BITS = 61.9
_EXTREME = Fraction(1, 10**200)
_MIN_CHANCE, _MAX_CHANCE = 5e-324, 1 - 2**-53  # an undecided cell is neither 0 nor 1, however close
_NO_LIMIT = 2**64 - 1
_LOG10_OF_2 = math.log10(2)
_THINK_MAX_LAYOUTS = 2**20  # more than any time limit allows
_MEASURE_BATCH_CELLS = 1_000_000  # a sixth of a second at most


class KernelEngine:
    """See `mineproof.engine.answers.Engine`."""

    name = "kernel"
    plays = True

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        return _strategies()

    def solve(self, question: Question, budget: Budget) -> KernelCount:
        started = time.perf_counter()
        kernel = _module(question.geometry)
        analyzed: _kernel.Analyzed = kernel.analyze(_native_question(question), _limits(budget, kernel))
        if analyzed.trouble is not None:
            raise _refusal(question, analyzed.trouble)
        return KernelCount(question, budget, analyzed, time.perf_counter() - started)

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """See native/src/batch.cpp. Positions that exceed the precision of doubles are counted exactly, one by one."""
        started = time.monotonic()
        odds = 0.0 if batch.density is None else _odds(batch.density)
        kernel = _module(batch.geometry)
        is_done = kernel.analyze_many(
            _native(batch.geometry),
            batch.codes,
            batch.totals,
            odds,
            batch.trust_flags,
            threads,
            _limits(budget, kernel),
            answers.mine_probability,
            answers.verdicts,
            answers.log10_layouts,
            answers.status,
            answers.limit,
        )
        if not is_done:
            raise budget_error("cancelled", time.monotonic() - started, 0, None)
        np.multiply(answers.log10_layouts, _LOG10_OF_2, out=answers.log10_layouts)
        answers.limit[:] = _limit_codes()[answers.limit]
        imprecise = np.flatnonzero(answers.status == _kernel.BatchStatus.imprecise.value).tolist()
        answers.status[:] = _status_codes()[answers.status]
        for position in imprecise:
            answer_one(self, batch, position, answers, budget)

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        kernel = _module(question.geometry)
        native, limits = _native_question(question), _limits(budget, kernel)
        samples: _kernel.Samples = kernel.sample(native, seed, numbers.start, len(numbers), limits)
        if samples.trouble is not None:
            raise _refusal(question, samples.trouble)
        cuts = np.frombuffer(samples.ends, dtype=np.uint64).astype(np.int64)[:-1]
        return [part.tolist() for part in np.split(np.frombuffer(samples.mines, dtype=np.uint32), cuts)]

    def solve_problem(self, problem: Problem, budget: Budget) -> ProblemCount:
        return kernel_problems.solve_problem(problem, budget)

    def sample_problem(self, problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        return kernel_problems.sample_problem(problem, seed, numbers, budget)

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        kernel = _module(question.geometry)
        optimum: _kernel.SearchResult = kernel.optimal(_native_question(question), every, most, _limits(budget, kernel))
        if optimum.trouble is not None and optimum.trouble.status.name == "imprecise":  # too many layouts fit
            raise budget_error("size", 0.0, 0, None)
        answer: Optimum = _answer(question, optimum)
        return answer

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        kernel = _module(question.geometry)
        search: _kernel.SearchResult = kernel.look_ahead(_native_question(question), cells, _limits(budget, kernel))
        candidates: tuple[Candidate, ...] | None = _answer(question, search)
        _raise_if_cancelled(search.limit)
        if candidates is not None:
            return list(candidates)
        odds = self.solve(question, budget).mine_probability()  # the position is too large for more
        return [Candidate(cell, float(odds[cell]), 0.0, 0.0, 0.0, None, ()) for cell in cells]

    def choose(self, question: Question, strategy: str, seed: int, number: int, budget: Budget) -> int:
        kernel = _module(question.geometry)
        chosen: _kernel.SearchResult = kernel.choose(
            _native_question(question), strategy, seed, number, _limits(budget, kernel)
        )
        _raise_if_cancelled(chosen.limit)
        if chosen.answer is None:
            raise budget_error(chosen.limit.name, 0.0, 0, None)
        return cast(int, chosen.answer)

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        kernel = _module(question.geometry)
        search: _kernel.SearchResult = kernel.decide(_native_question(question), strategy, _limits(budget, kernel))
        decision: Decision = _answer(question, search)
        _raise_if_cancelled(search.limit)
        return decision

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[CellEstimate, ...]], object] | None,
    ) -> ThinkResult:
        """See native/src/thinker.cpp. Plays quick games first, then better ones until the time is up."""
        kernel = _module(question.geometry)
        native, limits = _native_question(question), _limits(budget, kernel)
        result: ThinkResult = _answer(question, kernel.think(native, _THINK_MAX_LAYOUTS, threads, limits, progress))
        return result

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> PlayedOn:
        _require_strategy(strategy, question.geometry)
        kernel = _module(question.geometry)
        native, limits = _native_question(question), _limits(budget, kernel)
        played: _kernel.SearchResult = kernel.play_on(native, starts, strategy, seed, count, limits)
        _raise_if_cancelled(played.limit)
        return cast(PlayedOn, played.answer)

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        dealt: list[int] = _module(geometry).deal(_native(geometry), allowed, mines, seed, number)
        return dealt

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        """See native/src/measures.cpp. Works in batches, between which Ctrl-C takes effect."""
        native, array = _native(geometry), np.ascontiguousarray(array)
        measures = np.empty((len(array), width(geometry)), dtype=np.int32)
        batch = max(1, _MEASURE_BATCH_CELLS // geometry.cells)
        for first in range(0, len(array), batch):
            part = slice(first, first + batch)
            _module(geometry).measure(native, geometry.columns, array[part], zini, measures[part])
        return measures

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        """See native/src/no_guess.cpp."""
        kernel = _module(order.geometry)
        setup = kernel.Setup(_native(order.geometry), order.codes, order.allowed, order.mines, order.start)
        search: _kernel.NoGuess = kernel.no_guess(setup, order.repair, seed, number, _limits(budget, kernel))
        if search.made:
            return NoGuess(search.mines, search.deals, search.repairs)
        repairs = f" and {plural(search.repairs, 'repair')}" if search.repairs else ""
        effort = f"{plural(search.deals, 'layout')} dealt{repairs}"
        message = (
            f"No layout without a guess after {duration(search.seconds)}, {effort}. "
            f"The best opened {search.most_open:,} of {search.safe_cells:,} safe cells."
        )
        raise BudgetExceeded(message, limit=search.limit.name, seconds=search.seconds, states=search.states)

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        games = _simulate(match, numbers, cancelled, records=False)
        return cast(GameSums, games.sums), games.won

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        games = _simulate(match, numbers, cancelled, records=True)
        records, calibration = np.frombuffer(games.records, dtype=GAME), np.frombuffer(games.calibration, dtype=BIN)
        return cast(GameSums, games.sums), games.won, GameRecords(records, calibration)

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        """See native/src/survival.cpp."""
        kernel = _module(match.geometry)
        limits = kernel.Limits(math.inf, _NO_LIMIT, _NO_LIMIT, cancelled)
        survival: _kernel.SurvivalTally = kernel.survive(
            _setup(match), match.strategy, match.seed, numbers.start, len(numbers), limits
        )
        return SurvivalWeights(np.frombuffer(survival.weights, dtype=np.float64), survival.blind)

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        game: _kernel.SurvivalGame = _module(match.geometry).SurvivalGame(_setup(match), match.seed, number)
        return game

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        """See native/src/watched.cpp."""
        kernel = _module(match.geometry)
        limits = kernel.Limits(math.inf, _NO_LIMIT, _NO_LIMIT, cancelled)
        games: _kernel.WatchedGames = kernel.watch(
            _setup(match), match.strategy, match.seed, numbers.start, len(numbers), limits
        )
        cells = match.geometry.cells
        return WatchedGames(
            opened=np.frombuffer(games.opened, dtype=np.int32).reshape(-1, cells),
            numbers=np.frombuffer(games.numbers, dtype=np.int8).reshape(-1, cells),
            mined=np.frombuffer(games.mined, dtype=np.int8).reshape(-1, cells),
            chosen=np.frombuffer(games.chosen, dtype=np.int32),
            certain=np.frombuffer(games.certain, dtype=np.bool_),
            lots=np.frombuffer(games.lots, dtype=np.uint64),
            ends=np.frombuffer(games.ends, dtype=np.int64),
            won=np.frombuffer(games.won, dtype=np.bool_),
        )

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> KernelGames:
        return KernelGames(order, arrays, threads)


class KernelGames:
    """See `mineproof.engine.games.ParallelGames`, and native/src/many_games.cpp."""

    __slots__ = ("_games", "_order")

    def __init__(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> None:
        self._order = order
        kernel = _module(order.geometry)
        self._games: _kernel.ManyGames = kernel.ManyGames(_native(order.geometry), order, arrays, threads)

    def reset(self, which: npt.NDArray[np.bool_]) -> None:
        self._games.reset(which)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        result = self._games.step(actions, self._order.budget.cancelled)
        if result.fault.name != "none":
            raise self._refusal(result)

    def mines_of(self, game: int) -> list[int]:
        try:
            return self._games.mines_of(game)
        except ValueError:
            raise IllegalMoveError(f"Game {game} is still running. Its mines are available when it is over.") from None

    def _refusal(self, result: _kernel.StepResult) -> MineproofError:
        """Return the error of a step that was refused or cancelled."""
        if result.fault.name == "outside":
            last = self._order.geometry.cells - 1
            return OutsideError(f"board {result.game}: expected an action from 0 to {last}, got {result.action}")
        if result.fault.name == "over":
            return IllegalMoveError(f"The game on board {result.game} is over. Reset it before the next step.")
        if result.fault.name == "forked":
            message = f"The process was forked during a step of board {result.game}. Reset it first."
            return IllegalMoveError(message)
        message = "Cancelled during a step: some boards have moved, the others are unchanged."
        return BudgetExceeded(message, limit="cancelled", seconds=0.0, states=0)


class _Facts(NamedTuple):
    """The fields of `_kernel.Analyzed` that a pickle needs."""

    verdicts: bytes
    odds: bytes
    log2_layouts: float
    exact_bits: float
    largest_component: int
    states: int
    precise: bool


class KernelCount:
    """The answer about a position. Exact numbers are counted on first use."""

    __slots__ = ("_analyzed", "_budget", "_counts", "_spent", "_verdicts", "question")

    def __init__(
        self, question: Question, budget: Budget, analyzed: _kernel.Analyzed | _Facts, spent: float = 0.0
    ) -> None:
        self.question, self._budget, self._analyzed, self._spent = question, budget, analyzed, spent
        self._verdicts = analyzed.verdicts
        self._counts: dict[bool, _ExactCounts] | None = None

    def __reduce__(self) -> tuple[object, ...]:
        facts = _Facts(*(getattr(self._analyzed, name) for name in _Facts._fields))
        return KernelCount, (self.question, self._budget.without_callable(), facts, self._spent)

    @property
    def states(self) -> int:
        return self._analyzed.states

    def verdicts(self) -> bytes:
        return self._verdicts

    def mine_probability(self) -> npt.NDArray[np.float64]:
        odds = np.frombuffer(self._analyzed.odds)
        if self._analyzed.precise:
            return odds
        values = odds.copy()
        for index in np.flatnonzero(np.frombuffer(self._verdicts, dtype=np.uint8) == UNDECIDED).tolist():
            values[index] = min(max(float(self.exact(index)), _MIN_CHANCE), _MAX_CHANCE)
        return values

    def log10_layouts(self) -> float:
        analyzed = self._analyzed
        return analyzed.log2_layouts * _LOG10_OF_2 if analyzed.precise else math.log10(self.layouts())

    def layouts(self, budget: Budget | None = None) -> int:
        if self._analyzed.largest_component == 0 and self.question.total_mines is not None:  # only sea is left
            left = self.question.total_mines - self.question.codes.count(FLAGGED & 0xFF) - self._verdicts.count(MINE)
            return math.comb(self._verdicts.count(UNDECIDED), left) if UNDECIDED in self._verdicts else 1
        counts = self._count(weighted=False, budget=budget)
        roots = math.prod(counts.root(place) for place in range(counts.roots.shape[1]))
        return roots if self.question.total_mines is not None else roots << self._sea(counts)

    def exact(self, index: int) -> Fraction:
        question = self.question
        code, cell = question.codes[index], at(divmod(index, question.geometry.columns))
        if code == FLAGGED & 0xFF:
            return Fraction(1)
        if code != COVERED & 0xFF:
            raise ValueError(f"Cell {cell} is not covered, so it has no mine probability.")
        if (verdict := self._verdicts[index]) != UNDECIDED:
            return Fraction(verdict == MINE)
        if question.total_mines is None and question.density is None:
            raise ValueError(f"Cell {cell} is undecided. Pass the total number of mines or a density.")
        counts = self._count(weighted=question.total_mines is None)
        place = int(counts.place_of_cell[index])
        if place == _kernel.NOWHERE:
            assert question.density is not None  # the sea without a total
            return question.density
        return Fraction(counts.place(place), counts.root(int(counts.root_of_place[place])))

    def _sea(self, counts: _ExactCounts) -> int:
        """Undecided cells that belong to no box."""
        undecided = np.frombuffer(self._verdicts, dtype=np.uint8) == UNDECIDED
        return int(np.count_nonzero(undecided & (counts.place_of_cell == _kernel.NOWHERE)))

    def _count(self, weighted: bool, budget: Budget | None = None) -> _ExactCounts:
        """Exact counts of layouts, or of layouts weighted by the density."""
        counts = self._counts = self._counts or {}
        if weighted not in counts:
            left = budget or replace(self._budget, seconds=max(0.0, self._budget.seconds - self._spent))
            counts[weighted] = _count(self.question, left, *self._weights_and_bits(weighted))
        return counts[weighted]

    def _weights_and_bits(self, weighted: bool) -> tuple[int, int, float]:
        density = self.question.density
        if not weighted or density is None:
            return 1, 1, self._analyzed.exact_bits
        mined, free = density.numerator, density.denominator - density.numerator
        return mined, free, self._analyzed.largest_component * math.log2(density.denominator)


def _native_question(question: Question) -> _kernel.Question:
    geometry, codes, total, density = question
    odds = 0.0 if density is None else _odds(density)
    native: _kernel.Question = _module(geometry).Question(_native(geometry), codes, total, odds)
    return native


def _limits(budget: Budget, kernel: Any) -> _kernel.Limits:
    return _default_limits(kernel) if budget is DEFAULT else _new_limits(budget, kernel)


@lru_cache(maxsize=2)
def _default_limits(kernel: Any) -> _kernel.Limits:
    """Created once, because most calls use them."""
    return _new_limits(DEFAULT, kernel)


def _new_limits(budget: Budget, kernel: Any) -> _kernel.Limits:
    limits: _kernel.Limits = kernel.Limits(budget.seconds, budget.states, budget.memory, budget.cancelled)
    return limits


def _raise_if_cancelled(limit: _kernel.Limit) -> None:
    if limit.name == "cancelled":
        raise budget_error("cancelled", 0.0, 0, None)


def _setup(match: Match) -> _kernel.Setup:
    _require_strategy(match.strategy, match.geometry)
    native = _native(match.geometry)
    setup: _kernel.Setup = _module(match.geometry).Setup(native, match.codes, match.allowed, match.mines, match.start)
    return setup


def _require_strategy(name: str, geometry: Geometry) -> None:
    """Raise ValueError for a strategy that cannot play boards whose cells have more than eight neighbours."""
    kernel = _module(geometry)
    if kernel is not _kernel and name not in {row.name for row in kernel.strategies()}:
        message = f"strategy {name} plays only shapes whose cells have at most {NARROW_REACH} neighbours"
        raise ValueError(f"{message}, not {geometry.topology}")


def _simulate(match: Match, numbers: range, cancelled: Callable[[], bool], *, records: bool) -> _kernel.Games:
    kernel, setup = _module(match.geometry), _setup(match)
    limits = kernel.Limits(math.inf, _NO_LIMIT, _NO_LIMIT, cancelled)
    games: _kernel.Games = kernel.simulate(
        setup, match.strategy, match.seed, numbers.start, len(numbers), records, limits
    )
    return games


def _answer(question: Question, search: _kernel.SearchResult) -> Any:
    """Return what was found, an object of `mineproof.engine.answers`. Raises the error of a question without one."""
    if search.trouble is not None:
        raise _refusal(question, search.trouble)
    return search.answer


def _odds(density: Fraction) -> float:
    if not 0 < density < 1:
        raise ValueError(f"density must be more than 0 and less than 1, got {density}")
    # Densities out of the range of floats are counted exactly; the kernel only has to know that there is one.
    return float(min(max(density / (1 - density), _EXTREME), 1 / _EXTREME))


def _count(question: Question, budget: Budget, mined: int, free: int, bits: float) -> _ExactCounts:
    """Return counts of up to ``bits`` bits with these weights of a mined and a free cell."""
    primes = _primes(math.ceil((bits + 4) / _PRIME_BITS))
    kernel = _module(question.geometry)
    weights = [kernel.PrimeWeights(prime, mined % prime, free % prime) for prime in primes]
    counts: _kernel.ExactCounts = kernel.count_exactly(_native_question(question), weights, _limits(budget, kernel))
    if counts.trouble is not None:
        raise _refusal(question, counts.trouble)
    return _ExactCounts(
        primes,
        np.frombuffer(counts.roots, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(counts.places, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(counts.place_of_cell, dtype=np.uint32),
        np.frombuffer(counts.root_of_place, dtype=np.uint32),
    )


def _refusal(question: Question, trouble: _kernel.Trouble) -> MineproofError:
    """Return the error of an unanswered question."""
    if trouble.status.name == "over_budget":
        return budget_error(trouble.limit.name, trouble.seconds, trouble.states, trouble.width)
    if trouble.status.name == "total_conflict":
        totals = (trouble.fewest, trouble.most)
        reason = Contradiction(total=question.total_mines or 0, totals=totals)
        return ContradictionError(reason, uses_total=True, totals=totals)
    numbers = _module(question.geometry).linked_numbers(_native_question(question), trouble.conflict)
    cells: list[Cell] = [divmod(number, question.geometry.columns) for number in numbers]
    return ContradictionError(
        f"The {len(cells)} linked numbers that start at {at(cells[0])} contradict each other.", cells
    )


@dataclass(frozen=True, slots=True)
class _ExactCounts:
    """Residues, one row for each prime; see ``ExactCounts`` in native/include/mineproof/solver.hpp."""

    primes: Sequence[int]
    roots: npt.NDArray[np.uint64]
    places: npt.NDArray[np.uint64]
    place_of_cell: npt.NDArray[np.uint32]
    root_of_place: npt.NDArray[np.uint32]

    def root(self, number: int) -> int:
        return _join(self.roots[:, number].tolist())

    def place(self, number: int) -> int:
        return _join(self.places[:, number].tolist())


@lru_cache(maxsize=1)
def _strategies() -> tuple[Strategy, ...]:
    """Return the kernel's table."""
    return cast("tuple[Strategy, ...]", _kernel.strategies())


@lru_cache(maxsize=1)
def _status_codes() -> npt.NDArray[np.int8]:
    """Return the `PositionStatus` of each status of the kernel."""
    status = _kernel.BatchStatus
    codes = {
        status.answered: PositionStatus.OK,
        status.malformed: PositionStatus.SYNTAX,
        status.contradiction: PositionStatus.CONTRADICTION,
        status.over_budget: PositionStatus.BUDGET,
        status.imprecise: PositionStatus.OK,  # until it is counted exactly
    }
    return np.array([codes[one] for one in status], dtype=np.int8)


@lru_cache(maxsize=1)
def _limit_codes() -> npt.NDArray[np.uint8]:
    """Return the index in `LIMITS` of each limit of the kernel."""
    return np.array([LIMITS.index(limit.name) for limit in _kernel.Limit], dtype=np.uint8)


@lru_cache(maxsize=16)
def _native(geometry: Geometry) -> _kernel.Geometry:
    native: _kernel.Geometry = _module(geometry).Geometry(geometry.table)
    return native


@lru_cache(maxsize=16)
def _module(geometry: Geometry) -> Any:
    """Return the extension that was compiled for the neighbour table of a board; both have the same interface."""
    if geometry.reach == NARROW_REACH:
        return _kernel
    from mineproof.engine import _kernel_wide

    return _kernel_wide


@lru_cache(maxsize=16)
def _primes(count: int) -> tuple[int, ...]:
    return tuple(_kernel.largest_primes(max(1, count)))


@lru_cache(maxsize=16)
def _basis(count: int) -> tuple[int, list[int]]:
    """Return the product of the first primes, and numbers that are 1 modulo one of them and 0 modulo the others."""
    primes = _primes(count)
    product = math.prod(primes)
    return product, [product // prime * pow(product // prime, -1, prime) for prime in primes]


def _join(residues: Sequence[int]) -> int:
    """Return the count with these residues, by the Chinese remainder theorem."""
    product, basis = _basis(len(residues))
    return sum(residue * unit for residue, unit in zip(residues, basis, strict=True)) % product
