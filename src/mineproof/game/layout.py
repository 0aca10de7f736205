"""Layouts: where the mines are. No module that solves positions may import this one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from mineproof.base import checks
from mineproof.base.notebook import Shown
from mineproof.base.rng import Random, deal
from mineproof.base.words import at
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, Cell, pairs
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from mineproof.game.wire import LayoutJson

SCHEMA: Final = "mineproof/layout/1"
Flat = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Layout(Shown):
    """The mines of a whole board, and its first click if there is one.

    ``absent`` cells are not part of the board; places that the topology does not have are added to them. ``no_guess``
    marks a layout that was generated to need no guess from its start; odds that count all layouts as equally likely do
    not hold for it. Raises BoardSyntaxError or OutsideError for cells that are not part of the board.
    """

    rows: int
    columns: int
    mines: frozenset[Cell]  # any collection of cells will do
    start: Cell | None = None
    topology: Topology = "grid"
    absent: frozenset[Cell] = frozenset()
    no_guess: bool = False

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "rows", checks.whole("rows", self.rows))
        put(self, "columns", checks.whole("columns", self.columns))
        require_shape(self.topology, self.rows, self.columns)
        if self.start is not None:
            put(self, "start", checks.cell("start", self.start))
        put(self, "mines", checks.cells("mines", self.mines))
        holes = frozenset(map(self.geometry.cell, self.geometry.holes))
        put(self, "absent", checks.cells("absent", self.absent) | holes)
        for cells in (self.mines, self.absent, frozenset(filter(None, [self.start]))):
            self._require_inside(cells)
        if len(self.absent) == self.rows * self.columns:
            raise BoardSyntaxError("expected at least one cell that is part of the board, got none")
        if taken := sorted(self.absent.intersection(self.mines)):
            raise BoardSyntaxError(f"expected mines on the board, got one at {at(taken[0])}, which is not part of it")
        if self.start is not None and self.start in self.absent:
            raise BoardSyntaxError(f"expected a start on the board, got {at(self.start)}, which is not part of it")

    def _require_inside(self, cells: frozenset[Cell]) -> None:
        """Raise OutsideError for a cell that is not on the board."""
        if not cells:
            return
        rows, columns = zip(*cells, strict=True)
        if not (min(rows) >= 0 and max(rows) < self.rows and min(columns) >= 0 and max(columns) < self.columns):
            for cell in cells:
                self.geometry.index(cell)

    @classmethod
    def parse(cls, text: str, topology: Topology | None = None) -> Layout:
        """Parse rows of ``*`` (mine), ``.`` (free), ``S`` (first click) and ``~`` (not part of the board).

        A line ``WxHxM`` may come first, as in position text. `mineproof.formats.read` reads every other format. Raises
        BoardSyntaxError if the text cannot be read.
        """
        from mineproof.game import layout_text

        return layout_text.parse(checks.instance("text", text, str, "rows of * and ."), topology)

    @property
    def total_mines(self) -> int:
        """Number of mines."""
        return len(self.mines)

    @property
    def geometry(self) -> Geometry:
        """Which cells touch which."""
        return Geometry(self.topology, self.rows, self.columns)

    @property
    def removed(self) -> frozenset[Cell]:
        """The absent cells that a whole board of this topology would have."""
        return self.absent - frozenset(map(self.geometry.cell, self.geometry.holes)) if self.absent else self.absent

    def cells(self) -> list[Cell]:
        """Return every cell that is part of the board, in row order."""
        places = [(row, column) for row in range(self.rows) for column in range(self.columns)]
        return [cell for cell in places if cell not in self.absent] if self.absent else places

    def neighbours(self, cell: Cell) -> list[Cell]:
        """Return the neighbours of a cell that are part of the board, in row order."""
        near = (divmod(index, self.columns) for index in self.geometry.neighbours(self.geometry.index(cell)))
        return [other for other in near if other not in self.absent]

    def numbers(self) -> Flat:
        """Return the number of mines around every place in row order, also for mines and absent cells."""
        mined = np.zeros(self.rows * self.columns + 1, dtype=np.int8)
        mined[self._indices(self.mines)] = 1
        numbers: Flat = mined[self.geometry.table].sum(axis=1, dtype=np.int8)
        return numbers

    def board(self) -> Board:
        """Return the board before the first move: all cells covered."""
        codes = np.full(self.rows * self.columns, COVERED, dtype=np.int8)
        codes[self._indices(self.absent)] = ABSENT
        return Board(self.rows, self.columns, codes.tobytes(), self.total_mines, self.topology)

    def as_json(self) -> LayoutJson:
        """Return ``mineproof/layout/1``; empty ``absent`` and a false ``no_guess`` are left out."""
        shown: LayoutJson = {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "mines": pairs(self.mines),
            "start": None if self.start is None else list(self.start),
            "topology": self.topology,
        }
        if self.absent:
            shown["absent"] = pairs(self.absent)
        if self.no_guess:
            shown["no_guess"] = True
        return shown

    # other layouts

    def with_mines(self, mines: frozenset[Cell]) -> Layout:
        """Return the same board with other mines. The result is not marked as ``no_guess``."""
        return Layout(self.rows, self.columns, mines, self.start, self.topology, self.absent)

    def cleared(self, cell: Cell, random: Random, *, neighbours: bool) -> Layout:
        """Return a layout with the mines moved away from a cell and, with ``neighbours``, from around it.

        Moves as few mines as possible, and as many as there is room for. If all layouts were equally likely before, all
        layouts with as few mines as possible under the cell, then around it, are equally likely afterwards.
        """
        near = self.neighbours(cell) if neighbours else []
        if self.mines.isdisjoint([cell, *near]):
            return self
        rank = np.zeros(self.rows * self.columns, dtype=np.int8)  # mines fill the cells of rank 0, then 1, then 2
        rank[self._indices(self.absent)] = 3
        rank[self._indices(near)] = 1
        rank[self._indices([cell])] = 2
        mined = np.zeros(len(rank), dtype=np.bool_)
        mined[self._indices(self.mines)] = True
        left = self.total_mines
        for group in range(3):
            inside = rank == group
            share = min(left, int(np.count_nonzero(inside)))
            left -= share
            surplus = int(np.count_nonzero(mined & inside)) - share
            pool = np.flatnonzero(inside & (mined == (surplus > 0))).tolist()
            mined[deal(random, pool, abs(surplus))] = surplus < 0
        mines = frozenset(divmod(index, self.columns) for index in np.flatnonzero(mined).tolist())
        return self if mines == self.mines else self.with_mines(mines)

    def _indices(self, cells: Iterable[Cell]) -> list[int]:
        return [row * self.columns + column for row, column in cells]

    def __str__(self) -> str:
        """Return rows of ``*`` (mine), ``.`` (free) and ``~`` (not part of the board)."""
        signs = np.full(self.rows * self.columns, ord("."), dtype=np.uint8)
        signs[self._indices(self.mines)] = ord("*")
        signs[self._indices(self.absent)] = ord("~")
        text = signs.tobytes().decode("ascii")
        return "\n".join(text[at : at + self.columns] for at in range(0, len(text), self.columns))
