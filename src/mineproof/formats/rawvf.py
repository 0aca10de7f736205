"""The layout of a RAWVF replay, and how such a replay begins. What was played is told by `mineproof.replays.rawvf`."""

from __future__ import annotations

import re

from mineproof.board.levels import Size, level_of
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import Found, decode, require_grid
from mineproof.formats.rawvf_sheet import Sheet
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.version import VERSION

_FITS = re.compile(r"(?:\A\ufeff?|[\r\n])[ \t]*Board:[ \t]*[\r\n]+[ \t]*[*0]+[ \t]*(?:[\r\n]|\Z)", re.IGNORECASE)


def fits(text: str) -> bool:
    """Is there a board as a replay has it?"""
    return _FITS.search(text) is not None


def decoded(data: bytes) -> str:
    """The text of a file. Names of players may be in any encoding; all that matters else is ASCII."""
    try:
        return decode(data)
    except BoardSyntaxError:
        pass
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read(text: str) -> Found:
    """The layout of a replay."""
    return Found(Sheet.of(text).layout(), note="layout of a RAWVF replay")


def read_bytes(data: bytes) -> Found:
    return read(decoded(data))


def write(layout: Layout) -> str:
    """A replay in which nothing happens."""
    require_grid(layout, "rawvf")
    return "\n".join([*description(layout), f"Mode: {mode(layout)}", *board_lines(layout), "Events:"])


def description(layout: Layout, marks: bool = False, program: str = "") -> list[str]:
    """The keys that a replay begins with; ``program`` is who recorded it, if not we."""
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
    return "NG" if layout.no_guess else "Classic"


def board_lines(layout: Layout) -> list[str]:
    return ["Board:", *str(layout).replace(".", "0").split("\n")]
