"""The games of a seed: what is played, on which layouts, from which first cell, and by whom."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any, Literal

import msgspec

from mineproof.base import checks
from mineproof.base.rng import Random
from mineproof.base.words import at, none_or, plural
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.generation.making import generate

FIRST_STREAM = 1 << 62  # with the number of a game: the stream that a random first click is drawn from

StartCell = Cell | Literal["random"]  # the same cell in every game, or another one in each


@dataclass(frozen=True, kw_only=True)
class Series:
    """The games of a seed: what is played, and by whom."""

    rows: int
    columns: int
    mines: int
    topology: Topology = "grid"
    absent: frozenset[Cell] = frozenset()
    first_click: FirstClick
    start: StartCell
    strategy: str
    seed: int

    def __post_init__(self) -> None:
        checks.one_of("first_click", self.first_click, FIRST_CLICKS)
        if isinstance(self.start, str) and (self.start, self.first_click) != ("random", "any"):
            expected = "a cell, or 'random' with first_click='any'"
            raise ValueError(f"found start={self.start!r} and first_click={self.first_click!r}, expected {expected}")
        checks.seed("seed", self.seed)
        room = self.board_cells - 1
        if not 0 <= self.mines <= room:
            found = plural(self.mines, "mine")
            raise BoardSyntaxError(f"found {found}, expected {none_or(room)} besides the first click")

    @property
    def board_cells(self) -> int:
        """How many cells the board has; BoardSyntaxError where there can be no such board."""
        return self.rows * self.columns - len(self.board.absent)

    @property
    def board(self) -> Layout:
        """The board without a mine."""
        start = None if self.start == "random" else self.start
        return Layout(self.rows, self.columns, frozenset(), start, self.topology, self.absent)

    @property
    def log_first_click(self) -> float:
        """The logarithm of the chance that the first click is no mine."""
        return math.log1p(-self.mines / self.board_cells) if self.first_click == "any" else 0.0

    def series_json(self) -> dict[str, object]:
        """What is played, and by whom, as the JSON of results has it."""
        absent = {"absent": [list(cell) for cell in sorted(self.absent)]} if self.absent else {}
        return {
            "rows": self.rows,
            "columns": self.columns,
            "mines": self.mines,
            "topology": self.topology,
            **absent,
            "first_click": self.first_click,
            "start": "random" if self.start == "random" else list(self.start),
            "strategy": self.strategy,
            "seed": self.seed,
        }

    def start_cell(self, number: int) -> Cell:
        """The first click of one game; the kernel draws the same."""
        if self.start != "random":
            return self.start
        cells = self.board.cells()
        return cells[Random(self.seed, number | FIRST_STREAM).below(len(cells))]

    def layout(self, number: int) -> Layout:
        """The layout of one game."""
        return generate(
            self.rows, self.columns, self.mines, seed=self.seed, number=number, start=self.start_cell(number),
            first_click=self.first_click, topology=self.topology, absent=self.absent,
        )  # fmt: skip


PARTS = tuple(part.name for part in fields(Series))


class SeriesDocument(msgspec.Struct, kw_only=True):
    """What is played, as it is read from JSON."""

    rows: int
    columns: int
    mines: int
    topology: Topology
    absent: list[Cell] = []
    first_click: FirstClick
    start: StartCell
    seed: int

    def parts(self) -> dict[str, Any]:
        """The same as arguments of a `Series`; whoever plays is missing."""
        found = {name: getattr(self, name) for name in SeriesDocument.__struct_fields__}
        return found | {"absent": frozenset(self.absent)}


def require_same_series(done: Series, start: Series, what: str) -> None:
    """ValueError unless ``what`` was done is of the series to be played, and from the same game on."""
    for name in (*PARTS, "first_game"):
        found, expected = getattr(done, name), getattr(start, name)
        if found != expected:
            raise ValueError(f"found {what} with {name}={_shown(found)}, expected {_shown(expected)} to go on from it")


def _shown(value: object) -> str:
    """A parameter of a series in a message."""
    return at(value) if isinstance(value, tuple) else repr(value)
