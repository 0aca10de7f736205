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
from mineproof.formats.exchange import ParsedValue, require_grid
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import message

_LARGEST = 255


def fits(data: bytes) -> bool:
    """Is this a complete and valid file?"""
    try:
        read(data)
    except BoardSyntaxError:
        return False
    return True


def could_be(data: bytes) -> bool:
    """Do the bytes of an invalid file begin like one? Then the error should say what is wrong with it."""
    if len(data) < 4 or 2 * sum(byte < ord(" ") for byte in data) < len(data):
        return False
    columns, rows, mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    return 0 < mines <= rows * columns


def read(data: bytes) -> ParsedValue:
    """Read the bytes of a file."""
    if len(data) < 4:
        raise BoardSyntaxError(f"expected at least 4 bytes in an .mbf file, got {len(data)}")
    columns, rows, mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    if len(data) != 4 + 2 * mines:
        raise BoardSyntaxError(f"expected 4 + 2 × {mines} = {4 + 2 * mines} bytes in an .mbf file, got {len(data)}")
    cells: set[tuple[int, int]] = set()
    for column, row in zip(data[4::2], data[5::2], strict=True):
        if row >= rows or column >= columns:
            raise BoardSyntaxError(f"expected mines inside {size(rows, columns)}, got one at {at((row, column))}")
        if (row, column) in cells:
            raise BoardSyntaxError(f"the mine at {at((row, column))} is listed twice")
        cells.add((row, column))
    return ParsedValue(Layout(rows, columns, frozenset(cells)), note=message("format-note-mbf"))


def write(layout: Layout) -> bytes:
    """Return the bytes of a file."""
    require_grid(layout, "mbf")
    if max(layout.rows, layout.columns) > _LARGEST:
        limit, sides = size(_LARGEST, _LARGEST), size(layout.rows, layout.columns)
        raise BoardSyntaxError(f"mbf holds at most {limit}, got {sides}")
    head = bytes([layout.columns, layout.rows]) + layout.total_mines.to_bytes(2, "big")
    return head + bytes(part for row, column in sorted(layout.mines) for part in (column, row))


def read_hex(text: str) -> ParsedValue:
    """Read the bytes as hexadecimal digits, in pairs with or without blanks between."""
    digits = "".join(text.split())
    wrong = re.search("[^0-9a-fA-F]", digits)
    if wrong is not None:
        raise BoardSyntaxError(f"expected hexadecimal digits, got {quote(wrong[0])}")
    if len(digits) % 2:
        raise BoardSyntaxError(f"expected two hexadecimal digits for each byte, got {len(digits)} digits")
    return read(bytes.fromhex(digits))


def write_hex(layout: Layout) -> str:
    """Return the bytes in lower-case hexadecimal, separated by blanks."""
    return write(layout).hex(" ")
