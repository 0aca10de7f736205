"""What is asked of a new layout, checked, and which cells that leaves for the mines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypedDict, get_args

from mineproof.base import checks
from mineproof.base.words import none_or, plural
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.walk import RUNGS

Method = Literal["repair", "rejection"]


class Wishes(TypedDict, total=False):
    """What `generate` can be asked for besides size, seed and number."""

    no_guess: bool
    start: Cell | None
    first_click: FirstClick | None
    topology: Topology
    absent: Collection[Cell]
    method: Method
    needs: str | None
    hardest: str | None


@dataclass(frozen=True)
class Wish:
    """What is asked of a layout, checked, and which cells that leaves for the mines."""

    rows: int
    columns: int
    mines: int
    no_guess: bool = False
    start: Cell | None = None
    first_click: FirstClick | None = None  # safe, and open where no guess is needed
    topology: Topology = "grid"
    absent: Collection[Cell] = ()
    method: Method = "repair"
    needs: str | None = None
    hardest: str | None = None

    def __post_init__(self) -> None:
        checks.flag("no_guess", self.no_guess)
        checks.one_of("first_click", self.first_click, (None, *FIRST_CLICKS))
        checks.one_of("method", self.method, get_args(Method))
        checks.one_of("needs", self.needs, (None, *RUNGS))
        checks.one_of("hardest", self.hardest, (None, *RUNGS))
        if self.is_filtered and not self.no_guess:
            raise ValueError("needs and hardest speak of layouts that need no guess: they go with no_guess=True")
        if self.least > self.most:
            asked = f"{self.needs} as the technique that is needed"
            raise ValueError(f"found {asked}, expected none harder than {self.hardest}, the hardest that may be")
        room = len(self.cells) - self.no_guess
        if not 0 <= self.mines <= room:
            where = "besides the first click" if self.no_guess else "on this board"
            raise BoardSyntaxError(f"found {plural(self.mines, 'mine')}, expected {none_or(room)} {where}")

    @property
    def is_filtered(self) -> bool:
        return self.needs is not None or self.hardest is not None

    @property
    def least(self) -> int:
        """The easiest rung of the ladder that is hard enough; -1 if a first click may be all it takes."""
        return -1 if self.needs is None else RUNGS.index(self.needs)

    @property
    def most(self) -> int:
        """The hardest rung that may be needed."""
        return len(RUNGS) - 1 if self.hardest is None else RUNGS.index(self.hardest)

    @cached_property
    def board(self) -> Layout:
        """The board without a mine; BoardSyntaxError where there can be none."""
        return Layout(
            self.rows, self.columns, frozenset(), self.start, self.topology, checks.cells("absent", self.absent)
        )

    @cached_property
    def cells(self) -> list[Cell]:
        return self.board.cells()

    @cached_property
    def rule(self) -> FirstClick:
        """What is kept free of mines for the first click."""
        return self.first_click or ("open" if self.no_guess else "safe")

    @cached_property
    def start_cell(self) -> Cell | None:
        """The start asked for or, where there must be one, the cell nearest to the middle."""
        if self.start is not None or not self.no_guess:
            return self.board.start
        row, column = self.rows // 2, self.columns // 2
        return min(self.cells, key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))

    @cached_property
    def groups(self) -> list[frozenset[Cell]]:
        """The cells in the order in which mines are put there: far from the first click, around it, under it."""
        everywhere = frozenset(self.cells)
        start = self.start_cell
        if start is None or (self.rule == "any" and not self.no_guess):
            return [everywhere]
        around = frozenset(self.board.neighbours(start)) if self.rule == "open" else frozenset()
        return [everywhere - around - {start}, around, frozenset([start])]

    @cached_property
    def shares(self) -> tuple[list[int], bytes, int]:
        """Cells that must hold a mine, the cells that share the rest, and how many that is."""
        full: list[int] = []
        left = self.mines
        for group in self.groups:
            if left <= len(group):
                return full, self.mask(group), left
            full += map(self.index, group)
            left -= len(group)
        raise AssertionError("there is room for all mines")

    @cached_property
    def allowed(self) -> bytes:
        """Where a layout without a guess may have mines: far from the start or, if they do not fit, around it too."""
        far, around, _ = self.groups
        return self.mask(far if self.mines <= len(far) else far | around)

    def mask(self, cells: Iterable[Cell]) -> bytes:
        mask = bytearray(self.rows * self.columns)
        for cell in cells:
            mask[self.index(cell)] = 1
        return bytes(mask)

    def index(self, cell: Cell) -> int:
        return cell[0] * self.columns + cell[1]
