"""Every way to play a small position, one after the other.

The search knows nothing but the rules: a player opens cells until only mines are covered, sees numbers, and loses on a
mine. It opens safe cells like any others and cuts nothing.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache

from support.oracle import FLAGGED, Cell, Truth, neighbours


class EveryGame:
    """Every way to play a position."""

    def __init__(self, truth: Truth) -> None:
        board = truth.board
        self.covered = truth.covered
        self.layouts = list(truth.layouts())
        self._free = len(truth.covered) - (board.total_mines or 0) + len(list(board.cells(FLAGGED)))
        self._around = {cell: neighbours(board.topology, board.rows, board.columns, cell) for cell in self.covered}
        self._won = cache(self._count)

    def value(self, cell: Cell) -> Fraction:
        """The chance to win if a cell is opened first."""
        return Fraction(self._after(cell, frozenset(range(len(self.layouts))), frozenset()), len(self.layouts))

    def best(self) -> Fraction:
        return Fraction(self._won(frozenset(range(len(self.layouts))), frozenset()), len(self.layouts))

    def _count(self, alive: frozenset[int], opened: frozenset[Cell]) -> int:
        if len(opened) == self._free:
            return len(alive)
        return max(self._after(cell, alive, opened) for cell in self.covered if cell not in opened)

    def _after(self, cell: Cell, alive: frozenset[int], opened: frozenset[Cell]) -> int:
        shown: defaultdict[int, set[int]] = defaultdict(set)
        for number in alive:
            if cell not in self.layouts[number]:
                shown[len(self._around[cell] & self.layouts[number])].add(number)
        return sum(self._won(frozenset(same), opened | {cell}) for same in shown.values())
