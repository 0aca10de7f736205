"""A lattice in a picture with what its cells look like, and with the strips around it that may belong to the board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.lattice import Lattice, Looks
from mineproof.screens.patches import Patch, evidence_of

Floats = NDArray[np.float32]
SIDES = ("up", "down", "left", "right")


@dataclass(frozen=True, slots=True)
class BoardFit:
    """``rows`` × ``columns`` cells from (row, column) of ``around`` on, a patch of the lattice ``outer``."""

    outer: Lattice
    around: Patch
    row: int
    column: int
    rows: int
    columns: int

    def __reduce__(self) -> tuple[object, ...]:
        """Looks are views into each other and come from bytes: sent as bytes, they take an eighth of the space."""
        packed = (self.around.looks * 255).round().astype(np.uint8)
        there = (packed, self.around.chances, self.around.flat, self.around.plain)
        return _unpack_fit, (self.outer, there, self.row, self.column, self.rows, self.columns)

    @property
    def lattice(self) -> Lattice:
        """The lattice of the board."""
        return self.outer.part(self.row, self.column, self.rows, self.columns)

    @property
    def inner(self) -> Patch:
        """The cells of the board."""
        return self.around.cut(self.row, self.column, self.rows, self.columns)

    @property
    def looks(self) -> Looks:
        return self.inner.looks

    @property
    def chances(self) -> Floats:
        """The output of the network for each cell, logarithms."""
        return self.inner.chances

    @property
    def evidence(self) -> float:
        """How clearly these are cells, on average."""
        return float(evidence_of(self.inner).mean())

    def room(self, side: str) -> int:
        """How many more strips of a side are known."""
        rows, columns = self.around.flat.shape
        room: dict[str, int] = {
            "up": self.row,
            "left": self.column,
            "down": rows - self.row - self.rows,
            "right": columns - self.column - self.columns,
        }
        return room[side]

    def resize(self, side: str, change: int) -> BoardFit:
        """Return a copy with ``change`` more (or fewer) strips on a side."""
        row, column = self.row - change * (side == "up"), self.column - change * (side == "left")
        rows = self.rows + change * (side in {"up", "down"})
        return replace(
            self, row=row, column=column, rows=rows, columns=self.columns + change * (side in {"left", "right"})
        )

    def wider(self, side: str) -> Patch:
        """The cells of the board, and the strip beyond one side if it is known."""
        board = self.resize(side, 1) if self.room(side) else self
        return board.inner

    def double_size(self) -> BoardFit:
        """Return a copy for a picture of twice the size."""
        grid = self.outer
        left, top, wide, tall = 2 * grid.left, 2 * grid.top, 2 * grid.wide, 2 * grid.tall
        return replace(self, outer=replace(grid, left=left, top=top, wide=wide, tall=tall))


def _unpack_fit(
    outer: Lattice,
    there: tuple[NDArray[np.uint8], Floats, NDArray[np.bool_], NDArray[np.bool_]],
    row: int,
    column: int,
    rows: int,
    columns: int,
) -> BoardFit:
    packed, chances, flat, plain = there
    return BoardFit(
        outer, Patch(packed.astype(np.float32) / np.float32(255), chances, flat, plain), row, column, rows, columns
    )
