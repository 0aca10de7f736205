"""The number of mines left, where a program shows it as classic ones do: red segments on a dark ground above the board.

Lit segments above the board's left half stand in a row of digits. Which of the seven segments of each are lit gives the
number. Segments that are not lit may be seen or not, and other red things beside them do not matter. Anything that is
not clearly such a display is not read.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.lattice import Lattice
from mineproof.screens.pixels import Pixels

ABOVE = 5  # cells above the board that are looked at
DIGITS = (2, 4)  # of a display, at least and at most
LIT = 170  # red of a segment that is lit
MIN_HEIGHT = 10  # pixels of a digit
NARROW, WIDE = 0.3, 0.85  # of its height: a 1 is narrower, a digit never wider
DARK = 90  # brightest colour of the ground
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
    red, other = part[..., 0], part[..., 1:].max(-1)
    lit = (red > LIT) & (red > 2 * other + 20)
    dark = (part.max(-1) < DARK) | ((red > 2 * other) & (red <= LIT))
    for rows in _runs(lit, 1, 1):
        if rows.stop - rows.start < MIN_HEIGHT:
            continue
        for columns in _displays(lit[rows], rows.stop - rows.start):
            number = _number(lit[rows, columns], dark[rows, columns])
            if number is not None:
                return number
    return None


def _runs(lit: Mask, axis: int, gap: int) -> list[slice]:
    """Where something is lit along the other axis, as slices; gaps of up to ``gap`` are part of a run."""
    places = np.flatnonzero(lit.sum(axis))
    if not places.size:
        return []
    ends = np.flatnonzero(np.diff(places) > gap + 1)
    starts, stops = np.r_[places[0], places[ends + 1]], np.r_[places[ends], places[-1]] + 1
    return [slice(int(start), int(stop)) for start, stop in zip(starts, stops, strict=True)]


def _displays(lit: Mask, height: int) -> list[slice]:
    """The columns of what may be displays: lit parts that are less than a digit apart."""
    return _runs(lit, 0, round(0.8 * height))


def _number(lit: Mask, dark: Mask) -> int | None:
    """The number that digits of lit segments on a dark ground show, or None."""
    if (dark | lit).mean() < 0.85:
        return None
    for gap in range(1 + round(0.08 * len(lit))):  # segments of a digit may touch, or stand a little apart
        runs = _runs(lit, 0, gap)
        text = "".join(_digit(lit[:, columns]) for columns in runs)
        if DIGITS[0] <= len(text) <= DIGITS[1] and text.lstrip("-").isdigit() and text.rfind("-") <= 0:
            return int(text)
    return None


def _digit(lit: Mask) -> str:
    height, width = lit.shape
    if width > WIDE * height:
        return "?"
    if width < NARROW * height:
        halves = lit[: height // 2].any(1).mean(), lit[height // 2 :].any(1).mean()
        return "1" if min(halves) > 0.7 else "?"
    on = [letter for letter, at in zip("abcdefg", PLACES, strict=True) if _is_lit(lit, *at)]
    return SHAPES.get("".join(on), "?")


def _is_lit(digit: Mask, across: float, down: float) -> bool:
    height, width = digit.shape
    reach_x, reach_y = max(1, round(0.1 * width)), max(1, round(0.06 * height))
    x, y = round(across * (width - 1)), round(down * (height - 1))
    spot = digit[max(0, y - reach_y) : y + reach_y + 1, max(0, x - reach_x) : x + reach_x + 1]
    return bool(spot.mean() > 0.4)
