"""The native engine as Python sees it: the same questions and answers as `mineproof.engine.reference`.

Only this module imports the extension. The extension answers with statuses and raw bytes; here they become
errors with words, arrays and exact numbers. Counts come as residues modulo primes of 62 bits, as many as the
count has bits for, and the Chinese remainder theorem puts them together, so `layouts` and `exact` take a few
passes of the kernel and no arithmetic on long integers until the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, exceeded
from mineproof.base.words import at
from mineproof.board.cells import COVERED, FLAGGED, Cell
from mineproof.board.geometry import Geometry
from mineproof.engine import _kernel
from mineproof.engine.answers import (
    MINE,
    SAFE,
    UNDECIDED,
    Candidate,
    Decision,
    GameSums,
    Match,
    NoGuess,
    NoGuessOrder,
    Optimum,
    Outlook,
    Reason,
    Strategy,
)
from mineproof.engine.question import Question
from mineproof.errors import BudgetExceeded, ContradictionError, MineproofError

VERSION = _kernel.__version__

_ANSWERED, _NUMBERS_CONFLICT, _TOTAL_CONFLICT, _OVER_BUDGET, _IMPRECISE = range(5)
_LIMITS = ("none", "states", "seconds", "cancelled", "width")
_NO_TOTAL = -(2**63)
_NOWHERE = 2**32 - 1
_ANYWHERE = 0xFFFFFFFF  # the first click of each game is drawn
_PRIME_BITS = 61.9
_EXTREME = Fraction(1, 10**200)
_LEAST, _MOST = 5e-324, 1 - 2**-53  # an undecided cell is neither 0 nor 1, however close

# Why a question has no answer: (conflict, fewest, most, width, limit, seconds, states).
_Trouble = tuple[int, int, int, int, int, float, int]
# (log2 of the layouts, bits of the largest count, cells of the largest component, states spent)
_Facts = tuple[float, float, int, int]
# (status, verdicts, mine probabilities, facts, trouble)
_Analyzed = tuple[int, bytes, bytes, _Facts, _Trouble]

_STRATEGIES = (
    Strategy("fast", decides=True, weighs=True, looks_ahead=False, layouts=200),
    Strategy("strong", decides=True, weighs=True, looks_ahead=True, layouts=2_000),
    Strategy("best", decides=True, weighs=True, looks_ahead=True, layouts=30_000),
    Strategy("minesolver", decides=True, weighs=True, looks_ahead=False, layouts=0),
    Strategy("minedetector", decides=False, weighs=False, looks_ahead=False, layouts=0),
    Strategy("fair", decides=False, weighs=False, looks_ahead=False, layouts=0),
    Strategy("go", decides=False, weighs=False, looks_ahead=False, layouts=0),
)
_REASONS: tuple[Reason, ...] = ("optimal", "fate", "ahead", "only")


class KernelEngine:
    """See `mineproof.engine.answers.Engine`."""

    name = "kernel"
    plays = True
    strategies = _STRATEGIES

    def solve(self, question: Question, budget: Budget) -> Counted:
        raw = _kernel.analyze(
            _native(question.geometry), question.codes, _total(question), _odds(question),
            budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if raw[0] in (_ANSWERED, _IMPRECISE):
            return Counted(question, budget, raw)
        raise _refusal(question, raw[0], raw[4])

    def sample(self, question: Question, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
        status, mines, ends, trouble = _kernel.sample(
            _native(question.geometry), question.codes, _total(question), _odds(question), seed, numbers.start,
            len(numbers), budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if status != _ANSWERED:
            raise _refusal(question, status, trouble)
        cuts = np.frombuffer(ends, dtype=np.uint64).astype(np.int64)[:-1]
        return [part.tolist() for part in np.split(np.frombuffer(mines, dtype=np.uint32), cuts)]

    def optimal(self, question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
        status, won, layouts, best, cells, values, nodes, trouble = _kernel.optimal(
            _native(question.geometry), question.codes, _total(question), every, most,
            budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if status == _IMPRECISE:  # a position this large has too many
            raise exceeded("size", 0.0, 0, None)
        if status != _ANSWERED:
            raise _refusal(question, status, trouble)
        found = dict(zip(cells, values, strict=True)) if every else {}
        return Optimum(won, layouts, best if best >= 0 else None, found, nodes)

    def look_ahead(self, question: Question, cells: Sequence[int], budget: Budget) -> list[Candidate]:
        looks = []
        before = self.solve(question, budget)
        for cell in cells:
            outlook = []
            around = [question.codes[other] for other in question.geometry.neighbours(cell)]
            fewest = around.count(FLAGGED & 0xFF)
            for number in range(fewest, fewest + around.count(COVERED & 0xFF) + 1):
                codes = question.codes[:cell] + bytes([number]) + question.codes[cell + 1 :]
                try:
                    after = self.solve(question._replace(codes=codes), budget)
                except ContradictionError:
                    continue
                verdicts = np.frombuffer(after.verdicts(), dtype=np.uint8)
                safe = int((verdicts == SAFE).sum())
                undecided = verdicts == UNDECIDED
                safety = 1.0 if safe or not undecided.any() else 1.0 - float(after.mine_probability()[undecided].min())
                outlook.append(Outlook(number, 10 ** (after.log10_layouts() - before.log10_layouts()), safe, safety))
            progress = math.fsum(each.chance for each in outlook if each.safety == 1)
            chance = float(before.mine_probability()[cell])
            looks.append(Candidate(cell, chance, 0.0, 0.0, progress, None, tuple(outlook)))
        return looks

    def decide(self, question: Question, strategy: str, budget: Budget) -> Decision:
        status, best, reason, candidates, trouble = _kernel.decide(
            _native(question.geometry), question.codes, _total(question), _number(strategy),
            budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if status not in (_ANSWERED, _IMPRECISE):
            raise _refusal(question, status, trouble)
        found = tuple(
            Candidate(cell, risk, score, fate, progress, None if math.isnan(win) else win,
                      tuple(Outlook(number, chance, safe, safety) for number, chance, safe, safety, _ in outlook))
            for cell, risk, score, fate, progress, win, outlook in candidates
        )  # fmt: skip
        return Decision(best if best >= 0 else None, _REASONS[reason], found)

    def play_on(
        self, question: Question, starts: Sequence[int], strategy: str, seed: int, count: int, budget: Budget
    ) -> list[int]:
        done, wins = _kernel.play_on(
            _native(question.geometry), question.codes, _total(question), starts, _number(strategy), seed, count,
            budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if not done:
            message = f"gave up playing {count:,} games from each of {len(starts)} cells after {budget.seconds:g} s"
            raise BudgetExceeded(message, limit="seconds", seconds=budget.seconds)
        return wins

    def deal(self, geometry: Geometry, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
        return _kernel.deal(_native(geometry), allowed, mines, seed, number)

    def no_guess(self, order: NoGuessOrder, seed: int, number: int, budget: Budget) -> NoGuess:
        """See native/src/no_guess.cpp."""
        made, found, (deals, repairs, most_open, safe_cells), (limit, seconds, states) = _kernel.no_guess(
            _native(order.geometry), order.codes, order.allowed, order.mines, order.start, order.repair, seed, number,
            budget.seconds, budget.states, budget.cancelled,
        )  # fmt: skip
        if made:
            return NoGuess(found, deals, repairs)
        effort = f"{deals:,} layouts dealt" + (f" and {repairs:,} repairs" if repairs else "")
        message = (
            f"found no layout without a guess in {seconds:.2f} s, {effort}; "
            f"the best opened {most_open:,} of {safe_cells:,} safe cells"
        )
        raise BudgetExceeded(message, limit=_LIMITS[limit], seconds=seconds, states=states)

    def simulate(self, match: Match, numbers: range, cancelled: Callable[[], bool]) -> tuple[GameSums, bytes]:
        sums, won = _kernel.simulate(
            _native(match.geometry), match.codes, match.allowed, match.mines,
            _ANYWHERE if match.start is None else match.start, _number(match.strategy), match.seed,
            numbers.start, len(numbers), math.inf, cancelled,
        )  # fmt: skip
        return GameSums(*sums), won


class Counted:
    """The answer about one position; exact numbers are counted when they are first asked for."""

    __slots__ = ("_budget", "_exact_bits", "_found", "_largest_component", "_log2", "_odds", "_precise", "_question",
                 "_verdicts", "states")  # fmt: skip

    def __init__(self, question: Question, budget: Budget, raw: _Analyzed) -> None:
        status, self._verdicts, self._odds, facts, _ = raw
        self._question, self._budget = question, budget
        self._precise = status == _ANSWERED
        self._log2, self._exact_bits, self._largest_component, self.states = facts
        self._found: dict[bool, _ExactCounts] = {}

    def verdicts(self) -> bytes:
        return self._verdicts

    def mine_probability(self) -> npt.NDArray[np.float64]:
        if self._precise:
            return np.frombuffer(self._odds)
        values = np.frombuffer(self._odds).copy()
        for index in np.flatnonzero(np.frombuffer(self._verdicts, dtype=np.uint8) == UNDECIDED).tolist():
            values[index] = min(max(float(self.exact(index)), _LEAST), _MOST)
        return values

    def log10_layouts(self) -> float:
        return self._log2 * math.log10(2) if self._precise else math.log10(self.layouts())

    def layouts(self) -> int:
        if self._largest_component == 0 and self._question.total_mines is not None:  # only sea is left to choose from
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
        if place == _NOWHERE:
            assert question.density is not None  # the sea without a total
            return question.density
        return Fraction(counts.place(place), counts.root(int(counts.root_of_place[place])))

    def _sea(self, counts: _ExactCounts) -> int:
        """Undecided cells that belong to no box."""
        undecided = np.frombuffer(self._verdicts, dtype=np.uint8) == UNDECIDED
        return int(np.count_nonzero(undecided & (counts.place_of_cell == _NOWHERE)))

    def _count(self, weighted: bool) -> _ExactCounts:
        """Exact counts of layouts, or of layouts weighted by the density."""
        if weighted not in self._found:
            self._found[weighted] = _count(self._question, self._budget, *self._weights_and_bits(weighted))
        return self._found[weighted]

    def _weights_and_bits(self, weighted: bool) -> tuple[int, int, float]:
        density = self._question.density
        if not weighted or density is None:
            return 1, 1, self._exact_bits
        mined, free = density.numerator, density.denominator - density.numerator
        return mined, free, self._largest_component * math.log2(density.denominator)


def _number(strategy: str) -> int:
    return next(number for number, known in enumerate(_STRATEGIES) if known.name == strategy)


def _total(question: Question) -> int:
    return _NO_TOTAL if question.total_mines is None else question.total_mines


def _odds(question: Question) -> float:
    density = question.density
    if density is None:
        return 0.0
    if not 0 < density < 1:
        raise ValueError(f"found a density of {density}, expected one between 0 and 1, both excluded")
    # Densities beyond a float's reach are counted exactly; the kernel only has to know that there is one.
    return float(min(max(density / (1 - density), _EXTREME), 1 / _EXTREME))


def _count(question: Question, budget: Budget, mined: int, free: int, bits: float) -> _ExactCounts:
    """Counts of up to ``bits`` bits where a mined and a free cell weigh this much."""
    primes = _primes(math.ceil((bits + 4) / _PRIME_BITS))
    weights = [(prime, mined % prime, free % prime) for prime in primes]
    status, roots, places, place_of_cell, root_of_place, trouble = _kernel.count_exactly(
        _native(question.geometry), question.codes, _total(question), weights,
        budget.seconds, budget.states, budget.cancelled,
    )  # fmt: skip
    if status != _ANSWERED:
        raise _refusal(question, status, trouble)
    return _ExactCounts(
        primes,
        np.frombuffer(roots, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(places, dtype=np.uint64).reshape(len(primes), -1),
        np.frombuffer(place_of_cell, dtype=np.uint32),
        np.frombuffer(root_of_place, dtype=np.uint32),
    )


def _refusal(question: Question, status: int, trouble: _Trouble) -> MineproofError:
    """The error that an unanswered question stands for."""
    conflict, fewest, most, width, limit, seconds, states = trouble
    if status == _OVER_BUDGET:
        return exceeded(_LIMITS[limit], seconds, states, width)
    if status == _TOTAL_CONFLICT:
        message = f"no layout that fits has {question.total_mines} mines: the fewest is {fewest}, the most is {most}"
        return ContradictionError(message, uses_total=True)
    numbers = _kernel.linked_numbers(_native(question.geometry), question.codes, conflict)
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
