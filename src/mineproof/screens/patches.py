"""Parts of a lattice: the look of each cell, and the evidence that it is one.

The evidence is the logarithm of the odds that a place is a cell, limited so that no single place decides. A flat place
is no evidence by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.base.budget import Deadline
from mineproof.screens.lattice import LOOK, MARGIN, Lattice, Looks, looks, middle_looks
from mineproof.screens.network import MARKS, log_probabilities
from mineproof.screens.periods import edges
from mineproof.screens.pixels import Pixels

Floats = NDArray[np.float32]
LIMIT = 3.0  # of evidence
FLAT = 0.02  # deviation of pixels that show nothing
EMPTY = -0.2  # evidence of a flat cell
BETWEEN = 0.5  # of a flat cell that ends at lines of the lattice
BROAD = 1.5  # width over height of a cell beyond which digits are not squeezed
CHANGE = 0.04  # difference of two colours that is seen
NOTHING = np.log([0.33 if mark in "0#-" else 0.01 / 12 for mark in MARKS]).astype(np.float32)  # chances of a flat cell


@dataclass(frozen=True, slots=True)
class Canvas:
    """A picture, the strength of its edges to the right and downwards, and the time left to look at it."""

    pixels: Pixels
    across: Floats
    down: Floats
    deadline: Deadline

    @staticmethod
    def of(pixels: Pixels, deadline: Deadline) -> Canvas:
        return Canvas(pixels, *edges(pixels), deadline)


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of a lattice: chances of each cell, whether it is flat, whether its middle is."""

    looks: Looks
    chances: Floats
    flat: NDArray[np.bool_]
    plain: NDArray[np.bool_]

    def beside(self, other: Patch, axis: int) -> Patch:
        """This one, and the other below or to the right."""
        return Patch(
            np.concatenate([self.looks, other.looks], axis),
            np.concatenate([self.chances, other.chances], axis),
            np.concatenate([self.flat, other.flat], axis),
            np.concatenate([self.plain, other.plain], axis),
        )

    def cut(self, row: int, col: int, rows: int, columns: int) -> Patch:
        part = slice(row, row + rows), slice(col, col + columns)
        return Patch(self.looks[part], self.chances[part], self.flat[part], self.plain[part])


def patch(canvas: Canvas, lattice: Lattice) -> Patch:
    """Return the looks and chances of the cells of a lattice; the network runs only for those that are not flat."""
    seen = looks(canvas.pixels, lattice)
    flat = seen[:, :, MARGIN + 1 : -MARGIN - 1, MARGIN + 1 : -MARGIN - 1].std((2, 3)).max(-1) < FLAT
    plain = seen[:, :, 2 * MARGIN : -2 * MARGIN, 2 * MARGIN : -2 * MARGIN].std((2, 3)).max(-1) < FLAT
    empty = seen.std((2, 3)).max(-1) < FLAT
    chances = np.broadcast_to(NOTHING, (lattice.rows, lattice.columns, len(MARKS))).copy()
    chances[~empty] = log_probabilities(seen[~empty], canvas.deadline)
    if lattice.wide > BROAD * lattice.tall:
        middles = middle_looks(canvas.pixels, lattice)[~empty]
        chances[~empty] = _with_marks_of(chances[~empty], log_probabilities(middles, canvas.deadline))
    return Patch(seen, chances, flat, plain)


def _with_marks_of(chances: Floats, middles: Floats) -> Floats:
    """The chances of marks if these are cells from ``middles``, the chance that they are none from ``chances``."""
    none = np.minimum(chances[:, -1:], -1e-5)
    marks = middles[:, :-1] - np.log(np.exp(middles[:, :-1]).sum(1, keepdims=True) + 1e-12)
    both: Floats = np.concatenate([marks + np.log1p(-np.exp(none)), none], 1)
    return both


def odds(chances: Floats, limit: float = LIMIT) -> Floats:
    """Return for each cell the logarithm of the odds that it is one, limited."""
    none = np.minimum(chances[..., MARKS.index("-")], -1e-5)
    log_odds: Floats = np.clip(np.log1p(-np.exp(none)) - none, -limit, limit)
    return log_odds


def evidence_of(there: Patch) -> Floats:
    """Return the evidence of each cell; cells with an empty middle count at most a little against."""
    log_odds = odds(there.chances)
    evidence = np.where(there.plain, np.maximum(log_odds, EMPTY), log_odds)
    return np.where(there.flat, np.where(has_borders(there.looks), BETWEEN, EMPTY), evidence)


def has_borders(looks: Looks) -> NDArray[np.bool_]:
    """For each cell, whether the colour changes just at a line above or below it, and at one to its left or right."""
    half = slice(LOOK // 3, -LOOK // 3)
    level, upright = (np.zeros(looks.shape[:2], bool) for _ in range(2))
    turned = looks.swapaxes(2, 3)
    for seen, sides in ((looks, level), (looks[:, :, ::-1], level), (turned, upright), (turned[:, :, ::-1], upright)):
        outside = seen[:, :, 0 : MARGIN - 1, half].mean((2, 3))
        line = seen[:, :, MARGIN - 1 : MARGIN + 1, half].mean((2, 3))
        inside = seen[:, :, MARGIN + 2 : 2 * MARGIN, half].mean((2, 3))
        changes = (np.abs(outside - inside).max(-1) > CHANGE) | (np.abs(line - inside).max(-1) > CHANGE / 2)
        np.logical_or(sides, changes, out=sides)
    return level & upright
