"""Small random problems, their solutions by brute force without any code of src/, and the comparison."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from mineproof.analysis.analysis import analyze
from mineproof.analysis.problem_analysis import enumerate_solutions, sample_solutions
from mineproof.engine.answers import Engine
from mineproof.errors import ContradictionError
from mineproof.problems.problem import Problem

ROUNDING = 1e-12


class RawConstraint(NamedTuple):
    cells: tuple[int, ...]
    coefficients: tuple[int, ...]
    sums: tuple[int, ...]

    def holds(self, values: Sequence[int]) -> bool:
        pairs = zip(self.cells, self.coefficients, strict=True)
        return sum(factor * values[cell] for cell, factor in pairs) in self.sums


class RawProblem(NamedTuple):
    domains: tuple[tuple[Fraction, ...], ...]
    constraints: tuple[RawConstraint, ...]
    total: tuple[int, int] | None

    def solutions(self, skip: int | None = None) -> dict[tuple[int, ...], Fraction]:
        """Every solution with its weight; optionally without one of the constraints."""
        kept = [each for place, each in enumerate(self.constraints) if place != skip]
        least, most = self.total or (-math.inf, math.inf)
        choices = [[(value, weight) for value, weight in enumerate(domain) if weight] for domain in self.domains]
        return {
            values: math.prod((weight for _, weight in chosen), start=Fraction(1))
            for chosen in itertools.product(*choices)
            if least <= sum(values := tuple(value for value, _ in chosen)) <= most
            and all(constraint.holds(values) for constraint in kept)
        }

    def problem(self) -> Problem:
        return Problem(
            self.domains,
            [(each.cells, each.coefficients, each.sums) for each in self.constraints],
            total=self.total,
        )


def random_problem(rng: random.Random, most_variables: int = 8) -> RawProblem:
    count = rng.randint(0, most_variables)
    mixed = rng.random() < 0.4
    weighted = rng.random() < 0.3
    domains = tuple(_domain(rng, mixed, weighted) for _ in range(count))
    planted = [rng.choice([value for value, weight in enumerate(domain) if weight]) for domain in domains]
    consistent = rng.random() < 0.8
    constraints = tuple(
        _constraint(rng, domains, planted if consistent else None) for _ in range(rng.randint(0, 6) if count else 0)
    )
    total = None
    if rng.random() < 0.5:
        least = sum(planted) if consistent else rng.randint(0, count)
        total = (least, least) if rng.random() < 0.6 else (least - rng.randint(0, 2), least + rng.randint(0, 2))
    return RawProblem(domains, constraints, total)


def _domain(rng: random.Random, mixed: bool, weighted: bool) -> tuple[Fraction, ...]:
    size = rng.choice([1, 2, 2, 3, 4]) if mixed else 2
    if not weighted:
        return (Fraction(1),) * size
    weights = [Fraction(rng.choice([0, 1, 1, 2, 7]), rng.choice([1, 1, 3])) for _ in range(size)]
    return tuple(weights) if any(weights) else (Fraction(1),) * size


def _constraint(
    rng: random.Random, domains: Sequence[tuple[Fraction, ...]], planted: Sequence[int] | None
) -> RawConstraint:
    cells = tuple(rng.sample(range(len(domains)), rng.randint(1, min(5, len(domains)))))
    kind = rng.choice(["ones", "ones", "ones", "any", "patterns", "signs"])
    coefficients = tuple(
        {"ones": 1, "any": rng.randint(-3, 3), "patterns": 2**place, "signs": rng.choice([-1, 1])}[kind]
        for place in range(len(cells))
    )
    pairs = list(zip(cells, coefficients, strict=True))
    ends = [factor * (len(domains[cell]) - 1) for cell, factor in pairs]
    least, most = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
    sums = {rng.randint(least - 1, most + 1) for _ in range(rng.choice([1, 1, 2, 4]))}
    if planted is not None:
        sums.add(sum(factor * planted[cell] for cell, factor in pairs))
        if kind == "ones" and rng.random() < 0.5:
            sums = {sum(planted[cell] for cell in cells)}
    return RawConstraint(cells, coefficients, tuple(sorted(sums)))


def check(raw: RawProblem, engine: Engine, rng: random.Random) -> bool:
    """Compare an engine's answers with brute force. Returns whether there is a solution."""
    solutions, problem = raw.solutions(), raw.problem()
    try:
        analysis = analyze(problem, engine=engine)
    except ContradictionError as error:
        _check_blame(raw, error)
        return False
    assert solutions
    assert analysis.solutions == len(solutions)
    whole = sum(solutions.values())
    assert analysis.weight == whole
    assert math.isclose(10**analysis.log10_weight, whole, rel_tol=1e-9)
    shares: dict[tuple[int, int], Fraction] = {}
    for values, weight in solutions.items():
        for place in enumerate(values):
            shares[place] = shares.get(place, Fraction(0)) + weight / whole
    for variable, domain in enumerate(raw.domains):
        possible = tuple(value for value in range(len(domain)) if (variable, value) in shares)
        assert analysis.possible(variable) == possible
        assert analysis.certain.get(variable) == (possible[0] if len(possible) == 1 else None)
        for value in range(len(domain)):
            share = shares.get((variable, value), Fraction(0))
            assert analysis.exact(variable, value) == share
            assert abs(analysis.value_probability[variable, value] - share) <= ROUNDING
    if len(solutions) <= 40:
        assert list(enumerate_solutions(problem, engine=engine)) == sorted(solutions)
    seed = rng.randrange(2**32)
    assert all(drawn in solutions for drawn in sample_solutions(problem, 3, seed=seed, engine=engine))
    return True


def _check_blame(raw: RawProblem, error: ContradictionError) -> None:
    """The constraints that an error names are enough, and none can be left out."""
    named: Any = tuple(raw.constraints[place] for place in error.constraints)
    blamed = RawProblem(raw.domains, named, raw.total if error.uses_total else None)
    assert not blamed.solutions()
    assert all(blamed.solutions(skip=place) for place in range(len(named)))
