"""From what a mouse does to what happens on the board, as programs for replays take it.

Letting go of the left button opens, pressing the right one changes the mark. Letting go of the middle button is a
chord, and so is letting go of one of left and right while both are down, or of left pressed with shift. After a chord
with both buttons the one still down does nothing more. What the rules do not allow has no effect: a click on an open
cell, a chord without its flags, whatever comes after the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mineproof.codes import COVERED, FLAGGED
from mineproof.errors import Cell
from mineproof.field import Field
from mineproof.layout import Layout
from mineproof.record import ChordRule, Kind, Move

SWITCH = "mt"
BUTTONS = ("lc", "lr", "rc", "rr", "mc", "mr", "sc")


class Event(NamedTuple):
    """One of `BUTTONS` or `SWITCH`, and where; the cell is None outside the board."""

    ms: int
    what: str
    cell: Cell | None


@dataclass
class Mouse:
    """Which buttons are down, and how clicks are meant.

    ``marks``: the right button has question marks. ``left_chords``: a left click on a number is a chord.
    ``press_opens``: pressing the left button does what letting it go does, too.
    """

    play: Play
    marks: bool
    left_chords: bool = False
    press_opens: bool = False
    left: bool = False
    right: bool = False
    middle: bool = False
    shift: bool = False
    chorded: bool = False  # with both buttons, one of which is still down

    def take(self, event: Event) -> None:
        match event.what:
            case "lc" | "sc":
                self._press_left(event)
            case "lr":
                self._release_left(event)
            case "rc":
                self._press_right(event)
            case "rr":
                self._release_right(event)
            case "mc":
                self.left = self.right = self.shift = self.chorded = False
                self.middle = True
            case "mr":
                if self.middle:
                    self._chord(event)
                self.middle = False
            case "mt":
                self.marks = not self.marks

    def _press_left(self, event: Event) -> None:
        if self.middle:
            return
        self.left, self.shift = True, event.what == "sc"
        if self.press_opens:
            self._release_left(event)
            self.left, self.shift = True, event.what == "sc"

    def _release_left(self, event: Event) -> None:
        if not self.left:
            return
        self.left = False
        if self.right or self.shift:
            self._chord(event)
            self.chorded, self.shift = self.right, False
        elif self.chorded:
            self.chorded = False
        elif event.cell is not None:
            self.play.click(event.cell, event.ms, chords=self.left_chords)

    def _press_right(self, event: Event) -> None:
        if self.middle:
            return
        self.right, self.shift = True, False
        if not self.left and event.cell is not None:
            self.chorded = False
            self.play.mark(event.cell, event.ms, questions=self.marks)

    def _release_right(self, event: Event) -> None:
        if not self.right:
            return
        self.right = self.shift = False
        if self.left:
            self._chord(event)
        self.chorded = self.left

    def _chord(self, event: Event) -> None:
        if event.cell is not None:
            self.play.chord(event.cell, event.ms)


class Play:
    """A game in which what the rules do not allow has no effect and leaves no move."""

    def __init__(self, layout: Layout, chord_rule: ChordRule) -> None:
        self.field = Field(layout)
        self.chord_rule = chord_rule
        self.questions: set[Cell] = set()
        self.exploded = False
        self.moves: list[Move] = []

    @property
    def is_won(self) -> bool:
        return not self.exploded and self.field.opened > 0 and self.field.is_cleared

    @property
    def is_over(self) -> bool:
        return self.exploded or self.is_won

    @property
    def lost_at_once(self) -> bool:
        """Did the very first opening hit a mine?"""
        return self.exploded and self.field.opened == 0

    def mark_of(self, cell: Cell) -> Kind | None:
        return "flag" if self.field[cell] == FLAGGED else "question" if cell in self.questions else None

    def click(self, cell: Cell, ms: int, *, chords: bool = False) -> None:
        """A left click."""
        if chords and self.field[cell] >= 0:
            self.chord(cell, ms)
        elif self.field[cell] == COVERED and not self.is_over:
            self._note("open", cell, ms)
            self._open([cell])

    def chord(self, cell: Cell, ms: int) -> None:
        number = self.field[cell]
        if self.is_over or number < 0:
            return
        near = self.field.layout.around(cell)
        flags = sum(self.field[other] == FLAGGED for other in near)
        closed = [other for other in near if self.field[other] == COVERED]
        if closed and (flags == number or (flags > number and self.chord_rule == "at-least")):
            self._note("chord", cell, ms)
            self._open(closed)

    def mark(self, cell: Cell, ms: int, *, questions: bool) -> None:
        """A right click: no mark becomes a flag, then a question mark where there are any, then none again."""
        if self.is_over or self.field[cell] >= 0:
            return
        if questions and self.mark_of(cell) is not None:
            self._note("question", cell, ms)
            self.questions ^= {cell}
            self.field.mark(cell, COVERED)
        else:
            self._note("flag", cell, ms)
            self.questions.discard(cell)
            self.field.mark(cell, COVERED if self.field[cell] == FLAGGED else FLAGGED)

    def _note(self, kind: Kind, cell: Cell, ms: int) -> None:
        """Add a move; a clock never runs backwards."""
        last = self.moves[-1].ms if self.moves else 0
        self.moves.append(Move(kind, cell, max(ms, last)))

    def _open(self, cells: list[Cell]) -> None:
        free = [cell for cell in cells if cell not in self.field.layout.mines]
        self.exploded = len(free) < len(cells)
        self.field.open(free)
        self.questions = {cell for cell in self.questions if self.field[cell] == COVERED}
