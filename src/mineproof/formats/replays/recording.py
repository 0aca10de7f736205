"""A recording: the board, the mouse events, and what the file states about both; also checks that formats share.

Events are stored as columns of numbers, 25 bytes per event, because most of them are mouse moves: a game of a minute
has thousands. Their kinds are those of EVF, in its order.

Names of players are bytes in the code page of the player. UTF-8 is tried first, because other texts are rarely valid
UTF-8 by chance, then GB18030, then Windows-1252, which can decode nearly everything.
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
from mineproof.formats.exchange import ParsedValue
from mineproof.formats.replays.cursor import ByteCursor, fault
from mineproof.game.layout import Layout
from mineproof.wording.catalogue import decimal, message
from mineproof.wording.catalogue import plural as plural_message

MAX_FILE_BYTES = 8 << 20
MAX_EVENTS = 1_000_000
MAX_SIDE = 256  # rows or columns
YEARS = range(1970, 9999)  # years that are valid dates in every time zone
SQUARE = 16  # default pixels of a cell

# move; press and release of left, right, middle; a flag set before the start; the second of left and right pressed;
# left, right, middle changed; left pressed with shift
KINDS = ("mv", "lc", "lr", "rc", "rr", "mc", "mr", "pf", "cc", "l", "r", "m", "sc")
CODES = {kind: code for code, kind in enumerate(KINDS)}
MOVE = CODES["mv"]
LEVEL_NAMES = ("beginner", "intermediate", "expert")  # all programs number them in this order

# Game modes. The numbers are those of EVF; RMV uses the same.
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
    """Mouse events in order: codes of `KINDS`, milliseconds, and pixels from the top left of the board."""

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


class FieldOffsets(NamedTuple):
    """Offsets of data that can be checked only after playing the game: the mode, the result, the events."""

    mode: int = 0
    end: int = 0
    events: int = 0


NO_OFFSETS = FieldOffsets()


class Stated(NamedTuple):
    """Results that a file states: the solved 3BV, and clicks."""

    solved_bbbv: int
    left: int
    double: int


@dataclass(frozen=True, slots=True)
class Recording:
    """The content of a recording file. Values that the file does not state are None.

    ``marks``: the right button sets question marks. ``square``: pixels of a cell. ``won``: the stated result.
    ``opened``: the cells stated to be open, with the offsets of these statements. ``flagged``: flags set before the
    start. ``ms``: the stated time. ``bbbv``: the stated 3BV. ``stated``: other stated results. ``played``: the date, in
    local time unless it has a time zone. ``notes``: oddities that do not make the file invalid.
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
    places: FieldOffsets = NO_OFFSETS
    notes: tuple[str, ...] = ()


def parsed_layout(recording: Recording) -> ParsedValue:
    """Return the layout of a recording, with a note on its format and program."""
    key = "format-note-recording-by" if recording.program else "format-note-recording"
    return ParsedValue(recording.layout, note=message(key, format=recording.format.upper(), program=recording.program))


def require_length(data: bytes) -> None:
    """Raise an error if a file is too large."""
    if len(data) > MAX_FILE_BYTES:
        raise fault(MAX_FILE_BYTES, f"expected a recording of at most {MAX_FILE_BYTES:,} bytes, got {len(data):,}")


def name_of(data: bytes) -> str:
    """Decode a text of unknown encoding, without control characters and surrounding blanks; never an error."""
    for encoding in ("utf-8", "gb18030", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return _printable(text)
    return _printable(data.decode("cp1252", "replace"))


def utf8_of(data: bytes, offset: int, what: str) -> str:
    """Decode a text that must be UTF-8 and begins at ``offset``, without control characters and surrounding blanks."""
    try:
        return _printable(data.decode())
    except UnicodeDecodeError as error:
        invalid = data[error.start : error.end].hex(" ")
        raise fault(offset + error.start, f"expected UTF-8 in {what}, got {invalid}") from None


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in text).strip()


def when(parts: Sequence[int]) -> datetime | None:
    """Return a date, or None if it is invalid: some programs write day 0."""
    try:
        return datetime(*parts) if parts[0] in YEARS else None  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


# boards


def read_sides(cursor: ByteCursor, more: int = 0) -> tuple[int, int]:
    """Read two bytes, the sides of a board, and add ``more`` to each."""
    first, second = (byte + more for byte in cursor.take(2, "width and height"))
    if not (1 <= first <= MAX_SIDE and 1 <= second <= MAX_SIDE):
        raise cursor.fault(f"expected sides of 1 to {MAX_SIDE} cells, got {first} and {second}", 2)
    return first, second


def read_mine_count(cursor: ByteCursor, rows: int, columns: int) -> int:
    """Read the number of mines; at least one cell must be free."""
    mines = cursor.number(2, "the number of mines")
    if mines >= rows * columns:
        most = rows * columns - 1
        raise cursor.fault(f"expected at most {most} mines on {size(rows, columns)}, got {mines}", 2)
    return mines


def read_mines(
    cursor: ByteCursor, rows: int, columns: int, count: int, *, row_first: bool = False, from_one: bool = False
) -> Layout:
    """Read pairs of bytes: column and row of each mine, or row and column; from 0, or from 1."""
    cells: set[Cell] = set()
    pairs = cursor.take(2 * count, plural(count, "mine"))
    for index in range(count):
        first, second = (byte - from_one for byte in pairs[2 * index : 2 * index + 2])
        cell = (first, second) if row_first else (second, first)
        back = 2 * (count - index)
        if not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
            raise cursor.fault(f"expected a mine inside {size(rows, columns)}, got one at {at(cell)}", back)
        if cell in cells:
            raise cursor.fault(f"expected every mine once, got {at(cell)} twice", back)
        cells.add(cell)
    return Layout(rows, columns, frozenset(cells))


def level_notes(stated: str | None, layout: Layout) -> list[str]:
    """Return a note if the board does not have the size of the stated level; None is for boards of any size."""
    actual = Size(layout.rows, layout.columns, layout.total_mines)
    if stated is None or level_of(actual) == stated:
        return []
    actual_size = plural_message("replay-size", layout.total_mines, size=size(layout.rows, layout.columns))
    return [message("replay-level", stated=stated, actual=actual_size)]


# events


def require_events(count: int, offset: int) -> None:
    """Raise an error if there are more events than any game has."""
    if count > MAX_EVENTS:
        raise fault(offset, f"expected at most {MAX_EVENTS:,} events, got {count:,}")


def event_offsets(
    cursor: ByteCursor, lengths: Mapping[int, int], ends: Container[int], known: str, text: int | None = None
) -> Column:
    """Return the offset of each event, and move the cursor to the first code of ``ends``.

    The first byte of an event is its code. ``lengths`` has the number of bytes for each code, and ``known`` lists the
    codes in the error message. An event with the code ``text`` also has a zero-terminated text.
    """
    data, stop, at = cursor.data, cursor.end, cursor.at
    offsets = array("q")
    while at < stop and (code := data[at]) not in ends:
        length = lengths.get(code)
        if length is None:
            raise fault(at, f"expected an event of code {known}, got {code}")
        if len(offsets) == MAX_EVENTS:
            require_events(MAX_EVENTS + 1, at)
        offsets.append(at)
        at += length
        if code == text and at <= stop:
            rest = ByteCursor(data, at, stop)
            rest.zero_ended_text("a text")
            at = rest.at
    if at > stop:
        cursor.at = offsets[-1]
        cursor.require(at - cursor.at, "an event")
    cursor.at = at
    return np.array(offsets, dtype=np.int64)


def numbers_at(data: npt.NDArray[np.uint8], offsets: Column, length: int) -> Column:
    """Return the big-endian numbers of ``length`` bytes at some offsets."""
    value: Column = np.zeros(len(offsets), dtype=np.int64)
    for place in range(length):
        value = value << 8 | data[offsets + place]
    return value


def require_rising(ms: Column, offset: int, step: int) -> None:
    """Raise an error if a time is below the previous one; records of ``step`` bytes begin at ``offset``."""
    require_rising_at(ms, offset + step * np.arange(len(ms)))


def require_rising_at(ms: Column, offsets: npt.NDArray[np.integer]) -> None:
    """Raise an error if a time is below the previous one; records begin at ``offsets``."""
    falls = np.flatnonzero(np.diff(ms) < 0)
    if falls.size:
        index = int(falls[0]) + 1
        time, before = int(ms[index]), int(ms[index - 1])
        raise fault(int(offsets[index]), f"expected at least {before} ms, the previous time, got {time} ms")


def require_hundredths(values: npt.NDArray[np.generic], offset: int, step: int) -> None:
    """Raise an error if a value is not 0 to 99; records of ``step`` bytes begin at ``offset``."""
    wrong = np.flatnonzero(values.astype(np.int64) > 99)
    if wrong.size:
        index = int(wrong[0])
        raise fault(offset + step * index, f"expected 0 to 99 hundredths of a second, got {int(values[index])}")


def time_notes(stated: int | None, actual: int, within: int = 10) -> list[str]:
    """Return a note if the stated time is not that of the events; both in milliseconds."""
    if stated is None or abs(stated - actual) <= within:
        return []
    return [message("replay-time-end", stated=decimal(stated / 1000, 3), actual=decimal(actual / 1000, 3))]
