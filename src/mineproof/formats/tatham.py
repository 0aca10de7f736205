"""Game IDs of Mines in Simon Tatham's collection: a layout with its first click.

``WxH:x,y,`` then ``m`` (masked) or ``u`` (plain) and the mines as a bitmap in hexadecimal, row by row, highest bit
first. Neither letter means plain, as in IDs typed by hand; ``n10`` and ``a`` after the size are the mine count, which
must be right, and "ambiguous allowed", which says nothing about the mines.

The mask (`mineproof.game.mask`) keeps a glance from spoiling a game; writing leaves it away.
"""

from __future__ import annotations

import re

from mineproof.base.words import size
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats import bitmap
from mineproof.formats.exchange import ParsedValue, require_grid
from mineproof.game.layout import Layout
from mineproof.game.mask import unmask
from mineproof.wording.catalogue import message

_ID = re.compile(
    r"(?P<width>[0-9]{1,7})x(?P<height>[0-9]{1,7})(?:n(?P<mines>[0-9]{1,7}))?a?:"
    r"(?P<x>[0-9]{1,7}),(?P<y>[0-9]{1,7}),(?P<kind>[mu]?)(?P<bits>[0-9a-fA-F]*)"
)
_NO_MINES_YET = re.compile(r"[0-9]+x[0-9]+[^:#]{0,20}(?::r|#)")


def fits(text: str) -> bool:
    """Does this begin as a game ID does?"""
    return re.match(r"\s*[0-9]+x[0-9]+(n[0-9]+)?a?[:#]", text) is not None


def read(text: str) -> ParsedValue:
    """Read a game ID that contains its mines."""
    text = text.strip()
    parts = _ID.fullmatch(text)
    if parts is None:
        if _NO_MINES_YET.match(text):
            raise BoardSyntaxError(
                f"expected a game ID with its mines, got {quote(text)}, whose mines are placed at the first click"
            )
        raise BoardSyntaxError(f"expected a game ID such as 9x9:4,4,m and hexadecimal digits, got {quote(text)}")
    rows, columns = int(parts["height"]), int(parts["width"])
    expected = bitmap.digits_needed(rows, columns, 4)
    if len(parts["bits"]) != expected:
        needed = f"{expected} hexadecimal digits for {size(rows, columns)} cells"
        raise BoardSyntaxError(f"expected {needed}, got {len(parts['bits'])}")
    data = bytes.fromhex(parts["bits"] + "0" * (expected % 2))
    bitmap.require_padding(_bits(data), rows * columns)
    if parts["kind"] == "m":
        data = unmask(data, rows * columns)
    layout = bitmap.to_layout(_bits(data), rows, columns, (int(parts["y"]), int(parts["x"])))
    if parts["mines"] is not None and int(parts["mines"]) != layout.total_mines:
        raise BoardSyntaxError(f"expected {parts['mines']} mines as the game ID says, got {layout.total_mines}")
    return ParsedValue(layout, note=message("format-note-tatham"))


def write(layout: Layout) -> str:
    """Return a plain game ID. The layout needs a start cell, because the game opens it at once."""
    require_grid(layout, "tatham")
    if layout.start is None:
        raise BoardSyntaxError("The layout has no start cell, which tatham needs. Pass `start=(row, column)`.")
    row, column = layout.start
    bits = bitmap.from_layout(layout)
    digits = "".join(f"{int(bits[at : at + 4].ljust(4, '0'), 2):x}" for at in range(0, len(bits), 4))
    return f"{layout.columns}x{layout.rows}:{column},{row},u{digits}"


def _bits(data: bytes) -> str:
    return "".join(f"{byte:08b}" for byte in data)
