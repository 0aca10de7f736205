"""RMV, the recordings of Viennasweeper, versions 1 and 2.

The head tells the sizes of the sections that follow back to back up to the end of the file; each is read inside its own
bounds. Beside what the mouse did, a recording tells how the cells looked after it, so that it can be checked that both
were understood: what it says was opened must be open in the end.

The first press is missing: the first event of the mouse is the release that opened. The press is put before it. The
size of the file that the head tells is two too small in version 2, and the score in the text of version 1 is a rounded
time, of some releases a second too long; neither is used.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import NamedTuple

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import Cursor
from mineproof.recordings.recording import (
    CODES,
    NO_GUESS,
    SQUARE,
    Events,
    Recording,
    Row,
    name_of,
    read_mine_count,
    read_mines,
    read_sides,
    require_events,
    require_length,
    time_notes,
)

MAGIC = b"*rmv"
LEFT_FRAME, TOP_FRAME = 12, 56  # pixels around the board that version 1 counts

_STAMP = 0
_MOUSE = ("mv", "lc", "lr", "rc", "rr", "mc", "mr")  # codes 1 to 7
_SHORT_MOVE = 28
_CELLS = frozenset([*range(9, 15), *range(18, 28)])
_NUMBERS = range(18, 27)  # a cell opened, with its number
_ENDS = {15: False, 16: True, 17: None}  # lost, won, another end
_EVENTS = "0 to 7, 9 to 28"
_PROGRAM = re.compile(r"\s*Copyright.*", re.DOTALL)


def looks_so(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read(data: bytes) -> Recording:
    require_length(data)
    cursor = Cursor(data)
    cursor.expect(MAGIC, "'*rmv'")
    version = cursor.known(2, "the format version", (1, 2), "1 or 2")
    sections = _sections(cursor, version)
    played, layout = _board(sections["the board"])
    flagged = _preflags(sections["flags before the start"], layout)
    properties = sections["properties"]
    told = properties.take(properties.left, "properties")
    mode = told[2] if len(told) > 2 else 0
    layout = _made(layout, mode)
    player = _player(sections["players"])
    mouse = _events(sections["events"], version, layout)
    notes = time_notes(mouse.ms, mouse.events.last_ms)
    if cursor.left:
        notes.append(f"found {plural(cursor.left, 'byte')} behind the last section, expected none")
    text = sections["the version text"]
    program = _PROGRAM.sub("", name_of(text.take(text.left, "the version text")))
    return Recording(
        "rmv", program, layout, mouse.events, player, played, mode, bool(told[:1] and told[0]),
        square=(told[6] if version == 2 and len(told) > 6 else SQUARE) or SQUARE, ms=mouse.ms,
        bbbv=int.from_bytes(told[4:6], "little") if version == 2 and len(told) > 5 else None,
        won=mouse.won, opened=mouse.opened, flagged=flagged, notes=tuple(notes),
    )  # fmt: skip


def _sections(cursor: Cursor, version: int) -> dict[str, Cursor]:
    """Every section with its bounds; none is larger than what is left of the file."""
    names = ["the version text", "players", "the board", "flags before the start", "properties"]
    if version == 1:
        cursor.take(4, "the size of the file")
        names.insert(0, "the result")
    else:
        cursor.take(2, "the program")
        cursor.take(4, "the size of the file")
        names.append("further properties")
    sizes = {name: cursor.number(2, f"the size of {name}") for name in names}
    sizes["events"] = cursor.number(4, "the size of events")
    sizes["the checksum"] = cursor.number(2, "the size of the checksum")
    return {name: cursor.section(length, name) for name, length in sizes.items()}


def _player(cursor: Cursor) -> str:
    """The name, or the nickname where there is none. A token that comes later is nobody's business."""
    if not cursor.left:
        return ""
    texts = [
        cursor.counted(1, "a text on the player") for _ in range(min(2, cursor.number(2, "the number of player texts")))
    ]
    return next(filter(None, map(name_of, texts)), "")


def _board(cursor: Cursor) -> tuple[datetime | None, Layout]:
    seconds = cursor.number(4, "when the board was made")
    columns, rows = read_sides(cursor)
    layout = read_mines(cursor, rows, columns, read_mine_count(cursor, rows, columns))
    return datetime.fromtimestamp(seconds, UTC) if seconds else None, layout


def _made(layout: Layout, mode: int) -> Layout:
    no_guess = mode in NO_GUESS
    return Layout(layout.rows, layout.columns, layout.mines, no_guess=True) if no_guess else layout


def _preflags(cursor: Cursor, layout: Layout) -> tuple[Cell, ...]:
    if not cursor.left:
        return ()
    count = cursor.number(2, "the number of flags before the start")
    cursor.require(2 * count, plural(count, "flag"))
    return tuple(_cell(cursor, layout) for _ in range(count))


def _cell(cursor: Cursor, layout: Layout) -> Cell:
    column, row = cursor.take(2, "a cell")
    if row >= layout.rows or column >= layout.columns:
        board = size(layout.rows, layout.columns)
        raise cursor.fault(f"found the cell {at((row, column))}, expected one inside {board}", 2)
    return row, column


# events


class _Mouse(NamedTuple):
    events: Events
    opened: frozenset[Cell]
    ms: int
    won: bool | None


def _events(cursor: Cursor, version: int, layout: Layout) -> _Mouse:
    place = _place_before_2 if version == 1 else _place
    rows: list[Row] = []
    opened: set[Cell] = set()
    ms = x = y = 0
    while (code := cursor.number(1, "an event")) not in _ENDS:
        if code in _CELLS:
            cell = _cell(cursor, layout)
            if code in _NUMBERS:
                opened.add(cell)
            continue
        if code == _STAMP and version == 1:
            cursor.take(4, "a time stamp")
            continue
        if 1 <= code <= len(_MOUSE):
            ms = _later(cursor, ms)
            cursor.take(1, "the buttons")
            x, y = place(cursor)
            what = _MOUSE[code - 1]
            if not rows and what == "lr":
                rows.append((CODES["lc"], ms, x, y))
        elif code == _SHORT_MOVE and version == 2 and rows:
            step, both = cursor.take(2, "a short move")
            ms, x, y = ms + step, x + _signed(both >> 4, 4), y + _signed(both & 15, 4)
            what = "mv"
        else:
            raise cursor.fault(f"found an event of code {code}, expected one of {_EVENTS} of version {version}", 1)
        rows.append((CODES[what], ms, x, y))
        require_events(len(rows), cursor.at)
    end = _later(cursor, ms)
    return _Mouse(Events.of(rows), frozenset(opened), end, _ENDS[code])


def _later(cursor: Cursor, ms: int) -> int:
    found = cursor.number(3, "milliseconds")
    if found < ms:
        raise cursor.fault(f"found {found} ms, expected no less than the {ms} ms before it", 3)
    return found


def _place_before_2(cursor: Cursor) -> tuple[int, int]:
    """From the corner of the window."""
    x, y = cursor.number(2, "x"), cursor.number(2, "y")
    return x - LEFT_FRAME, y - TOP_FRAME


def _place(cursor: Cursor) -> tuple[int, int]:
    """From the corner of the board."""
    return _signed(cursor.number(2, "x"), 16), _signed(cursor.number(2, "y"), 16)


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) else value
