"""The gallery of variants: each with a size to play, and a small layout that shows its rule."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from mineproof.board.cells import Cell, pairs
from mineproof.board.levels import Size
from mineproof.game.variant_deals import deal_variant
from mineproof.variants.clues import clue_rule
from mineproof.variants.shown import clue_label
from mineproof.variants.variant import Variant, clued_cells

if TYPE_CHECKING:
    from mineproof.game.wire import GalleryEntryJson, GalleryJson

SCHEMA: Final = "mineproof/variants/1"
EXAMPLE_SIDE = 5
_CENTRE = (2, 2)


class GalleryEntry(NamedTuple):
    """A variant of the gallery: its rules, the size to play, and the mines and the seed of its example."""

    rules: str
    rows: int
    columns: int
    mines: int
    example_mines: int
    example_seed: int


GALLERY = (
    GalleryEntry("liar", 8, 8, 10, 7, 2),
    GalleryEntry("at-least", 8, 8, 12, 8, 1),
    GalleryEntry("at-most", 8, 8, 12, 8, 3),
    GalleryEntry("capped:2", 9, 9, 14, 8, 1),
    GalleryEntry("modulo:3", 9, 9, 14, 9, 5),
    GalleryEntry("multiple", 9, 9, 12, 8, 4),
    GalleryEntry("negation", 8, 8, 12, 8, 2),
    GalleryEntry("cross", 8, 8, 9, 7, 1),
    GalleryEntry("knight", 8, 8, 9, 8, 3),
    GalleryEntry("wall", 8, 8, 14, 9, 7),
    GalleryEntry("partition", 8, 8, 14, 9, 4),
    GalleryEntry("mines:3", 8, 8, 14, 10, 6),
    GalleryEntry("quad", 8, 8, 20, 8, 1),
    GalleryEntry("no-three", 6, 6, 10, 9, 2),
    GalleryEntry("balance", 8, 8, 16, 10, 3),
    GalleryEntry("dual", 8, 8, 14, 8, 1),
    GalleryEntry("no-touching", 8, 8, 9, 5, 1),
    GalleryEntry("connected", 6, 6, 8, 7, 1),
    GalleryEntry("outside", 6, 6, 8, 7, 2),
    GalleryEntry("snake", 6, 6, 8, 7, 3),
    GalleryEntry("liar,quad", 8, 8, 20, 8, 3),
    GalleryEntry("wall,no-touching", 8, 8, 9, 5, 4),
)


def gallery_size(rules: str) -> Size:
    """Return the size that the gallery plays some rules on; for others 8 × 8, with ten mines."""
    entry = next((entry for entry in GALLERY if entry.rules == rules), None)
    return Size(8, 8, 10) if entry is None else Size(entry.rows, entry.columns, entry.mines)


def gallery_json() -> GalleryJson:
    """Return ``mineproof/variants/1`` without titles, which depend on the language.

    ``example`` is a layout with all its clues: ``*`` is a mine, ``2*`` two of them, ``.`` a cell that shows nothing.
    The clue at ``centre`` tells about the cells ``around`` it; both are left out for rules on the mines alone.
    """
    return {"schema": SCHEMA, "variants": [_entry_json(entry) for entry in GALLERY]}


@cache
def _entry_json(entry: GalleryEntry) -> GalleryEntryJson:
    variant = Variant.parse(entry.rules)
    rule = clue_rule(variant.clues)
    layout = deal_variant(
        EXAMPLE_SIDE, EXAMPLE_SIDE, entry.example_mines, variant, seed=entry.example_seed, start=_CENTRE
    )
    tells = rule.name != "classic" or variant.cell_max > 1
    rows = []
    for row in range(EXAMPLE_SIDE):
        texts = []
        for column in range(EXAMPLE_SIDE):
            index = layout.index((row, column))
            count = layout.values[index]
            label = clue_label(rule, layout.clues[index]) if tells else "."
            texts.append("*" if count == 1 else f"{count}*" if count else label)
        rows.append(texts)
    shown: GalleryEntryJson = {
        "rules": entry.rules,
        "rows": entry.rows,
        "columns": entry.columns,
        "mines": entry.mines,
        "example": rows,
    }
    if tells:
        around: list[Cell] = [place for place in clued_cells(layout.area, _CENTRE, rule) if place]
        shown["centre"], shown["around"] = list(_CENTRE), pairs(around)
    return shown
