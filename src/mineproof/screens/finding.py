"""Finds the board in a picture: pitches that repeat, lattices placed on them, the one with most evidence."""

from __future__ import annotations

from mineproof.screens.periods import edges, halved, periods
from mineproof.screens.pixels import Pixels
from mineproof.screens.placing import Found, place

FEWEST = 3  # rows and columns of a board
PLAIN = 0.5  # evidence that leaves no doubt, where the picture repeats itself best
ENOUGH = 60  # cells of a board with such evidence
LARGE = 3_000_000  # pixels from which on a picture is looked at in half its size first
COARSE = 14  # pixels of a cell that are enough


def find(pixels: Pixels) -> Found | None:
    """The lattice that is most like a board, or None."""
    if pixels.shape[0] * pixels.shape[1] > LARGE:
        found = find(halved(pixels))
        if found is not None and min(found.lattice.wide, found.lattice.tall) >= COARSE:
            return found.doubled()
    across, down = edges(pixels)
    best: tuple[float, Found] | None = None
    clearest = 0.0
    for period in periods(pixels):
        clearest = max(clearest, period.score)
        found = place(pixels, across, down, period)
        if found is None:
            continue
        count = found.lattice.rows * found.lattice.columns
        score = count * (found.evidence + 0.5) * min(1.0, 0.3 + period.score / clearest)
        if best is None or score > best[0]:
            best = score, found
        if found.evidence > PLAIN and count > ENOUGH and period.score == clearest:
            break
    return None if best is None else best[1]
