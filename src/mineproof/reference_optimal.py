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
from typing import NamedTuple

from mineproof import reference
from mineproof.budget import Budget, Meter, exceeded
from mineproof.codes import ABSENT, COVERED, FLAGGED
from mineproof.topology import Topology

MINE = -1  # what a cell shows that is not to be opened


class Optimum(NamedTuple):
    """Layouts that optimal play wins, of all that fit.

    ``best`` is a cell to open first, None if nothing is left to open; ``values`` are the layouts won by the cell that
    is opened first, of those that are not certainly mines, and empty unless every cell was asked for.
    """

    won: int
    layouts: int
    best: int | None
    values: dict[int, int]


def optimal(topology: Topology, codes: bytes, total_mines: int, budget: Budget, *, every: bool, most: int) -> Optimum:
    """The most layouts that can be won, if at most ``most`` fit; flags are taken for mines.

    Raises ContradictionError when no layout fits and BudgetExceeded when too many do or the budget is spent.
    """
    layouts: list[frozenset[int]] = []
    for layout in _layouts(topology, codes, total_mines, budget):
        if len(layouts) == most:
            raise exceeded("size", 0.0, 0, None)
        layouts.append(layout)
    covered = [cell for cell, code in enumerate(codes) if code == COVERED & 0xFF]
    open_to = [cell for cell in covered if any(cell not in mines for mines in layouts)]
    search = _Search([_column(topology, cell, layouts) for cell in open_to], Meter(budget))
    everything = (1 << len(layouts)) - 1
    worth = {cell: search.after(place, everything) for place, cell in enumerate(open_to)}
    best = max(worth, key=worth.__getitem__, default=None)
    return Optimum(search.won(everything), len(layouts), best, worth if every else {})


class _Search:
    """Sets of layouts are bits of an integer; a column has the set of layouts for each number a cell may show."""

    def __init__(self, columns: list[dict[int, int]], meter: Meter) -> None:
        self._columns = columns
        self._meter = meter
        self._won: dict[int, int] = {}

    def won(self, some: int) -> int:
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
        return sum(self.won(some & where) for number, where in shown.items() if number != MINE and some & where)

    def _worth_opening(self, some: int) -> list[int]:
        telling = [place for place, shown in enumerate(self._columns) if some not in map(some.__and__, shown.values())]
        safe = (place for place in telling if not some & self._columns[place].get(MINE, 0))
        free = next(safe, None)
        return telling if free is None else [free]


def _column(topology: Topology, cell: int, layouts: list[frozenset[int]]) -> dict[int, int]:
    around = topology.around(cell)
    shown: defaultdict[int, int] = defaultdict(int)
    for bit, mines in enumerate(layouts):
        shown[MINE if cell in mines else sum(other in mines for other in around)] |= 1 << bit
    return shown


def _layouts(topology: Topology, codes: bytes, total_mines: int, budget: Budget) -> Iterator[frozenset[int]]:
    """Every layout, flags included: the first undecided cell is supposed free, then a mine, and so on."""
    pending = [codes]
    while pending:
        supposed = pending.pop()
        verdicts = reference.solve(topology, supposed, total_mines, None, budget).verdicts()
        first = verdicts.find(reference.UNDECIDED)
        if first < 0:
            flagged = (cell for cell, code in enumerate(supposed) if code == FLAGGED & 0xFF)
            yield frozenset(flagged).union(cell for cell, told in enumerate(verdicts) if told == reference.MINE)
            continue
        # A free cell that tells no number is, to the engine, a cell outside the board.
        pending += [supposed[:first] + bytes([code & 0xFF]) + supposed[first + 1 :] for code in (FLAGGED, ABSENT)]
