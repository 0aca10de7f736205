"""The numbers of a layout, as docs/numbers.md defines them: 3BV, openings, islands, how many of each number, ZiNi.

This is the definition to be read; the kernel (native/src/measures.cpp) does the same a thousand times as fast, and
the tests compare the two. A layout is given as truths: `SAFE`, `MINE` or `ABSENT` for each cell in row order.

Cost    A few passes over the cells; ZiNi looks at every cell before every step.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mineproof.board.geometry import Geometry

SAFE, MINE, ABSENT = range(3)
COLUMNS = ("bbbv", "openings", "islands", "zini", "human_zini")  # before how many safe cells show 0, 1, … reach
NOT_ASKED = -1  # in the columns of ZiNi

Truths = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


def measure(geometry: Geometry, truths: Truths, zini: bool) -> npt.NDArray[np.int32]:
    """A row for each layout, as wide as `width`; ``truths`` has one for each, too."""
    rows = [_measure_one(geometry, layout, zini) for layout in truths]
    return np.array(rows, dtype=np.int32).reshape(len(truths), width(geometry))


def width(geometry: Geometry) -> int:
    """How many numbers there are of a layout: `COLUMNS`, then how many safe cells show 0, 1, and so on."""
    return len(COLUMNS) + geometry.reach + 1


def kinds(geometry: Geometry, truths: Truths) -> tuple[Mask, Mask]:
    """Which cells are zeros, and which are numbers that no zero touches."""
    safe = truths == SAFE
    zeros = safe & (numbers(geometry, truths) == 0)
    return zeros, safe & ~zeros & ~np.append(zeros, False)[geometry.table].any(axis=1)


def numbers(geometry: Geometry, truths: Truths) -> npt.NDArray[np.int64]:
    """How many mines touch each cell."""
    touching: npt.NDArray[np.int64] = np.append(truths == MINE, False)[geometry.table].sum(axis=1)
    return touching


def groups(members: Mask, geometry: Geometry) -> tuple[list[int], int]:
    """For every cell the number of its connected group, from 0, or -1; and how many groups there are."""
    unseen = [*members.tolist(), False]
    label = [-1] * len(members)
    neighbours = geometry.table.tolist()
    count = 0
    for first in range(len(members)):
        if not unseen[first]:
            continue
        waiting = [first]
        unseen[first] = False
        while waiting:
            cell = waiting.pop()
            label[cell] = count
            fresh = [other for other in neighbours[cell] if unseen[other]]
            for other in fresh:
                unseen[other] = False
            waiting += fresh
        count += 1
    return label, count


def _measure_one(geometry: Geometry, truths: Truths, zini: bool) -> list[int]:
    zeros, lone = kinds(geometry, truths)
    openings = groups(zeros, geometry)[1]
    solves = [_Solve(geometry, truths, human).clicks() if zini else NOT_ASKED for human in (False, True)]
    count = np.bincount(numbers(geometry, truths)[truths == SAFE], minlength=geometry.reach + 1).tolist()
    return [openings + int(lone.sum()), openings, groups(lone, geometry)[1], *solves, *count]


class _Solve:
    """A solve by a player who knows all mines: see docs/numbers.md, ZiNi."""

    def __init__(self, geometry: Geometry, truths: Truths, human: bool) -> None:
        zeros, lone = kinds(geometry, truths)
        self._near = [geometry.neighbours(cell) for cell in range(geometry.cells)]
        rows, columns = range(geometry.rows), range(geometry.columns)
        by_column = [row * geometry.columns + column for column in columns for row in rows]
        self._order = [cell for cell in by_column if truths[cell] == SAFE]
        self._mines = frozenset(np.flatnonzero(truths == MINE).tolist())
        self._safe = frozenset(self._order)
        self._zeros, self._lone = zeros.tolist(), lone.tolist()
        self._opening = groups(zeros, geometry)[0]
        self._human = human
        self._open: set[int] = set()
        self._flagged: set[int] = set()

    def clicks(self) -> int:
        clicks = 0
        if self._human:
            for cell in self._order:
                if self._zeros[cell] and cell not in self._open:
                    self._reveal(cell)
                    clicks += 1
        while len(self._open) < len(self._safe):
            clicks += self._step()
        return clicks

    def _step(self) -> int:
        """Do what pays most; how many clicks it took."""
        candidates = [cell for cell in self._order if cell in self._open or not self._human]
        best = max(candidates, key=self._premium, default=None)  # the first of those with the highest premium
        if best is None or self._premium(best) < 0:
            solves = (cell for cell in self._order if self._zeros[cell] or self._lone[cell])
            self._reveal(next(cell for cell in solves if cell not in self._open))
            return 1
        clicks = 1  # the chord
        if best not in self._open:
            self._reveal(best)
            clicks += 1
        flags = self._mines.intersection(self._near[best]) - self._flagged
        self._flagged |= flags
        for cell in self._near[best]:
            self._reveal(cell)
        return clicks + len(flags)

    def _premium(self, cell: int) -> int:
        """What a chord saves: the 3BV it solves, less its flags, itself, and the click that opens its cell."""
        block = [cell, *self._near[cell]]
        closed = [other for other in block if other in self._safe and other not in self._open]
        solved: int = sum(self._lone[other] for other in closed)
        openings = {self._opening[other] for other in closed if self._zeros[other]}
        flags = self._mines.intersection(block) - self._flagged
        return solved + len(openings) - len(flags) - (cell not in self._open) - 1

    def _reveal(self, cell: int) -> None:
        waiting = [cell]
        while waiting:
            opened = waiting.pop()
            if opened in self._safe and opened not in self._open:
                self._open.add(opened)
                waiting += self._near[opened] if self._zeros[opened] else ()
