"""Layouts of variants: the mines of a board, and the clue that each free cell shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from mineproof.base import checks
from mineproof.base.cached import cached_property
from mineproof.base.rng import VARIANT_CLUES, Random, derive
from mineproof.base.words import size
from mineproof.board.cells import Cell, pairs
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.variants.area import Area
from mineproof.variants.clues import Clue, clue_rule
from mineproof.variants.shown import clue_text, shown_clues
from mineproof.variants.variant import Variant, clued_cells

if TYPE_CHECKING:
    from mineproof.game.wire import VariantLayoutJson

SCHEMA: Final = "mineproof/variant-layout/1"
VARIANT_GAME_MAX_CELLS = 2500


@dataclass(frozen=True, repr=False)
class VariantLayout:
    """Mines on a board, and its clues.

    ``values`` are the mines in each cell and ``clues`` the clue of each cell, in row order; None for a cell with mines,
    or without a clue. `deal_variant` and `VariantLayout.of` make them. ``start`` is the first click. ``topology`` is
    the shape of the board; its ``holes`` are not cells.
    """

    rows: int
    columns: int
    values: tuple[int, ...]
    clues: tuple[Clue | None, ...]
    variant: Variant
    start: Cell | None = None
    topology: Topology = "grid"

    @staticmethod
    def of(
        rows: int,
        columns: int,
        mines: Iterable[Cell],
        variant: Variant,
        *,
        topology: Topology = "grid",
        seed: int = 0,
        start: Cell | None = None,
    ) -> VariantLayout:
        """Return a layout with these mines. A cell that occurs more than once has as many mines.

        The seed chooses among the clues that a rule such as ``liar`` allows. The rules on the mines are not checked.

        >>> layout = VariantLayout.of(1, 4, [(0, 0)], Variant("at-least"))
        >>> print(layout)
        *...
        """
        require_board(rows, columns, topology, variant)
        holes = Geometry(topology, rows, columns).holes
        values = [0] * (rows * columns)
        for row, column in mines:
            if not is_cell(rows, columns, holes, (row, column)):
                raise OutsideError(f"({row},{column}) is not on a board of {size(rows, columns)}.")
            values[row * columns + column] += 1
        if max(values) > variant.cell_max:
            raise BoardSyntaxError(f"expected at most {variant.cell_max} mines in a cell, got {max(values)}")
        return with_clues(rows, columns, tuple(values), variant, seed, start, topology)

    @property
    def total_mines(self) -> int:
        """Number of mines; a cell may have several."""
        return sum(self.values)

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells with at least one mine."""
        return frozenset(divmod(index, self.columns) for index, value in enumerate(self.values) if value)

    @property
    def holes(self) -> frozenset[int]:
        """The numbers of the places in row order that the shape does not have."""
        return Geometry(self.topology, self.rows, self.columns).holes

    @property
    def middle(self) -> Cell:
        """The cell nearest to the middle of the board."""
        row, column = self.rows // 2, self.columns // 2
        return min(self.area.cells, key=lambda cell: (abs(cell[0] - row) + abs(cell[1] - column), cell))

    @property
    def free_cells(self) -> int:
        """Number of cells without a mine."""
        return self.values.count(0) - len(self.holes)

    @cached_property
    def area(self) -> Area:
        """The board as rules see it."""
        holes = self.holes
        cells = (divmod(index, self.columns) for index in range(len(self.values)) if index not in holes)
        return Area(self.rows, self.columns, frozenset(cells), self.total_mines, self.topology)

    def index(self, cell: Cell) -> int:
        """Return the number of a cell in row order. Raises OutsideError if it is not on the board."""
        row, column = checks.cell("cell", cell)
        if not is_cell(self.rows, self.columns, self.holes, (row, column)):
            raise OutsideError(f"({row},{column}) is not on a board of {size(self.rows, self.columns)}.")
        return row * self.columns + column

    def as_json(self) -> VariantLayoutJson:
        """Return ``mineproof/variant-layout/1``. Raises ValueError if a rule is not built in."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "topology": self.topology,
            "rules": self.variant.text,
            "mines": [[*pairs([cell])[0], self.values[self.index(cell)]] for cell in sorted(self.mines)],
            "clues": self._rows([clue_text(clue) for clue in self.clues]),
            "start": None if self.start is None else list(self.start),
        }

    def _rows(self, texts: list[str]) -> list[list[str]]:
        return [texts[first : first + self.columns] for first in range(0, len(texts), self.columns)]

    def __str__(self) -> str:
        """Return rows of ``*`` (a mine; a digit for several), ``.`` (free) and ``~`` (no cell)."""
        signs = ["." if not value else "*" if value == 1 else str(value) for value in self.values]
        for index in self.holes:
            signs[index] = "~"
        gap = " " if max(map(len, signs)) > 1 else ""
        return "\n".join(gap.join(row) for row in self._rows(signs))

    def __repr__(self) -> str:
        return f"<VariantLayout of {size(self.rows, self.columns, self.total_mines)}: {self.variant!r}>"


def require_board(rows: int, columns: int, topology: Topology, variant: Variant) -> None:
    """Raise ValueError for a size or a shape that games of a variant do not have."""
    checks.whole("rows", rows, 1)
    checks.whole("columns", columns, 1)
    if rows * columns > VARIANT_GAME_MAX_CELLS:
        raise ValueError(
            f"A game of a variant has at most {VARIANT_GAME_MAX_CELLS:,} cells, got {size(rows, columns)}."
        )
    require_shape(topology, rows, columns)
    variant.require_shape(topology)


def is_cell(rows: int, columns: int, holes: frozenset[int], cell: Cell) -> bool:
    """Is this place a cell of the board?"""
    row, column = cell
    return 0 <= row < rows and 0 <= column < columns and row * columns + column not in holes


def with_clues(
    rows: int,
    columns: int,
    values: tuple[int, ...],
    variant: Variant,
    seed: int,
    start: Cell | None,
    topology: Topology,
) -> VariantLayout:
    """Return a layout whose free cells show clues."""
    random = Random(derive(seed, VARIANT_CLUES), 0)
    plain = VariantLayout(rows, columns, values, (None,) * len(values), variant, start, topology)
    clues: list[Clue | None] = []
    for index in range(len(values)):
        choices = true_clues(plain, index)
        clues.append(choices[random.below(len(choices)) if len(choices) > 1 else 0] if choices else None)
    return replace(plain, clues=tuple(clues))


def true_clues(layout: VariantLayout, index: int) -> list[Clue]:
    """Return the clues that a cell may show; none if it has mines or is not a cell."""
    if layout.values[index] or index in layout.holes:
        return []
    rule = clue_rule(layout.variant.clues)
    around = clued_cells(layout.area, divmod(index, layout.columns), rule)
    near = [0 if place is None else layout.values[layout.area.index(place)] for place in around]
    return shown_clues(rule, around, near, layout.variant.cell_max)
