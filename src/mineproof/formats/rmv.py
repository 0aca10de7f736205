"""RMV, the recordings of Viennasweeper, versions 1 and 2.

The header has the sizes of the sections, which follow without gaps up to the end of the file. Each section is read
within its own bounds. A recording contains mouse events and also the cells that they opened. Both are compared: cells
that the file states as opened must be open at the end.

The first press is missing: the first mouse event is the release that opened a cell. The reader adds the press. The size
of the file in the header is two too small in version 2. The score in the text of version 1 is a rounded time, and in
some releases a second too long. Neither is used.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.formats.replays.cursor import ByteCursor, fault
from mineproof.formats.replays.recording import (
    CODES,
    KINDS,
    LEVEL_NAMES,
    NO_GUESS,
    SQUARE,
    Column,
    Events,
    FieldOffsets,
    Recording,
    event_offsets,
    level_notes,
    name_of,
    numbers_at,
    read_mine_count,
    read_mines,
    read_sides,
    require_length,
    require_rising_at,
    time_notes,
    utf8_of,
)
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import plural as plural_message

MAGIC = b"*rmv"
LEFT_FRAME, TOP_FRAME = 12, 56  # pixels around the board that version 1 counts

_STAMP = 0
_MOUSE = ("mv", "lc", "lr", "rc", "rr", "mc", "mr")  # codes 1 to 7
_SHORT_MOVE = 28
_CELLS = [*range(9, 15), *range(18, 28)]
_NUMBERS = range(18, 27)  # a cell opened, with its number
_ENDS = {15: False, 16: True, 17: None}  # lost, won, another end
_EVENTS = "0 to 7, 9 to 28"
_LENGTHS = {  # bytes of the events of each version, including their codes
    version: dict.fromkeys(range(1, len(_MOUSE) + 1), 9) | dict.fromkeys(_CELLS, 3) | own
    for version, own in ((1, {_STAMP: 5}), (2, {_SHORT_MOVE: 3}))
}
_PROGRAM = re.compile(r"\s*Copyright.*", re.DOTALL)
_RESULT = re.compile(rb"[\n#]3BV:([0-9]{1,6})#")


def fits(data: bytes) -> bool:
    return data.startswith(MAGIC)


def read(data: bytes) -> Recording:
    """Parse an RMV file."""
    require_length(data)
    cursor = ByteCursor(data)
    cursor.expect(MAGIC, "'*rmv'")
    version = cursor.number_in(2, "the format version", (1, 2), "1 or 2")
    sections = _sections(cursor, version)
    played, layout = _board(sections["the board"])
    flagged = _preflags(sections["flags before the start"], layout)
    where = sections["properties"].at
    properties = _properties(sections["properties"], version)
    if properties.mode in NO_GUESS:
        layout = replace(layout, no_guess=True)
    begin = sections["events"].at
    mouse = _events(sections["events"], version, layout)
    notes = time_notes(mouse.ms, mouse.events.last_ms) + level_notes(properties.level, layout)
    if cursor.left:
        notes.append(plural_message("replay-bytes-after-sections", cursor.left))
    bbbv = properties.bbbv if version == 2 else _stated_bbbv(sections["the result"])
    program = _program(sections, version, nameless=data[6] == 0)
    player = _player(sections["players"], properties.utf8)
    return Recording(
        "rmv", program, layout, mouse.events, player, played, properties.mode, properties.marks, properties.square,
        mouse.ms, bbbv, mouse.won, mouse.opened, flagged, places=FieldOffsets(where + 2, mouse.end, begin),
        notes=tuple(notes),
    )  # fmt: skip


def _sections(cursor: ByteCursor, version: int) -> dict[str, ByteCursor]:
    """Return a cursor for each section; none is larger than the rest of the file."""
    names = ["the version text", "players", "the board", "flags before the start", "properties"]
    if version == 1:
        names.insert(0, "the result")
    else:
        cursor.take(2, "the program")
        names.append("further properties")
    cursor.take(4, "the size of the file")
    sizes = {name: cursor.number(2, f"the size of {name}") for name in names}
    sizes["events"] = cursor.number(4, "the size of events")
    sizes["the checksum"] = cursor.number(2, "the size of the checksum")
    return {name: cursor.section(length, name) for name, length in sizes.items()}


def _program(sections: dict[str, ByteCursor], version: int, *, nameless: bool) -> str:
    """Return the program from the version text; a program without a number (``nameless``) may state its name."""
    text = sections["the version text"]
    begin, data = text.at, text.take(text.left, "the version text")
    version_text = utf8_of(data, begin, "the version text") if version == 2 else name_of(data)
    further = _further_properties(sections["further properties"]) if version == 2 else {}
    return (nameless and further.get("clone_name")) or _PROGRAM.sub("", version_text)


def _further_properties(cursor: ByteCursor) -> dict[str, str]:
    """Read the names and values of version 2."""
    if not cursor.left:
        return {}
    pairs = cursor.number(2, "the number of further properties")
    cursor.require(2 * pairs, "1 further property" if pairs == 1 else f"{pairs:,} further properties")
    return {_text(cursor, "the name of a property"): _text(cursor, "a property") for _ in range(pairs)}


def _text(cursor: ByteCursor, what: str, *, utf8: bool = True) -> str:
    data = cursor.counted_text(1, what)
    return utf8_of(data, cursor.at - len(data), what) if utf8 else name_of(data)


def _stated_bbbv(cursor: ByteCursor) -> int | None:
    """Read the 3BV from the text of version 1; it is 0 in lost games."""
    match = _RESULT.search(cursor.take(cursor.left, "the result"))
    return None if match is None else int(match[1])


class _Properties(NamedTuple):
    marks: bool
    mode: int
    level: str | None
    utf8: bool
    bbbv: int | None
    square: int


def _properties(cursor: ByteCursor, version: int) -> _Properties:
    """Read properties of one byte each; the last ones may be missing."""
    data = cursor.take(cursor.left, "properties")
    marks, _, mode, level, first, second, square = data[:7].ljust(7, b"\0")
    later = version == 2
    if later and len(data) > 6 and not square:
        raise cursor.fault("expected 1 or more pixels of a cell, got 0", len(data) - 6)
    return _Properties(
        marks != 0, mode, dict(enumerate(LEVEL_NAMES)).get(level) if len(data) > 3 else None, later or first != 0,
        second << 8 | first if later and len(data) > 5 else None, square if later and square else SQUARE,
    )  # fmt: skip


def _player(cursor: ByteCursor, utf8: bool) -> str:
    """Return the name, or the nickname if there is no name. The token after them is private and not read."""
    if not cursor.left:
        return ""
    count = cursor.number(2, "the number of player texts")
    cursor.require(count, plural(count, "text"))
    texts = [_text(cursor, "a text on the player", utf8=utf8) for _ in range(count)]
    return next(filter(None, texts[:2]), "")


def _board(cursor: ByteCursor) -> tuple[datetime | None, Layout]:
    seconds = cursor.number(4, "when the board was made")
    columns, rows = read_sides(cursor)
    layout = read_mines(cursor, rows, columns, read_mine_count(cursor, rows, columns))
    return datetime.fromtimestamp(seconds, UTC) if seconds else None, layout


def _preflags(cursor: ByteCursor, layout: Layout) -> tuple[Cell, ...]:
    if not cursor.left:
        return ()
    count = cursor.number(2, "the number of flags before the start")
    cursor.require(2 * count, plural(count, "flag"))
    return tuple(_cell(cursor, layout) for _ in range(count))


def _cell(cursor: ByteCursor, layout: Layout) -> Cell:
    column, row = cursor.take(2, "a cell")
    if row >= layout.rows or column >= layout.columns:
        board = size(layout.rows, layout.columns)
        raise cursor.fault(f"expected a cell inside {board}, got {at((row, column))}", 2)
    return row, column


# events


class _Mouse(NamedTuple):
    """Events and result; ``end`` is the offset of the code that ends the events, ``ms`` the time after it."""

    events: Events
    opened: dict[Cell, int]
    ms: int
    won: bool | None
    end: int


def _events(cursor: ByteCursor, version: int, layout: Layout) -> _Mouse:
    offsets = event_offsets(cursor, _LENGTHS[version], _ENDS, f"{_EVENTS} of version {version}")
    end, code = cursor.at, cursor.number(1, "the end of the events")
    last = cursor.number(3, "milliseconds")
    data = np.frombuffer(cursor.data, np.uint8)
    codes = data[offsets]
    mouse = offsets[(codes <= len(_MOUSE)) & (codes != _STAMP) | (codes == _SHORT_MOVE)]
    events = _mouse_events(data, mouse, version)
    require_rising_at(np.append(events.ms, last), np.append(mouse, end))
    if len(events) and KINDS[events.kinds[0]] == "lr":
        events = Events.from_columns(*(np.insert(column, 0, column[0]) for column in events.columns))
        events.kinds[0] = CODES["lc"]
    cells = np.isin(codes, _CELLS)
    return _Mouse(events, _opened_cells(data, offsets[cells], layout), last, _ENDS[code], end)


def _mouse_events(data: npt.NDArray[np.uint8], offsets: Column, version: int) -> Events:
    """Parse mouse events: absolute times and places, or in a short move the change since the previous event."""
    codes = numbers_at(data, offsets, 1)
    short = codes == _SHORT_MOVE
    if len(short) and short[0]:
        raise fault(int(offsets[0]), "expected a complete mouse event first, got a short move")
    absolute = np.flatnonzero(~short)
    after = absolute[np.cumsum(~short) - 1]  # for each event, the last absolute one
    both = numbers_at(data, offsets + 2, 1)
    changes = (numbers_at(data, offsets + 1, 1), _as_signed(both >> 4, 4), _as_signed(both & 15, 4))
    columns = []
    for values, change in zip(_absolute_events(data, offsets[absolute], version), changes, strict=True):
        so_far = np.cumsum(np.where(short, change, 0))
        first = np.zeros(len(codes), dtype=np.int64)
        first[absolute] = values
        columns.append(first[after] + so_far - so_far[after])
    kinds = np.array([CODES[what] for what in _MOUSE])[np.where(short, 1, codes) - 1]
    return Events.from_columns(kinds, *columns)


def _absolute_events(data: npt.NDArray[np.uint8], offsets: Column, version: int) -> tuple[Column, Column, Column]:
    """Return milliseconds, x and y of events of nine bytes; version 1 counts from the corner of the window."""
    ms, x, y = (numbers_at(data, offsets + place, length) for place, length in ((1, 3), (5, 2), (7, 2)))
    return (ms, x - LEFT_FRAME, y - TOP_FRAME) if version == 1 else (ms, _as_signed(x, 16), _as_signed(y, 16))


def _as_signed(values: Column, bits: int) -> Column:
    return values - (values >> (bits - 1) << bits)


def _opened_cells(data: npt.NDArray[np.uint8], offsets: Column, layout: Layout) -> dict[Cell, int]:
    """Return the opened cells with the offsets of their events; cells and numbers must fit the board."""
    column, row = (numbers_at(data, offsets + place, 1) for place in (1, 2))
    board = size(layout.rows, layout.columns)
    for index in np.flatnonzero((row >= layout.rows) | (column >= layout.columns)).tolist():
        cell = (int(row[index]), int(column[index]))
        raise fault(int(offsets[index]) + 1, f"expected a cell inside {board}, got {at(cell)}")
    numbers = numbers_at(data, offsets, 1) - _NUMBERS.start
    shown = np.flatnonzero((numbers >= 0) & (numbers < len(_NUMBERS)))
    places = row[shown] * layout.columns + column[shown]
    known = layout.numbers().astype(np.int64)
    known[[r * layout.columns + c for r, c in layout.mines]] = -1
    for index in shown[numbers[shown] != known[places]].tolist():
        cell = (int(row[index]), int(column[index]))
        content = "a mine" if cell in layout.mines else f"a {known[cell[0] * layout.columns + cell[1]]}"
        raise fault(int(offsets[index]), f"expected {content} at {at(cell)}, got an opened {numbers[index]}")
    cells = zip(row[shown].tolist(), column[shown].tolist(), strict=True)
    return dict(zip(cells, offsets[shown].tolist(), strict=True))
