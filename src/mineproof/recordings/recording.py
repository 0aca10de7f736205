"""A recording: the board, what the mouse did, and what the file says of both; and the checks that formats share.

Events are kept in columns of numbers, 25 bytes each, because most of them are moves of the mouse: a game of a minute
has thousands. Their kinds are those of EVF, in its order.

Names of players are bytes in the code page of whoever played: UTF-8 is tried first, which other texts rarely are by
chance, then GB18030, then Windows-1252, in which everything is a text.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mineproof.base.words import at, plural, size
from mineproof.board.cells import Cell
from mineproof.board.levels import Size, level_of
from mineproof.game.layout import Layout
from mineproof.recordings.cursor import Cursor, fault

LARGEST = 8 << 20  # bytes of a file
MOST_EVENTS = 1_000_000
MOST_SIDE = 256  # rows or columns
YEARS = range(1970, 9999)  # of a moment that clocks of every zone can tell
SQUARE = 16  # pixels of a cell, where a file does not say

# move; press and release of left, right, middle; a flag set before the start; the second of left and right pressed;
# left, right, middle changed; left pressed with shift
KINDS = ("mv", "lc", "lr", "rc", "rr", "mc", "mr", "pf", "cc", "l", "r", "m", "sc")
CODES = {kind: code for code, kind in enumerate(KINDS)}
MOVE = CODES["mv"]
LEVEL_NAMES = ("beginner", "intermediate", "expert")  # in the order in which all programs number them

# What games are played by: the numbers are those of EVF, and RMV has the same.
MODES = {
    0: "classic",
    1: "UPK",
    2: "cheat",
    3: "density",
    4: "Windows 7",
    5: "no guess",
    6: "strong no guess",
    7: "weak no guess",
    8: "quasi no guess",
    9: "strong guessable",
    10: "weak guessable",
    11: "chord-recursive",
    12: "flag-recursive",
    13: "chord- and flag-recursive",
    14: "no guess, chord-recursive",
    15: "no guess, flag-recursive",
    16: "no guess, chord- and flag-recursive",
    65535: "without rules",
}
NO_GUESS = frozenset({5, 6, 7, 14, 15, 16})
MINES_MOVE = frozenset({9, 10})
UNKNOWN_RULES = frozenset({*range(11, 17), 65535})
UPK, CHEAT, WINDOWS_7 = 1, 2, 4

Column = npt.NDArray[np.int64]
Row = tuple[int, int, int, int]  # of an event: its code, milliseconds, x, y


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """What the mouse did, in order: codes of `KINDS`, milliseconds, and pixels from the top left of the board."""

    kinds: npt.NDArray[np.uint8]
    ms: Column
    x: Column
    y: Column

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Events:
        kinds, ms, x, y = zip(*rows, strict=True) if rows else ((), (), (), ())
        return cls.from_columns(np.array(kinds), np.array(ms), np.array(x), np.array(y))

    @classmethod
    def from_columns(
        cls, kinds: npt.NDArray[np.generic], ms: npt.NDArray[np.generic], x: npt.NDArray[np.generic],
        y: npt.NDArray[np.generic],
    ) -> Events:  # fmt: skip
        return cls(kinds.astype(np.uint8), ms.astype(np.int64), x.astype(np.int64), y.astype(np.int64))

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def columns(self) -> tuple[npt.NDArray[np.uint8], Column, Column, Column]:
        return self.kinds, self.ms, self.x, self.y

    @property
    def last_ms(self) -> int:
        return int(self.ms[-1]) if len(self) else 0


class Places(NamedTuple):
    """Offsets of what can turn out wrong only once the game was played: the mode, how it ended, its events."""

    mode: int = 0
    end: int = 0
    events: int = 0


NOWHERE = Places()


class Stated(NamedTuple):
    """What a file says came of its events, where it does: 3BV that was solved, and clicks."""

    solved_bbbv: int
    left: int
    double: int


@dataclass(frozen=True, slots=True)
class Recording:
    """What a file tells of a game.

    ``marks``: the right button has question marks. ``square``: pixels of a cell. ``won``: how it says it ended, where
    it says so. ``opened``: the cells it says were opened, where it does, with the offsets at which it says so.
    ``flagged``: flags set before the start. ``ms``: the time it states, ``bbbv`` the 3BV, and ``stated`` what came of
    it, where it does. ``played``: when, in local time unless it has a zone. ``notes``: what is odd, but no reason to
    refuse it.
    """

    format: str
    program: str
    layout: Layout
    events: Events
    player: str = ""
    played: datetime | None = None
    mode: int = 0
    marks: bool = False
    square: int = SQUARE
    ms: int | None = None
    bbbv: int | None = None
    won: bool | None = None
    opened: Mapping[Cell, int] | None = None
    flagged: tuple[Cell, ...] = ()
    stated: Stated | None = None
    places: Places = NOWHERE
    notes: tuple[str, ...] = ()


def require_length(data: bytes) -> None:
    if len(data) > LARGEST:
        raise fault(LARGEST, f"found {len(data):,} bytes, expected a recording of at most {LARGEST:,}")


def name_of(data: bytes) -> str:
    """A text of which the encoding is not told, without control characters and blanks around it; never an error."""
    for encoding in ("utf-8", "gb18030", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return _printable(text)
    return _printable(data.decode("cp1252", "replace"))


def utf8_of(data: bytes, offset: int, what: str) -> str:
    """The same of a text that is promised to be UTF-8 and begins at ``offset``; a fault where it is not."""
    try:
        return _printable(data.decode())
    except UnicodeDecodeError as error:
        found = data[error.start : error.end].hex(" ")
        raise fault(offset + error.start, f"found {found} in {what}, expected UTF-8") from None


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()


def when(parts: Sequence[int]) -> datetime | None:
    """A moment, or None where there is no such day (some programs write the day 0) or no zone could tell it."""
    try:
        return datetime(*parts) if parts[0] in YEARS else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


# boards


def read_sides(cursor: Cursor, more: int = 0) -> tuple[int, int]:
    """The next two bytes, each with ``more`` added: sides of a board."""
    first, second = (byte + more for byte in cursor.take(2, "width and height"))
    if not (1 <= first <= MOST_SIDE and 1 <= second <= MOST_SIDE):
        raise cursor.fault(f"found sides of {first} and {second} cells, expected 1 to {MOST_SIDE} each", 2)
    return first, second


def read_mine_count(cursor: Cursor, rows: int, columns: int) -> int:
    found = cursor.number(2, "the number of mines")
    if found >= rows * columns:
        most = rows * columns - 1
        raise cursor.fault(f"found {found} mines on {size(rows, columns)}, expected at most {most}", 2)
    return found


def read_mines(
    cursor: Cursor, rows: int, columns: int, count: int, *, row_first: bool = False, from_one: bool = False
) -> Layout:
    """Pairs of bytes: column and row of each mine, or row and column; from 0, or from 1."""
    cells: set[Cell] = set()
    pairs = cursor.take(2 * count, plural(count, "mine"))
    for index in range(count):
        first, second = (byte - from_one for byte in pairs[2 * index : 2 * index + 2])
        cell = (first, second) if row_first else (second, first)
        back = 2 * (count - index)
        if not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
            raise cursor.fault(f"found a mine at {at(cell)}, expected one inside {size(rows, columns)}", back)
        if cell in cells:
            raise cursor.fault(f"found the mine at {at(cell)} twice, expected each once", back)
        cells.add(cell)
    return Layout(rows, columns, frozenset(cells))


def level_notes(stated: str | None, layout: Layout) -> list[str]:
    """What to say where the board does not have the size of the stated level; None is for boards of any size."""
    found = Size(layout.rows, layout.columns, layout.total_mines)
    if stated is None or level_of(found) == stated:
        return []
    return [f"the stated level is {stated}, but its board is {size(*found)}: this counts"]


# events


def require_events(count: int, offset: int) -> None:
    """Raise where there are more events than any game has."""
    if count > MOST_EVENTS:
        raise fault(offset, f"found {count:,} events, expected at most {MOST_EVENTS:,}")


def walked(
    cursor: Cursor, lengths: Mapping[int, int], ends: Container[int], known: str, text: int | None = None
) -> Column:
    """Where each event begins, whose first byte is a code; the cursor goes to the first code of ``ends``.

    ``lengths`` are bytes by codes, which ``known`` tells; behind the code ``text`` is a text up to a zero byte besides.
    """
    data, stop, at = cursor.data, cursor.end, cursor.at
    offsets = array("q")
    while at < stop and (code := data[at]) not in ends:
        length = lengths.get(code)
        if length is None:
            raise fault(at, f"found an event of code {code}, expected one of {known}")
        if len(offsets) == MOST_EVENTS:
            require_events(MOST_EVENTS + 1, at)
        offsets.append(at)
        at += length
        if code == text and at <= stop:
            rest = Cursor(data, at, stop)
            rest.ended("a text")
            at = rest.at
    if at > stop:
        cursor.at = offsets[-1]
        cursor.require(at - cursor.at, "an event")
    cursor.at = at
    return np.array(offsets, dtype=np.int64)


def numbers_at(data: npt.NDArray[np.uint8], offsets: Column, length: int) -> Column:
    """Numbers of so many bytes, high byte first, that begin at each offset."""
    value: Column = np.zeros(len(offsets), dtype=np.int64)
    for place in range(length):
        value = value << 8 | data[offsets + place]
    return value


def require_rising(ms: Column, offset: int, step: int) -> None:
    """Raise where a time is below the one before; records of ``step`` bytes begin at ``offset``."""
    require_rising_at(ms, offset + step * np.arange(len(ms)))


def require_rising_at(ms: Column, offsets: npt.NDArray[np.integer]) -> None:
    """The same of records that begin at ``offsets``."""
    falls = np.flatnonzero(np.diff(ms) < 0)
    if falls.size:
        index = int(falls[0]) + 1
        found, before = int(ms[index]), int(ms[index - 1])
        raise fault(int(offsets[index]), f"found {found} ms, expected no less than the {before} ms before it")


def require_hundredths(values: npt.NDArray[np.generic], offset: int, step: int) -> None:
    wrong = np.flatnonzero(values.astype(np.int64) > 99)
    if wrong.size:
        index = int(wrong[0])
        raise fault(offset + step * index, f"found {int(values[index])} hundredths of a second, expected 0 to 99")


def time_notes(stated: int | None, found: int, within: int = 10) -> list[str]:
    """What to say where the stated time is not that of the events; milliseconds."""
    if stated is None or abs(stated - found) <= within:
        return []
    return [f"the stated time is {stated / 1000:.3f} s, but its events end at {found / 1000:.3f} s: these count"]
