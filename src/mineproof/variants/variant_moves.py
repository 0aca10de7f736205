"""The best move on boards of variants: a safe cell, or else the safest one; the chance to win where it is cheap.

With at most `OPTIMAL_MAX_LAYOUTS` layouts, and clues that follow from the layout, every way to play on is searched: a
set of layouts and the open cells decide everything. A rule such as ``liar`` can show one of several clues, so that the
chance to win would depend on how it chooses. The move is then the safest cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from mineproof.base.budget import Budget, Deadline
from mineproof.base.notebook import Shown
from mineproof.board.cells import Cell, pairs
from mineproof.engine.answers import Engine
from mineproof.errors import BudgetExceeded
from mineproof.variants.clues import PARTITION, WALL, PatternRule, clue_rule, runs
from mineproof.variants.variant import clued_cells
from mineproof.variants.variant_board import VariantBoard
from mineproof.variants.variant_hints import safest_of
from mineproof.variants.variant_layouts import enumerate_variant_layouts
from mineproof.wording.variant_moves import render_variant_move

if TYPE_CHECKING:
    from mineproof.variants.wire import VariantBestJson

SCHEMA: Final = "mineproof/variant-best/1"
OPTIMAL_MAX_LAYOUTS = 100
OPTIMAL_MAX_STATES = 20_000

Layout = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class VariantOption:
    """A cell to open: its chance of a mine, and the chance to win with it if that is known."""

    cell: Cell
    mine_fraction: Fraction
    win_fraction: Fraction | None = None


@dataclass(frozen=True, slots=True)
class VariantBestMove(Shown):
    """The cell to open next, None if all are open, and the best options in order."""

    board: VariantBoard = field(repr=False)
    cell: Cell | None
    moves: tuple[VariantOption, ...] = ()

    @property
    def mine_fraction(self) -> Fraction | None:
        """The chance of a mine in the best cell."""
        return self.moves[0].mine_fraction if self.moves else None

    @property
    def win_fraction(self) -> Fraction | None:
        """The chance to win with optimal play, or None if it was not computed."""
        return self.moves[0].win_fraction if self.moves else None

    @property
    def text(self) -> str:
        """The move in a sentence, in the current language."""
        safest = min(self.moves, key=lambda option: option.mine_fraction).cell if self.moves else None
        return render_variant_move(self.cell, self.mine_fraction, self.win_fraction, is_safest=safest == self.cell)

    def as_json(self) -> VariantBestJson:
        """Return the ``mineproof/variant-best/1`` document."""
        return {
            "schema": SCHEMA,
            "best": None if self.cell is None else pairs([self.cell])[0],
            "mine_probability": None if self.mine_fraction is None else float(self.mine_fraction),
            "win_probability": None if self.win_fraction is None else float(self.win_fraction),
            "exact": self.win_fraction is not None,
            "moves": [
                {
                    "cell": list(option.cell),
                    "mine_probability": float(option.mine_fraction),
                    "mine_fraction": str(option.mine_fraction),
                    "win_probability": None if option.win_fraction is None else float(option.win_fraction),
                    "win_fraction": None if option.win_fraction is None else str(option.win_fraction),
                }
                for option in self.moves
            ],
            "text": self.text,
        }


MAX_OPTIONS = 8


def variant_best_move(
    board: VariantBoard, *, budget: Budget | float | None = None, engine: Engine | None = None
) -> VariantBestMove:
    """Return the cell to open next, with the options that it was compared with.

    Raises ValueError if the number of mines is unknown, and ContradictionError if no layout fits.

    >>> move = variant_best_move(VariantBoard.parse("1#/##", "modulo:2", total_mines=1))
    >>> move.mine_fraction, move.win_fraction
    (Fraction(1, 3), Fraction(1, 3))
    """
    if board.total_mines is None:
        raise ValueError("The best move needs the number of mines. Pass `total_mines`.")
    limit = Budget.of(budget)
    analysis = board.analyze(budget=limit, engine=engine)
    covered = [cell for cell in board.cells("covered") if cell not in analysis.mines]
    if not covered:
        return VariantBestMove(board, None)
    risks = {cell: analysis.exact(*cell) for cell in _candidates(covered, analysis.mine_probability.tolist())}
    wins: dict[Cell, Fraction] = {}
    if analysis.layouts <= OPTIMAL_MAX_LAYOUTS and board.variant.cell_max == 1:
        layouts = list(enumerate_variant_layouts(board, budget=limit, engine=engine))
        wins = _Search(board, layouts, Deadline(limit)).wins()
    if wins:
        risks = {cell: analysis.exact(*cell) for cell in covered}
        best = sorted(wins, key=lambda cell: (-wins[cell], risks[cell], cell))
    else:
        best = sorted(risks, key=lambda cell: (risks[cell], cell))
        safest = None if analysis.safe else safest_of(analysis, has_odds=True)
        best.sort(key=lambda cell: cell != safest)
    options = tuple(VariantOption(cell, risks[cell], wins.get(cell)) for cell in best[:MAX_OPTIONS])
    return VariantBestMove(board, best[0], options)


def _candidates(covered: list[Cell], chances: list[list[float]]) -> list[Cell]:
    """Return the cells with the least risk; exact fractions are computed for these only."""
    return sorted(covered, key=lambda cell: (chances[cell[0]][cell[1]], cell))[:MAX_OPTIONS]


class _Search:
    """Optimal play over a list of layouts."""

    def __init__(self, board: VariantBoard, layouts: list[Layout], deadline: Deadline) -> None:
        self.board, self.layouts, self.deadline = board, layouts, deadline
        self.covered = sorted(board.cells("covered"))
        self.memo: dict[tuple[int, frozenset[Cell]], int] = {}
        self.masks: dict[Cell, int] = {
            cell: sum(1 << place for place, mines in enumerate(layouts) if cell in mines) for cell in self.covered
        }
        self.shown: dict[Cell, list[int]] = {}

    def wins(self) -> dict[Cell, Fraction]:
        """Return the chance to win for each first cell; empty if it cannot be computed."""
        area = self.board.variant.area(self.board.position)
        rule = clue_rule(self.board.variant.clues)
        if isinstance(rule, PatternRule) and rule not in (WALL, PARTITION):
            return {}
        for cell in self.covered:
            clues = [_clue(rule, clued_cells(area, cell, rule), mines) for mines in self.layouts]
            if None in clues:
                return {}
            names: dict[object, int] = {}
            self.shown[cell] = [names.setdefault(clue, len(names)) for clue in clues]
        everything = (1 << len(self.layouts)) - 1
        try:
            return {
                cell: Fraction(self._open(cell, everything, frozenset()), len(self.layouts))
                for cell in self.covered
                if self.masks[cell] != everything
            }
        except BudgetExceeded:
            return {}

    def _open(self, cell: Cell, alive: int, opened: frozenset[Cell]) -> int:
        """Return how many of the layouts are won if a cell is opened next."""
        groups: dict[int, int] = {}
        for place, clue in enumerate(self.shown[cell]):
            bit = 1 << place
            if alive & bit and not self.masks[cell] & bit:
                groups[clue] = groups.get(clue, 0) | bit
        return sum(self._best(group, opened | {cell}) for group in groups.values())

    def _best(self, alive: int, opened: frozenset[Cell]) -> int:
        """Return how many of some layouts are won by playing on optimally."""
        safe = {cell for cell in self.covered if cell not in opened and not self.masks[cell] & alive}
        if safe:
            opened |= {min(safe)}
            return self._open(min(safe), alive, opened)
        key = alive, opened
        if key not in self.memo:
            if len(self.memo) >= OPTIMAL_MAX_STATES:
                raise BudgetExceeded("No result: optimal play has too many states.", limit="states")
            self.deadline.check()
            cells = [cell for cell in self.covered if cell not in opened and self.masks[cell] & alive != alive]
            best = alive.bit_count() if not cells else 0  # every cell left is a mine in every layout
            for cell in cells:
                best = max(best, self._open(cell, alive, opened))
            self.memo[key] = best
        return self.memo[key]


def _clue(rule: Any, around: Any, mines: Layout) -> object:
    """Return what a cell shows in a layout, or None if it could show one of several clues."""
    values = tuple(int(cell in mines) for cell in around)
    if isinstance(rule, PatternRule):
        return runs(values) if rule is WALL else len(runs(values))
    factors = [0 if cell is None else rule.coefficient(*cell) for cell in around]
    total = sum(factor * value for factor, value in zip(factors, values, strict=True))
    most = sum(map(abs, factors))
    clues = tuple(clue for clue in range(most + 2) if total in set(rule.sums(clue, most)))
    return clues[0] if len(clues) == 1 else None
