"""The number of mines left, where a program shows it as classic ones do: red segments on black, above the board.

Lit and unlit segments together give the box of three digits, above the board's left half; which of the seven segments
of each are lit gives the number. Anything that is not clearly such a display is not read.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.lattice import Lattice
from mineproof.screens.pixels import Pixels

ABOVE = 5  # cells above the board that are looked at
DIGITS = 3
# Middles of the segments in a digit (right, down), in the order of the letters a to g.
PLACES: Final = ((0.5, 0.08), (0.86, 0.28), (0.86, 0.72), (0.5, 0.92), (0.14, 0.72), (0.14, 0.28), (0.5, 0.5))
SHAPES: Final = {
    "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4", "acdfg": "5", "acdefg": "6", "abc": "7",
    "abcdefg": "8", "abcdfg": "9", "g": "-",
}  # fmt: skip

Mask = NDArray[np.bool_]


def read_counter(pixels: Pixels, lattice: Lattice) -> int | None:
    """Mines left by the display above the left half of the board, or None."""
    x0, y0, x1, _ = lattice.box
    top, bottom = max(0, round(y0 - ABOVE * lattice.tall)), max(0, round(y0))
    left, right = max(0, round(x0 - lattice.wide)), max(0, round(x0 + 0.45 * (x1 - x0)))
    part = pixels[top:bottom, left:right].astype(np.int16)
    if part.shape[0] < 12 or part.shape[1] < 12:
        return None
    reddish = (part[..., 0] > 70) & (part[..., 0] > 2 * part[..., 1:].max(-1) + 20)
    box = _display(reddish, (part.max(-1) < 60) | reddish)
    if box is None:
        return None
    y_from, y_to, x_from, x_to = box
    lit = reddish[y_from:y_to, x_from:x_to] & (part[y_from:y_to, x_from:x_to, 0] > 190)
    return _number(lit)


def _display(reddish: Mask, display: Mask) -> tuple[int, int, int, int] | None:
    """The box of what is red, where it is three digits on black."""
    rows, columns = np.flatnonzero(reddish.mean(1) > 0.02), np.flatnonzero(reddish.mean(0) > 0.05)
    if not rows.size or not columns.size:
        return None
    box = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    height, width = box[1] - box[0], box[3] - box[2]
    inside = display[box[0] : box[1], box[2] : box[3]]
    if height < 10 or not 1.2 < width / height < 2.4 or inside.mean() < 0.85:
        return None
    return box


def _number(lit: Mask) -> int | None:
    """The three digits whose lit segments these are."""
    pitch = lit.shape[1] / DIGITS
    text = ""
    for place in range(DIGITS):
        digit = lit[:, round(place * pitch) : round((place + 1) * pitch)]
        on = [letter for letter, at in zip("abcdefg", PLACES, strict=True) if _is_lit(digit, *at)]
        text += SHAPES.get("".join(on), "?")
    return int(text) if text.lstrip("-").isdigit() and text.rfind("-") <= 0 else None


def _is_lit(digit: Mask, across: float, down: float) -> bool:
    height, width = digit.shape
    reach_x, reach_y = max(1, round(0.1 * width)), max(1, round(0.06 * height))
    x, y = round(across * (width - 1)), round(down * (height - 1))
    spot = digit[max(0, y - reach_y) : y + reach_y + 1, max(0, x - reach_x) : x + reach_x + 1]
    return bool(spot.mean() > 0.4)
