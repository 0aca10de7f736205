"""Exact facts about a problem: the number of solutions, the chance of every value, and what is certain.

Contradictions
    If the engine finds no solution, constraints are left out, many at a time and in the end one by one, as long as the
    rest has no solution either; see `mineproof.analysis.shrink`. Without any of the remaining ones there is a solution.

Listing
    Take the first variable with several possible values, suppose each of them, and continue with the next variable.
    Every branch ends in a solution, and none appears twice. The order is that of the values, variable by variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mineproof.analysis.shrink import shrink
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.cached import cached_property
from mineproof.base.words import plural
from mineproof.engine.answers import Engine
from mineproof.engine.default import chosen_engine
from mineproof.engine.problem_answers import ProblemCount
from mineproof.errors import BudgetExceeded, ContradictionError
from mineproof.problems.problem import Problem
from mineproof.wording.problems import ProblemConflict

if TYPE_CHECKING:
    from mineproof.analysis.wire import ProblemAnalysisJson

SCHEMA: Final = "mineproof/problem-analysis/1"
JSON_COUNT_MAX_DIGITS = 5_000  # longer counts are computed only if every digit is requested
CONFLICT_SECONDS = 5.0  # to find a small contradiction
SAMPLE_BATCH = 256


class ProblemAnalysis:
    """Exact facts about one problem; see `analyze`. Exact numbers are counted when they are first read."""

    def __init__(self, problem: Problem, counted: ProblemCount) -> None:
        self.problem = problem
        self._counted = counted

    def __eq__(self, other: object) -> bool:
        return self.problem == other.problem if isinstance(other, ProblemAnalysis) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.problem)

    @cached_property
    def solutions(self) -> int:
        """The exact number of solutions, whatever they weigh."""
        return self._counted.solutions()

    @cached_property
    def weight(self) -> Fraction:
        """The exact weight of all solutions together; their number if every value weighs 1."""
        return self._counted.weight()

    @property
    def log10_weight(self) -> float:
        """The decimal logarithm of `weight`, known without counting."""
        return self._counted.log10_weight()

    @cached_property
    def value_probability(self) -> npt.NDArray[np.float64]:
        """Read-only (variables, values): the chance that a variable has a value."""
        table = self._counted.probability()
        table.flags.writeable = False
        return table

    def exact(self, variable: int, value: int) -> Fraction:
        """Return the chance that a variable has a value as a fraction."""
        checks.whole("variable", variable, 0, self.problem.variables - 1)
        checks.whole("value", value, 0, len(self.problem.domains[variable]) - 1)
        return self._counted.exact(variable, value)

    def possible(self, variable: int) -> tuple[int, ...]:
        """Return the values that a variable has in at least one solution."""
        checks.whole("variable", variable, 0, self.problem.variables - 1)
        return self._counted.possible(variable)

    @cached_property
    def certain(self) -> dict[int, int]:
        """The variables that have the same value in every solution, with that value. Decided by counting."""
        values = {variable: self._counted.possible(variable) for variable in range(self.problem.variables)}
        return {variable: possible[0] for variable, possible in values.items() if len(possible) == 1}

    @property
    def states(self) -> int:
        """The effort of the analysis: a number that is the same on every machine."""
        return self._counted.states

    def as_json(self, *, exact: bool = False, budget: Budget | float | None = None) -> ProblemAnalysisJson:
        """Return the ``mineproof/problem-analysis/1`` document; ``exact`` adds the chances as fractions.

        ``solutions`` and ``weight`` are null if counting takes longer than ``budget``, by default the rest of the
        budget of `analyze`. With ``exact``, that raises BudgetExceeded.
        """
        limit = None if budget is None else Deadline(Budget.of(budget))
        sizes = list(map(len, self.problem.domains))
        rows = self.value_probability.tolist()
        document: ProblemAnalysisJson = {
            "schema": SCHEMA,
            "variables": self.problem.variables,
            "constraints": len(self.problem.constraints),
            "solutions": self._digits("solutions", exact, limit),
            "weight": self._digits("weight", exact, limit),
            "log10_weight": self.log10_weight,
            "value_probability": [row[:size] for row, size in zip(rows, sizes, strict=True)],
            "certain": [[variable, value] for variable, value in self.certain.items()],
            "states": self.states,
        }
        if exact:
            document["value_fraction"] = [
                [str(self.exact(variable, value)) for value in range(size)] for variable, size in enumerate(sizes)
            ]
        return document

    def _digits(self, name: str, exact: bool, limit: Deadline | None) -> str | None:
        if name not in vars(self):
            if not exact and self.log10_weight > JSON_COUNT_MAX_DIGITS:
                return None
            count = self._counted.solutions if name == "solutions" else self._counted.weight
            try:
                vars(self)[name] = count(None if limit is None else limit.rest())
            except BudgetExceeded as error:
                if exact or error.limit == "cancelled":
                    raise
                return None
        return str(vars(self)[name])

    def __repr__(self) -> str:
        certain, of = len(self.certain), plural(self.problem.variables, "variable")
        return f"<ProblemAnalysis: {certain} of {of} certain, weight about 10^{self.log10_weight:.1f}>"


def analyze_problem(
    problem: Problem, budget: Budget | float | None = None, engine: Engine | None = None
) -> ProblemAnalysis:
    """Count a problem; `mineproof.analyze` calls this.

    Raises ContradictionError, with the few constraints that contradict each other, if there is no solution.
    """
    return ProblemAnalysis(problem, solve(problem, Budget.of(budget), chosen_engine(engine)))


def solve(problem: Problem, budget: Budget, engine: Engine) -> ProblemCount:
    """Return the engine's count; contradictions are explained."""
    try:
        return engine.solve_problem(problem, budget)
    except ContradictionError as error:
        raise explain(problem, error, budget, engine) from None


def explain(problem: Problem, error: ContradictionError, budget: Budget, engine: Engine) -> ContradictionError:
    """Return an error that names a minimal set of contradictory constraints, as far as time allows."""
    seconds = min(CONFLICT_SECONDS, budget.seconds)
    deadline = Deadline(Budget(seconds, budget.states, budget.cancelled, budget.memory))
    totals = error.totals or (0, 0)

    def contradicts(numbers: Sequence[int]) -> bool:
        if deadline.passed:
            return False
        try:
            engine.solve_problem(problem.keep(numbers, total=error.uses_total), deadline.rest())
        except ContradictionError as other:
            nonlocal totals
            totals = other.totals or totals
            return True
        except BudgetExceeded as exceeded:
            if exceeded.limit == "cancelled":
                raise
        return False

    needed = shrink(range(len(problem.constraints)), contradicts)
    named = tuple((number, problem.name_of(number)) for number in needed)
    return ProblemConflict(named, problem.total if error.uses_total else None, totals).error()


def enumerate_solutions(
    problem: Problem, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield every solution once, as the values of the variables, in ascending order.

    The budget applies to each step to the next solution. Raises ContradictionError at once if there is none.

    >>> list(enumerate_solutions(Problem(3, [([0, 1, 2], [1, 1, 1], 1)])))
    [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
    """
    checks.instance("problem", problem, Problem)
    limit, using = Budget.of(budget), chosen_engine(engine)
    solve(problem, limit, using)
    return _enumerate(problem, limit, using)


def _enumerate(problem: Problem, budget: Budget, engine: Engine) -> Iterator[tuple[int, ...]]:
    pending = [(problem, 0)]
    while pending:
        supposed, first = pending.pop()
        counted = engine.solve_problem(supposed, budget)
        for variable in range(first, problem.variables):
            values = counted.possible(variable)
            if len(values) > 1:
                pending += [(supposed.suppose(variable, value), variable + 1) for value in reversed(values)]
                break
        else:
            yield tuple(counted.possible(variable)[0] for variable in range(problem.variables))


def sample_solutions(
    problem: Problem,
    count: int,
    *,
    seed: int = 0,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> Iterator[tuple[int, ...]]:
    """Yield independent samples of the solutions, each with its weight; the same for the same seed and engine.

    >>> len(list(sample_solutions(Problem(3, [([0, 1, 2], [1, 1, 1], 1)]), 10)))
    10
    """
    checks.instance("problem", problem, Problem)
    count, seed = checks.whole("count", count, 0), checks.seed("seed", seed)
    limit, using = Budget.of(budget), chosen_engine(engine)
    solve(problem, limit, using)
    batches = (range(first, min(first + SAMPLE_BATCH, count)) for first in range(0, count, SAMPLE_BATCH))
    return (tuple(values) for numbers in batches for values in using.sample_problem(problem, seed, numbers, limit))
