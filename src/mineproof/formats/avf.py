"""AVF, the recordings of Minesweeper Arbiter 0.35 to 0.52.3.

A file has no magic number. It starts with a version, a level and the mines (row and column, from 1). Three sums in
decimal digits follow (of the board, the name and a text in brackets). Between them are the index of the last record,
the country, the name and whether question marks are on. Then come records of 8 bytes, lines of text and a checksum of
an unknown algorithm.

Digits, name and index are stored with 45 subtracted from every byte. The third sum has no end mark, and a record may
begin with a byte that could be a digit. So the sum is computed, and its digits must be in the file.

The stated times are not trusted: the time in the brackets is a second too long and sometimes entirely wrong, and
`RealTime` can be wrong as well. The time is taken from the events.

Files of versions before 0.49 with these sums are unknown. If the sums do not match, the reader searches for the
brackets, and then for the first bytes that can be a record. In later versions the sums must match. FreeSweeper writes
version 0 and hides a digit of each time elsewhere; such files are rejected.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

import numpy as np

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats.replays.cursor import ByteCursor, fault
from mineproof.formats.replays.recording import (
    CODES,
    LEVEL_NAMES,
    Events,
    FieldOffsets,
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
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import message

OLDEST, NEWEST = 35, 99
SUMS = 49  # first version in which the sums must match
REAL_TIME = 47  # first version with lines for the time and the skin
LEVELS = {3: (8, 8, 10), 4: (16, 16, 40), 5: (16, 30, 99)}
CUSTOM = 6
SHIFT = 45
RECORD = 8
TERMINATORS = 6
TAIL_MAX_BYTES = 256  # between the records and the checksum

_TYPES = {1: "mv", 3: "lc", 5: "lr", 9: "rc", 17: "rr", 33: "mc", 65: "mr", 145: "rr", 193: "mr", 21: "lr", 11: "sc"}
_MARKS = {0x11: True, 0x7F: False}
_BRACKETS = re.compile(rb"\[[0-3]\|")
_END = re.compile(r"B(?P<bbbv>[0-9]{1,6})T(?P<seconds>[0-9]{1,6})(?:[.,](?P<parts>[0-9]{1,3}))?")
_STARTED = re.compile(
    r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})\."
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})"
)


def fits(data: bytes) -> bool:
    """Return whether version, level and mines could be those of an AVF file. Only `read` knows for certain."""
    if len(data) <= RECORD or not OLDEST <= data[0] <= NEWEST:
        return False
    try:
        _layout(ByteCursor(data, 5))
    except BoardSyntaxError:
        return data[-TAIL_MAX_BYTES:].find(b"Minesweeper Arbiter") >= 0
    return True


def read(data: bytes) -> Recording:
    """Parse an AVF file."""
    require_length(data)
    cursor = ByteCursor(data)
    version = cursor.number(1, "the version")
    if not OLDEST <= version <= NEWEST:
        known = f"{OLDEST} to {NEWEST} (Minesweeper Arbiter 0.{OLDEST} to 0.{NEWEST})"
        hint = ", which FreeSweeper writes" if version == 0 else ""
        raise cursor.fault(f"expected version {known}, got {version}{hint}", 1)
    cursor.take(4, "random bytes")
    layout = _layout(cursor)
    try:
        head = _read_head(cursor, layout)
    except BoardSyntaxError:
        if version >= SUMS:
            raise
        head = _older_head(data, cursor.at)
    events = _events(cursor.data, head)
    player, program = _tail(data, head.records + RECORD * head.total, version)
    notes = time_notes(head.ms, events.last_ms) + level_notes(head.level, layout)
    if b"Copyright" not in data[-TAIL_MAX_BYTES:]:
        notes.append(message("replay-no-copyright"))
    return Recording(
        "avf", program, layout, events, head.player or player, head.played, marks=head.marks, ms=head.ms,
        bbbv=head.bbbv, places=FieldOffsets(events=head.records), notes=tuple(notes),
    )  # fmt: skip


def _layout(cursor: ByteCursor) -> Layout:
    level = cursor.number_in(1, "the level", (*LEVELS, CUSTOM), "3 (8 × 8), 4 (16 × 16), 5 (30 × 16) or 6 (custom)")
    if level == CUSTOM:
        columns, rows = read_sides(cursor, more=1)
        mines = read_mine_count(cursor, rows, columns)
    else:
        rows, columns, mines = LEVELS[level]
    return read_mines(cursor, rows, columns, mines, row_first=True, from_one=True)


class _AvfHead(NamedTuple):
    """The part between the mines and the records; ``records`` is their offset, ``level`` is None if custom."""

    player: str
    marks: bool
    level: str | None
    played: datetime | None
    ms: int | None
    bbbv: int | None
    records: int
    total: int


def _read_head(cursor: ByteCursor, layout: Layout) -> _AvfHead:
    _check_sum(cursor, _board_sum(layout), "the sum of the board")
    last = int.from_bytes(_shift_bytes(cursor.take(4, "the index of the last record")), "big")
    cursor.take(1, "the country")
    name = _shift_bytes(cursor.counted_text(1, "the name"))
    _check_sum(cursor, _text_sum(name), "the sum of the name")
    marks = cursor.number_in(1, "the question marks", tuple(_MARKS), "17 (on) or 127 (off)")
    brackets = cursor.counted_text(1, "the text in brackets")
    if not (brackets.startswith(b"[") and brackets.endswith(b"]")):
        raise cursor.fault(f"expected a text in brackets, got {quote(name_of(brackets))}", len(brackets))
    _check_sum(cursor, _text_sum(brackets), "the sum of the text in brackets")
    require_events(last + 1, cursor.at)
    cursor.require(RECORD * (last + 1), plural(last + 1, "record"))
    return _AvfHead(name_of(name), _MARKS[marks], *_parse_brackets(brackets), cursor.at, last + 1)


def _older_head(data: bytes, begin: int) -> _AvfHead:
    """Find the brackets, and the first bytes after them that can be a record, without using the sums."""
    opens = next(
        (match.start() for match in _BRACKETS.finditer(data, begin + 2) if data[match.start() - 2] in _MARKS), None
    )
    closes = -1 if opens is None else data.find(b"]", opens, opens + 256)
    if opens is None or closes < 0:
        raise fault(begin, "expected a text such as [0|…] after the mines, got none")
    # After the brackets come the digits of a sum, a few bytes.
    stop = min(len(data) - RECORD, closes + 16)
    first = next((at for at in range(closes + 1, stop) if data[at + 1] <= 1 and data[at + 2] == 1), None)
    if first is None:
        raise fault(closes + 1, "expected a record after the text in brackets, got none")
    whole = (len(data) - first) // RECORD
    records = np.frombuffer(data, np.uint8, RECORD * whole, first).reshape(-1, RECORD)
    ends = np.flatnonzero((records[:, 2] == 0) & (records[:, 6] == 0))
    total = int(ends[0]) + TERMINATORS if ends.size else whole + 1
    require_events(total, first)
    if total > whole:
        raise fault(len(data), f"expected records up to {TERMINATORS} of 0 s, got the end of the file")
    brackets = data[opens : closes + 1]
    return _AvfHead("", _MARKS[data[opens - 2]], *_parse_brackets(brackets), first, total)


def _parse_brackets(brackets: bytes) -> tuple[str | None, datetime | None, int | None, int | None]:
    """Return the level, the start, the time in milliseconds and the 3BV."""
    text = brackets.decode("latin-1")
    level = dict(zip("012", LEVEL_NAMES, strict=True)).get(text[1:2])
    started, end = _STARTED.search(text), _END.search(text)
    names = ("year", "month", "day", "hour", "minute", "second")
    played = None if started is None else when([int(started[name]) for name in names])
    if end is None:
        return level, played, None, None
    ms = 1000 * int(end["seconds"]) + int(f"{end['parts'] or ''}000"[:3])
    return level, played, max(0, ms - 1000), int(end["bbbv"])  # the stated time is a second too long


# sums and shifts


def _shift_bytes(data: bytes) -> bytes:
    return bytes((byte + SHIFT) % 256 for byte in data)


def _check_sum(cursor: ByteCursor, expected: int, what: str) -> None:
    digits = bytes((ord(digit) - SHIFT) % 256 for digit in str(expected))
    stored = cursor.take(len(digits), what)
    if stored != digits:
        raise cursor.fault(f"expected {expected} as {what}, got {quote(name_of(_shift_bytes(stored)))}", len(digits))


def _board_sum(layout: Layout) -> int:
    """Return the sum of value × column (from 0) × row (from 1). The value is 10 for a mine, else the number plus 1."""
    values = layout.numbers().astype(np.int64).reshape(layout.rows, layout.columns) + 1
    for cell in layout.mines:
        values[cell] = 10
    return int((values * np.arange(layout.columns) * np.arange(1, layout.rows + 1)[:, None]).sum())


def _text_sum(text: bytes) -> int:
    return sum(place * byte for place, byte in enumerate(text, 1))


# records


def _events(data: bytes, head: _AvfHead) -> Events:
    """Parse records: type, x high, seconds low, x low, hundredths, y high, seconds high, y low. Seconds start at 1."""
    offset, count = head.records, head.total
    records = np.frombuffer(data, np.uint8, RECORD * count, offset).reshape(-1, RECORD).astype(np.int64)
    seconds = records[:, 6] << 8 | records[:, 2]
    event_count = count - TERMINATORS
    wrong = np.flatnonzero((seconds == 0) != (np.arange(count) >= event_count))
    if event_count < 0 or wrong.size:
        index = int(wrong[0]) if wrong.size else 0
        actual = f"{plural(int(seconds[index]), 'second')} in record {index} of {count}"
        raise fault(offset + RECORD * index, f"expected 0 seconds in the last {TERMINATORS} records only, got {actual}")
    types, hundredths = records[:event_count, 0], records[:event_count, 4]
    strange = np.flatnonzero(~np.isin(types, list(_TYPES)))
    if strange.size:
        index = int(strange[0])
        known = ", ".join(map(str, sorted(_TYPES)))
        raise fault(offset + RECORD * index, f"expected an event of type {known}, got {int(types[index])}")
    require_hundredths(hundredths, offset + 4, RECORD)
    ms = (seconds[:event_count] - 1) * 1000 + hundredths * 10
    require_rising(ms, offset, RECORD)
    codes = np.zeros(256, dtype=np.uint8)
    codes[list(_TYPES)] = [CODES[kind] for kind in _TYPES.values()]
    events = records[:event_count]
    x, y = events[:, 1] << 8 | events[:, 3], events[:, 5] << 8 | events[:, 7]
    return Events.from_columns(codes[types], ms, x, y)


def _tail(data: bytes, begin: int, version: int) -> tuple[str, str]:
    """Return the name and the program, from the lines after the records."""
    mark = data.find(b"\rcs=", begin, begin + TAIL_MAX_BYTES)
    if mark < 0:
        raise fault(begin, f"expected 'cs=' and a checksum, got {plural(len(data) - begin, 'byte')} without them")
    cursor = ByteCursor(data, mark + 4)
    cursor.take(16, "the checksum")
    cursor.expect(b"\r", "a line end after the checksum")
    expected = ("the time", "the skin", "the name", "the program")[0 if version >= REAL_TIME else 2 :]
    lines = data[cursor.at :].split(b"\r", len(expected) - 1)
    if len(lines) < len(expected) or not lines[-1]:
        raise fault(len(data), f"expected a line with {expected[len(lines) - 1]}, got the end of the file")
    return name_of(lines[-2]), name_of(lines[-1]).partition(". Copyright")[0]
