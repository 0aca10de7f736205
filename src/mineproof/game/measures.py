"""What players count on a layout: 3BV, openings, islands, and how much of the 3BV is done.

An *opening* is a connected group of zeros with the numbers around it: one click opens all of it. A number that no zero
touches takes a click of its own, and a connected group of those is an *island*. *3BV* (Bechtel's board benchmark value)
is how many clicks it takes without flags: one for each opening, one for each number on an island.

Every topology has the same definition, for all of it is said in neighbours. An opening counts as done once all that
its click opens is open, as in the tools that read replays: flags may hold up a cascade.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED
from mineproof.board.geometry import Geometry
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measures:
    """The numbers of a layout: ``bbbv`` is its 3BV."""

    bbbv: int
    openings: int
    islands: int


def measure(layout: Layout) -> Measures:
    """The 3BV of a layout, its openings and its islands.

    >>> measure(Layout(3, 4, frozenset([(0, 0)])))
    Measures(bbbv=1, openings=1, islands=0)
    >>> measure(Layout(1, 5, frozenset([(0, 1), (0, 3)])))
    Measures(bbbv=3, openings=0, islands=3)
    """
    zeros, lone = _kinds(checks.instance("layout", layout, Layout, "formats.read gives one"))
    openings = _groups(zeros, layout.geometry)[1]
    return Measures(openings + int(lone.sum()), openings, _groups(lone, layout.geometry)[1])


def solved_bbbv(layout: Layout, board: Board) -> int:
    """How much of the 3BV of a layout is done on a board of it.

    >>> solved_bbbv(Layout(1, 5, frozenset([(0, 1), (0, 3)])), Board.parse("1#2##"))
    2
    """
    if board.geometry != layout.geometry:
        found, expected = board.geometry, layout.geometry
        raise BoardSyntaxError(
            f"found a board of {size(found.rows, found.columns)} ({found.topology}), "
            f"expected {size(expected.rows, expected.columns)} ({expected.topology}) as the layout has"
        )
    zeros, lone = _kinds(layout)
    label, openings = _groups(zeros, layout.geometry)
    codes = np.frombuffer(board.codes, dtype=np.int8)
    closed = (codes == COVERED) | (codes == FLAGGED)
    held_up = zeros & (closed | np.append(closed, False)[layout.geometry.table].any(axis=1))
    return openings - len(np.unique(label[held_up])) + int((lone & ~closed).sum())


def _kinds(layout: Layout) -> tuple[Mask, Mask]:
    """Which cells are zeros, and which are numbers that no zero touches."""
    safe = np.ones(layout.geometry.cells, dtype=np.bool_)
    safe[[row * layout.columns + column for row, column in layout.mines | layout.absent]] = False
    zeros = safe & (layout.numbers() == 0)
    return zeros, safe & ~zeros & ~np.append(zeros, False)[layout.geometry.table].any(axis=1)


def _groups(members: Mask, geometry: Geometry) -> tuple[npt.NDArray[np.int64], int]:
    """For every cell the number of its connected group, from 0, or -1; and how many groups there are."""
    unseen = [*members.tolist(), False]
    label = [-1] * len(members)
    neighbours = geometry.table.tolist()
    groups = 0
    for first in range(len(members)):
        if not unseen[first]:
            continue
        waiting = [first]
        unseen[first] = False
        while waiting:
            cell = waiting.pop()
            label[cell] = groups
            found = [other for other in neighbours[cell] if unseen[other]]
            for other in found:
                unseen[other] = False
            waiting += found
        groups += 1
    return np.array(label, dtype=np.int64), groups
