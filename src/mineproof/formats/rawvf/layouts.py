"""Read and write the layout and the header of a RAWVF replay."""

from __future__ import annotations

import re

from mineproof.board.levels import Size, level_of
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import ParsedValue, decode, require_grid
from mineproof.formats.rawvf.sheet import RawvfSheet
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.version import VERSION
from mineproof.wording.catalogue import message

_FITS = re.compile(r"(?:\A\ufeff?|[\r\n])[ \t]*Board:[ \t]*[\r\n]+[ \t]*[*0]+[ \t]*(?:[\r\n]|\Z)", re.IGNORECASE)


def fits(text: str) -> bool:
    """Does the text contain the board of a replay?"""
    return _FITS.search(text) is not None


def decode_replay(data: bytes) -> str:
    """Decode a file. Names of players may be in any encoding; everything else is ASCII."""
    try:
        return decode(data)
    except BoardSyntaxError:
        pass
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read(text: str) -> ParsedValue:
    """Return the layout of a replay."""
    return ParsedValue(RawvfSheet.of(text).layout(), note=message("format-note-rawvf"))


def read_bytes(data: bytes) -> ParsedValue:
    """Return the layout of a replay in the bytes of a file."""
    return read(decode_replay(data))


def write(layout: Layout) -> str:
    """Return a replay without events."""
    require_grid(layout, "rawvf")
    return "\n".join([*description(layout), f"Mode: {mode(layout)}", *board_lines(layout), "Events:"])


def description(layout: Layout, marks: bool = False, program: str = "") -> list[str]:
    """Return the header of a replay; ``program`` is the program that recorded it, by default mineproof."""
    level = level_of(Size(layout.rows, layout.columns, layout.total_mines)) or "custom"
    return [
        "RawVF_Version: Rev6",
        *([f"Program: {program}"] if program else ["Program: mineproof", f"Version: {VERSION}"]),
        f"Level: {level.capitalize()}",
        f"Width: {layout.columns}",
        f"Height: {layout.rows}",
        f"Mines: {layout.total_mines}",
        f"Marks: {'On' if marks else 'Off'}",
        f"BBBV: {measure(layout, zini=False).bbbv}",
    ]


def mode(layout: Layout) -> str:
    """Return the mode of a layout."""
    return "NG" if layout.no_guess else "Classic"


def board_lines(layout: Layout) -> list[str]:
    """Return the board section of a replay."""
    return ["Board:", *str(layout).replace(".", "0").split("\n")]
