"""Exact facts about a position of a variant: the counterpart of `mineproof.analysis.analysis`."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mineproof.analysis.problem_analysis import ProblemAnalysis, analyze_problem, enumerate_solutions
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.cached import cached_property
from mineproof.base.words import size
from mineproof.board.cells import Cell
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded, ContradictionError
from mineproof.problems.problem import Problem
from mineproof.variants.area import Area
from mineproof.variants.position import VariantPosition
from mineproof.variants.variant import Variant
from mineproof.wording.problems import ProblemConflict

if TYPE_CHECKING:
    from mineproof.variants.wire import VariantAnalysisJson

SCHEMA: Final = "mineproof/variant-analysis/1"
MAX_LISTED = 20_000  # layouts that are judged one by one


class VariantAnalysis:
    """Exact facts about one position of a variant; see `analyze_variant`."""

    def __init__(self, variant: Variant, position: VariantPosition, facts: ProblemAnalysis | _Listed) -> None:
        self.variant, self.position, self._facts = variant, position, facts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VariantAnalysis):
            return NotImplemented
        same = (self.variant, self.position, self.layouts) == (other.variant, other.position, other.layouts)
        return same and np.array_equal(self.value_probability, other.value_probability, equal_nan=True)

    def __repr__(self) -> str:
        return f"<VariantAnalysis of {size(self.position.rows, self.position.columns)}: {self.variant!r}>"

    def __hash__(self) -> int:
        return hash((self.variant, self.position))

    @cached_property
    def layouts(self) -> int:
        """The exact number of layouts that fit."""
        return self._facts.solutions

    @cached_property
    def value_probability(self) -> npt.NDArray[np.float64]:
        """(rows, columns, mines): the chance of each number of mines in a cell."""
        table: npt.NDArray[np.float64] = self._facts.value_probability
        return table.reshape((self.position.rows, self.position.columns, table.shape[1]))

    @cached_property
    def mine_probability(self) -> npt.NDArray[np.float64]:
        """(rows, columns): the chance that a covered cell has at least one mine; NaN on open and absent cells."""
        chances: npt.NDArray[np.float64] = self.value_probability[:, :, 1:].sum(axis=2)
        states = np.array([cell.state for cell in self.position.cells]).reshape(chances.shape)
        chances[(states == "open") | (states == "absent")] = np.nan
        for cells, chance in ((self.safe, 0.0), (self.mines, 1.0)):
            for cell in cells:
                chances[cell] = chance
        return chances

    def exact(self, row: int, column: int) -> Fraction:
        """Return the chance that a cell has at least one mine as a fraction."""
        checks.whole("row", row, 0, self.position.rows - 1)
        checks.whole("column", column, 0, self.position.columns - 1)
        return 1 - self._facts.exact(row * self.position.columns + column, 0)

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Covered cells without a mine in every layout that fits."""
        return frozenset(cell for cell, values in self._possible_values() if values == (0,))

    @cached_property
    def mines(self) -> frozenset[Cell]:
        """Covered cells with at least one mine in every layout that fits."""
        return frozenset(cell for cell, values in self._possible_values() if values[0] > 0)

    def _possible_values(self) -> list[tuple[Cell, tuple[int, ...]]]:
        columns = self.position.columns
        return [
            (divmod(index, columns), self._facts.possible(index))
            for index, cell in enumerate(self.position.cells)
            if cell.state == "covered"
        ]

    def as_json(self, *, exact: bool = False) -> VariantAnalysisJson:
        """Return the ``mineproof/variant-analysis/1`` document; ``exact`` adds ``mine_fraction`` of covered cells."""
        known = self.mine_probability.tolist()
        document: VariantAnalysisJson = {
            "schema": SCHEMA,
            "rows": self.position.rows,
            "columns": self.position.columns,
            "total_mines": self.position.total_mines,
            "layouts": str(self.layouts),
            "mine_probability": [[chance if chance >= 0 else None for chance in row] for row in known],
            "safe": [list(cell) for cell in sorted(self.safe)],
            "mines": [list(cell) for cell in sorted(self.mines)],
        }
        if exact:
            covered = [cell for cell, _ in self._possible_values()]
            document["mine_fraction"] = [[*cell, str(self.exact(*cell))] for cell in covered]
        return document


def analyze_variant(
    position: VariantPosition,
    variant: Variant,
    *,
    density: float | Fraction | Decimal | None = None,
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> VariantAnalysis:
    """Return all certain cells of a position and the exact chance of a mine in each covered cell.

    Without a total, all layouts are equally likely, or weighted by ``density`` if that is given.

    Raises ContradictionError, with the few clues and rules that contradict each other, if no layout fits. Raises
    BudgetExceeded if a rule on the shape of all mines would have to judge more than 20,000 layouts.

    >>> analysis = analyze_variant(VariantPosition.parse("2##/###", total_mines=2), Variant("liar"))
    >>> analysis.layouts, analysis.exact(0, 1)
    (6, Fraction(1, 3))
    """
    checks.instance("position", position, VariantPosition, "VariantPosition.parse makes one")
    checks.instance("variant", variant, Variant, "pass one, such as Variant('liar')")
    limit = Budget.of(budget)
    problem = variant.problem(position, density)
    try:
        analysis = analyze_problem(problem, limit, engine)
    except ContradictionError as error:
        raise error_about_board(error, variant, position) from None
    if not variant.shapes:
        return VariantAnalysis(variant, position, analysis)
    return VariantAnalysis(variant, position, _list(variant, variant.area(position), analysis, limit, engine))


def error_about_board(error: ContradictionError, variant: Variant, position: VariantPosition) -> ContradictionError:
    """Return an error of a problem as one of its board, with the cells of the clues."""
    if not isinstance(error.explanation, ProblemConflict):
        return error
    statements = variant.statements(position)
    cells = [cell for number in error.constraints if (cell := statements[number].cell) is not None]
    explanation = replace(error.explanation, is_board=True)
    return ContradictionError(explanation, cells, uses_total=error.uses_total, totals=error.totals)


class _Listed:
    """Facts from layouts that were listed and judged."""

    def __init__(self, problem: Problem) -> None:
        self.solutions = 0
        self._whole = 0
        self._weights = [[0] * (len(domain)) for domain in problem.domains]
        self._problem = problem

    def add(self, values: tuple[int, ...]) -> None:
        """Add a layout."""
        weight = 1
        for domain, value in zip(self._problem.whole_weights, values, strict=True):
            weight *= domain[value]
        self.solutions += 1
        self._whole += weight
        for variable, value in enumerate(values):
            self._weights[variable][value] += weight

    def possible(self, variable: int) -> tuple[int, ...]:
        return tuple(value for value, weight in enumerate(self._weights[variable]) if weight)

    def exact(self, variable: int, value: int) -> Fraction:
        return Fraction(self._weights[variable][value], self._whole)

    @cached_property
    def value_probability(self) -> npt.NDArray[np.float64]:
        table = np.zeros((len(self._weights), max(map(len, self._weights))))
        for variable, weights in enumerate(self._weights):
            table[variable, : len(weights)] = [float(Fraction(weight, self._whole)) for weight in weights]
        return table


def _list(variant: Variant, area: Area, analysis: ProblemAnalysis, budget: Budget, engine: Engine | None) -> _Listed:
    names = " and ".join(rule.name for rule in variant.shapes)
    if analysis.solutions > MAX_LISTED:
        raise BudgetExceeded(
            f"No result: {names} must judge layouts one by one, at most {MAX_LISTED:,}. "
            f"The other rules leave {analysis.solutions:,}.",
            limit="size",
        )
    deadline = Deadline(budget)
    listed = _Listed(analysis.problem)
    for values in enumerate_solutions(analysis.problem, budget=budget, engine=engine):
        deadline.check()
        mines = frozenset(cell for cell in area.cells if values[area.index(cell)])
        if all(rule.allows(area, mines) for rule in variant.shapes):
            listed.add(values)
    if not listed.solutions:
        raise ContradictionError(
            f"No layout fits: {names} excludes all {analysis.solutions:,} layouts that the other rules allow."
        )
    return listed
