"""What is asked of a new layout, checked, and which cells that leaves for the mines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypedDict, get_args

from mineproof.base import checks
from mineproof.base.words import none_or, plural
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.walk import RUNGS

Method = Literal["repair", "rejection"]
# A number of a layout that is asked for: itself, or the least and the most it may be, None for no bound.
Wanted = int | tuple[int | None, int | None]
# What a layout can be chosen by, with the words for it.
NUMBERS = {"bbbv": "3BV", "openings": "openings", "islands": "islands", "zini": "ZiNi", "human_zini": "human ZiNi"}


class Bounds(NamedTuple):
    """The least and the most that a number may be; None where there is no bound."""

    least: int | None
    most: int | None

    def hold(self, value: int) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least}"
        least, most = ("" if bound is None else bound for bound in self)
        return f"{least}..{most}"


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
    bbbv: Wanted | None
    openings: Wanted | None
    islands: Wanted | None
    zini: Wanted | None
    human_zini: Wanted | None


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
    bbbv: Wanted | None = None
    openings: Wanted | None = None
    islands: Wanted | None = None
    zini: Wanted | None = None
    human_zini: Wanted | None = None

    def __post_init__(self) -> None:
        checks.flag("no_guess", self.no_guess)
        checks.one_of("first_click", self.first_click, (None, *FIRST_CLICKS))
        checks.one_of("method", self.method, get_args(Method))
        checks.one_of("needs", self.needs, (None, *RUNGS))
        checks.one_of("hardest", self.hardest, (None, *RUNGS))
        _ = self.bounds
        if self.is_graded and not self.no_guess:
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
        """Are layouts made until one suits?"""
        return self.is_graded or bool(self.bounds)

    @property
    def is_graded(self) -> bool:
        """Is it asked how hard they are?"""
        return self.needs is not None or self.hardest is not None

    @cached_property
    def bounds(self) -> Mapping[str, Bounds]:
        """The bounds of the numbers that are asked for."""
        asked = {name: getattr(self, name) for name in NUMBERS}
        return {name: _bounds(name, wanted) for name, wanted in asked.items() if wanted is not None}

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


def _bounds(name: str, wanted: object) -> Bounds:
    if isinstance(wanted, (tuple, list)) and len(wanted) == 2:
        least, most = (None if bound is None else checks.whole(name, bound, 0) for bound in wanted)
    elif isinstance(wanted, (tuple, list)):
        raise ValueError(f"found {name}={wanted!r}, expected a number or two, the least and the most")
    else:
        least = most = checks.whole(name, wanted, 0)
    if least is not None and most is not None and least > most:
        raise ValueError(f"found {name}={wanted!r}, expected the least before the most")
    return Bounds(least, most)
