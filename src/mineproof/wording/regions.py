"""Regions of a board, such as "at the top left"."""

from __future__ import annotations

from typing import Literal

from mineproof.board.cells import Cell
from mineproof.wording.catalogue import message

Region = Literal["top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right", "middle"]

REGION_MIN_SIDE = 6  # smaller sides are seen at a glance and not divided into thirds

_REGIONS: dict[tuple[str, str], Region] = {
    ("top", ""): "top",
    ("bottom", ""): "bottom",
    ("", "left"): "left",
    ("", "right"): "right",
    ("top", "left"): "top-left",
    ("top", "right"): "top-right",
    ("bottom", "left"): "bottom-left",
    ("bottom", "right"): "bottom-right",
}


def region_of(cell: Cell, rows: int, columns: int) -> Region | None:
    """Return the third of the board, down and across, that a cell is in; None on small boards.

    >>> region_of((0, 29), 16, 30), region_of((1, 1), 3, 3)
    ('top-right', None)
    """
    down = _third(cell[0], rows, ("top", "", "bottom"))
    across = _third(cell[1], columns, ("left", "", "right"))
    return _REGIONS.get((down, across), None if max(rows, columns) < REGION_MIN_SIDE else "middle")


def region_text(region: Region) -> str:
    """The region in words: ``at the top left``."""
    return message(f"place-{region}")


def _third(place: int, size: int, names: tuple[str, str, str]) -> str:
    return "" if size < REGION_MIN_SIDE else names[3 * place // size]
