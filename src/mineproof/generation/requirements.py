"""Requirements for a new layout: checked options, and the cells where mines may be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypedDict, get_args

from mineproof.base import checks
from mineproof.base.cached import cached_property
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.walk import RUNGS

Method = Literal["repair", "rejection"]
# A required number of a layout, or the least and the most, None for no bound.
NumberTarget = int | tuple[int | None, int | None]
# Measures that can be required, with their names for people.
NUMBERS = {"bbbv": "3BV", "openings": "openings", "islands": "islands", "zini": "ZiNi", "human_zini": "human ZiNi"}


class NumberRange(NamedTuple):
    """The least and the most that a number may be; None for no bound."""

    least: int | None
    most: int | None

    def contains(self, value: int) -> bool:
        """Is a value within the bounds?"""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least}"
        least, most = ("" if bound is None else bound for bound in self)
        return f"{least}..{most}"


class OtherGenerateOptions(TypedDict, total=False):
    """The options of `generate` besides size, seed, number and ``no_guess``."""

    start: Cell | None
    first_click: FirstClick | None
    topology: Topology
    absent: Collection[Cell]
    method: Method
    needs: str | None
    hardest: str | None
    difficulty: NumberTarget | None
    bbbv: NumberTarget | None
    openings: NumberTarget | None
    islands: NumberTarget | None
    zini: NumberTarget | None
    human_zini: NumberTarget | None


class GenerateOptions(OtherGenerateOptions, total=False):
    """The options of `generate` besides size, seed and number."""

    no_guess: bool


@dataclass(frozen=True)
class LayoutRequirements:
    """Requirements for a layout. Raises for invalid ones."""

    rows: int
    columns: int
    mines: int
    no_guess: bool = False
    start: Cell | None = None
    first_click: FirstClick | None = None  # the default is "safe", with no_guess "open"
    topology: Topology = "grid"
    absent: Collection[Cell] = ()
    method: Method = "repair"
    needs: str | None = None
    hardest: str | None = None
    bbbv: NumberTarget | None = None
    openings: NumberTarget | None = None
    islands: NumberTarget | None = None
    zini: NumberTarget | None = None
    human_zini: NumberTarget | None = None
    difficulty: NumberTarget | None = None

    def __post_init__(self) -> None:
        checks.flag("no_guess", self.no_guess)
        checks.one_of("first_click", self.first_click, (None, *FIRST_CLICKS))
        checks.one_of("method", self.method, get_args(Method))
        checks.one_of("needs", self.needs, (None, *RUNGS))
        checks.one_of("hardest", self.hardest, (None, *RUNGS))
        _ = self.ranges, self.difficulty_range
        if self.is_graded and not self.no_guess:
            raise ValueError("needs, hardest and difficulty require no_guess=True")
        if self.least > self.most:
            raise ValueError(f"needs={self.needs} is harder than hardest={self.hardest}")
        room = len(self.cells) - self.no_guess
        if not 0 <= self.mines <= room:
            where = "besides the first click" if self.no_guess else "on this board"
            raise BoardSyntaxError(f"expected 0 to {room:,} mines {where}, got {self.mines:,}")

    @property
    def is_filtered(self) -> bool:
        """Are layouts generated until one matches?"""
        return self.is_graded or bool(self.ranges)

    @property
    def is_graded(self) -> bool:
        """Is a difficulty required?"""
        return not (self.needs is None and self.hardest is None and self.difficulty is None)

    @cached_property
    def ranges(self) -> Mapping[str, NumberRange]:
        """The required ranges of measures, by name."""
        targets = {name: getattr(self, name) for name in NUMBERS}
        return {name: _read_range(name, target) for name, target in targets.items() if target is not None}

    @cached_property
    def difficulty_range(self) -> NumberRange | None:
        """The required range of the difficulty, or None."""
        return None if self.difficulty is None else _read_range("difficulty", self.difficulty)

    @property
    def least(self) -> int:
        """The lowest rung of the ladder that is hard enough; -1 if the first click may open everything."""
        return -1 if self.needs is None else RUNGS.index(self.needs)

    @property
    def most(self) -> int:
        """The highest rung that a layout may need."""
        return len(RUNGS) - 1 if self.hardest is None else RUNGS.index(self.hardest)

    @cached_property
    def board(self) -> Layout:
        """The board without mines. Raises BoardSyntaxError for an invalid one."""
        return Layout(
            self.rows, self.columns, frozenset(), self.start, self.topology, checks.cells("absent", self.absent)
        )

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell that is part of the board, in row order."""
        return self.board.cells()

    @cached_property
    def rule(self) -> FirstClick:
        """The rule for the first click."""
        return self.first_click or ("open" if self.no_guess else "safe")

    @cached_property
    def start_cell(self) -> Cell | None:
        """The required start; without one, but with ``no_guess``, the cell nearest to the middle."""
        if self.start is not None or not self.no_guess:
            return self.board.start
        row, column = self.rows // 2, self.columns // 2
        return min(self.cells, key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))

    @cached_property
    def groups(self) -> list[frozenset[Cell]]:
        """Cells in the order in which they receive mines: far from the first click, around it, under it."""
        everywhere = frozenset(self.cells)
        start = self.start_cell
        if start is None or (self.rule == "any" and not self.no_guess):
            return [everywhere]
        around = frozenset(self.board.neighbours(start)) if self.rule == "open" else frozenset()
        return [everywhere - around - {start}, around, frozenset([start])]

    @cached_property
    def shares(self) -> tuple[list[int], bytes, int]:
        """Cells that must hold a mine, the cells that share the other mines, and the number of those mines."""
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
        """Cells where a no-guess layout may have mines: far from the start or, if they do not fit, around it too."""
        far, around, _ = self.groups
        return self.mask(far if self.mines <= len(far) else far | around)

    def mask(self, cells: Iterable[Cell]) -> bytes:
        """Return a byte for each cell of the board: 1 for these cells."""
        mask = bytearray(self.rows * self.columns)
        for cell in cells:
            mask[self.index(cell)] = 1
        return bytes(mask)

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in row order."""
        return cell[0] * self.columns + cell[1]


def _read_range(name: str, target: object) -> NumberRange:
    if isinstance(target, (tuple, list)) and len(target) == 2:
        least, most = (None if bound is None else checks.whole(name, bound, 0) for bound in target)
    elif isinstance(target, (tuple, list)):
        raise ValueError(f"{name} must be a number or two, the least and the most, got {target!r}")
    else:
        least = most = checks.whole(name, target, 0)
    if least is not None and most is not None and least > most:
        raise ValueError(f"{name} must have the least before the most, got {target!r}")
    return NumberRange(least, most)
