"""The native engine as Python sees it: the same questions and answers as `mineproof.engine.reference`.

Only this module imports the extension. The extension answers with named results, statuses and raw bytes; here they
become errors with words, arrays and exact numbers. Counts come as residues modulo primes of 62 bits, as many as the
count has bits for, and the Chinese remainder theorem puts them together, so `layouts` and `exact` take a few
passes of the kernel and no arithmetic on long integers until the end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, exceeded
from mineproof.base.words import at, wrong_total
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import Geometry
from mineproof.engine import _kernel
from mineproof.engine.answers import (
    MINE,
    UNDECIDED,
    Candidate,
    Decision,
    Estimate,
    GameSums,
    Match,
    NoGuess,
    NoGuessOrder,
    Optimum,
    Outlook,
    Reason,
    Strategy,
    SurvivalGame,
    SurvivalWeights,
    Thought,
    WatchedGames,
)
from mineproof.engine.batches import Batch, BatchAnswers, answer_one
from mineproof.engine.games import GamesArrays, GamesOrder
from mineproof.engine.question import Question
from mineproof.engine.records import BIN, GAME, GameRecords
from mineproof.engine.reference_measures import COLUMNS
from mineproof.errors import BudgetExceeded, ContradictionError, IllegalMoveError, MineproofError, OutsideError

VERSION = _kernel.__version__

_PRIME_BITS = 61.9
_EXTREME = Fraction(1, 10**200)
_LEAST, _MOST = 5e-324, 1 - 2**-53  # an undecided cell is neither 0 nor 1, however close
_NO_LIMIT = 2**64 - 1
_LOG10_OF_2 = math.log10(2)
_MOST_LAYOUTS = 2**20  # to think a guess over: nobody waits so long
_BATCH = 1_000_000  # cells to measure at a time: a sixth of a second at most


class KernelEngine:
    """See `mineproof.engine.answers.Engine`."""

    name = "kernel"
    plays = True

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        return _strategies()

    def solve(self, question: Question, budget: Budget) -> Counted:
        found = _kernel.analyze(_asked(question), _limits(budget))
        if found.trouble is not None:
            raise _refusal(question, found.trouble)
        return Counted(question, budget, found)

    def solve_many(self, batch: Batch, answers: BatchAnswers, budget: Budget, threads: int) -> None:
        """See native/src/batch.cpp. The few that doubles do not suffice for are counted exactly, one by one."""
        begun = time.monotonic()
        odds = 0.0 if batch.density is None else _odds(batch.density)
        is_done = _kernel.analyze_many(
            _native(batch.geometry),
            batch.codes,
            batch.totals,
            odds,
            batch.trust_flags,
            threads,
            _limits(budget),
            answers.mine_probability,
            answers.verdicts,
            answers.log10_layouts,
            answers.status,
            answers.limit,
        )
        if not is_done:
            raise exceeded("cancelled", time.monotonic() - begun, 0, None)
        np.multiply(answers.log10_layouts, _LOG10_OF_2, out=answers.log10_layouts)
        for position in np.flatnonzero(answers.status == _kernel.BatchStatus.imprecise.value).tolist():
            answer_one(self, batch, position, answers, budget)

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        found = _kernel.sample(_asked(question), seed, numbers.start, len(numbers), _limits(budget))
        if found.trouble is not None:
            raise _refusal(question, found.trouble)
        cuts = np.frombuffer(found.ends, dtype=np.uint64).astype(np.int64)[:-1]
        return [part.tolist() for part in np.split(np.frombuffer(found.mines, dtype=np.uint32), cuts)]

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        found = _kernel.optimal(_asked(question), every, most, _limits(budget))
        if found.trouble is not None:
            if found.trouble.status is _kernel.Status.imprecise:  # a position this large has too many
                raise exceeded("size", 0.0, 0, None)
            raise _refusal(question, found.trouble)
        values = dict(zip(found.cells, found.values, strict=True)) if every else {}
        return Optimum(found.won, found.layouts, found.best, values, found.nodes)

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        found = _kernel.look_ahead(_asked(question), cells, _limits(budget))
        if found.trouble is not None:
            raise _refusal(question, found.trouble)
        if found.precise:
            return [_candidate(each) for each in found.candidates]
        odds = self.solve(question, budget).mine_probability()  # so large a position is not looked at any further
        return [Candidate(cell, float(odds[cell]), 0.0, 0.0, 0.0, None, ()) for cell in cells]

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        found = _kernel.decide(_asked(question), strategy, _limits(budget))
        if found.trouble is not None:
            raise _refusal(question, found.trouble)
        return _decision(found)

    def think(
        self,
        question: Question,
        budget: Budget,
        threads: int,
        progress: Callable[[tuple[Estimate, ...]], object] | None,
    ) -> Thought:
        """See native/src/thinker.cpp. Quick games first, then better ones as long as it takes."""
        tell = None if progress is None else lambda estimates: progress(_estimates(estimates))
        found = _kernel.think(_asked(question), _MOST_LAYOUTS, threads, _limits(budget), tell)
        if found.trouble is not None:
            raise _refusal(question, found.trouble)
        estimates = _estimates(found.estimates)
        clear = found.limit == _kernel.Limit.none and sum(not each.dropped for each in estimates) < 2
        return Thought(_decision(found), estimates, clear)

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> list[int]:
        wins = _kernel.play_on(_asked(question), starts, strategy, seed, count, _limits(budget))
        if wins is None:
            message = f"gave up playing {count:,} games from each of {len(starts)} cells after {budget.seconds:g} s"
            raise BudgetExceeded(message, limit="seconds", seconds=budget.seconds)
        return wins

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        return _kernel.deal(_native(geometry), allowed, mines, seed, number)

    def measure(self, geometry: Geometry, array: npt.NDArray[np.uint8], *, zini: bool) -> npt.NDArray[np.int32]:
        """In batches, between which Ctrl-C is heard; see native/src/measures.cpp."""
        native, array = _native(geometry), np.ascontiguousarray(array)
        found = np.empty((len(array), len(COLUMNS)), dtype=np.int32)
        batch = max(1, _BATCH // geometry.cells)
        for first in range(0, len(array), batch):
            part = slice(first, first + batch)
            _kernel.measure(native, geometry.columns, array[part], zini, found[part])
        return found

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        """See native/src/no_guess.cpp."""
        setup = _kernel.Setup(_native(order.geometry), order.codes, order.allowed, order.mines, order.start)
        found = _kernel.no_guess(setup, order.repair, seed, number, _limits(budget))
        if found.made:
            return NoGuess(found.mines, found.deals, found.repairs)
        effort = f"{found.deals:,} layouts dealt" + (f" and {found.repairs:,} repairs" if found.repairs else "")
        message = (
            f"found no layout without a guess in {found.seconds:.2f} s, {effort}; "
            f"the best opened {found.most_open:,} of {found.safe_cells:,} safe cells"
        )
        raise BudgetExceeded(message, limit=found.limit.name, seconds=found.seconds, states=found.states)

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        found = _simulate(match, numbers, cancelled, records=False)
        return _sums(found), found.won

    def record_games(
        self, match: Match, numbers: range, cancelled: Callable[[], bool]
    ) -> tuple[GameSums, bytes, GameRecords]:
        found = _simulate(match, numbers, cancelled, records=True)
        games, calibration = np.frombuffer(found.records, dtype=GAME), np.frombuffer(found.calibration, dtype=BIN)
        return _sums(found), found.won, GameRecords(games, calibration)

    def survive(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> SurvivalWeights:
        """See native/src/survival.cpp."""
        limits = _kernel.Limits(math.inf, _NO_LIMIT, cancelled)
        found = _kernel.survive(_setup(match), match.strategy, match.seed, numbers.start, len(numbers), limits)
        return SurvivalWeights(np.frombuffer(found.weights, dtype=np.float64), found.blind)

    def survival_game(self, match: Match, number: int) -> SurvivalGame:
        return _kernel.SurvivalGame(_setup(match), match.seed, number)

    def watch(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> WatchedGames:
        """See native/src/watched.cpp."""
        limits = _kernel.Limits(math.inf, _NO_LIMIT, cancelled)
        games = _kernel.watch(_setup(match), match.strategy, match.seed, numbers.start, len(numbers), limits)
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

    def games(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> Games:
        return Games(order, arrays, threads)


class Games:
    """See `mineproof.engine.games.Games`, and native/src/many_games.cpp."""

    __slots__ = ("_games", "_order")

    def __init__(self, order: GamesOrder, arrays: GamesArrays, threads: int) -> None:
        self._order = order
        self._games = _kernel.ManyGames(
            _native(order.geometry),
            order.mines,
            _kernel.FirstClick[order.first_click],
            _kernel.Fairness[order.fairness],
            _kernel.Autoreset[order.autoreset],
            order.longest,
            np.array(order.rewards, dtype=np.float32),
            order.budget.states,
            threads,
            *arrays,
        )

    def reset(self, which: npt.NDArray[np.bool_]) -> None:
        self._games.reset(which)

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        found = self._games.step(actions, self._order.budget.cancelled)
        if found.fault is not _kernel.StepFault.none:
            raise self._refusal(found)

    def mines_of(self, game: int) -> list[int]:
        try:
            return self._games.mines_of(game)
        except ValueError:
            raise IllegalMoveError(f"game {game} is still on: its mines are shown when it is over") from None

    def _refusal(self, found: _kernel.StepResult) -> MineproofError:
        """The error that a step which was refused or broken off stands for."""
        if found.fault is _kernel.StepFault.outside:
            last = self._order.geometry.cells - 1
            return OutsideError(f"found action {found.action} for board {found.game}, expected a cell from 0 to {last}")
        if found.fault is _kernel.StepFault.over:
            return IllegalMoveError(f"the game on board {found.game} is over: expected a reset before the next step")
        if found.fault is _kernel.StepFault.forked:
            message = f"the process was forked in the middle of a step of board {found.game}: expected a reset first"
            return IllegalMoveError(message)
        message = "cancelled in the middle of a step: some boards have moved, the others are as they were"
        return BudgetExceeded(message, limit="cancelled", seconds=0.0, states=0)


class Counted:
    """The answer about one position; exact numbers are counted when they are first asked for."""

    __slots__ = ("_analyzed", "_budget", "_found", "_question", "_verdicts")

    def __init__(self, question: Question, budget: Budget, analyzed: _kernel.Analyzed) -> None:
        self._question, self._budget, self._analyzed = question, budget, analyzed
        self._verdicts = analyzed.verdicts
        self._found: dict[bool, _ExactCounts] = {}

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
            values[index] = min(max(float(self.exact(index)), _LEAST), _MOST)
        return values

    def log10_layouts(self) -> float:
        analyzed = self._analyzed
        return analyzed.log2_layouts * _LOG10_OF_2 if analyzed.precise else math.log10(self.layouts())

    def layouts(self) -> int:
        if (
            self._analyzed.largest_component == 0 and self._question.total_mines is not None
        ):  # only sea is left to choose from
            left = self._question.total_mines - self._question.codes.count(FLAGGED & 0xFF) - self._verdicts.count(MINE)
            return math.comb(self._verdicts.count(UNDECIDED), left) if UNDECIDED in self._verdicts else 1
        counts = self._count(weighted=False)
        roots = math.prod(counts.root(place) for place in range(counts.roots.shape[1]))
        return roots if self._question.total_mines is not None else roots << self._sea(counts)

    def exact(self, index: int) -> Fraction:
        question = self._question
        code, cell = question.codes[index], at(divmod(index, question.geometry.columns))
        if code == FLAGGED & 0xFF:
            return Fraction(1)
        if code != COVERED & 0xFF:
            raise ValueError(f"cell {cell} is not covered, so it has no mine probability")
        if (verdict := self._verdicts[index]) != UNDECIDED:
            return Fraction(verdict == MINE)
        if question.total_mines is None and question.density is None:
            raise ValueError(f"cell {cell} is undecided; its mine probability needs the total or a density")
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

    def _count(self, weighted: bool) -> _ExactCounts:
        """Exact counts of layouts, or of layouts weighted by the density."""
        if weighted not in self._found:
            self._found[weighted] = _count(self._question, self._budget, *self._weights_and_bits(weighted))
        return self._found[weighted]

    def _weights_and_bits(self, weighted: bool) -> tuple[int, int, float]:
        density = self._question.density
        if not weighted or density is None:
            return 1, 1, self._analyzed.exact_bits
        mined, free = density.numerator, density.denominator - density.numerator
        return mined, free, self._analyzed.largest_component * math.log2(density.denominator)


def _asked(question: Question) -> _kernel.Question:
    geometry, codes, total, density = question
    return _kernel.Question(_native(geometry), codes, total, 0.0 if density is None else _odds(density))


def _limits(budget: Budget) -> _kernel.Limits:
    return _kernel.Limits(budget.seconds, budget.states, budget.cancelled)


def _setup(match: Match) -> _kernel.Setup:
    return _kernel.Setup(_native(match.geometry), match.codes, match.allowed, match.mines, match.start)


def _simulate(match: Match, numbers: range, cancelled: Callable[[], bool], *, records: bool) -> _kernel.Tally:
    limits = _kernel.Limits(math.inf, _NO_LIMIT, cancelled)
    return _kernel.simulate(_setup(match), match.strategy, match.seed, numbers.start, len(numbers), records, limits)


def _sums(tally: _kernel.Tally) -> GameSums:
    return GameSums(
        games=tally.games,
        wins=tally.wins,
        moves=tally.moves,
        guesses=tally.guesses,
        all_guesses=tally.all_guesses,
        log_survived=tally.log_survived,
        fallbacks=tally.fallbacks,
    )


def _decision(found: _kernel.Decision | _kernel.Thought) -> Decision:
    candidates = tuple(_candidate(each) for each in found.candidates)
    return Decision(found.best, cast(Reason, found.reason.name), candidates)


def _estimates(found: Sequence[_kernel.Estimate]) -> tuple[Estimate, ...]:
    """Those that were played on from at all."""
    return tuple(
        Estimate(
            cell=each.cell,
            win_probability=each.win_probability,
            standard_error=each.standard_error,
            layouts=each.layouts,
            played_by="strong" if each.strong else "fast",
            dropped=each.dropped,
        )
        for each in found
        if each.layouts
    )


def _candidate(found: _kernel.Candidate) -> Candidate:
    return Candidate(
        cell=found.cell,
        mine_probability=found.mine_probability,
        score=found.score,
        fate=found.fate,
        progress=found.progress,
        win_probability=None if math.isnan(found.win_probability) else found.win_probability,
        outlook=tuple(Outlook(each.number, each.chance, each.safe, each.safety) for each in found.outlooks),
    )


def _odds(density: Fraction) -> float:
    if not 0 < density < 1:
        raise ValueError(f"found a density of {density}, expected one between 0 and 1, both excluded")
    # Densities beyond a float's reach are counted exactly; the kernel only has to know that there is one.
    return float(min(max(density / (1 - density), _EXTREME), 1 / _EXTREME))


def _count(question: Question, budget: Budget, mined: int, free: int, bits: float) -> _ExactCounts:
    """Counts of up to ``bits`` bits where a mined and a free cell weigh this much."""
    primes = _primes(math.ceil((bits + 4) / _PRIME_BITS))
    weights = [_kernel.PrimeWeights(prime, mined % prime, free % prime) for prime in primes]
    found = _kernel.count_exactly(_asked(question), weights, _limits(budget))
    if found.trouble is not None:
        raise _refusal(question, found.trouble)
    return _ExactCounts(
        primes,
        np.frombuffer(found.roots, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(found.places, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(found.place_of_cell, dtype=np.uint32),
        np.frombuffer(found.root_of_place, dtype=np.uint32),
    )


def _refusal(question: Question, trouble: _kernel.Trouble) -> MineproofError:
    """The error that an unanswered question stands for."""
    if trouble.status is _kernel.Status.over_budget:
        return exceeded(trouble.limit.name, trouble.seconds, trouble.states, trouble.width)
    if trouble.status is _kernel.Status.total_conflict:
        message = wrong_total(question.total_mines or 0, trouble.fewest, trouble.most)
        return ContradictionError(message, uses_total=True, totals=(trouble.fewest, trouble.most))
    numbers = _kernel.linked_numbers(_asked(question), trouble.conflict)
    cells: list[Cell] = [divmod(number, question.geometry.columns) for number in numbers]
    return ContradictionError(f"no layout satisfies the {len(cells)} linked numbers from {at(cells[0])} on", cells)


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
    """The kernel's table."""
    table = _kernel.strategies()
    return tuple(Strategy(each.name, each.decides, each.weighs, each.looks_ahead, each.layouts) for each in table)


@lru_cache(maxsize=16)
def _native(geometry: Geometry) -> _kernel.Geometry:
    return _kernel.Geometry(geometry.table)


@lru_cache(maxsize=16)
def _primes(count: int) -> tuple[int, ...]:
    return tuple(_kernel.largest_primes(max(1, count)))


@lru_cache(maxsize=16)
def _basis(count: int) -> tuple[int, list[int]]:
    """The product of the first primes, and numbers that are 1 modulo one of them and 0 modulo the others."""
    primes = _primes(count)
    product = math.prod(primes)
    return product, [product // prime * pow(product // prime, -1, prime) for prime in primes]


def _join(residues: Sequence[int]) -> int:
    """The count with these residues: the Chinese remainder theorem."""
    product, basis = _basis(len(residues))
    return sum(residue * unit for residue, unit in zip(residues, basis, strict=True)) % product
