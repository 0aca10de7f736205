"""Where the cells of a board lie in a picture, and what they look like at one common size.

A *lattice* is a corner, a pitch for each axis (not only whole pixels) and a number of rows and columns. Whatever the
size of the cells, their *looks* are brought to `SIDE` pixels with a `MARGIN` of what surrounds them: the margin shows
whether a border is the cell's own. The whole lattice is resampled at once, so that the cost is that of one resize.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.pixels import Pixels, resize

SIDE = 20
MARGIN = 4
LOOK = SIDE + 2 * MARGIN
Looks = NDArray[np.float32]  # (rows, columns, LOOK, LOOK, 3), 0 to 1


@dataclass(frozen=True, slots=True)
class Lattice:
    """Cell (r, c) covers ``left + c * wide`` to ``left + (c + 1) * wide``, and so on downwards."""

    left: float
    top: float
    wide: float
    tall: float
    rows: int
    columns: int

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom, in pixels of the picture."""
        return self.left, self.top, self.left + self.columns * self.wide, self.top + self.rows * self.tall

    def part(self, row: int, col: int, rows: int, columns: int) -> Lattice:
        """``rows`` × ``columns`` cells from cell (row, col) on, which may lie outside."""
        left, top = self.left + col * self.wide, self.top + row * self.tall
        return replace(self, left=left, top=top, rows=rows, columns=columns)

    def inside(self, width: int, height: int, slack: float = 0.25) -> bool:
        """Do all cells lie in a picture of this size, but for ``slack`` of a cell?"""
        x0, y0, x1, y1 = self.box
        across, down = slack * self.wide, slack * self.tall
        return x0 >= -across and y0 >= -down and x1 <= width + across and y1 <= height + down


def looks(pixels: Pixels, lattice: Lattice) -> Looks:
    """Return the pixels of each cell; beyond the picture, its edge is repeated."""
    x0, y0, x1, y1 = lattice.box
    across, down = MARGIN / SIDE * lattice.wide, MARGIN / SIDE * lattice.tall
    size = lattice.columns * SIDE + 2 * MARGIN, lattice.rows * SIDE + 2 * MARGIN
    sheet = resize(pixels, (x0 - across, y0 - down, x1 + across, y1 + down), size)
    windows = np.lib.stride_tricks.sliding_window_view(sheet, (LOOK, LOOK), axis=(0, 1))[::SIDE, ::SIDE]
    return np.moveaxis(windows, 2, -1)


def middle_looks(pixels: Pixels, lattice: Lattice) -> Looks:
    """Return the square in the middle of each cell of a lattice whose cells are wider than high, not squeezed."""
    x0, y0, x1, y1 = lattice.box
    wide = round(SIDE * lattice.wide / lattice.tall)  # pixels of a cell, of which SIDE are seen
    across, down = MARGIN / wide * lattice.wide, MARGIN / SIDE * lattice.tall
    size = lattice.columns * wide + 2 * MARGIN, lattice.rows * SIDE + 2 * MARGIN
    sheet = resize(pixels, (x0 - across, y0 - down, x1 + across, y1 + down), size)
    windows = np.lib.stride_tricks.sliding_window_view(sheet[:, (wide - SIDE) // 2 :], (LOOK, LOOK), axis=(0, 1))
    return np.moveaxis(windows[::SIDE, ::wide], 2, -1)
