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
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import Cursor, fault
from mineproof.recordings.recording import (
    CODES,
    KINDS,
    LEVEL_NAMES,
    NO_GUESS,
    SQUARE,
    Column,
    Events,
    Places,
    Recording,
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
    walked,
)

MAGIC = b"*rmv"
LEFT_FRAME, TOP_FRAME = 12, 56  # pixels around the board that version 1 counts

_STAMP = 0
_MOUSE = ("mv", "lc", "lr", "rc", "rr", "mc", "mr")  # codes 1 to 7
_SHORT_MOVE = 28
_CELLS = [*range(9, 15), *range(18, 28)]
_NUMBERS = range(18, 27)  # a cell opened, with its number
_ENDS = {15: False, 16: True, 17: None}  # lost, won, another end
_EVENTS = "0 to 7, 9 to 28"
_LENGTHS = {  # bytes of the events of each version, their codes among them
    version: dict.fromkeys(range(1, len(_MOUSE) + 1), 9) | dict.fromkeys(_CELLS, 3) | own
    for version, own in ((1, {_STAMP: 5}), (2, {_SHORT_MOVE: 3}))
}
_PROGRAM = re.compile(r"\s*Copyright.*", re.DOTALL)
_RESULT = re.compile(rb"[\n#]3BV:([0-9]{1,6})#")


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
    where = sections["properties"].at
    properties = _properties(sections["properties"], version)
    if properties.mode in NO_GUESS:
        layout = replace(layout, no_guess=True)
    begin = sections["events"].at
    mouse = _events(sections["events"], version, layout)
    notes = time_notes(mouse.ms, mouse.events.last_ms) + level_notes(properties.level, layout)
    if cursor.left:
        notes.append(f"found {plural(cursor.left, 'byte')} behind the last section, expected none")
    bbbv = properties.bbbv if version == 2 else _stated_bbbv(sections["the result"])
    program = _program(sections, version, nameless=data[6] == 0)
    player = _player(sections["players"], properties.utf8)
    return Recording(
        "rmv", program, layout, mouse.events, player, played, properties.mode, properties.marks, properties.square,
        mouse.ms, bbbv, mouse.won, mouse.opened, flagged, places=Places(where + 2, mouse.end, begin),
        notes=tuple(notes),
    )  # fmt: skip


def _sections(cursor: Cursor, version: int) -> dict[str, Cursor]:
    """Every section with its bounds; none is larger than what is left of the file."""
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


def _program(sections: dict[str, Cursor], version: int, *, nameless: bool) -> str:
    """From the text on it; a program without a number of its own (``nameless``) may give itself a name."""
    text = sections["the version text"]
    begin, data = text.at, text.take(text.left, "the version text")
    found = utf8_of(data, begin, "the version text") if version == 2 else name_of(data)
    further = _further(sections["further properties"]) if version == 2 else {}
    return (nameless and further.get("clone_name")) or _PROGRAM.sub("", found)


def _further(cursor: Cursor) -> dict[str, str]:
    """Names and values of version 2."""
    if not cursor.left:
        return {}
    pairs = cursor.number(2, "the number of further properties")
    cursor.require(2 * pairs, plural(pairs, "property and its value"))
    return {_text(cursor, "the name of a property"): _text(cursor, "a property") for _ in range(pairs)}


def _text(cursor: Cursor, what: str, *, utf8: bool = True) -> str:
    data = cursor.counted(1, what)
    return utf8_of(data, cursor.at - len(data), what) if utf8 else name_of(data)


def _stated_bbbv(cursor: Cursor) -> int | None:
    """From the text of version 1; 0 in games that were lost."""
    found = _RESULT.search(cursor.take(cursor.left, "the result"))
    return None if found is None else int(found[1])


class _Properties(NamedTuple):
    marks: bool
    mode: int
    level: str | None
    utf8: bool
    bbbv: int | None
    square: int


def _properties(cursor: Cursor, version: int) -> _Properties:
    """A byte each, in order; the last ones may be missing."""
    told = cursor.take(cursor.left, "properties")
    marks, _, mode, level, first, second, square = told[:7].ljust(7, b"\0")
    later = version == 2
    if later and len(told) > 6 and not square:
        raise cursor.fault("found 0 as pixels of a cell, expected 1 or more", len(told) - 6)
    return _Properties(
        marks != 0, mode, dict(enumerate(LEVEL_NAMES)).get(level) if len(told) > 3 else None, later or first != 0,
        second << 8 | first if later and len(told) > 5 else None, square if later and square else SQUARE,
    )  # fmt: skip


def _player(cursor: Cursor, utf8: bool) -> str:
    """The name, or the nickname where there is none. A token that comes later is nobody's business."""
    if not cursor.left:
        return ""
    count = cursor.number(2, "the number of player texts")
    cursor.require(count, plural(count, "text"))
    texts = [_text(cursor, "a text on the player", utf8=utf8) for _ in range(count)]
    return next(filter(None, texts[:2]), "")


def _board(cursor: Cursor) -> tuple[datetime | None, Layout]:
    seconds = cursor.number(4, "when the board was made")
    columns, rows = read_sides(cursor)
    layout = read_mines(cursor, rows, columns, read_mine_count(cursor, rows, columns))
    return datetime.fromtimestamp(seconds, UTC) if seconds else None, layout


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
    """``end`` is where the code that ends all is, ``ms`` the time behind it."""

    events: Events
    opened: dict[Cell, int]
    ms: int
    won: bool | None
    end: int


def _events(cursor: Cursor, version: int, layout: Layout) -> _Mouse:
    offsets = walked(cursor, _LENGTHS[version], _ENDS, f"{_EVENTS} of version {version}")
    end, code = cursor.at, cursor.number(1, "the end of the events")
    last = cursor.number(3, "milliseconds")
    data = np.frombuffer(cursor.data, np.uint8)
    codes = data[offsets]
    mouse = offsets[(codes <= len(_MOUSE)) & (codes != _STAMP) | (codes == _SHORT_MOVE)]
    events = _of_mouse(data, mouse, version)
    require_rising_at(np.append(events.ms, last), np.append(mouse, end))
    if len(events) and KINDS[events.kinds[0]] == "lr":
        events = Events.from_columns(*(np.insert(column, 0, column[0]) for column in events.columns))
        events.kinds[0] = CODES["lc"]
    cells = np.isin(codes, _CELLS)
    return _Mouse(events, _opened(data, offsets[cells], layout), last, _ENDS[code], end)


def _of_mouse(data: npt.NDArray[np.uint8], offsets: Column, version: int) -> Events:
    """Times and places are told, or in a short move what changed since the event before."""
    codes = numbers_at(data, offsets, 1)
    short = codes == _SHORT_MOVE
    if len(short) and short[0]:
        raise fault(int(offsets[0]), "found a short move, expected an event of the mouse before it")
    told = np.flatnonzero(~short)
    after = told[np.cumsum(~short) - 1]  # for each event, the last one that told
    both = numbers_at(data, offsets + 2, 1)
    changes = (numbers_at(data, offsets + 1, 1), _signed(both >> 4, 4), _signed(both & 15, 4))
    columns = []
    for values, change in zip(_told(data, offsets[told], version), changes, strict=True):
        so_far = np.cumsum(np.where(short, change, 0))
        first = np.zeros(len(codes), dtype=np.int64)
        first[told] = values
        columns.append(first[after] + so_far - so_far[after])
    kinds = np.array([CODES[what] for what in _MOUSE])[np.where(short, 1, codes) - 1]
    return Events.from_columns(kinds, *columns)


def _told(data: npt.NDArray[np.uint8], offsets: Column, version: int) -> tuple[Column, Column, Column]:
    """Milliseconds, x and y of events of nine bytes; version 1 counts places from the corner of the window."""
    ms, x, y = (numbers_at(data, offsets + place, length) for place, length in ((1, 3), (5, 2), (7, 2)))
    return (ms, x - LEFT_FRAME, y - TOP_FRAME) if version == 1 else (ms, _signed(x, 16), _signed(y, 16))


def _signed(values: Column, bits: int) -> Column:
    return values - (values >> (bits - 1) << bits)


def _opened(data: npt.NDArray[np.uint8], offsets: Column, layout: Layout) -> dict[Cell, int]:
    """The cells that were opened, and where that is told; cells must be on the board, and numbers those they have."""
    column, row = (numbers_at(data, offsets + place, 1) for place in (1, 2))
    board = size(layout.rows, layout.columns)
    for index in np.flatnonzero((row >= layout.rows) | (column >= layout.columns)).tolist():
        found = at((int(row[index]), int(column[index])))
        raise fault(int(offsets[index]) + 1, f"found the cell {found}, expected one inside {board}")
    numbers = numbers_at(data, offsets, 1) - _NUMBERS.start
    shown = np.flatnonzero((numbers >= 0) & (numbers < len(_NUMBERS)))
    places = row[shown] * layout.columns + column[shown]
    known = layout.numbers().astype(np.int64)
    known[[r * layout.columns + c for r, c in layout.mines]] = -1
    for index in shown[numbers[shown] != known[places]].tolist():
        cell = (int(row[index]), int(column[index]))
        has = "a mine" if cell in layout.mines else f"its {known[cell[0] * layout.columns + cell[1]]}"
        raise fault(int(offsets[index]), f"found a {numbers[index]} opened at {at(cell)}, expected {has}")
    cells = zip(row[shown].tolist(), column[shown].tolist(), strict=True)
    return dict(zip(cells, offsets[shown].tolist(), strict=True))
