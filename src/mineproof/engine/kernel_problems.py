"""Problems for the native engine: arrays in, exact numbers out. See native/src/problem_solver.cpp."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, budget_error
from mineproof.engine import _kernel
from mineproof.errors import MineproofError
from mineproof.problems.problem import Problem
from mineproof.wording.problems import ProblemConflict

_PRIME_BITS = 61.9
_LOG10_OF_2 = math.log10(2)


def solve_problem(problem: Problem, budget: Budget) -> KernelProblemCount:
    """Count a problem. Raises ContradictionError if it has no solution, and BudgetExceeded if the budget is spent."""
    started = time.perf_counter()
    analyzed = _kernel.analyze_problem(_native(problem), _limits(budget))
    if analyzed.trouble is not None:
        raise _refusal(problem, analyzed.trouble)
    rest = replace(budget, seconds=max(0.0, budget.seconds - (time.perf_counter() - started)))
    return KernelProblemCount(
        problem,
        rest,
        analyzed.states,
        np.frombuffer(analyzed.probabilities),
        np.frombuffer(analyzed.possible, dtype=np.uint8),
        np.frombuffer(analyzed.roots, dtype=np.uint32),
        np.frombuffer(analyzed.log2_roots),
        analyzed.log2_weight,
    )


def sample_problem(problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
    """Draw solutions ``numbers`` of a seed by weight: a value for each variable."""
    samples = _kernel.sample_problem(_native(problem), seed, numbers.start, len(numbers), _limits(budget))
    if samples.trouble is not None:
        raise _refusal(problem, samples.trouble)
    values = np.frombuffer(samples.values, dtype=np.uint8).reshape(len(numbers), problem.variables)
    listed: list[list[int]] = values.tolist()
    return listed


class KernelProblemCount:
    """See `mineproof.engine.problem_answers.ProblemCount`. Counts can be pickled."""

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        states: int,
        probabilities: npt.NDArray[np.float64],
        possible: npt.NDArray[np.uint8],
        roots: npt.NDArray[np.uint32],
        log2_roots: npt.NDArray[np.float64],
        log2_weight: float,
    ) -> None:
        self.problem, self.states = problem, states
        self._budget, self._probabilities, self._possible = budget, probabilities, possible
        self._roots, self._log2_roots, self._log2_weight = roots, log2_roots, log2_weight
        self._starts = [0, *accumulate(map(len, problem.domains))]
        self._counts: dict[bool, tuple[list[int], list[int]]] = {}

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"_budget": self._budget.without_callable(), "_counts": {}}

    def possible(self, variable: int) -> tuple[int, ...]:
        values = self._possible[self._starts[variable] : self._starts[variable + 1]]
        return tuple(np.flatnonzero(values).tolist())

    def probability(self) -> npt.NDArray[np.float64]:
        sizes = np.diff(self._starts)
        table = np.zeros((len(sizes), max(sizes, default=0)))
        table[np.arange(table.shape[1]) < sizes[:, np.newaxis]] = self._probabilities
        return table

    def exact(self, variable: int, value: int) -> Fraction:
        place = self._starts[variable] + value
        if not self._possible[place]:
            return Fraction(0)
        if len(self.possible(variable)) == 1:
            return Fraction(1)
        roots, values = self._count(weighted=self.problem.is_weighted)
        return Fraction(values[place], roots[int(self._roots[variable])])

    def weight(self, budget: Budget | None = None) -> Fraction:
        roots, _ = self._count(weighted=self.problem.is_weighted, budget=budget)
        return math.prod(roots) * self._decided_weight() * self.problem.scale

    def solutions(self, budget: Budget | None = None) -> int:
        roots, _ = self._count(weighted=False, budget=budget)
        return math.prod(roots)

    def log10_weight(self) -> float:
        scale = self.problem.scale
        return self._log2_weight * _LOG10_OF_2 + math.log10(scale.numerator) - math.log10(scale.denominator)

    def _decided_weight(self) -> int:
        """The weight of the variables that belong to no root."""
        return math.prod(
            self.problem.whole_weights[variable][self.possible(variable)[0]]
            for variable in np.flatnonzero(self._roots == _kernel.NOWHERE).tolist()
        )

    def _count(self, *, weighted: bool, budget: Budget | None = None) -> tuple[list[int], list[int]]:
        """Return the exact counts of roots and of values, in whole weights."""
        if weighted not in self._counts:
            primes = _primes(math.ceil((self._bits() + 4) / _PRIME_BITS))
            counts = _kernel.count_problem(_native(self.problem), primes, weighted, _limits(budget or self._budget))
            if counts.trouble is not None:
                raise _refusal(self.problem, counts.trouble)
            product = math.prod(primes)
            basis = [product // prime * pow(product // prime, -1, prime) for prime in primes]
            self._counts[weighted] = (_join(counts.roots, basis, product), _join(counts.values, basis, product))
        return self._counts[weighted]

    def _bits(self) -> float:
        """The bits of the largest root. Unweighted counts are no larger, because whole weights are at least 1."""
        return max(self._log2_roots.tolist(), default=0.0)


@lru_cache(maxsize=16)
def _primes(count: int) -> tuple[int, ...]:
    return tuple(_kernel.largest_primes(count))


def _join(residues: bytes, basis: list[int], product: int) -> list[int]:
    """Return the numbers with these residues, one row of them for each prime."""
    rows = np.frombuffer(residues, dtype=np.uint64).reshape(len(basis), -1)
    if len(basis) == 1:
        return rows[0].tolist()  # type: ignore[no-any-return]
    columns = rows.T.tolist()
    return [sum(map(int.__mul__, column, basis)) % product for column in columns]


def _native(problem: Problem) -> _kernel.Problem:
    weights = problem.whole_weights
    kinds: dict[tuple[int, ...], int] = {}
    constraints = problem.constraints
    sums = [problem.reachable_sums(constraint) for constraint in constraints]
    return _kernel.Problem(
        np.array(list(accumulate(map(len, weights))), dtype=np.uint32),
        np.array([weight for domain in weights for weight in domain], dtype=np.uint64),
        np.array([kinds.setdefault(domain, len(kinds)) for domain in weights], dtype=np.uint32),
        np.array(list(accumulate(len(constraint.cells) for constraint in constraints)), dtype=np.uint32),
        np.array([cell for constraint in constraints for cell in constraint.cells], dtype=np.uint32),
        np.array([factor for constraint in constraints for factor in constraint.coefficients], dtype=np.int32),
        np.array(list(accumulate(map(len, sums))), dtype=np.uint32),
        np.array([total for allowed in sums for total in allowed], dtype=np.int32),
        problem.total,
    )


def _limits(budget: Budget) -> _kernel.Limits:
    return _kernel.Limits(budget.seconds, budget.states, budget.memory, budget.cancelled)


def _refusal(problem: Problem, trouble: _kernel.Trouble) -> MineproofError:
    """Return the error of a problem that was not counted."""
    if trouble.status is _kernel.Status.over_budget:
        return budget_error(trouble.limit.name, trouble.seconds, trouble.states, trouble.width)
    if trouble.status is _kernel.Status.total_conflict:
        return ProblemConflict((), problem.total, (trouble.fewest, trouble.most)).error()
    return ProblemConflict(((trouble.conflict, problem.name_of(trouble.conflict)),)).error()
