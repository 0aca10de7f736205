"""Layouts in links of minesweeper.online and the PTTA ZiNi calculator: ``?b=…&m=…``.

``b`` is the size: 1, 2 and 3 are the classic 9×9, 16×16 and 30×16; anything else is width and height as decimals of
equal length, so 4005 is 40×5. ``m`` packs five cells into a digit of ``0-9a-v``, row by row, highest bit first, with
zero bits after the last cell. Other parameters, such as a click path, are left alone. Written is ``b=…&m=…`` without
an address, for any of the sites.
"""

from __future__ import annotations

import re

from mineproof.base import words
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats import bitmap, links
from mineproof.formats.exchange import ParsedValue, require_grid
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import message

_CLASSIC = {"1": (9, 9), "2": (16, 16), "3": (16, 30)}  # (rows, columns)
_DIGITS = "0123456789abcdefghijklmnopqrstuv"
_BITS = {digit: f"{value:05b}" for value, digit in enumerate(_DIGITS)}


def read(text: str) -> ParsedValue:
    """Read a link, or its parameters alone."""
    rows, columns = _size(links.parameter(text, "b"))
    mines = links.parameter(text, "m")
    for at, digit in enumerate(mines):
        if digit not in _BITS:
            raise BoardSyntaxError(f"expected 0-9 or a-v as digit {at + 1} of m, got {digit!r}")
    expected = bitmap.digits_needed(rows, columns, 5)
    if len(mines) != expected:
        raise BoardSyntaxError(
            f"expected {expected} digits in m for {words.size(rows, columns)} cells, got {len(mines)}"
        )
    bits = "".join(map(_BITS.__getitem__, mines))
    bitmap.require_padding(bits, rows * columns)
    return ParsedValue(bitmap.to_layout(bits, rows, columns), note=message("format-note-ptta"))


def write(layout: Layout) -> str:
    """Return the two parameters of a link."""
    require_grid(layout, "ptta")
    bits = bitmap.from_layout(layout)
    digits = [_DIGITS[int(bits[at : at + 5].ljust(5, "0"), 2)] for at in range(0, len(bits), 5)]
    return f"b={_size_code(layout.rows, layout.columns)}&m={''.join(digits)}"


def _size(code: str) -> tuple[int, int]:
    if code in _CLASSIC:
        return _CLASSIC[code]
    if len(code) % 2 or not re.fullmatch("[0-9]{2,14}", code):
        raise BoardSyntaxError(f"b must be 1, 2, 3 or width and height of equal length, got {quote(code)}")
    half = len(code) // 2
    return int(code[half:]), int(code[:half])


def _size_code(rows: int, columns: int) -> str:
    for code, size in _CLASSIC.items():
        if size == (rows, columns):
            return code
    length = len(str(max(rows, columns)))
    return f"{columns:0{length}}{rows:0{length}}"
