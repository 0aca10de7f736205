"""The native engine as Python sees it: the same questions and answers as `mineproof.reference`.

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
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof import _kernel
from mineproof.budget import Budget, exceeded
from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import BudgetExceeded, Cell, ContradictionError, MineproofError
from mineproof.reference_optimal import Optimum
from mineproof.topology import Topology

VERSION = _kernel.__version__

_ANSWERED, _NUMBERS_CONFLICT, _TOTAL_CONFLICT, _OVER_BUDGET, _IMPRECISE = range(5)
_LIMITS = ("none", "states", "seconds", "cancelled", "width")
_UNDECIDED, _SAFE, _MINE = 1, 2, 3
_NO_TOTAL = -(2**63)
_NOWHERE = 2**32 - 1
_PRIME_BITS = 61.9
_EXTREME = Fraction(1, 10**200)
_LEAST, _MOST = 5e-324, 1 - 2**-53  # an undecided cell is neither 0 nor 1, however close

# Why a question has no answer: (conflict, fewest, most, width, limit, seconds, states).
_Trouble = tuple[int, int, int, int, int, float, int]
# (log2 of the layouts, bits of the largest count, cells of the largest component, states spent)
_Facts = tuple[float, float, int, int]
# (status, verdicts, mine probabilities, facts, trouble)
_Analyzed = tuple[int, bytes, bytes, _Facts, _Trouble]


class Counted:
    """The answer about one position; exact numbers are counted when they are first asked for."""

    __slots__ = ("_exact_bits", "_found", "_largest_component", "_log2", "_odds", "_precise", "_question",
                 "_verdicts", "states")  # fmt: skip

    def __init__(self, question: _Question, raw: _Analyzed) -> None:
        status, self._verdicts, self._odds, facts, _ = raw
        self._question = question
        self._precise = status == _ANSWERED
        self._log2, self._exact_bits, self._largest_component, self.states = facts
        self._found: dict[bool, _ExactCounts] = {}

    def verdicts(self) -> bytes:
        return self._verdicts

    def mine_probability(self) -> npt.NDArray[np.float64]:
        if self._precise:
            return np.frombuffer(self._odds)
        values = np.frombuffer(self._odds).copy()
        for index in np.flatnonzero(np.frombuffer(self._verdicts, dtype=np.uint8) == _UNDECIDED).tolist():
            values[index] = min(max(float(self.exact(index)), _LEAST), _MOST)
        return values

    def log10_layouts(self) -> float:
        return self._log2 * math.log10(2) if self._precise else math.log10(self.layouts())

    def layouts(self) -> int:
        if self._largest_component == 0 and self._question.total is not None:  # only sea is left to choose from
            left = self._question.total - self._question.codes.count(FLAGGED & 0xFF) - self._verdicts.count(_MINE)
            return math.comb(self._verdicts.count(_UNDECIDED), left) if _UNDECIDED in self._verdicts else 1
        counts = self._count(weighted=False)
        roots = math.prod(counts.root(place) for place in range(counts.roots.shape[1]))
        return roots if self._question.total is not None else roots << self._sea(counts)

    def exact(self, index: int) -> Fraction:
        question = self._question
        code, cell = question.codes[index], divmod(index, question.topology.columns)
        if code == FLAGGED & 0xFF:
            return Fraction(1)
        if code != COVERED & 0xFF:
            raise ValueError(f"cell {cell} is not covered, so it has no mine probability")
        if (verdict := self._verdicts[index]) != _UNDECIDED:
            return Fraction(verdict == _MINE)
        if question.total is None and question.density is None:
            raise ValueError(f"cell {cell} is undecided; its mine probability needs the total or a density")
        counts = self._count(weighted=question.total is None)
        place = int(counts.place_of_cell[index])
        if place == _NOWHERE:
            assert question.density is not None  # the sea without a total
            return question.density
        return Fraction(counts.place(place), counts.root(int(counts.root_of_place[place])))

    def _sea(self, counts: _ExactCounts) -> int:
        """Undecided cells that belong to no box."""
        undecided = np.frombuffer(self._verdicts, dtype=np.uint8) == _UNDECIDED
        return int(np.count_nonzero(undecided & (counts.place_of_cell == _NOWHERE)))

    def _count(self, weighted: bool) -> _ExactCounts:
        """Exact counts of layouts, or of layouts weighted by the density."""
        if weighted not in self._found:
            self._found[weighted] = self._question.count(*self._weights_and_bits(weighted))
        return self._found[weighted]

    def _weights_and_bits(self, weighted: bool) -> tuple[int, int, float]:
        density = self._question.density
        if not weighted or density is None:
            return 1, 1, self._exact_bits
        mined, free = density.numerator, density.denominator - density.numerator
        return mined, free, self._largest_component * math.log2(density.denominator)


def solve(
    topology: Topology, codes: bytes, total_mines: int | None, density: Fraction | None, budget: Budget
) -> Counted:
    """Count the layouts that fit; flags are taken for mines. A known total makes the density irrelevant.

    Raises ContradictionError when nothing fits and BudgetExceeded when the budget is spent.
    """
    question = _Question(topology, codes, total_mines, density, budget)
    raw = _kernel.analyze(
        _native(topology), codes, question.native_total, question.odds, budget.seconds, budget.states, budget.cancelled
    )
    if raw[0] in (_ANSWERED, _IMPRECISE):
        return Counted(question, raw)
    raise question.refusal(raw[0], raw[4])


def sample(
    topology: Topology,
    codes: bytes,
    total_mines: int | None,
    density: Fraction | None,
    budget: Budget,
    seed: int,
    numbers: range,
) -> list[list[int]]:
    """Mines of the layouts with these numbers in the stream of a seed, as cell indices, ascending."""
    question = _Question(topology, codes, total_mines, density, budget)
    status, mines, ends, trouble = _kernel.sample(
        _native(topology), codes, question.native_total, question.odds, seed, numbers.start, len(numbers),
        budget.seconds, budget.states, budget.cancelled,
    )  # fmt: skip
    if status != _ANSWERED:
        raise question.refusal(status, trouble)
    cuts = np.frombuffer(ends, dtype=np.uint64).astype(np.int64)[:-1]
    return [part.tolist() for part in np.split(np.frombuffer(mines, dtype=np.uint32), cuts)]


def deal(topology: Topology, allowed: bytes, mines: int, seed: int, number: int) -> list[int]:
    """See `mineproof.rng.deal`: ``mines`` of the cells whose byte in ``allowed`` is not 0."""
    return _kernel.deal(_native(topology), allowed, mines, seed, number)


class NoGuess(NamedTuple):
    """A layout that needs no guess from its start, and what it took: layouts dealt, repairs of all of them."""

    mines: list[int]
    deals: int
    repairs: int


def no_guess(
    topology: Topology,
    codes: bytes,
    allowed: bytes,
    mines: int,
    start: int,
    seed: int,
    number: int,
    budget: Budget,
    *,
    repair: bool,
) -> NoGuess:
    """Layout ``number`` of a seed that certainty alone opens from ``start``; see native/src/no_guess.cpp.

    ``codes`` are covered or absent; ``allowed`` has a byte other than 0 where a mine may be, which is not the start.
    """
    made, found, (deals, repairs, most_open, safe_cells), (limit, seconds, states) = _kernel.no_guess(
        _native(topology), codes, allowed, mines, start, repair, seed, number,
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


@dataclass(frozen=True, slots=True)
class _Question:
    topology: Topology
    codes: bytes
    total: int | None
    density: Fraction | None
    budget: Budget

    @property
    def native_total(self) -> int:
        return _NO_TOTAL if self.total is None else self.total

    @property
    def odds(self) -> float:
        if self.density is None:
            return 0.0
        if not 0 < self.density < 1:
            raise ValueError(f"found a density of {self.density}, expected one between 0 and 1, both excluded")
        # Densities beyond a float's reach are counted exactly; the kernel only has to know that there is one.
        odds = self.density / (1 - self.density)
        return float(min(max(odds, _EXTREME), 1 / _EXTREME))

    def count(self, mined: int, free: int, bits: float) -> _ExactCounts:
        """Counts of up to ``bits`` bits where a mined and a free cell weigh this much."""
        primes = _primes(math.ceil((bits + 4) / _PRIME_BITS))
        weights = [(prime, mined % prime, free % prime) for prime in primes]
        status, roots, places, place_of_cell, root_of_place, trouble = _kernel.count_exactly(
            _native(self.topology), self.codes, self.native_total, weights,
            self.budget.seconds, self.budget.states, self.budget.cancelled,
        )  # fmt: skip
        if status != _ANSWERED:
            raise self.refusal(status, trouble)
        return _ExactCounts(
            primes,
            np.frombuffer(roots, dtype=np.uint64).reshape(len(primes), -1),
            np.frombuffer(places, dtype=np.uint64).reshape(len(primes), -1),
            np.frombuffer(place_of_cell, dtype=np.uint32),
            np.frombuffer(root_of_place, dtype=np.uint32),
        )

    def refusal(self, status: int, trouble: _Trouble) -> MineproofError:
        """The error that an unanswered question stands for."""
        conflict, fewest, most, width, limit, seconds, states = trouble
        if status == _OVER_BUDGET:
            return exceeded(_LIMITS[limit], seconds, states, width)
        if status == _TOTAL_CONFLICT:
            message = f"no layout that fits has {self.total} mines: the fewest is {fewest}, the most is {most}"
            return ContradictionError(message, uses_total=True)
        numbers = _kernel.linked_numbers(_native(self.topology), self.codes, conflict)
        cells: list[Cell] = [divmod(number, self.topology.columns) for number in numbers]
        return ContradictionError(f"no layout satisfies the {len(cells)} linked numbers from {cells[0]} on", cells)


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
def _native(topology: Topology) -> _kernel.Topology:
    return _kernel.Topology(topology.neighbours)


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


def simulate(
    topology: Topology,
    codes: bytes,
    allowed: bytes,
    mines: int,
    first: int,
    strategy: int,
    seed: int,
    numbers: range,
    cancelled: Callable[[], bool],
) -> tuple[tuple[int, int, int, int, int, float, int], bytes]:
    """Play games ``numbers`` of a seed, or the first of them if ``cancelled`` says so; releases the GIL.

    The answer is a ``Tally`` of native/include/mineproof/simulate.hpp and a byte for each game, 1 for a win.
    """
    return _kernel.simulate(
        _native(topology),
        codes,
        allowed,
        mines,
        first,
        strategy,
        seed,
        numbers.start,
        len(numbers),
        math.inf,
        cancelled,
    )


def optimal(topology: Topology, codes: bytes, total_mines: int, budget: Budget, *, every: bool, most: int) -> Optimum:
    """See `mineproof.reference_optimal.optimal`; the budget's states are sets of layouts searched. Releases the GIL."""
    question = _Question(topology, codes, total_mines, None, budget)
    status, won, layouts, best, cells, values, _, trouble = _kernel.optimal(
        _native(topology), codes, total_mines, every, most, budget.seconds, budget.states, budget.cancelled
    )
    if status == _IMPRECISE:  # a position this large has too many
        raise exceeded("size", 0.0, 0, None)
    if status != _ANSWERED:
        raise question.refusal(status, trouble)
    found = dict(zip(cells, values, strict=True)) if every else {}
    return Optimum(won, layouts, best if best >= 0 else None, found)


class Candidate(NamedTuple):
    """What a guess was weighed by; see ``Candidate`` in native/include/mineproof/decision.hpp."""

    cell: int
    mine_probability: float
    fate: float
    win_probability: float  # NaN where that was not worked out


class Decision(NamedTuple):
    """The guess to make, None where there is none or it cannot be told, and all candidates, best first."""

    best: int | None
    reason: str
    candidates: list[Candidate]


_REASONS = ("optimal", "fate", "ahead", "only")


def decide(topology: Topology, codes: bytes, total_mines: int, strategy: int, budget: Budget) -> Decision:
    """The guess that strategy ``strong`` or ``best`` makes, by number, where nothing is safe. Releases the GIL."""
    status, best, reason, candidates, trouble = _kernel.decide(
        _native(topology), codes, total_mines, strategy, budget.seconds, budget.states, budget.cancelled
    )
    if status not in (_ANSWERED, _IMPRECISE):
        raise _Question(topology, codes, total_mines, None, budget).refusal(status, trouble)
    found = [Candidate(cell, risk, fate, win) for cell, risk, _, fate, _, win, _ in candidates]
    return Decision(best if best >= 0 else None, _REASONS[reason], found)


def play_on(
    topology: Topology,
    codes: bytes,
    total_mines: int,
    firsts: Sequence[int],
    strategy: int,
    seed: int,
    count: int,
    budget: Budget,
) -> list[int]:
    """Games won by each first cell when a strategy plays on, on the same ``count`` layouts that fit, drawn from a seed.

    No cell may be flagged. Releases the GIL.
    """
    done, wins = _kernel.play_on(
        _native(topology), codes, total_mines, firsts, strategy, seed, count,
        budget.seconds, budget.states, budget.cancelled,
    )  # fmt: skip
    if not done:
        message = f"gave up playing {count:,} games from each of {len(firsts)} cells after {budget.seconds:g} s"
        raise BudgetExceeded(message, limit="seconds", seconds=budget.seconds)
    return wins
