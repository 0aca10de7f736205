"""EVF, the recordings of Metasweeper, versions 0 to 4.

The bytes have no mark of their own but the version. A head of numbers (rows first), texts that end with a zero byte,
the mines as a bitmap (high bit first, rows after each other), then events: 8 bytes each up to version 3; since version
4 what changed since the event before, with pauses as events of their own.

Times count from the first press, and the stated time from the release that opened the first cell, so the two agree once
the events were played. A library writes version 0 on what has the device of version 2: where version 0 does not fit,
that is tried.

`mineproof.recordings.evf_writing` writes it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np

from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import Cursor, fault
from mineproof.recordings.recording import (
    KINDS,
    MODES,
    NO_GUESS,
    YEARS,
    Events,
    Places,
    Recording,
    name_of,
    numbers_at,
    read_mine_count,
    read_sides,
    require_events,
    require_length,
    require_rising,
    utf8_of,
    walked,
)

NEWEST = 4
SHORTEST = 23  # bytes of a file in which nothing happens
COMPLETED, TRANSCODED = 0x80, 0x08
RECORD = 8  # bytes of an event up to version 3
CHECKSUM = 32
END, NO_CHECKSUM = 0, 255  # codes behind the last event; version 4 has only the first
PAUSE = 255  # of version 4
FARTHEST = 32767  # pixels of a board
LONGEST = 2**32  # milliseconds

_DECREES = {81: None, 82: True, 83: False, 99: None}  # restarted, won, lost, an error
_NUMBER, _TEXT = 200, 201  # metrics
_LENGTHS = (  # bytes of the events of version 4, their codes among them; a text goes on up to a zero byte
    dict.fromkeys(range(1, len(KINDS)), 6)
    | dict.fromkeys(_DECREES, 2)
    | dict.fromkeys(range(100, 122), 4)  # cells
    | {_NUMBER: 12, _TEXT: 4, PAUSE: 3}
)
_KNOWN = "0 to 12, 81 to 83, 99, 100 to 121, 200, 201, 255"


def looks_so(data: bytes) -> bool:
    """Could this be one, by its first numbers? Reading it tells."""
    if len(data) < SHORTEST or data[0] > NEWEST:
        return False
    rows, columns, high, low, square = data[3:8] if data[0] >= 3 else data[2:7]
    return rows > 0 and columns > 0 and square > 0 and high << 8 | low < rows * columns


def read(data: bytes) -> Recording:
    require_length(data)
    version = Cursor(data).known(1, "the version", range(NEWEST + 1), f"0 to {NEWEST}")
    try:
        return _read(data, version, device=version >= 2)
    except BoardSyntaxError:
        if version:
            raise
        try:
            return _read(data, version, device=True)
        except BoardSyntaxError:
            pass
        raise


class _Head(NamedTuple):
    """The numbers at the beginning."""

    summary: int
    rows: int
    columns: int
    mines: int
    square: int
    mode: int
    bbbv: int
    ms: int


def _read(data: bytes, version: int, *, device: bool) -> Recording:
    cursor = Cursor(data, 1)
    head = _head(cursor, version)
    texts = _texts_4(cursor, head) if version >= 4 else _texts(cursor, device=device)
    layout = _mines(cursor, head)
    if version >= 4:
        for _ in range(_count(cursor, "metrics")):
            cursor.ended("the name of a metric")
    begin = cursor.at
    events, decreed, end = _changes(cursor) if version >= 4 else _records(cursor, version)
    notes = [f"found {plural(cursor.left, 'byte')} behind the end, expected none"] if cursor.left else []
    completed = bool(head.summary & COMPLETED)
    places = Places(mode=7 + (version >= 3), end=1 if completed else end, events=begin)
    return Recording(
        "evf", texts.program, layout, events, texts.player, texts.played, head.mode, square=head.square, ms=head.ms,
        bbbv=head.bbbv, won=True if completed else decreed, places=places, notes=tuple(notes),
    )  # fmt: skip


def _head(cursor: Cursor, version: int) -> _Head:
    summary = cursor.number(1, "the summary")
    if version >= 3:
        cursor.take(1, "the settings")
    rows, columns = read_sides(cursor)
    mines = read_mine_count(cursor, rows, columns)
    square = cursor.known(1, "pixels of a cell", range(1, 256), "1 or more")
    if max(rows, columns) * square > FARTHEST:
        raise cursor.fault(f"found {square} pixels for a cell, expected a board of at most {FARTHEST} pixels", 1)
    mode = cursor.known(2, "the mode", tuple(MODES), "0 to 16, or 65535")
    bbbv = cursor.number(2, "the 3BV")
    ms = cursor.number(4 if version >= 4 else 3, "the time")
    return _Head(summary, rows, columns, mines, square, mode, bbbv, ms)


class _Texts(NamedTuple):
    program: str
    player: str
    played: datetime | None


def _texts(cursor: Cursor, *, device: bool) -> _Texts:
    """Up to version 3."""
    program, player = name_of(cursor.ended("the program")), name_of(cursor.ended("the player"))
    cursor.ended("the contest")
    cursor.ended("the unique id")
    started = cursor.ended("the start")
    for what in ("the end", "the country", *(["the device"] if device else [])):
        cursor.ended(what)
    digits = started.isdigit() and len(started) <= 20
    return _Texts(program, player, _moment(int(started)) if digits else None)


def _texts_4(cursor: Cursor, head: _Head) -> _Texts:
    """Since version 4: in UTF-8, but for what another program's recording was made into."""
    cursor.take(2, "the country")
    started = cursor.number(8, "the start")
    cursor.number(8, "the end")
    program = _text(cursor, "the program")
    transcoded = head.summary & TRANSCODED
    if transcoded:
        _text(cursor, "the transcoder")
        _text(cursor, "the encoding")
    player = name_of(cursor.ended("the player")) if transcoded else _text(cursor, "the player")
    cursor.ended("the contest")
    cursor.ended("the unique id")
    cursor.counted(2, "the device")
    return _Texts(program, player, _moment(started))


def _text(cursor: Cursor, what: str) -> str:
    begin = cursor.at
    return utf8_of(cursor.ended(what), begin, what)


def _moment(microseconds: int) -> datetime | None:
    """None where nothing was told, or nothing that can be."""
    try:
        found = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
    return found if microseconds and found.year in YEARS else None


def _count(cursor: Cursor, what: str) -> int:
    """How many of something there are, each a byte at least."""
    count = cursor.number(2, f"the number of {what}")
    cursor.require(count, f"{count:,} {what}")
    return count


def _mines(cursor: Cursor, head: _Head) -> Layout:
    cells = head.rows * head.columns
    where = cursor.at
    bits = np.unpackbits(np.frombuffer(cursor.take(-(-cells // 8), "the mines"), np.uint8))
    mined = np.flatnonzero(bits)
    if len(mined) != head.mines or bits[cells:].any():
        inside = int(np.count_nonzero(bits[:cells]))
        found = f"{plural(inside, 'mine')} on {size(head.rows, head.columns)}"
        more = len(mined) - inside
        behind = f", and {more} behind the last cell" if more else ""
        raise fault(where, f"found {found}{behind}, expected {head.mines} as the head says")
    mines = frozenset(divmod(index, head.columns) for index in mined.tolist())
    return Layout(head.rows, head.columns, mines, no_guess=head.mode in NO_GUESS)


# events


def _records(cursor: Cursor, version: int) -> _Happened:
    """Up to version 3: code, milliseconds (3 bytes), x and y (2 bytes each)."""
    offset, most = cursor.at, 12 if version >= 3 else 9
    whole = cursor.left // RECORD
    columns = np.frombuffer(cursor.data, np.uint8, RECORD * whole, offset).reshape(-1, RECORD)
    strange = np.flatnonzero((columns[:, 0] == END) | (columns[:, 0] > most))
    count = int(strange[0]) if strange.size else whole
    require_events(count, offset)
    cursor.take(RECORD * count, plural(count, "event"))
    code = cursor.known(1, "the code of an event", (END, NO_CHECKSUM), f"1 to {most}, or 0 or 255 at the end")
    if code == END:
        cursor.take(CHECKSUM, "the checksum")
    kept = columns[:count].astype(np.int64)
    ms = kept[:, 1] << 16 | kept[:, 2] << 8 | kept[:, 3]
    require_rising(ms, offset, RECORD)
    x, y = kept[:, 4] << 8 | kept[:, 5], kept[:, 6] << 8 | kept[:, 7]
    return _Happened(Events.from_columns(kept[:, 0] - 1, ms, x, y), None, offset + RECORD * count)


def _changes(cursor: Cursor) -> _Happened:
    """Version 4: what changed since the event before."""
    offsets = walked(cursor, _LENGTHS, (END,), _KNOWN, _TEXT)
    end = cursor.at
    cursor.take(1, "the code that ends the events")
    cursor.counted(2, "the checksum")
    data = np.frombuffer(cursor.data, np.uint8)
    codes = numbers_at(data, offsets, 1)
    pauses = codes == PAUSE
    # behind the code is a pause of two bytes, or milliseconds in one, and of the mouse x and y in two each
    pair = numbers_at(data, offsets + 1, 2)
    ms = np.cumsum(np.where(pauses, pair, pair >> 8))
    if len(ms) and ms[-1] >= LONGEST:
        late = int(np.argmax(ms >= LONGEST))
        raise fault(int(offsets[late]), f"found {int(ms[late])} ms, expected less than 2**32")
    decrees = np.flatnonzero(np.isin(codes, list(_DECREES)))
    ended = int(decrees[0]) if decrees.size else len(codes)
    mouse = np.flatnonzero(codes[:ended] < len(KINDS))
    x, y = (np.cumsum(numbers_at(data, offsets[mouse] + place, 2).astype(np.int16), dtype=np.int64) for place in (2, 4))
    events = Events.from_columns(codes[mouse] - 1, ms[mouse], x, y)
    if ended == len(codes):
        return _Happened(events, None, end)
    return _Happened(events, _DECREES[int(codes[ended])], int(offsets[ended]))


class _Happened(NamedTuple):
    """Events, and where they end: by decree, which may tell ``won``, or because there are no more."""

    events: Events
    won: bool | None
    end: int
