"""Problems in plain Python: the readable specification of the kernel's answers, and its second opinion.

Go through the variables one after the other and choose a value for each. Of a half-finished constraint the past only
matters through the *rests*: the sums that its other cells may still have together. Choices that leave the same rests
for every half-finished constraint are one state; each state has the weight of all ways that lead to it, by their total.
One pass from the front and one from the back give the weight of the solutions with each value.

The order of variables finishes constraint after constraint, next the one that begins the fewest others. There are no
components, boxes or tables: the cost grows exponentially with the constraints that are half-finished at once. Weights
are whole numbers of Python.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from mineproof.base.budget import Budget, Meter
from mineproof.problems.problem import Problem
from mineproof.wording.problems import ProblemConflict

Rests: TypeAlias = frozenset[int]
State: TypeAlias = tuple[Rests, ...]  # one for each half-finished constraint
Tally: TypeAlias = dict[int, int]  # weights by total; by 0 if the total does not matter
Layer: TypeAlias = dict[State, Tally]


def solve_problem(problem: Problem, budget: Budget) -> ReferenceProblemCount:
    """Count a problem. Raises ContradictionError if it has no solution, and BudgetExceeded if the budget is spent."""
    meter = Meter(budget)
    whole, values = _sweep(problem, meter)
    return ReferenceProblemCount(problem, meter.states, whole, values)


def sample_problem(problem: Problem, seed: int, numbers: range, budget: Budget) -> list[list[int]]:
    """Draw solutions by weight, variable by variable: a value with its exact chance, given the values so far."""
    return [_draw_solution(problem, random.Random(f"{seed}/{number}"), budget) for number in numbers]


def _draw_solution(problem: Problem, rng: random.Random, budget: Budget) -> list[int]:
    supposed = problem
    for variable in range(problem.variables):
        weights = solve_problem(supposed, budget).values[variable]
        (value,) = rng.choices(range(len(weights)), [weight / sum(weights) for weight in weights])
        supposed = supposed.suppose(variable, value)
    return [next(value for value, weight in enumerate(domain) if weight) for domain in supposed.domains]


class ReferenceProblemCount:
    """See `mineproof.engine.problem_answers.ProblemCount`; ``values`` are the weights of solutions by value."""

    def __init__(self, problem: Problem, states: int, whole: int, values: list[list[int]]) -> None:
        self.problem, self.states, self.values = problem, states, values
        self._whole = whole

    def possible(self, variable: int) -> tuple[int, ...]:
        return tuple(value for value, weight in enumerate(self.values[variable]) if weight)

    def probability(self) -> npt.NDArray[np.float64]:
        table = np.zeros((len(self.values), max(map(len, self.values), default=0)))
        for variable, weights in enumerate(self.values):
            table[variable, : len(weights)] = [float(Fraction(weight, self._whole)) for weight in weights]
        return table

    def exact(self, variable: int, value: int) -> Fraction:
        return Fraction(self.values[variable][value], self._whole)

    def weight(self, budget: Budget | None = None) -> Fraction:
        return self._whole * self.problem.scale

    def solutions(self, budget: Budget | None = None) -> int:
        if not self.problem.is_weighted:
            return self._whole
        whole, _ = _sweep(self.problem.without_weights(), Meter(budget or Budget()))
        return whole

    def log10_weight(self) -> float:
        weight = self.weight()
        return math.log10(weight.numerator) - math.log10(weight.denominator)


class _VariableStep(NamedTuple):
    """One variable: the constraints half-finished before and after it, and what it does to those it is part of."""

    variable: int
    before: tuple[int, ...]
    after: tuple[int, ...]
    coefficients: dict[int, int]  # by constraint
    reach: dict[int, Rests]  # by constraint: the sums that the variables after this one can have in it

    def follow(self, state: State, value: int, first: dict[int, Rests]) -> State | None:
        """Return the state after a value, or None if a constraint excludes it."""
        rests = dict(zip(self.before, state, strict=True))
        for constraint, coefficient in self.coefficients.items():
            old = rests.get(constraint, first[constraint])
            rests[constraint] = frozenset(rest - coefficient * value for rest in old) & self.reach[constraint]
            if not rests[constraint]:
                return None
        return tuple(rests[constraint] for constraint in self.after)


def _sweep(problem: Problem, meter: Meter) -> tuple[int, list[list[int]]]:
    """Return the weight of all solutions, and of those with each value, in whole weights."""
    weights = problem.whole_weights
    first = {place: frozenset(constraint.sums) for place, constraint in enumerate(problem.constraints)}
    for place, constraint in enumerate(problem.constraints):
        if not constraint.cells and 0 not in constraint.sums:
            raise ProblemConflict(((place, problem.name_of(place)),)).error()
    steps = list(_plan(problem))
    layers: list[Layer] = [{(): {0: 1}}]
    for step in steps:
        layers.append(_forward(problem, step, layers[-1], first, meter))
    totals = layers[-1].get((), {})
    if not totals:
        raise ProblemConflict(tuple((place, problem.name_of(place)) for place in first)).error()
    allowed = {total: 1 for total in totals if _is_allowed(problem, total)}
    if not allowed:
        raise ProblemConflict((), problem.total, (min(totals), max(totals))).error()
    behind: Layer = {(): dict.fromkeys((-total for total in allowed), 1)}  # by minus the total that is missing
    values = [[0] * len(domain) for domain in weights]
    for step, layer in zip(reversed(steps), reversed(layers[:-1]), strict=True):
        behind = _backward(problem, step, layer, behind, first, meter, values[step.variable])
    return sum(totals[total] for total in allowed), values


def _is_allowed(problem: Problem, total: int) -> bool:
    return problem.total is None or problem.total[0] <= total <= problem.total[1]


def _forward(problem: Problem, step: _VariableStep, layer: Layer, first: dict[int, Rests], meter: Meter) -> Layer:
    """Return the states after a variable, with the weights that lead to each."""
    ahead: Layer = defaultdict(lambda: defaultdict(int))
    for state, tally in layer.items():
        meter.spend(1, len(step.after))
        for value, weight in enumerate(problem.whole_weights[step.variable]):
            after = step.follow(state, value, first) if weight else None
            if after is not None:
                for total, ways in tally.items():
                    ahead[after][_add_value(problem, total, value)] += ways * weight
    return ahead


def _backward(
    problem: Problem,
    step: _VariableStep,
    layer: Layer,
    behind: Layer,
    first: dict[int, Rests],
    meter: Meter,
    values: list[int],
) -> Layer:
    """Return the weights that lead from the states before a variable to the end; add those of its values."""
    before: Layer = defaultdict(lambda: defaultdict(int))
    for state, tally in layer.items():
        meter.spend(1, len(step.after))
        for value, weight in enumerate(problem.whole_weights[step.variable]):
            after = step.follow(state, value, first) if weight else None
            if after is None:
                continue
            for missing, ways in behind.get(after, {}).items():
                before[state][_add_value(problem, missing, value)] += ways * weight
                values[value] += ways * weight * tally.get(-_add_value(problem, missing, value), 0)
    return before


def _add_value(problem: Problem, total: int, value: int) -> int:
    return 0 if problem.total is None else total + value


def _plan(problem: Problem) -> Iterator[_VariableStep]:
    """Yield the variables in an order that finishes constraint after constraint."""
    constraints = problem.constraints
    inside: list[dict[int, int]] = [{} for _ in range(problem.variables)]
    for place, constraint in enumerate(constraints):
        for cell, coefficient in zip(constraint.cells, constraint.coefficients, strict=True):
            inside[cell][place] = coefficient
    order = _order(problem, inside)
    reach: dict[int, Rests] = {place: frozenset([0]) for place in range(len(constraints))}
    reaches: list[dict[int, Rests]] = []  # of the last variable first
    for variable in reversed(order):
        reaches.append({place: reach[place] for place in inside[variable]})
        values = [value for value, weight in enumerate(problem.domains[variable]) if weight]
        for place, coefficient in inside[variable].items():
            reach[place] = frozenset(rest + coefficient * value for rest in reach[place] for value in values)
    left = [len(constraint.cells) for constraint in constraints]
    open_now: tuple[int, ...] = ()
    for variable, behind in zip(order, reversed(reaches), strict=True):
        for place in inside[variable]:
            left[place] -= 1
        after = tuple(place for place in sorted({*open_now, *inside[variable]}) if left[place])
        yield _VariableStep(variable, open_now, after, inside[variable], behind)
        open_now = after


def _order(problem: Problem, inside: list[dict[int, int]]) -> list[int]:
    waiting = [set(constraint.cells) for constraint in problem.constraints]
    order: dict[int, None] = {}
    half: set[int] = set()
    unstarted = sorted(range(len(waiting)), key=lambda place: (len(waiting[place]), place), reverse=True)
    while half or unstarted:
        chosen = min(half, key=lambda place: (len(waiting[place]), place)) if half else unstarted.pop()
        for variable in sorted(waiting[chosen], key=lambda variable: (len(inside[variable]), variable)):
            order[variable] = None
            half |= inside[variable].keys()
            for place in inside[variable]:
                waiting[place].discard(variable)
        half = {place for place in half if waiting[place]}
        unstarted = [place for place in unstarted if waiting[place] and place not in half]
    return [*order, *(variable for variable in range(problem.variables) if variable not in order)]
