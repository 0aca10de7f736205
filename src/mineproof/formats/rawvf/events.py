"""Parse the events of a RAWVF replay: button, time and place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mineproof.board.notation import quote
from mineproof.formats.rawvf.sheet import TIME, RawvfLine, RawvfSheet, milliseconds
from mineproof.formats.replays.mouse import BUTTONS, MAX_BUTTON_EVENTS, SWITCH, Event
from mineproof.game.layout import Layout

SQUARE = 16  # default pixels of a cell

_TIMED = re.compile(rf"{TIME}\s+(?P<what>[A-Za-z]+)\s*(?P<where>.*)")
_WHERE = re.compile(
    r"(?:(?P<column>-?[0-9]{1,9})\s+(?P<row>-?[0-9]{1,9}))?\s*"
    r"(?:\(\s*(?P<x>-?[0-9]{1,9})[\s,]+(?P<y>-?[0-9]{1,9})\s*\))?\s*(?:\([lrm]*\))?"
)
_IGNORED = {"mv", "sx", "sy", "start", "won", "lost", "blast", "boom", "defeat", "nonstandard", "solved"}


def events(sheet: RawvfSheet, layout: Layout) -> Iterator[Event]:
    """Yield all button events."""
    places = list(_places(sheet))
    size = sheet.whole("SquareSize") or SQUARE
    both = [place for place in places if place.cell is not None and place.pixel is not None]
    from_zero = bool(both) and all(place.cell == place.square(size) for place in both)
    for place in places:
        column, row = place.from_zero(size, from_zero)
        inside = 0 <= row < layout.rows and 0 <= column < layout.columns
        yield Event(place.ms, place.what, (row, column) if inside else None)


class _Place(NamedTuple):
    """An event as written: ``cell`` is (column, row), ``pixel`` is (x, y); either may be missing."""

    ms: int
    what: str
    cell: tuple[int, int] | None
    pixel: tuple[int, int] | None

    def square(self, size: int) -> tuple[int, int] | None:
        """Return column and row of the pixel, from 0."""
        return None if self.pixel is None else (self.pixel[0] // size, self.pixel[1] // size)

    def from_zero(self, size: int, is_from_zero: bool) -> tuple[int, int]:
        """Return column and row from 0; (-1, -1) if the event has no place."""
        if self.cell is None:
            return self.square(size) or (-1, -1)
        return self.cell if is_from_zero else (self.cell[0] - 1, self.cell[1] - 1)


def _places(sheet: RawvfSheet) -> Iterator[_Place]:
    count = 0
    for line in sheet.event_lines:
        if (place := _place(line)) is not None:
            count += 1
            if count > MAX_BUTTON_EVENTS:
                raise line.error(f"expected at most {MAX_BUTTON_EVENTS:,} button events, got more")
            yield place


def _place(line: RawvfLine) -> _Place | None:
    """Parse a line; None if it is not a button event."""
    if line.text[0].isalpha():
        if line.text.lower().startswith("reset"):
            raise line.error(f"Cannot replay {quote(line.text)}: the board changes during the game.")
        return None
    timed = _TIMED.fullmatch(line.text)
    if timed is None:
        raise line.error(f"expected an event such as 1.250 lc 3 5 (40 72), got {quote(line.text)}")
    what = timed["what"].lower()
    if what in _IGNORED:
        return None
    if what not in (*BUTTONS, SWITCH):
        raise line.error(f"expected one of {' '.join(BUTTONS)} {SWITCH} mv, got {quote(timed['what'])}")
    where = _WHERE.fullmatch(timed["where"])
    if where is None or (what != SWITCH and where["column"] is None and where["x"] is None):
        raise line.error(f"expected a place such as 3 5 (40 72), got {quote(timed['where'])}")
    cell = None if where["column"] is None else (int(where["column"]), int(where["row"]))
    pixel = None if where["x"] is None else (int(where["x"]), int(where["y"]))
    return _Place(milliseconds(timed), what, cell, pixel)
