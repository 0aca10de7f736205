"""One screenshot for the tests of the server and of the page: a board in a plain look, in a window on a desktop."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image, ImageDraw

from support.skins.looks import random_look
from support.skins.positions import Position
from support.skins.scenes import draw_board

ROWS = (
    "F########",
    "###1111##",
    "12#1002##",
    "01F1001##",
    "0111001##",
    "0000111##",
    "00112####",
    "001######",
    "001######",
)
SEED = 3  # of a grey look with bevelled cells
LEFT, TOP = 44, 70  # of the first cell


def picture() -> Image.Image:
    """The board of `ROWS`, in cells of 24 pixels."""
    rng = np.random.default_rng(SEED)
    marks = np.array([list(row) for row in ROWS])
    board = draw_board(random_look(rng, side=24), Position(marks, marks == "F", 9), np.random.default_rng(SEED))
    desktop = Image.new("RGB", (300, 330), (0, 96, 120))
    brush = ImageDraw.Draw(desktop)
    brush.rectangle((LEFT - 20, TOP - 50, LEFT + board.width + 20, TOP + board.height + 20), fill=(198, 198, 198))
    brush.text((LEFT, TOP - 40), "Game  Help", fill=(0, 0, 0))
    desktop.paste(board, (LEFT, TOP))
    return desktop


def encoded(kind: str = "PNG", image: Image.Image | None = None) -> bytes:
    """The bytes of a file with a picture."""
    held = io.BytesIO()
    (image or picture()).save(held, kind, **({"quality": 95} if kind == "JPEG" else {}))
    return held.getvalue()
