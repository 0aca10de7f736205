"""EVF, the recordings of Metasweeper, versions 0 to 4.

The bytes have no mark of their own but the version. A head of numbers (rows first), texts that end with a zero byte,
the mines as a bitmap (high bit first, rows after each other), then events: 8 bytes each up to version 3; since version
4 what changed since the event before, with pauses as events of their own.

Times count from the first press, and the stated time from the release that opened the first cell, so the two agree once
the events were played. A library writes version 0 on what has the device of version 2: where version 0 does not fit,
that is tried.

Written is version 4, without a checksum: its rule is not told to everybody, and readers do without.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np

from mineproof.base.words import plural, size
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import LONGEST_TEXT, Cursor, fault
from mineproof.recordings.recording import (
    KINDS,
    MODES,
    MOST_EVENTS,
    MOST_SIDE,
    NO_GUESS,
    Events,
    Recording,
    Row,
    name_of,
    read_mine_count,
    read_sides,
    require_events,
    require_length,
    require_rising,
)

NEWEST = 4
SHORTEST = 23  # bytes of a file in which nothing happens
COMPLETED, NO_FLAGS, TRANSCODED = 0x80, 0x10, 0x08
RECORD = 8  # bytes of an event up to version 3
CHECKSUM = 32
END, NO_CHECKSUM = 0, 255  # codes behind the last event; version 4 has only the first
PAUSE = 255  # of version 4
MADE_WITHOUT_GUESSES = 5  # the mode
FARTHEST = 32767  # pixels of a board
LONGEST = 2**32  # milliseconds

_DECREES = {81: None, 82: True, 83: False, 99: None}  # restarted, won, lost, an error
_BOARD_EVENTS = range(100, 122)
_NUMBER, _TEXT = 200, 201  # metrics
_CHANGE = struct.Struct(">Bhh")  # of an event: milliseconds, x, y
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
        events, won = _changes(cursor)
    else:
        events, won = _records(cursor, version), None
    notes = [f"found {plural(cursor.left, 'byte')} behind the end, expected none"] if cursor.left else []
    if head.summary & COMPLETED:
        won = True
    return Recording(
        "evf", texts.program, layout, events, texts.player, texts.played, head.mode, square=head.square, ms=head.ms,
        bbbv=head.bbbv, won=won, notes=tuple(notes),
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
    cursor.take(2, "the country")
    started = cursor.number(8, "the start")
    cursor.number(8, "the end")
    program = name_of(cursor.ended("the program"))
    if head.summary & TRANSCODED:
        cursor.ended("the transcoder")
        cursor.ended("the encoding")
    player = name_of(cursor.ended("the player"))
    cursor.ended("the contest")
    cursor.ended("the unique id")
    cursor.counted(2, "the device")
    return _Texts(program, player, _moment(started))


def _moment(microseconds: int) -> datetime | None:
    """None where nothing was told, or nothing that can be."""
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds) if microseconds else None
    except OverflowError:
        return None


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


def _records(cursor: Cursor, version: int) -> Events:
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
    return Events.from_columns(kept[:, 0] - 1, ms, kept[:, 4] << 8 | kept[:, 5], kept[:, 6] << 8 | kept[:, 7])


def _changes(cursor: Cursor) -> tuple[Events, bool | None]:
    """Version 4: what changed since the event before. The second part is an end by decree, where there is one."""
    rows: list[Row] = []
    won: bool | None = None
    ms = x = y = 0
    while (code := cursor.number(1, "the code of an event")) != END:
        if 1 <= code < len(KINDS):
            step, right, down = _CHANGE.unpack(cursor.take(_CHANGE.size, "an event"))
            ms, x, y = ms + step, x + right, y + down
            if won is None:
                rows.append((code - 1, ms, x, y))
        elif code == PAUSE:
            ms += cursor.number(2, "a pause")
        else:
            ms += _other(cursor, code)
            won = _DECREES.get(code, won)
        if ms >= LONGEST:
            raise cursor.fault(f"found {ms} ms, expected less than 2**32", 1)
        if len(rows) > MOST_EVENTS:
            require_events(len(rows), cursor.at)
    cursor.counted(2, "the checksum")
    return Events.of(rows), won


def _other(cursor: Cursor, code: int) -> int:
    """An event that tells nothing of the mouse; how long it came after the one before."""
    if code not in (*_DECREES, *_BOARD_EVENTS, _NUMBER, _TEXT):
        raise cursor.fault(f"found an event of code {code}, expected one of {_KNOWN}", 1)
    step = cursor.number(1, "milliseconds")
    if code in _BOARD_EVENTS:
        cursor.take(2, "a cell")
    elif code == _NUMBER:
        cursor.take(10, "a metric")
    elif code == _TEXT:
        cursor.take(2, "a metric")
        cursor.ended("a metric")
    return step


# writing


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is written beside the events; ``ms`` is the time of the game, ``played`` when it began, with a zone."""

    layout: Layout
    program: str
    bbbv: int
    ms: int = 0
    won: bool = False
    mode: int = 0
    player: str = ""
    played: datetime | None = None


def write(sheet: Sheet, rows: list[Row], square: int) -> bytes:
    """Version 4; a BoardSyntaxError says what it has no room for."""
    layout = sheet.layout
    _require_room(layout, sheet.ms)
    unflagged = not any(KINDS[code] in ("rc", "pf") for code, *_ in rows)
    flags = (COMPLETED if sheet.won else 0) | (NO_FLAGS if sheet.won and unflagged else 0)
    numbers = ((layout.total_mines, 2), (square, 1), (sheet.mode, 2), (sheet.bbbv, 2), (sheet.ms, 4))
    start = 0 if sheet.played is None else int(sheet.played.timestamp() * 1_000_000)
    end = start + 1000 * sheet.ms if start else 0
    head = bytes([NEWEST, flags, 0, layout.rows, layout.columns]) + _numbers(*numbers)
    moments = b"XX" + _numbers((start, 8), (end, 8))
    texts = b"".join(_ended(text) for text in (sheet.program, sheet.player, "", ""))
    bits = np.zeros(layout.rows * layout.columns, dtype=np.bool_)
    bits[[row * layout.columns + column for row, column in layout.mines]] = True
    no_device = no_metrics = no_checksum = _numbers((0, 2))
    board = np.packbits(bits).tobytes()
    events = _written(rows) + bytes([END])
    return head + moments + texts + no_device + board + no_metrics + events + no_checksum


def _require_room(layout: Layout, ms: int) -> None:
    if max(layout.rows, layout.columns) >= MOST_SIDE:
        most, found = size(MOST_SIDE - 1, MOST_SIDE - 1), size(layout.rows, layout.columns)
        raise BoardSyntaxError(f"evf holds boards up to {most}, and this is {found}")
    if layout.total_mines >= layout.rows * layout.columns:
        raise BoardSyntaxError("evf holds boards with a cell that is no mine, and this has none")
    if ms >= LONGEST:
        raise BoardSyntaxError(f"evf holds games up to 2**32 ms, and this took {ms} ms")


def _ended(text: str) -> bytes:
    return text.replace("\0", " ").encode()[: LONGEST_TEXT - 1] + b"\0"


def _numbers(*pairs: tuple[int, int]) -> bytes:
    return b"".join(value.to_bytes(length, "big") for value, length in pairs)


def _written(rows: list[Row]) -> bytes:
    """Each event as what changed, with pauses of up to 65,535 ms before it where it came late."""
    parts = []
    last_ms = last_x = last_y = 0
    for code, ms, x, y in rows:
        step = ms - last_ms
        while step > 255:
            pause = min(step, 0xFFFF)
            parts.append(bytes([PAUSE]) + _numbers((pause, 2)))
            step -= pause
        change = (x - last_x).to_bytes(2, "big", signed=True) + (y - last_y).to_bytes(2, "big", signed=True)
        parts.append(bytes([code + 1, step]) + change)
        last_ms, last_x, last_y = ms, x, y
    return b"".join(parts)
