"""Texts above a board that say how many mines there are: for tests, and to measure how often they are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from mineproof.screens.lattice import Lattice
from support.skins import colours, fonts
from support.skins.colours import random_colour

ROWS, COLUMNS = 9, 9


@dataclass(frozen=True)
class CaptionedPicture:
    picture: Image.Image
    lattice: Lattice
    text: str
    flags: int
    left: int | None  # mines left; None if the text does not say it


def draw_caption(rng: np.random.Generator, *, unknown_font: bool = True) -> CaptionedPicture:
    """A text above an empty grid. ``unknown_font`` takes Pillow's own font, which no training has seen."""
    side = int(rng.integers(16, 60))
    ground = random_colour(rng)
    picture = Image.new("RGB", ((COLUMNS + 4) * side, (ROWS + 4) * side), ground)
    total = int(rng.integers(8, 24))
    flags = int(rng.integers(0, total))
    left = total - flags
    texts: list[tuple[str, int | None]] = [
        (f"Mines: {left}/{total}", left), (f"{flags}/{total}", left), (f"Mines left: {left}", left),
        (f"Bombs left {left}   Time: {int(rng.integers(500))}", left), (f"{left} mines left", left),
        (f"Level {left}  Score {total}", None), (f"Time 0:{left:02d}", None), (f"{total}   0:{left:02d}", None),
    ]  # fmt: skip
    text, shown = texts[int(rng.integers(len(texts)))]
    size = max(11, round(side * rng.uniform(0.4, 0.9)))
    known = fonts.paths()
    face = ImageFont.load_default(size) if unknown_font else fonts.font(known[int(rng.integers(len(known)))], size)
    ink = (20, 20, 20) if colours.brightness(ground) > 0.5 else (235, 235, 235)
    brush = ImageDraw.Draw(picture)
    brush.text((2 * side, 1.2 * side), text, font=face, fill=ink, anchor="lm")
    for k in range(ROWS + 1):
        brush.line((2 * side, (k + 2) * side, (2 + COLUMNS) * side, (k + 2) * side), fill=ink)
        brush.line(((k + 2) * side, 2 * side, (k + 2) * side, (2 + ROWS) * side), fill=ink)
    return CaptionedPicture(picture, Lattice(2 * side, 2 * side, side, side, ROWS, COLUMNS), text, flags, shown)
