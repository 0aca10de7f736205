"""Deal layouts for a variant.

Without rules on the mines, and with rules that are counted, all layouts are equally likely: one is sampled. Rules that
judge whole layouts, such as ``connected``, choose among samples of the others. If that finds none, or if there are too
many layouts to count, mines are added one at a time so that every rule holds after each. All these layouts keep the
rules, but they are not equally likely. Rules that neither way suits are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mineproof.analysis.problem_analysis import analyze_problem, enumerate_solutions, sample_solutions
from mineproof.base import checks
from mineproof.base.budget import Budget, Deadline
from mineproof.base.rng import VARIANT_MINES, Random, deal, derive
from mineproof.base.words import listing, plural, size
from mineproof.board.cells import Cell
from mineproof.board.geometry import Geometry, Topology
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded, ContradictionError, OutsideError
from mineproof.game.variant_layout import VariantLayout, is_cell, require_board, with_clues
from mineproof.problems.problem import Constraint, Problem
from mineproof.variants.position import VariantCell, VariantPosition
from mineproof.variants.variant import Variant

DEAL_STATES = 1_000_000  # of a count, before mines are added one at a time; a second or two
MAX_LISTED_DEALS = 2_000  # layouts that are listed and judged
MAX_DRAWS = 300  # samples that are judged
MAX_GROWTHS = 60  # boards that are filled one mine at a time

Values = tuple[int, ...]


def deal_variant(
    rows: int,
    columns: int,
    mines: int,
    variant: Variant,
    *,
    topology: Topology = "grid",
    seed: int = 0,
    start: Cell | None = None,
    free: Iterable[Cell] = (),
    budget: Budget | float | None = None,
    engine: Engine | None = None,
) -> VariantLayout:
    """Return a layout of a variant; the same for the same seed.

    ``start`` is the first click, and free of mines, as are the cells of ``free``. Raises ContradictionError if the
    rules allow no such layout, and BudgetExceeded, with the name of the rule, if none can be found.

    >>> str(deal_variant(4, 4, 5, Variant(mine_rules=["quad"]), seed=1, start=(0, 0))).split()
    ['....', '*.*.', '.**.', '.*..']
    """
    checks.instance("variant", variant, Variant, "pass one, such as Variant('liar')")
    require_board(rows, columns, topology, variant)
    holes = Geometry(topology, rows, columns).holes
    checks.whole("mines", mines, 0, (rows * columns - len(holes)) * variant.cell_max)
    seed, limit = checks.seed("seed", seed), Budget.of(budget)
    empty = checks.cells("free", free) | (frozenset() if start is None else {checks.cell("start", start)})
    for row, column in empty:
        if not is_cell(rows, columns, holes, (row, column)):
            raise OutsideError(f"({row},{column}) is not on a board of {size(rows, columns)}.")
    states = ["absent" if index in holes else "covered" for index in range(rows * columns)]
    for row, column in empty:
        states[row * columns + column] = "open"
    position = VariantPosition(rows, columns, tuple(map(VariantCell, states)), mines, topology)
    dealer = _Dealer(position, mines, variant, derive(seed, VARIANT_MINES), limit, engine)
    return with_clues(rows, columns, dealer.values(), variant, seed, start, topology)


class _Dealer:
    """One deal: the board with the cells that stay free, and the rules."""

    def __init__(
        self,
        position: VariantPosition,
        mines: int,
        variant: Variant,
        seed: int,
        budget: Budget,
        engine: Engine | None,
    ) -> None:
        self.mines, self.variant, self.seed = mines, variant, seed
        self.budget, self.engine = budget, engine
        self.position, self.area = position, variant.area(position)
        self.covered = [
            divmod(index, position.columns) for index, cell in enumerate(position.cells) if cell.state == "covered"
        ]

    @property
    def names(self) -> str:
        """The names of the rules on the mines."""
        names = [rule.name for rule in self.variant.local] + [rule.name for rule in self.variant.shapes]
        return listing(names)

    def values(self) -> Values:
        """Return the mines of each cell in row order."""
        if len(self.covered) * self.variant.cell_max < self.mines:
            places = plural(len(self.covered), "cell")
            raise ContradictionError(f"No layout has {plural(self.mines, 'mine')}: {places} may have mines.")
        if not self.variant.local and not self.variant.shapes and self.variant.cell_max == 1:
            return self._with_mines(deal(Random(self.seed, 0), self.covered, self.mines))
        problem = self.variant.problem(self.position)
        if not self.variant.shapes:
            try:
                return self._samples(problem, 1)[0]
            except BudgetExceeded as error:
                if error.limit not in ("states", "memory"):
                    raise
            return self._grow()
        return self._judge(problem)

    def _samples(self, problem: Problem, count: int) -> list[Values]:
        limit = replace(self.budget, states=min(self.budget.states, DEAL_STATES))
        return list(sample_solutions(problem, count, seed=self.seed, budget=limit, engine=self.engine))

    def _judge(self, problem: Problem) -> Values:
        """Return a layout that rules on the shape of all mines allow."""
        limit = replace(self.budget, states=min(self.budget.states, DEAL_STATES))
        try:
            layouts = analyze_problem(problem, limit, self.engine).solutions
            if layouts <= MAX_LISTED_DEALS:
                listed = enumerate_solutions(problem, budget=limit, engine=self.engine)
                allowed = [values for values in listed if self._is_allowed(values)]
                if not allowed:
                    raise ContradictionError(f"No layout fits: {self.names} exclude all {layouts:,} layouts.")
                return allowed[Random(self.seed, 0).below(len(allowed))]
            for values in self._samples(problem, MAX_DRAWS):
                if self._is_allowed(values):
                    return values
        except BudgetExceeded as error:
            if error.limit not in ("states", "memory"):
                raise
        return self._grow()

    def _is_allowed(self, values: Sequence[int]) -> bool:
        mines = frozenset(cell for cell in self.area.cells if values[self.area.index(cell)])
        return all(rule.allows(self.area, mines) for rule in self.variant.shapes)

    # one mine at a time

    def _grow(self) -> Values:
        """Add mines one at a time."""
        deadline = Deadline(self.budget)
        constraints = [constraint for rule in self.variant.local for constraint in rule.constraints(self.area)]
        by_cell: dict[int, list[Constraint]] = {}
        for constraint in constraints:
            for index in constraint.cells:
                by_cell.setdefault(index, []).append(constraint)
        for attempt in range(MAX_GROWTHS):
            random = Random(self.seed, 1 + attempt)
            values = [0] * (self.area.rows * self.area.columns)
            mined: frozenset[Cell] = frozenset()
            while len(mined) < self.mines:
                deadline.check()
                cell = self._next_mine(mined, values, by_cell, random)
                if cell is None:
                    break
                mined |= {cell}
            if len(mined) == self.mines and self._keeps(constraints, values) and self._is_allowed(values):
                return tuple(values)
        raise BudgetExceeded(
            f"No layout: {plural(self.mines, 'mine')} that keep {self.names} cannot be placed on "
            f"{size(self.area.rows, self.area.columns)}. Use a smaller board, fewer mines or other rules.",
            limit="size",
        )

    def _next_mine(
        self, mined: frozenset[Cell], values: list[int], by_cell: dict[int, list[Constraint]], random: Random
    ) -> Cell | None:
        """Return a cell whose mine breaks no rule, and put the mine there."""
        left = [cell for cell in self.covered if cell not in mined]
        while left:
            cell = left.pop(random.below(len(left)))
            index = self.area.index(cell)
            values[index] = 1
            grown = mined | {cell}
            if self._keeps(by_cell.get(index, ()), values) and all(
                rule.allows(self.area, grown) for rule in self.variant.shapes
            ):
                return cell
            values[index] = 0
        return None

    @staticmethod
    def _keeps(constraints: Iterable[Constraint], values: Sequence[int]) -> bool:
        return all(
            sum(factor * values[cell] for cell, factor in zip(rule.cells, rule.coefficients, strict=True)) in rule.sums
            for rule in constraints
        )

    def _with_mines(self, mines: Iterable[Cell]) -> Values:
        values = [0] * (self.area.rows * self.area.columns)
        for cell in mines:
            values[self.area.index(cell)] = 1
        return tuple(values)
