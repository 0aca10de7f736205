"""AVF, the recordings of Minesweeper Arbiter 0.35 to 0.52.3.

The bytes have no mark of their own. A version, a level, the mines (row and column, from 1), then three sums written in
decimal digits (over the board, the name and a text in brackets), between them the index of the last record, the
country, the name and whether there are question marks; then records of 8 bytes, lines of text and a checksum of which
nobody knows the rule.

Digits, name and index are stored with 45 taken off every byte. The third sum has no end of its own, and a record may
begin with what could be a digit; so it is worked out, and must stand there.

What is not believed: the time in the brackets is a second too long, and sometimes quite another one, and `RealTime` can
be wrong with it. The events tell the time.

Versions before 0.49 were never seen with the sums: where these do not fit, the brackets are looked for, and behind them
the first bytes that can be a record. Later ones must fit: each sum is a check of the bytes before it. FreeSweeper
writes version 0 and hides a digit of each time elsewhere; it is refused.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

import numpy as np

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import Cursor, fault
from mineproof.recordings.recording import (
    CODES,
    LEVEL_NAMES,
    Events,
    Places,
    Recording,
    level_notes,
    name_of,
    read_mine_count,
    read_mines,
    read_sides,
    require_events,
    require_hundredths,
    require_length,
    require_rising,
    time_notes,
    when,
)

OLDEST, NEWEST = 35, 99
SUMS = 49  # the version from which on the sums must fit
REAL_TIME = 47  # the version from which on there are lines with the time and the skin
LEVELS = {3: (8, 8, 10), 4: (16, 16, 40), 5: (16, 30, 99)}
CUSTOM = 6
SHIFT = 45
RECORD = 8
TERMINATORS = 6
FAR = 256  # bytes between the records and the checksum, at most

_TYPES = {1: "mv", 3: "lc", 5: "lr", 9: "rc", 17: "rr", 33: "mc", 65: "mr", 145: "rr", 193: "mr", 21: "lr", 11: "sc"}
_MARKS = {0x11: True, 0x7F: False}
_BRACKETS = re.compile(rb"\[[0-3]\|")
_END = re.compile(r"B(?P<bbbv>[0-9]{1,6})T(?P<seconds>[0-9]{1,6})(?:[.,](?P<parts>[0-9]{1,3}))?")
_STARTED = re.compile(
    r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})\."
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})"
)


def looks_so(data: bytes) -> bool:
    """Could this be one, by its version, its level and its mines? Reading it tells."""
    if len(data) <= RECORD or not OLDEST <= data[0] <= NEWEST:
        return False
    try:
        _layout(Cursor(data, 5))
    except BoardSyntaxError:
        return data[-FAR:].find(b"Minesweeper Arbiter") >= 0
    return True


def read(data: bytes) -> Recording:
    require_length(data)
    cursor = Cursor(data)
    version = cursor.number(1, "the version")
    if not OLDEST <= version <= NEWEST:
        words = f"{OLDEST} to {NEWEST} (Minesweeper Arbiter 0.{OLDEST} to 0.{NEWEST})"
        hint = ", as FreeSweeper writes" if version == 0 else ""
        raise cursor.fault(f"found version {version}{hint}, expected {words}", 1)
    cursor.take(4, "random bytes")
    layout = _layout(cursor)
    try:
        head = _head(cursor, layout)
    except BoardSyntaxError:
        if version >= SUMS:
            raise
        head = _older_head(data, cursor.at)
    events = _events(cursor.data, head)
    player, program = _tail(data, head.records + RECORD * head.total, version)
    notes = time_notes(head.ms, events.last_ms) + level_notes(head.level, layout)
    if b"Copyright" not in data[-FAR:]:
        notes.append("found a line on the program without 'Copyright', expected one: the end may be cut off")
    return Recording(
        "avf", program, layout, events, head.player or player, head.played, marks=head.marks, ms=head.ms,
        bbbv=head.bbbv, places=Places(events=head.records), notes=tuple(notes),
    )  # fmt: skip


def _layout(cursor: Cursor) -> Layout:
    level = cursor.known(1, "the level", (*LEVELS, CUSTOM), "3 (8 × 8), 4 (16 × 16), 5 (30 × 16) or 6 (custom)")
    if level == CUSTOM:
        columns, rows = read_sides(cursor, more=1)
        mines = read_mine_count(cursor, rows, columns)
    else:
        rows, columns, mines = LEVELS[level]
    return read_mines(cursor, rows, columns, mines, row_first=True, from_one=True)


class _Head(NamedTuple):
    """What stands between the mines and the records; ``records`` is where they begin, ``level`` None if custom."""

    player: str
    marks: bool
    level: str | None
    played: datetime | None
    ms: int | None
    bbbv: int | None
    records: int
    total: int


def _head(cursor: Cursor, layout: Layout) -> _Head:
    _sum(cursor, _board_sum(layout), "the sum over the board")
    last = int.from_bytes(_shifted(cursor.take(4, "the index of the last record")), "big")
    cursor.take(1, "the country")
    name = _shifted(cursor.counted(1, "the name"))
    _sum(cursor, _text_sum(name), "the sum over the name")
    marks = cursor.known(1, "the question marks", tuple(_MARKS), "17 (on) or 127 (off)")
    brackets = cursor.counted(1, "the text in brackets")
    if not (brackets.startswith(b"[") and brackets.endswith(b"]")):
        raise cursor.fault(f"found {quote(name_of(brackets))}, expected a text in brackets", len(brackets))
    _sum(cursor, _text_sum(brackets), "the sum over the text in brackets")
    require_events(last + 1, cursor.at)
    cursor.require(RECORD * (last + 1), plural(last + 1, "record"))
    return _Head(name_of(name), _MARKS[marks], *_told(brackets), cursor.at, last + 1)


def _older_head(data: bytes, begin: int) -> _Head:
    """The same without the sums: where the brackets are, and the first bytes behind them that can be a record."""
    opens = next(
        (found.start() for found in _BRACKETS.finditer(data, begin + 2) if data[found.start() - 2] in _MARKS), None
    )
    closes = -1 if opens is None else data.find(b"]", opens, opens + 256)
    if opens is None or closes < 0:
        raise fault(begin, "found no text such as [0|…], expected one behind the mines")
    # behind the brackets are the digits of a sum, some bytes at most
    stop = min(len(data) - RECORD, closes + 16)
    first = next((at for at in range(closes + 1, stop) if data[at + 1] <= 1 and data[at + 2] == 1), None)
    if first is None:
        raise fault(closes + 1, "found no record, expected one behind the text in brackets")
    whole = (len(data) - first) // RECORD
    records = np.frombuffer(data, np.uint8, RECORD * whole, first).reshape(-1, RECORD)
    ends = np.flatnonzero((records[:, 2] == 0) & (records[:, 6] == 0))
    total = int(ends[0]) + TERMINATORS if ends.size else whole + 1
    require_events(total, first)
    if total > whole:
        raise fault(len(data), f"found the end, expected records up to {TERMINATORS} of 0 s")
    brackets = data[opens : closes + 1]
    return _Head("", _MARKS[data[opens - 2]], *_told(brackets), first, total)


def _told(brackets: bytes) -> tuple[str | None, datetime | None, int | None, int | None]:
    """The level, when it began, its time in milliseconds, and its 3BV."""
    text = brackets.decode("latin-1")
    level = dict(zip("012", LEVEL_NAMES, strict=True)).get(text[1:2])
    started, end = _STARTED.search(text), _END.search(text)
    names = ("year", "month", "day", "hour", "minute", "second")
    played = None if started is None else when([int(started[name]) for name in names])
    if end is None:
        return level, played, None, None
    ms = 1000 * int(end["seconds"]) + int(f"{end['parts'] or ''}000"[:3])
    return level, played, max(0, ms - 1000), int(end["bbbv"])  # it is told a second too long


# sums and shifts


def _shifted(data: bytes) -> bytes:
    return bytes((byte + SHIFT) % 256 for byte in data)


def _sum(cursor: Cursor, expected: int, what: str) -> None:
    digits = bytes((ord(digit) - SHIFT) % 256 for digit in str(expected))
    found = cursor.take(len(digits), what)
    if found != digits:
        shown = name_of(_shifted(found))
        raise cursor.fault(f"found {quote(shown)} as {what}, expected {expected}", len(digits))


def _board_sum(layout: Layout) -> int:
    """Ten for a mine, else one more than its number, times the column (from 0) and the row (from 1)."""
    values = layout.numbers().astype(np.int64).reshape(layout.rows, layout.columns) + 1
    for cell in layout.mines:
        values[cell] = 10
    return int((values * np.arange(layout.columns) * np.arange(1, layout.rows + 1)[:, None]).sum())


def _text_sum(text: bytes) -> int:
    return sum(place * byte for place, byte in enumerate(text, 1))


# records


def _events(data: bytes, head: _Head) -> Events:
    """Records are: type, x high, seconds low, x low, hundredths, y high, seconds high, y low; seconds are from 1."""
    offset, count = head.records, head.total
    records = np.frombuffer(data, np.uint8, RECORD * count, offset).reshape(-1, RECORD).astype(np.int64)
    seconds = records[:, 6] << 8 | records[:, 2]
    kept = count - TERMINATORS
    wrong = np.flatnonzero((seconds == 0) != (np.arange(count) >= kept))
    if kept < 0 or wrong.size:
        index = int(wrong[0]) if wrong.size else 0
        words = f"found {plural(int(seconds[index]), 'second')} (from 1) in record {index} of {count}"
        raise fault(offset + RECORD * index, f"{words}, expected 0 in the last {TERMINATORS} alone")
    types, hundredths = records[:kept, 0], records[:kept, 4]
    strange = np.flatnonzero(~np.isin(types, list(_TYPES)))
    if strange.size:
        index = int(strange[0])
        known = ", ".join(map(str, sorted(_TYPES)))
        raise fault(offset + RECORD * index, f"found an event of type {int(types[index])}, expected one of {known}")
    require_hundredths(hundredths, offset + 4, RECORD)
    ms = (seconds[:kept] - 1) * 1000 + hundredths * 10
    require_rising(ms, offset, RECORD)
    codes = np.zeros(256, dtype=np.uint8)
    codes[list(_TYPES)] = [CODES[kind] for kind in _TYPES.values()]
    x, y = records[:kept, 1] << 8 | records[:kept, 3], records[:kept, 5] << 8 | records[:kept, 7]
    return Events.from_columns(codes[types], ms, x, y)


def _tail(data: bytes, begin: int, version: int) -> tuple[str, str]:
    """The name and the program, from the lines behind the records."""
    mark = data.find(b"\rcs=", begin, begin + FAR)
    if mark < 0:
        raise fault(begin, f"found {plural(len(data) - begin, 'byte')} up to the end, expected 'cs=' and a checksum")
    cursor = Cursor(data, mark + 4)
    cursor.take(16, "the checksum")
    cursor.expect(b"\r", "a line end behind the checksum")
    expected = ("the time", "the skin", "the name", "the program")[0 if version >= REAL_TIME else 2 :]
    lines = data[cursor.at :].split(b"\r", len(expected) - 1)
    if len(lines) < len(expected) or not lines[-1]:
        raise fault(len(data), f"found the end, expected a line with {expected[len(lines) - 1]}")
    return name_of(lines[-2]), name_of(lines[-1]).partition(". Copyright")[0]
