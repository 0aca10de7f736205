"""Find the pitch of a board without lines by its figures: digits and flags stand in rows and columns.

Where nothing is drawn between cells, edges do not repeat, but the middles of figures of one size lie at multiples of
the pitch. For each pitch the phases of all middles are compared: they agree at the pitch and at its parts, so the
largest one at which they agree is taken. This is only tried where `periods` leads to no board.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mineproof.screens.periods import NARROWEST, WIDEST, Period
from mineproof.screens.text import connected_parts

MAX_PIXELS = 3_000_000
EDGE = 0.35  # strength of an edge of a figure
MIN_HEIGHT, MAX_HEIGHT = 5, 90  # pixels of a figure's height
LEAST_FIGURES, MAX_FIGURES = 8, 2_000
THIN, FAT = 0.15, 1.6  # of its height
SAME_HEIGHT = 1.25
SHORTEST, LONGEST = 1.1, 4.5  # pitch over the height of a figure
AGREEMENT = 0.75  # mean of the phases of middles, as points on a circle

Floats = NDArray[np.floating]


def figure_periods(across: Floats, down: Floats) -> Iterator[Period]:
    """Candidates from the figures of the most frequent heights; ``across`` and ``down`` are the edges of a picture."""
    if across.size > MAX_PIXELS:
        return
    boxes = np.array(connected_parts(np.maximum(across, down) > EDGE), float).reshape(-1, 4)
    wide, tall = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    boxes = boxes[(tall >= MIN_HEIGHT) & (tall <= MAX_HEIGHT) & (wide > THIN * tall) & (wide < FAT * tall)]
    if not LEAST_FIGURES <= len(boxes) <= MAX_FIGURES:
        return
    tall = boxes[:, 3] - boxes[:, 1]
    counts = [((tall >= height) & (tall <= SAME_HEIGHT * height)).sum() for height in np.unique(tall)]
    for at in np.argsort(counts)[::-1][:3]:
        height = float(np.unique(tall)[at])
        alike = boxes[(tall >= height) & (tall <= SAME_HEIGHT * height)]
        if len(alike) < LEAST_FIGURES:
            return
        middles = (alike[:, :2] + alike[:, 2:]) / 2
        pitches = height * np.exp(np.arange(np.log(SHORTEST), np.log(LONGEST), 0.004))
        first, second = _pitch(middles[:, 0], pitches), _pitch(middles[:, 1], pitches)
        if first is None or second is None or not NARROWEST <= first[0] / second[0] <= WIDEST:
            continue
        reach = np.array([first[0], second[0]]) / 2
        low, high = middles.min(0) - reach, middles.max(0) + reach
        tile = max(0, round(low[0])), max(0, round(low[1])), round(high[0]), round(high[1])
        yield Period(first[0], second[0], tile, min(first[1], second[1]), 1, is_placed=True)


def _pitch(middles: Floats, pitches: Floats) -> tuple[float, float] | None:
    """The largest pitch at which the middles agree, and how well they do."""
    agreement = _agreement(middles, pitches)
    good = np.flatnonzero(agreement > AGREEMENT)
    if not good.size:
        return None
    apart = np.flatnonzero(np.diff(good) > 1)
    last = good[apart[-1] + 1 :] if apart.size else good  # of the same peak
    best = int(last[agreement[last].argmax()])
    return float(pitches[best]), float(agreement[best])


def _agreement(middles: Floats, pitches: Floats) -> Floats:
    """From 0 to 1: how well the phases of the middles agree at each pitch."""
    agreement: Floats = np.abs(np.exp(2j * np.pi * middles[None] / pitches[:, None]).mean(1))
    return agreement
