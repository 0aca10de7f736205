"""A board as text or as an array of pixels, for `render`: simple and fast, with NumPy alone.

Cells are squares; on a hex board odd rows are shifted half a cell to the right.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mineproof.base.colours import GYM_COVERED, GYM_LINE, GYM_MINE, GYM_NUMBERS, GYM_OPEN
from mineproof.board.cells import COVERED
from mineproof.board.geometry import Topology
from mineproof.board.topology import topology_named

Codes = npt.NDArray[np.int8]
Mines = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]

CELL = 16  # pixels of a side
_GLYPHS = (  # of the numbers 1 to 8 and of a mine: seven rows of five pixels each
    "00100 01100 00100 00100 00100 00100 01110",
    "01110 10001 00001 00010 00100 01000 11111",
    "11111 00010 00100 00010 00001 10001 01110",
    "00010 00110 01010 10010 11111 00010 00010",
    "11111 10000 11110 00001 00001 10001 01110",
    "00110 01000 10000 11110 10001 10001 01110",
    "11111 00001 00010 00100 01000 01000 01000",
    "01110 10001 10001 01110 10001 10001 01110",
    "00000 01110 11111 11111 11111 01110 00000",
)
_MINE = 9


def write_text(codes: Codes, mines: Mines | None, topology: Topology) -> str:
    """Return rows of digits, with ``#`` for covered cells and ``*`` for mines, if they are given."""
    signs = np.where(codes == COVERED, "#", codes.astype("<U2"))
    if mines is not None:
        signs = np.where(mines, "*", signs)
    if not topology_named(topology).has_shifted_rows:
        return "\n".join("".join(row) for row in signs.tolist())
    return "\n".join(" " * (place % 2) + " ".join(row) for place, row in enumerate(signs.tolist()))


def paint_pixels(codes: Codes, mines: Mines | None, topology: Topology) -> Pixels:
    """Return the board as pixels (height, width, 3)."""
    rows, columns = codes.shape
    shown = np.where(codes == COVERED, _MINE + 1, codes)
    if mines is not None:
        shown = np.where(mines, _MINE, shown)
    squares = _TILES[shown]  # (rows, columns, CELL, CELL, 3)
    shift = CELL // 2 if topology_named(topology).has_shifted_rows else 0
    picture = np.full((rows * CELL, columns * CELL + shift, 3), GYM_LINE, dtype=np.uint8)
    for row in range(rows):
        left = shift * (row % 2)
        line = squares[row].transpose(1, 0, 2, 3).reshape(CELL, columns * CELL, 3)
        picture[row * CELL : (row + 1) * CELL, left : left + columns * CELL] = line
    return picture


def _draw_tiles() -> Pixels:
    """Return the squares for the numbers 0 to 8, a mine and a covered cell."""
    tiles = np.empty((_MINE + 2, CELL, CELL, 3), dtype=np.uint8)
    tiles[:] = GYM_OPEN
    tiles[_MINE + 1] = GYM_COVERED
    for number, (glyph, colour) in enumerate(zip(_GLYPHS, (*GYM_NUMBERS, GYM_MINE), strict=True), 1):
        ink = np.array([[pixel == "1" for pixel in line] for line in glyph.split()])
        tiles[number, 4:11, 5:10][ink] = colour
    tiles[:, -1], tiles[:, :, -1] = GYM_LINE, GYM_LINE
    return tiles


_TILES = _draw_tiles()
