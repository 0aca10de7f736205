"""Layouts of variants: the mines of a board, and the clue that each free cell shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mineproof.base import checks
from mineproof.base.rng import VARIANT_CLUES, Random, derive
from mineproof.base.words import size
from mineproof.board.cells import Cell, pairs
from mineproof.errors import BoardSyntaxError, OutsideError
from mineproof.variants.clues import Clue, clue_rule
from mineproof.variants.shown import clue_text, places_around, shown_clues
from mineproof.variants.variant import Variant

SCHEMA = "mineproof/variant-layout/1"
VARIANT_GAME_MAX_CELLS = 2500


@dataclass(frozen=True, repr=False)
class VariantLayout:
    """Mines on a board, and its clues.

    ``values`` are the mines in each cell and ``clues`` the clue of each cell, in row order; None for a cell with mines,
    or without a clue. `deal_variant` and `VariantLayout.of` make them. ``start`` is the first click.
    """

    rows: int
    columns: int
    values: tuple[int, ...]
    clues: tuple[Clue | None, ...]
    variant: Variant
    start: Cell | None = None

    @staticmethod
    def of(
        rows: int, columns: int, mines: Iterable[Cell], variant: Variant, *, seed: int = 0, start: Cell | None = None
    ) -> VariantLayout:
        """Return a layout with these mines. A cell that occurs more than once has as many mines.

        The seed chooses among the clues that a rule such as ``liar`` allows. The rules on the mines are not checked.

        >>> layout = VariantLayout.of(1, 4, [(0, 0)], Variant("at-least"))
        >>> print(layout)
        *...
        """
        require_size(rows, columns)
        values = [0] * (rows * columns)
        for row, column in mines:
            if not (0 <= row < rows and 0 <= column < columns):
                raise OutsideError(f"({row},{column}) is not on a board of {size(rows, columns)}.")
            values[row * columns + column] += 1
        if max(values) > variant.cell_max:
            raise BoardSyntaxError(f"expected at most {variant.cell_max} mines in a cell, got {max(values)}")
        return with_clues(rows, columns, tuple(values), variant, seed, start)

    @property
    def total_mines(self) -> int:
        """Number of mines; a cell may have several."""
        return sum(self.values)

    @property
    def mines(self) -> frozenset[Cell]:
        """The cells with at least one mine."""
        return frozenset(divmod(index, self.columns) for index, value in enumerate(self.values) if value)

    def index(self, cell: Cell) -> int:
        """Return the number of a cell in row order. Raises OutsideError if it is not on the board."""
        row, column = checks.cell("cell", cell)
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise OutsideError(f"({row},{column}) is not on a board of {size(self.rows, self.columns)}.")
        return row * self.columns + column

    def as_json(self) -> dict[str, Any]:
        """Return ``mineproof/variant-layout/1``. Raises ValueError if a rule is not built in."""
        return {
            "schema": SCHEMA,
            "rows": self.rows,
            "columns": self.columns,
            "rules": self.variant.text,
            "mines": [[*pairs([cell])[0], self.values[self.index(cell)]] for cell in sorted(self.mines)],
            "clues": self._rows([clue_text(clue) for clue in self.clues]),
            "start": None if self.start is None else list(self.start),
        }

    def _rows(self, texts: list[str]) -> list[list[str]]:
        return [texts[first : first + self.columns] for first in range(0, len(texts), self.columns)]

    def __str__(self) -> str:
        """Return rows of ``*`` (a mine; a digit for several) and ``.`` (free)."""
        signs = ["." if not value else "*" if value == 1 else str(value) for value in self.values]
        gap = " " if max(map(len, signs)) > 1 else ""
        return "\n".join(gap.join(row) for row in self._rows(signs))

    def __repr__(self) -> str:
        return f"<VariantLayout of {size(self.rows, self.columns, self.total_mines)}: {self.variant!r}>"


def require_size(rows: int, columns: int) -> None:
    """Raise ValueError for a size that games of variants do not have."""
    checks.whole("rows", rows, 1)
    checks.whole("columns", columns, 1)
    if rows * columns > VARIANT_GAME_MAX_CELLS:
        raise ValueError(
            f"A game of a variant has at most {VARIANT_GAME_MAX_CELLS:,} cells, got {size(rows, columns)}."
        )


def with_clues(
    rows: int, columns: int, values: tuple[int, ...], variant: Variant, seed: int, start: Cell | None
) -> VariantLayout:
    """Return a layout whose free cells show clues."""
    rule, random = clue_rule(variant.clues), Random(derive(seed, VARIANT_CLUES), 0)
    clues: list[Clue | None] = []
    for index, value in enumerate(values):
        clue: Clue | None = None
        if not value:
            around = places_around(rows, columns, frozenset(), divmod(index, columns), rule)
            near = [0 if place is None else values[place[0] * columns + place[1]] for place in around]
            choices = shown_clues(rule, around, near, variant.cell_max)
            if choices:
                clue = choices[random.below(len(choices)) if len(choices) > 1 else 0]
        clues.append(clue)
    return VariantLayout(rows, columns, values, tuple(clues), variant, start)
