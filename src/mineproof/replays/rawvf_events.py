"""The events of a RAWVF replay: what the buttons of the mouse did, when and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mineproof.board.notation import quote
from mineproof.formats.rawvf_sheet import TIME, Line, Sheet, milliseconds
from mineproof.game.layout import Layout
from mineproof.replays.mouse import BUTTONS, MOST_BUTTONS, SWITCH, Event

SQUARE = 16  # pixels, where the header does not say

_TIMED = re.compile(rf"{TIME}\s+(?P<what>[A-Za-z]+)\s*(?P<where>.*)")
_WHERE = re.compile(
    r"(?:(?P<column>-?[0-9]{1,9})\s+(?P<row>-?[0-9]{1,9}))?\s*"
    r"(?:\(\s*(?P<x>-?[0-9]{1,9})[\s,]+(?P<y>-?[0-9]{1,9})\s*\))?\s*(?:\([lrm]*\))?"
)
_SAYS_NOTHING = {"mv", "sx", "sy", "start", "won", "lost", "blast", "boom", "defeat", "nonstandard", "solved"}


def events(sheet: Sheet, layout: Layout) -> Iterator[Event]:
    """All that the buttons did."""
    places = list(_places(sheet))
    size = sheet.whole("SquareSize") or SQUARE
    both = [place for place in places if place.cell is not None and place.pixel is not None]
    from_zero = bool(both) and all(place.cell == place.square(size) for place in both)
    for place in places:
        column, row = place.from_zero(size, from_zero)
        inside = 0 <= row < layout.rows and 0 <= column < layout.columns
        yield Event(place.ms, place.what, (row, column) if inside else None)


class _Place(NamedTuple):
    """An event as it is written: ``cell`` is (column, row), ``pixel`` is (x, y), and either may be left out."""

    ms: int
    what: str
    cell: tuple[int, int] | None
    pixel: tuple[int, int] | None

    def square(self, size: int) -> tuple[int, int] | None:
        """Column and row of the pixel, from 0."""
        return None if self.pixel is None else (self.pixel[0] // size, self.pixel[1] // size)

    def from_zero(self, size: int, counted_so: bool) -> tuple[int, int]:
        """Column and row from 0; outside every board where nothing is said."""
        if self.cell is None:
            return self.square(size) or (-1, -1)
        return self.cell if counted_so else (self.cell[0] - 1, self.cell[1] - 1)


def _places(sheet: Sheet) -> Iterator[_Place]:
    count = 0
    for line in sheet.event_lines:
        if (place := _place(line)) is not None:
            count += 1
            if count > MOST_BUTTONS:
                raise line.error(f"found more than {MOST_BUTTONS:,} events of buttons, expected at most as many")
            yield place


def _place(line: Line) -> _Place | None:
    """What a line tells about the buttons, if anything."""
    if line.text[0].isalpha():
        if line.text.lower().startswith("reset"):
            raise line.error(f"found {quote(line.text)}: a board that changes in the game cannot be replayed here")
        return None
    timed = _TIMED.fullmatch(line.text)
    if timed is None:
        raise line.error(f"found {quote(line.text)}, expected an event such as 1.250 lc 3 5 (40 72)")
    what = timed["what"].lower()
    if what in _SAYS_NOTHING:
        return None
    if what not in (*BUTTONS, SWITCH):
        raise line.error(f"found the event {quote(timed['what'])}, expected one of {' '.join(BUTTONS)} {SWITCH} mv")
    where = _WHERE.fullmatch(timed["where"])
    if where is None or (what != SWITCH and where["column"] is None and where["x"] is None):
        raise line.error(f"found {quote(timed['where'])}, expected a place such as 3 5 (40 72)")
    cell = None if where["column"] is None else (int(where["column"]), int(where["row"]))
    pixel = None if where["x"] is None else (int(where["x"]), int(where["y"]))
    return _Place(milliseconds(timed), what, cell, pixel)
