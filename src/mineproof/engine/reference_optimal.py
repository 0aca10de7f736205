"""Optimal play in plain Python: the readable specification of the kernel's search, and its second opinion.

Idea    What a player knows is the set S of layouts still possible, each as likely as any other. Opening a cell splits S
        by what it shows, and is lost where it is a mine, so the layouts won by the best play number
            W(S) = max over cells of the sum over numbers of W(S where the cell is free and shows the number),
        and W of a single layout is 1. A cell that is the same in all of S tells nothing and is passed over; one that is
        free in all of S and tells something is opened before anything else, since knowing more never hurts.
Cost    Every set of layouts that can be met is met once. A few hundred layouts take seconds.
Source  Truffle-Swine Keeper's document.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mineproof.base.budget import Budget, Meter, budget_error
from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.board.geometry import Geometry
from mineproof.engine import reference
from mineproof.engine.answers import MINE, UNDECIDED, Optimum
from mineproof.engine.question import Question

_BOOM = -1  # what a cell shows that is not to be opened


def optimal(question: Question, budget: Budget, *, every: bool, most: int) -> Optimum:
    """The most layouts that can be won, if at most ``most`` fit; flags are taken for mines.

    Raises ContradictionError when no layout fits and BudgetExceeded when too many do or the budget is spent.
    """
    geometry, codes = question.geometry, question.codes
    layouts: list[frozenset[int]] = []
    for layout in _layouts(question, budget):
        if len(layouts) == most:
            raise budget_error("size", 0.0, 0, None)
        layouts.append(layout)
    covered = [cell for cell, code in enumerate(codes) if code == COVERED & 0xFF]
    open_to = [cell for cell in covered if any(cell not in mines for mines in layouts)]
    meter = Meter(budget)
    search = _OptimalSearch([_column(geometry, cell, layouts) for cell in open_to], meter)
    everything = (1 << len(layouts)) - 1
    worth = {cell: search.after(place, everything) for place, cell in enumerate(open_to)}
    best = max(worth, key=worth.__getitem__, default=None)
    return Optimum(search.count_won(everything), len(layouts), best, worth if every else {}, meter.states)


class _OptimalSearch:
    """Sets of layouts are bits of an integer; a column has the set of layouts for each number a cell may show."""

    def __init__(self, columns: list[dict[int, int]], meter: Meter) -> None:
        self._columns = columns
        self._meter = meter
        self._won: dict[int, int] = {}

    def count_won(self, some: int) -> int:
        """Layouts of a set that the best play wins."""
        if some.bit_count() == 1:
            return 1
        if some not in self._won:
            self._meter.spend(1)
            self._won[some] = max(self.after(place, some) for place in self._worth_opening(some))
        return self._won[some]

    def after(self, place: int, some: int) -> int:
        """Layouts of a set that are won if one cell is opened first."""
        shown = self._columns[place]
        return sum(self.count_won(some & where) for number, where in shown.items() if number != _BOOM and some & where)

    def _worth_opening(self, some: int) -> list[int]:
        telling = [place for place, shown in enumerate(self._columns) if some not in map(some.__and__, shown.values())]
        safe = (place for place in telling if not some & self._columns[place].get(_BOOM, 0))
        free = next(safe, None)
        return telling if free is None else [free]


def _column(geometry: Geometry, cell: int, layouts: list[frozenset[int]]) -> dict[int, int]:
    around = geometry.neighbours(cell)
    shown: defaultdict[int, int] = defaultdict(int)
    for bit, mines in enumerate(layouts):
        shown[_BOOM if cell in mines else sum(other in mines for other in around)] |= 1 << bit
    return shown


def _layouts(question: Question, budget: Budget) -> Iterator[frozenset[int]]:
    """Every layout, flags included: the first undecided cell is supposed free, then a mine, and so on."""
    pending = [question.codes]
    while pending:
        supposed = pending.pop()
        verdicts = reference.solve(question._replace(codes=supposed), budget).verdicts()
        first = verdicts.find(UNDECIDED)
        if first < 0:
            flagged = (cell for cell, code in enumerate(supposed) if code == FLAGGED & 0xFF)
            yield frozenset(flagged).union(cell for cell, verdict in enumerate(verdicts) if verdict == MINE)
            continue
        # A free cell that tells no number is, to the engine, a cell outside the board.
        pending += [supposed[:first] + bytes([code & 0xFF]) + supposed[first + 1 :] for code in (FLAGGED, ABSENT)]
