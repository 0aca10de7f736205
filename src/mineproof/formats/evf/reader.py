"""Parse EVF recordings of all versions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np

from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.formats.replays.cursor import ByteCursor, fault
from mineproof.formats.replays.recording import (
    KINDS,
    MODES,
    NO_GUESS,
    YEARS,
    Events,
    FieldOffsets,
    Recording,
    event_offsets,
    name_of,
    numbers_at,
    read_mine_count,
    read_sides,
    require_events,
    require_length,
    require_rising,
    utf8_of,
)
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import plural as plural_message

NEWEST = 4
MIN_BYTES = 23  # of a file without events
COMPLETED, TRANSCODED = 0x80, 0x08
RECORD = 8  # bytes of an event up to version 3
CHECKSUM = 32
END, NO_CHECKSUM = 0, 255  # codes after the last event; version 4 has only the first
PAUSE = 255  # of version 4
MAX_BOARD_PIXELS = 32767
MAX_MILLISECONDS = 2**32

_END_EVENTS = {81: None, 82: True, 83: False, 99: None}  # restarted, won, lost, an error
_NUMBER, _TEXT = 200, 201  # metrics
_LENGTHS = (  # bytes of the events of version 4, including their codes; a text ends with a zero byte
    dict.fromkeys(range(1, len(KINDS)), 6)
    | dict.fromkeys(_END_EVENTS, 2)
    | dict.fromkeys(range(100, 122), 4)  # cells
    | {_NUMBER: 12, _TEXT: 4, PAUSE: 3}
)
_KNOWN = "0 to 12, 81 to 83, 99, 100 to 121, 200, 201, 255"


def fits(data: bytes) -> bool:
    """Return whether the first numbers could be those of an EVF file. Only `read` knows for certain."""
    if len(data) < MIN_BYTES or data[0] > NEWEST:
        return False
    rows, columns, high, low, square = data[3:8] if data[0] >= 3 else data[2:7]
    return rows > 0 and columns > 0 and square > 0 and high << 8 | low < rows * columns


def read(data: bytes) -> Recording:
    """Parse an EVF file."""
    require_length(data)
    version = ByteCursor(data).number_in(1, "the version", range(NEWEST + 1), f"0 to {NEWEST}")
    try:
        return _read_recording(data, version, device=version >= 2)
    except BoardSyntaxError:
        if version:
            raise
        try:
            return _read_recording(data, version, device=True)
        except BoardSyntaxError:
            pass
        raise


class _EvfHead(NamedTuple):
    """The numbers at the beginning."""

    summary: int
    rows: int
    columns: int
    mines: int
    square: int
    mode: int
    bbbv: int
    ms: int


def _read_recording(data: bytes, version: int, *, device: bool) -> Recording:
    cursor = ByteCursor(data, 1)
    head = _read_head(cursor, version)
    texts = _texts_4(cursor, head) if version >= 4 else _texts(cursor, device=device)
    layout = _mines(cursor, head)
    if version >= 4:
        for _ in range(_read_count(cursor, "metrics")):
            cursor.zero_ended_text("the name of a metric")
    begin = cursor.at
    events, won, end = _changes(cursor) if version >= 4 else _records(cursor, version)
    notes = [plural_message("replay-bytes-after-end", cursor.left)] if cursor.left else []
    completed = bool(head.summary & COMPLETED)
    places = FieldOffsets(mode=7 + (version >= 3), end=1 if completed else end, events=begin)
    return Recording(
        "evf", texts.program, layout, events, texts.player, texts.played, head.mode, square=head.square, ms=head.ms,
        bbbv=head.bbbv, won=True if completed else won, places=places, notes=tuple(notes),
    )  # fmt: skip


def _read_head(cursor: ByteCursor, version: int) -> _EvfHead:
    summary = cursor.number(1, "the summary")
    if version >= 3:
        cursor.take(1, "the settings")
    rows, columns = read_sides(cursor)
    mines = read_mine_count(cursor, rows, columns)
    square = cursor.number_in(1, "pixels of a cell", range(1, 256), "1 or more")
    if max(rows, columns) * square > MAX_BOARD_PIXELS:
        raise cursor.fault(f"expected a board of at most {MAX_BOARD_PIXELS} pixels, got {square} pixels per cell", 1)
    mode = cursor.number_in(2, "the mode", tuple(MODES), "0 to 16, or 65535")
    bbbv = cursor.number(2, "the 3BV")
    ms = cursor.number(4 if version >= 4 else 3, "the time")
    return _EvfHead(summary, rows, columns, mines, square, mode, bbbv, ms)


class _Texts(NamedTuple):
    program: str
    player: str
    played: datetime | None


def _texts(cursor: ByteCursor, *, device: bool) -> _Texts:
    """Read the texts of versions up to 3."""
    program, player = name_of(cursor.zero_ended_text("the program")), name_of(cursor.zero_ended_text("the player"))
    cursor.zero_ended_text("the contest")
    cursor.zero_ended_text("the unique id")
    started = cursor.zero_ended_text("the start")
    for what in ("the end", "the country", *(["the device"] if device else [])):
        cursor.zero_ended_text(what)
    digits = started.isdigit() and len(started) <= 20
    return _Texts(program, player, _moment(int(started)) if digits else None)


def _texts_4(cursor: ByteCursor, head: _EvfHead) -> _Texts:
    """Read the texts of version 4: UTF-8, except in files transcoded from another format."""
    cursor.take(2, "the country")
    started = cursor.number(8, "the start")
    cursor.number(8, "the end")
    program = _text(cursor, "the program")
    transcoded = head.summary & TRANSCODED
    if transcoded:
        _text(cursor, "the transcoder")
        _text(cursor, "the encoding")
    player = name_of(cursor.zero_ended_text("the player")) if transcoded else _text(cursor, "the player")
    cursor.zero_ended_text("the contest")
    cursor.zero_ended_text("the unique id")
    cursor.counted_text(2, "the device")
    return _Texts(program, player, _moment(started))


def _text(cursor: ByteCursor, what: str) -> str:
    begin = cursor.at
    return utf8_of(cursor.zero_ended_text(what), begin, what)


def _moment(microseconds: int) -> datetime | None:
    """Return a date, or None if it is 0 or impossible."""
    try:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
    except OverflowError:
        return None
    return moment if microseconds and moment.year in YEARS else None


def _read_count(cursor: ByteCursor, what: str) -> int:
    """Read a number of items of at least one byte each."""
    count = cursor.number(2, f"the number of {what}")
    cursor.require(count, f"{count:,} {what}")
    return count


def _mines(cursor: ByteCursor, head: _EvfHead) -> Layout:
    cells = head.rows * head.columns
    where = cursor.at
    bits = np.unpackbits(np.frombuffer(cursor.take(-(-cells // 8), "the mines"), np.uint8))
    mined = np.flatnonzero(bits)
    if len(mined) != head.mines or bits[cells:].any():
        inside = int(np.count_nonzero(bits[:cells]))
        actual = f"{inside:,} on {size(head.rows, head.columns)}"
        more = len(mined) - inside
        outside = f", and {more} after the last cell" if more else ""
        raise fault(where, f"expected {plural(head.mines, 'mine')}, as in the header, got {actual}{outside}")
    mines = frozenset(divmod(index, head.columns) for index in mined.tolist())
    return Layout(head.rows, head.columns, mines, no_guess=head.mode in NO_GUESS)


# events


def _records(cursor: ByteCursor, version: int) -> _EventList:
    """Parse the events of versions up to 3: code, milliseconds (3 bytes), x and y (2 bytes each)."""
    offset, most = cursor.at, 12 if version >= 3 else 9
    whole = cursor.left // RECORD
    columns = np.frombuffer(cursor.data, np.uint8, RECORD * whole, offset).reshape(-1, RECORD)
    strange = np.flatnonzero((columns[:, 0] == END) | (columns[:, 0] > most))
    count = int(strange[0]) if strange.size else whole
    require_events(count, offset)
    cursor.take(RECORD * count, plural(count, "event"))
    code = cursor.number_in(1, "the code of an event", (END, NO_CHECKSUM), f"1 to {most}, or 0 or 255 at the end")
    if code == END:
        cursor.take(CHECKSUM, "the checksum")
    events = columns[:count].astype(np.int64)
    ms = events[:, 1] << 16 | events[:, 2] << 8 | events[:, 3]
    require_rising(ms, offset, RECORD)
    x, y = events[:, 4] << 8 | events[:, 5], events[:, 6] << 8 | events[:, 7]
    return _EventList(Events.from_columns(events[:, 0] - 1, ms, x, y), None, offset + RECORD * count)


def _changes(cursor: ByteCursor) -> _EventList:
    """Parse the events of version 4, which store what changed since the previous event."""
    offsets = event_offsets(cursor, _LENGTHS, (END,), _KNOWN, _TEXT)
    end = cursor.at
    cursor.take(1, "the code that ends the events")
    cursor.counted_text(2, "the checksum")
    data = np.frombuffer(cursor.data, np.uint8)
    codes = numbers_at(data, offsets, 1)
    pauses = codes == PAUSE
    # After the code comes a pause in two bytes, or milliseconds in one byte. Mouse events also have x and y.
    pair = numbers_at(data, offsets + 1, 2)
    ms = np.cumsum(np.where(pauses, pair, pair >> 8))
    if len(ms) and ms[-1] >= MAX_MILLISECONDS:
        late = int(np.argmax(ms >= MAX_MILLISECONDS))
        raise fault(int(offsets[late]), f"expected a time below 2**32 ms, got {int(ms[late])} ms")
    end_events = np.flatnonzero(np.isin(codes, list(_END_EVENTS)))
    ended = int(end_events[0]) if end_events.size else len(codes)
    mouse = np.flatnonzero(codes[:ended] < len(KINDS))
    x, y = (np.cumsum(numbers_at(data, offsets[mouse] + place, 2).astype(np.int16), dtype=np.int64) for place in (2, 4))
    events = Events.from_columns(codes[mouse] - 1, ms[mouse], x, y)
    if ended == len(codes):
        return _EventList(events, None, end)
    return _EventList(events, _END_EVENTS[int(codes[ended])], int(offsets[ended]))


class _EventList(NamedTuple):
    """Events and the offset of their end; ``won`` is the result stated by an end event, if there is one."""

    events: Events
    won: bool | None
    end: int
