"""A board as text or as an array of pixels, for `render`: plain, quick, with NumPy alone.

Cells are squares; on a hex board odd rows are shifted half a cell to the right.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from mineproof.board.cells import COVERED
from mineproof.board.geometry import Topology

Codes = npt.NDArray[np.int8]
Mines = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.uint8]

CELL = 16  # pixels of a side
_LINE, _OPEN, _COVER = (122, 122, 122), (222, 222, 222), (165, 165, 172)
# Of the numbers 1 to 8, then of a mine: those of the originals, 4.5 to 1 against an open cell.
_COLOURS = (
    (0, 0, 255), (0, 100, 0), (200, 0, 0), (0, 0, 128), (128, 0, 0), (0, 95, 95), (0, 0, 0), (90, 90, 90), (0, 0, 0),
)  # fmt: skip
_GLYPHS = (  # seven rows of five pixels each
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


def write(codes: Codes, mines: Mines | None, topology: Topology) -> str:
    """Rows of digits, ``#`` for covered cells and ``*`` for mines, where these are told."""
    signs = np.where(codes == COVERED, "#", codes.astype("<U2"))
    if mines is not None:
        signs = np.where(mines, "*", signs)
    if topology != "hex":
        return "\n".join("".join(row) for row in signs.tolist())
    return "\n".join(" " * (place % 2) + " ".join(row) for place, row in enumerate(signs.tolist()))


def paint(codes: Codes, mines: Mines | None, topology: Topology) -> Pixels:
    """The same as pixels (height, width, 3)."""
    rows, columns = codes.shape
    shown = np.where(codes == COVERED, _MINE + 1, codes)
    if mines is not None:
        shown = np.where(mines, _MINE, shown)
    squares = _TILES[shown]  # (rows, columns, CELL, CELL, 3)
    shift = CELL // 2 if topology == "hex" else 0
    picture = np.full((rows * CELL, columns * CELL + shift, 3), _LINE, dtype=np.uint8)
    for row in range(rows):
        left = shift * (row % 2)
        line = squares[row].transpose(1, 0, 2, 3).reshape(CELL, columns * CELL, 3)
        picture[row * CELL : (row + 1) * CELL, left : left + columns * CELL] = line
    return picture


def _tiles() -> Pixels:
    """Squares for the numbers 0 to 8, a mine and a covered cell."""
    tiles = np.empty((_MINE + 2, CELL, CELL, 3), dtype=np.uint8)
    tiles[:] = _OPEN
    tiles[_MINE + 1] = _COVER
    for number, (glyph, colour) in enumerate(zip(_GLYPHS, _COLOURS, strict=True), 1):
        ink = np.array([[pixel == "1" for pixel in line] for line in glyph.split()])
        tiles[number, 4:11, 5:10][ink] = colour
    tiles[:, -1], tiles[:, :, -1] = _LINE, _LINE
    return tiles


_TILES = _tiles()
