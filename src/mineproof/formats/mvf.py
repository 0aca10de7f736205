"""MVF, the recordings of Minesweeper Clone: 0.96 and earlier, 0.97, 2006 and 2007.

Since 0.97 a file opens with four texts: the program, its years, its author, its version. The years determine the format
of the body. Its records are samples of the mouse (buttons, place, time). Their bits are permuted by a key in the file:
cosines and sines of roots of the key give digits, and the order of the digits is the order of the bits. IEEE doubles
give the same digits as the program for every key.

Before 0.97 there are no texts and no permutation, and the time is stored near the end of the file. A truncated file
would be parsed as nonsense. So the bytes at the end, the remaining bytes, and the time of the last record are checked.

A recording starts with the left button down; earlier events are missing. A sample that differs from the previous one
means a move, then presses, then releases, in the order left, right, middle.
"""

from __future__ import annotations

import math
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.formats.replays.cursor import ByteCursor, fault
from mineproof.formats.replays.recording import (
    CHEAT,
    CODES,
    LEVEL_NAMES,
    UPK,
    Column,
    Events,
    FieldOffsets,
    Recording,
    Stated,
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
from mineproof.wording.catalogue import message
from mineproof.wording.catalogue import plural as plural_message

PROGRAM = b"Minesweeper Clone"
MAGIC = bytes([len(PROGRAM)]) + PROGRAM
OLD_HEADS = (b"\x08\x08\x00\x0a", b"\x10\x10\x00\x28", b"\x1e\x10\x00\x63")
NAMELESS = b"\0\0"  # how a file without the texts begins, and where its body is
NAMELESS_BODY = 7
OLD_RECORD = 8
CHECKSUM = 32
RIGHT, MIDDLE, LEFT = 1, 2, 4  # buttons that are down, as the records have them

_MODES = {1: 0, 2: 3, 3: UPK, 4: CHEAT}
_CLONE = "Minesweeper Clone"


class _Kind(NamedTuple):
    """A body: 0.97, or 2006 and 2007."""

    record: int  # bytes
    hundredths: bool  # times are seconds and hundredths, and the file states 3BV and clicks


_EARLY, _LATE = _Kind(5, True), _Kind(6, False)
_YEARS = {"5": _EARLY, "6": _LATE, "7": _LATE, "8": _EARLY}


def fits(data: bytes) -> bool:
    """Return whether the file begins like an MVF file and is long enough: small board files begin like an old MVF."""
    old = data[:4] in OLD_HEADS and len(data) > 4 + 2 * data[3] + OLD_RECORD
    return data.startswith(MAGIC) or old


def read(data: bytes) -> Recording:
    """Parse an MVF file."""
    require_length(data)
    if data[:4] in OLD_HEADS:
        return _read_old(data)
    cursor = ByteCursor(data)
    if data.startswith(NAMELESS):
        cursor.take(NAMELESS_BODY, "unknown bytes")
        return _read_body(cursor, _EARLY, _CLONE, None)
    program = cursor.counted_text(1, "the program")
    if program != PROGRAM:
        heads = ", ".join(head.hex(" ") for head in OLD_HEADS)
        known = f"'{_CLONE}' (0.97, 2006, 2007) or one of {heads} (0.96 and earlier)"
        raise fault(0, f"expected {known}, got {quote(name_of(program))}")
    years = name_of(cursor.counted_text(1, "the years"))
    kind = _YEARS.get(years[-1:])
    if kind is None:
        known = "that end in 5 (0.97), 6 (2006), 7 (2007) or 8 (a modified 0.97)"
        raise cursor.fault(f"expected years {known}, got {quote(years)}", len(years))
    cursor.counted_text(1, "the author")
    version = name_of(cursor.counted_text(1, "the version"))
    cursor.take(3, "unknown bytes")
    return _read_body(cursor, kind, f"{_CLONE} {version}", UPK if years[-1:] == "8" else None)


# 0.97 and later


def _read_body(cursor: ByteCursor, kind: _Kind, program: str, mode: int | None) -> Recording:
    played = _date(cursor)
    level = dict(enumerate(LEVEL_NAMES, 1)).get(cursor.number(1, "the level"))
    stated_mode = cursor.number(1, "the mode")
    result = _result(cursor, kind)
    marks = cursor.number(1, "the question marks") != 0
    columns, rows = read_sides(cursor)
    layout = read_mines(cursor, rows, columns, read_mine_count(cursor, rows, columns), from_one=True)
    player = name_of(cursor.counted_text(1, "the name"))
    key = cursor.number(2, "the key")
    count = cursor.number(3, "the number of records")
    require_events(count, cursor.at - 3)
    offset = cursor.at
    samples = _samples(cursor.take(kind.record * count, plural(count, "record")), kind, key, offset)
    notes = time_notes(result.ms, int(samples.ms[-1]) if count else 0) + level_notes(level, layout)
    notes += _right_notes(result.right, samples)
    if cursor.left != CHECKSUM:
        notes.append(plural_message("replay-checksum-length", cursor.left, expected=CHECKSUM))
    return Recording(
        "mvf", program, layout, _events(samples, offset), player, played,
        _MODES.get(stated_mode, 0) if mode is None else mode, marks, ms=result.ms, bbbv=result.bbbv,
        stated=result.stated, places=FieldOffsets(events=offset), notes=tuple(notes),
    )  # fmt: skip


def _date(cursor: ByteCursor) -> datetime | None:
    month, day = cursor.take(2, "the date")
    year = cursor.number(2, "the year")
    return when([year, month, day, *cursor.take(3, "the time of day")])


class _Result(NamedTuple):
    """The time in milliseconds, and what only 0.97 states: 3BV, right clicks, and the rest."""

    ms: int
    bbbv: int | None = None
    right: int | None = None
    stated: Stated | None = None


def _result(cursor: ByteCursor, kind: _Kind) -> _Result:
    if not kind.hundredths:
        return _Result(cursor.number(3, "the time"))
    ms = 1000 * cursor.number(2, "the time") + 10 * cursor.number_in(1, "hundredths", range(100), "0 to 99")
    bbbv, solved = cursor.number(2, "the 3BV"), cursor.number(2, "the 3BV that was solved")
    left, double, right = (cursor.number(2, f"{name} clicks") for name in ("left", "double", "right"))
    return _Result(ms, bbbv, right, Stated(solved, left, double))


def _right_notes(stated: int | None, samples: _Samples) -> list[str]:
    """Return a note if the stated right clicks differ. They are the presses while left is up, also for a chord."""
    before = np.concatenate(([0], samples.buttons))[:-1]
    pressed, left_up = samples.buttons & ~before & RIGHT != 0, (samples.buttons | before) & LEFT == 0
    actual = int(np.count_nonzero(pressed & left_up))
    if stated in (None, actual):
        return []
    return [message("replay-right-clicks", stated=stated, actual=actual)]


class _Samples(NamedTuple):
    """The mouse, moment by moment."""

    ms: Column
    buttons: Column
    x: Column
    y: Column


def bit_order(key: int, size: int) -> npt.NDArray[np.intp]:
    """Return where each bit of a record is stored, lowest first: j means byte j // 8, bit j % 8 from the lowest."""
    a, c = math.sqrt(key), math.sqrt(key + 1000)
    d, e = math.sqrt(a + 1000), math.sqrt(c + 1000)
    values = [
        math.cos(d + 1000),
        math.sin(math.sqrt(c)),
        math.cos(d),
        math.sin(math.sqrt(a) + 1000),
        math.cos(e),
        math.sin(e),
    ]
    digits = "".join(f"{round(abs(value) * 1e8):08}"[:8] for value in values[:size])
    return np.array(sorted(range(8 * size), key=lambda place: (digits[place], place)), dtype=np.intp)


def _samples(data: bytes, kind: _Kind, key: int, offset: int) -> _Samples:
    records = np.frombuffer(data, np.uint8).reshape(-1, kind.record)
    bits = np.unpackbits(records, axis=1, bitorder="little")[:, bit_order(key, kind.record)]

    def number(first: int, last: int) -> Column:
        value: Column = np.zeros(len(bits), dtype=np.int64)
        for place in range(first, last + 1):
            value |= bits[:, place].astype(np.int64) << (place - first)
        return value

    buttons = number(0, 2)
    if kind.hundredths:
        hundredths = number(21, 27)
        require_hundredths(hundredths, offset, kind.record)
        ms, x, y = number(28, 37) * 1000 + hundredths * 10, number(12, 20), number(3, 11)
    else:
        ms, x, y = number(25, 46), number(14, 24) - 32, number(3, 13) - 32
    require_rising(ms, offset, kind.record)
    return _Samples(ms, buttons, x, y)


# 0.96 and earlier


def _read_old(data: bytes) -> Recording:
    cursor = ByteCursor(data)
    columns, rows = read_sides(cursor)
    layout = read_mines(cursor, rows, columns, read_mine_count(cursor, rows, columns))
    marks = cursor.number(1, "the question marks") != 0
    cursor.take(1, "an unknown byte")
    end = _old_end(data, cursor.at)
    clock = ByteCursor(data, end.time)
    ms = 1000 * clock.number(2, "the time") + 10 * clock.number_in(1, "hundredths", range(100), "0 to 99")
    samples = _old_samples(data, cursor.at, end.time, ms)
    return Recording(
        "mvf", f"{_CLONE} {end.version}", layout, _events(samples, cursor.at), end.player, marks=marks, ms=ms,
        places=FieldOffsets(events=cursor.at),
    )  # fmt: skip


class _OldEnd(NamedTuple):
    """The data at the end of the file; ``time`` is the offset of the time, after the records."""

    version: str
    time: int
    player: str


def _old_end(data: bytes, begin: int) -> _OldEnd:
    length = len(data)
    if length - 125 < begin:
        closing = length - 13
        if closing < begin or not data[-10:].isdigit():
            expected = "the time, a name and a checksum, or the time and 10 digits"
            raise fault(length, f"expected {expected}, got {plural(length - begin, 'byte')} after the mines")
        return _OldEnd("0.75 or earlier", closing, "")
    if data[-1] == 0 and data[-22] == 0:
        return _OldEnd("0.8 to 0.96", length - 125, name_of(data[length - 122 : length - 22]))
    if not data[-10:].isdigit():
        actual = data[-10:].hex(" ")
        raise fault(length - 10, f"expected 00 at offsets {length - 22} and {length - 1}, or 10 digits, got {actual}")
    if data[-13:-10] == b"   ":
        return _OldEnd("0.76", length - 113, name_of(data[length - 110 : length - 10]))
    return _OldEnd("0.75 or earlier", length - 13, "")


def _old_samples(data: bytes, offset: int, end: int, stated: int) -> _Samples:
    """Parse records: seconds, hundredths, buttons, x, y (two bytes each), and an unknown byte."""
    count = max(0, end - offset) // OLD_RECORD
    require_events(count, offset)
    records = np.frombuffer(data, np.uint8, OLD_RECORD * count, offset).reshape(-1, OLD_RECORD).astype(np.int64)
    ms = records[:, 0] * 1000 + records[:, 1] * 10
    later = np.flatnonzero((np.diff(ms, prepend=0) < 0) | (ms > stated) | (records[:, 1] > 99))
    valid_count = int(later[0]) if later.size else count
    left, last = end - offset - OLD_RECORD * valid_count, int(ms[valid_count - 1]) if valid_count else 0
    where = offset + OLD_RECORD * valid_count
    if left >= OLD_RECORD:
        raise fault(where, f"expected {last} to {stated} ms, or the end of the records, got {int(ms[valid_count])} ms")
    if abs(stated - last) > 10:
        raise fault(where, f"expected the last record at the stated {stated} ms, got it at {last} ms")
    wrong = np.flatnonzero(records[:valid_count, 2] > 7)
    if wrong.size:
        index = int(wrong[0])
        raise fault(offset + OLD_RECORD * index + 2, f"expected buttons 0 to 7, got {int(records[index, 2])}")
    valid = records[:valid_count]
    stored = valid[:, 2]  # 1 left, 2 middle, 4 right: the reverse order
    buttons = (stored & 1) * LEFT | (stored & 2) | (stored >> 2) * RIGHT
    x, y = valid[:, 3] << 8 | valid[:, 4], valid[:, 5] << 8 | valid[:, 6]
    return _Samples(ms[:valid_count], buttons, x, y)


# from samples to events

# What a sample can mean, in order: a move, then presses, then releases.
_ORDER = ("mv", "lc", "rc", "mc", "lr", "rr", "mr")
_BUTTONS = (LEFT, RIGHT, MIDDLE)
_FIRST = ((MIDDLE, "mc"), (RIGHT, "rc"), (LEFT, "lc"))  # the first sample is a single event


def _events(samples: _Samples, offset: int) -> Events:
    count = len(samples.ms)
    if not count:
        return Events.of([])
    happens = np.zeros((count, len(_ORDER)), dtype=np.bool_)
    happens[1:, 0] = (np.diff(samples.x) != 0) | (np.diff(samples.y) != 0)
    before, after = samples.buttons[:-1], samples.buttons[1:]
    for place, button in enumerate(_BUTTONS, 1):
        happens[1:, place] = after & ~before & button != 0
        happens[1:, place + len(_BUTTONS)] = before & ~after & button != 0
    first = next((what for button, what in _FIRST if samples.buttons[0] & button), "mv")
    happens[0, _ORDER.index(first)] = True
    rows, kinds = np.nonzero(happens)
    still_down = [place for place, button in enumerate(_BUTTONS, 4) if samples.buttons[-1] & button]
    rows, kinds = np.append(rows, [count - 1] * len(still_down)), np.append(kinds, still_down)
    require_events(len(rows), offset)
    codes = np.array([CODES[what] for what in _ORDER])
    return Events.from_columns(codes[kinds.astype(np.intp)], *(column[rows.astype(np.intp)] for column in (
        samples.ms, samples.x, samples.y,
    )))  # fmt: skip
