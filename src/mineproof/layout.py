"""Where the mines are: the truth behind a board. Nothing that solves may import this module."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.codes import MAX_CELLS
from mineproof.errors import BoardSyntaxError, Cell
from mineproof.topology import Kind


@dataclass(frozen=True, slots=True)
class Layout:
    """Mines of a whole board, and the first click it was made for, where a format names one."""

    rows: int
    columns: int
    mines: frozenset[Cell]
    start: Cell | None = None
    topology: Kind = "grid"

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.rows * self.columns > MAX_CELLS:
            raise BoardSyntaxError(f"found a layout of {self.rows} × {self.columns}, expected 1 to {MAX_CELLS} cells")
        for cell in [*self.mines, *([] if self.start is None else [self.start])]:
            if not (0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns):
                raise BoardSyntaxError(f"found cell {cell}, expected one inside {self.rows} × {self.columns}")

    @property
    def total_mines(self) -> int:
        return len(self.mines)

    def __str__(self) -> str:
        """Rows of ``*`` (mine) and ``.`` (free)."""
        return "\n".join(
            "".join("*" if (row, column) in self.mines else "." for column in range(self.columns))
            for row in range(self.rows)
        )
