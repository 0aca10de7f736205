"""Minesweeper X board files, ``.mbf`` and ``.abf``: a layout in bytes, or as those bytes in hexadecimal.

Width and height in a byte each, the number of mines in two (high byte first), then x and y of each mine in a byte
each, from 0, in any order. So a file is exactly 4 + 2·mines bytes long, and boards are at most 255 cells wide and
high. Written are the mines in row order. That a length must fit, and every mine lie inside and come once, is also what
lets a file be recognised without a mark of its own: no text passes.
"""

from __future__ import annotations

import re

from mineproof.base.words import at, size
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import Found, require_grid
from mineproof.game.layout import Layout

_LARGEST = 255


def fits(data: bytes) -> bool:
    """Is this a whole and sound file?"""
    try:
        read(data)
    except BoardSyntaxError:
        return False
    return True


def read(data: bytes) -> Found:
    """Read the bytes of a file."""
    if len(data) < 4:
        raise BoardSyntaxError(f"found {len(data)} bytes, expected at least the 4 that open an .mbf file")
    columns, rows, mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    if len(data) != 4 + 2 * mines:
        raise BoardSyntaxError(f"found {len(data)} bytes, expected 4 + 2 × {mines} = {4 + 2 * mines} in an .mbf file")
    cells: set[tuple[int, int]] = set()
    for column, row in zip(data[4::2], data[5::2], strict=True):
        if row >= rows or column >= columns:
            raise BoardSyntaxError(f"found a mine at {at((row, column))}, expected one inside {size(rows, columns)}")
        if (row, column) in cells:
            raise BoardSyntaxError(f"found the mine at {at((row, column))} twice, expected each once")
        cells.add((row, column))
    return Found(Layout(rows, columns, frozenset(cells)), note="layout from Minesweeper X board bytes")


def write(layout: Layout) -> bytes:
    """The bytes of a file."""
    require_grid(layout, "mbf")
    if max(layout.rows, layout.columns) > _LARGEST:
        most, found = size(_LARGEST, _LARGEST), size(layout.rows, layout.columns)
        raise BoardSyntaxError(f"mbf holds boards up to {most}, and this layout is {found}")
    head = bytes([layout.columns, layout.rows]) + layout.total_mines.to_bytes(2, "big")
    return head + bytes(part for row, column in sorted(layout.mines) for part in (column, row))


def read_hex(text: str) -> Found:
    """Read the bytes as hexadecimal digits, in pairs with or without blanks between."""
    digits = "".join(text.split())
    wrong = re.search("[^0-9a-fA-F]", digits)
    if wrong is not None:
        raise BoardSyntaxError(f"found {quote(wrong[0])}, expected hexadecimal digits")
    if len(digits) % 2:
        raise BoardSyntaxError(f"found {len(digits)} hexadecimal digits, expected two for each byte")
    return read(bytes.fromhex(digits))


def write_hex(layout: Layout) -> str:
    """The bytes in lower-case hexadecimal, separated by blanks."""
    return write(layout).hex(" ")
