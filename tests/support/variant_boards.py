"""Random boards of variants, made from a layout, so that at least one layout fits."""

from __future__ import annotations

import random

from mineproof.variants.variant_board import VariantBoard
from support.variant_oracle import RULES, SHOWS, Area


def random_board(rng: random.Random, clues: str, rules: tuple[str, ...] = ()) -> VariantBoard:
    """Return a board of 4 columns with clues in some of its free cells."""
    rows, columns = rng.choice([3, 4]), 4
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    area = Area(rows, columns, frozenset(cells))
    while True:
        mines = {cell: int(rng.random() < 0.3) for cell in cells}
        if all(RULES[rule](area, {cell for cell, mine in mines.items() if mine}) for rule in rules):
            break
    shown = {}
    for cell in cells:
        if mines[cell]:
            shown[cell] = rng.choice([*"######", "F"])
        else:
            shown[cell] = rng.choice(SHOWS[clues](*cell, mines) or ["?"]) if rng.random() < 0.45 else "#"
    text = "\n".join(" ".join(shown[row, column] for column in range(columns)) for row in range(rows))
    total = sum(mines.values()) if rng.random() < 0.5 else None
    return VariantBoard.parse(text, ",".join([clues, *rules]), total_mines=total)
