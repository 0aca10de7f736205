"""A series of games: board size, rules, seed and strategy. They determine the layouts and first clicks."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec

from mineproof.base import checks
from mineproof.base.rng import Random
from mineproof.base.words import at
from mineproof.board.cells import Cell, pairs
from mineproof.board.geometry import Topology
from mineproof.board.start import FIRST_CLICKS, FirstClick
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.game.rules import FAIRNESSES, Fairness
from mineproof.generation.generator import generate

if TYPE_CHECKING:
    from mineproof.simulation.wire import GamesOfSeriesJson, SeriesJson

FIRST_STREAM = 1 << 62  # combined with the number of a game: the random stream of its first click

StartCell = Cell | Literal["random"]  # the same cell in every game, or a random one in each


@dataclass(frozen=True, kw_only=True)
class Series:
    """The games of a seed: board, rules and strategy."""

    rows: int
    columns: int
    mines: int
    topology: Topology = "grid"
    absent: frozenset[Cell] = frozenset()
    first_click: FirstClick
    start: StartCell
    fairness: Fairness = "none"
    strategy: str
    seed: int

    def __post_init__(self) -> None:
        checks.one_of("first_click", self.first_click, FIRST_CLICKS)
        checks.one_of("fairness", self.fairness, FAIRNESSES)
        if isinstance(self.start, str) and (self.start, self.first_click) != ("random", "any"):
            given = f"start={self.start!r} and first_click={self.first_click!r}"
            raise ValueError(f"start must be a cell, or 'random' with first_click='any', got {given}")
        checks.seed("seed", self.seed)
        room = self.board_cells - 1
        if not 0 <= self.mines <= room:
            raise BoardSyntaxError(f"expected {_mine_range(room)} besides the first click, got {self.mines:,}")

    @property
    def board_cells(self) -> int:
        """Number of cells of the board; BoardSyntaxError if the board is impossible."""
        return self.rows * self.columns - len(self.board.absent)

    @property
    def board(self) -> Layout:
        """The board without mines."""
        start = None if self.start == "random" else self.start
        return Layout(self.rows, self.columns, frozenset(), start, self.topology, self.absent)

    @property
    def log_first_click(self) -> float:
        """Logarithm of the chance that the first click is not a mine."""
        return math.log1p(-self.mines / self.board_cells) if self.first_click == "any" else 0.0

    def series_json(self) -> SeriesJson:
        """Return the keys of this series in the JSON of results; ``absent`` and ``fairness`` only if they apply."""
        shown: SeriesJson = {
            "rows": self.rows,
            "columns": self.columns,
            "mines": self.mines,
            "topology": self.topology,
            "absent": pairs(self.absent),
            "first_click": self.first_click,
            "start": "random" if self.start == "random" else list(self.start),
            "fairness": self.fairness,
            "strategy": self.strategy,
            "seed": self.seed,
        }
        if not self.absent:
            del shown["absent"]
        if self.fairness == "none":
            del shown["fairness"]
        return shown

    def games_json(self) -> GamesOfSeriesJson:
        """Return the keys of this series without its strategy."""
        return cast("GamesOfSeriesJson", {key: value for key, value in self.series_json().items() if key != "strategy"})

    def start_cell(self, number: int) -> Cell:
        """Return the first click of one game; the kernel draws the same."""
        if self.start != "random":
            return self.start
        cells = self.board.cells()
        return cells[Random(self.seed, number | FIRST_STREAM).below(len(cells))]

    def layout(self, number: int) -> Layout:
        """Return the layout of one game."""
        return generate(
            self.rows, self.columns, self.mines, seed=self.seed, number=number, start=self.start_cell(number),
            first_click=self.first_click, topology=self.topology, absent=self.absent,
        )  # fmt: skip


PARTS = tuple(part.name for part in fields(Series))


class SeriesDocument(msgspec.Struct, kw_only=True):
    """The keys of a series in JSON, without the strategy."""

    rows: int
    columns: int
    mines: int
    topology: Topology
    absent: list[Cell] = []
    first_click: FirstClick
    start: StartCell
    fairness: Fairness = "none"
    seed: int

    def parts(self) -> dict[str, Any]:
        """Return the arguments of a `Series`, without the strategy."""
        arguments = {name: getattr(self, name) for name in SeriesDocument.__struct_fields__}
        return arguments | {"absent": frozenset(self.absent)}


def require_same_series(done: Series, start: Series, what: str) -> None:
    """Raise ValueError unless ``done`` (``what`` in the message) has the series and first game of ``start``."""
    for name in (*PARTS, "first_game"):
        actual, expected = getattr(done, name), getattr(start, name)
        if actual != expected:
            stored, given = _format_parameter(actual), _format_parameter(expected)
            raise ValueError(f"Cannot resume {what} that was started with {name}={stored}, not {given}.")


def _format_parameter(value: object) -> str:
    """Return a parameter of a series for a message."""
    return at(value) if isinstance(value, tuple) else repr(value)


def _mine_range(most: int) -> str:
    return f"0 to {most:,} mines"
