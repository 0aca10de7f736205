"""Turn mouse events into moves, with the rules that replay programs share.

Releasing the left button opens a cell; pressing the right button changes the mark. These are chords: releasing the
middle button, releasing left or right while both are down, and releasing left after pressing it with shift. After a
chord with both buttons, releasing the second one does nothing. Illegal moves have no effect: a click on an open cell, a
chord without its flags, anything after the end.

Binary recordings treat the buttons slightly differently: see ``Mouse.recorded``.

Clicks are counted as in ms_toollib (see `Mouse.take`), including clicks without effect. Those are not moves, but
players compare their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mineproof.board.cells import Cell
from mineproof.errors import IllegalMoveError
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Clicks
from mineproof.game.rules import ChordRule, MoveKind

MAX_BUTTON_EVENTS = 100_000  # of a replay, without mouse moves: days of playing
SWITCH = "mt"
NO_CLICKS = Clicks(0, 0, 0)
BUTTONS = ("lc", "lr", "rc", "rr", "mc", "mr", "sc")
# Only in recordings: a flag set before the start; the second of left and right pressed; a button changed.
RECORDED = ("pf", "cc", "l", "r", "m")


class Event(NamedTuple):
    """One of `BUTTONS`, `SWITCH` or `RECORDED` with its place; the cell is None outside the board."""

    ms: int
    what: str
    cell: Cell | None


@dataclass
class Mouse:
    """State of the buttons, and the meaning of clicks.

    ``marks``: the right button sets question marks. ``left_chords``: a left click on a number is a chord.
    ``press_opens``: pressing the left button has the same effect as releasing it. ``recorded``: as in recordings, the
    middle button is independent of the two others, and pressing a button that is down does nothing.
    """

    play: LenientGame
    marks: bool
    left_chords: bool = False
    press_opens: bool = False
    recorded: bool = False
    left: bool = False
    right: bool = False
    middle: bool = False
    shift: bool = False
    chorded: bool = False  # with both buttons, one of which is still down
    clicks: Clicks = NO_CLICKS
    idle: bool = False  # the right button was pressed where nothing can be marked
    last_ms: int = 0  # time of the last event that counted

    def take(self, event: Event) -> None:
        """Apply an event and count it.

        Releasing the left button is a left click, anywhere. Pressing the right button is a right click. Each attempted
        chord on the board is a double click. A right click that marked nothing and became a chord is subtracted again.
        Nothing counts after the end, nor before the first opening unless a flag remains.
        """
        if self.play.game.is_over:
            return
        self.last_ms = max(self.last_ms, event.ms)
        self._take(event)
        if not self.play.has_begun and not self.play.flags:
            self.clicks = NO_CLICKS

    def _take(self, event: Event) -> None:
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
                self._press_middle()
            case "mr":
                self._release_middle(event)
            case "mt":
                self.marks = not self.marks
            case "pf":
                self._count_clicks(right=1)
                if event.cell is not None and self.play.mark_of(event.cell) != "flag":
                    self.play.mark(event.cell, event.ms, questions=False)
            case "cc":
                self.idle = self.idle and self.right
                self.left = self.right = True
            case "l" | "r" | "m":
                down = {"l": self.left, "r": self.right, "m": self.middle}[event.what]
                self._take(event._replace(what=event.what + ("r" if down else "c")))

    def _press_middle(self) -> None:
        if not self.recorded:
            self.left = self.right = self.shift = self.chorded = False
        self.middle = True

    def _release_middle(self, event: Event) -> None:
        if self.middle and self.recorded:
            self._try(event)
        elif self.middle:
            self._chord(event)
        self.middle = False

    def _press_left(self, event: Event) -> None:
        if self.middle and not self.recorded:
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
        else:
            self._count_clicks(left=1)
            if event.cell is not None:
                self.play.click(event.cell, event.ms, chords=self.left_chords)

    def _press_right(self, event: Event) -> None:
        if self.right if self.recorded else self.middle:
            return
        pressed_again, self.right, self.shift = self.right, True, False
        if self.left:
            self.idle = False
            return
        if not pressed_again:
            self._count_clicks(right=1)
        self.idle = True
        if event.cell is not None:
            self.chorded = False
            self.idle = not self.play.mark(event.cell, event.ms, questions=self.marks)

    def _release_right(self, event: Event) -> None:
        if not self.right:
            return
        self.right = self.shift = False
        if self.left:
            self._chord(event)
        self.chorded = self.left
        self.idle = False

    def _chord(self, event: Event) -> None:
        if self.play.has_begun and self.idle:
            self._count_clicks(right=-1)
        self.idle = False
        self._try(event)

    def _try(self, event: Event) -> None:
        if event.cell is None:
            return
        if self.play.has_begun:
            self._count_clicks(double=1)
        self.play.chord(event.cell, event.ms)

    def _count_clicks(self, left: int = 0, right: int = 0, double: int = 0) -> None:
        clicks = self.clicks
        self.clicks = Clicks(clicks.left + left, clicks.right + right, clicks.double + double)


class LenientGame:
    """A game in which illegal moves have no effect and are not recorded. Times are those of the events."""

    def __init__(self, layout: Layout, chord_rule: ChordRule) -> None:
        self.layout = layout
        self.game = Game(layout, first_click="any", chord_rule=chord_rule, clock=lambda: 0.0)
        self.last_ms = 0
        self._marks: dict[Cell, MoveKind] = {}  # marks that were set; ignored for open cells

    @property
    def lost_at_once(self) -> bool:
        """Did the very first opening hit a mine?"""
        return self.game.status == "lost" and self.game.open_cells == 0

    @property
    def has_begun(self) -> bool:
        """Was a cell opened?"""
        return self.game.status != "new"

    @property
    def flags(self) -> int:
        """Number of flags on the board."""
        return self.game.total_mines - self.game.mines_left

    def mark_of(self, cell: Cell) -> MoveKind | None:
        return self._marks.get(cell)

    def click(self, cell: Cell, ms: int, *, chords: bool = False) -> bool:
        """Open a cell, or with ``chords`` chord it, and return whether that had an effect."""
        return (chords and self._play_move("chord", cell, ms)) or self._play_move("open", cell, ms)

    def chord(self, cell: Cell, ms: int) -> bool:
        return self._play_move("chord", cell, ms)

    def mark(self, cell: Cell, ms: int, *, questions: bool) -> bool:
        """Change the mark: none to flag, flag to question mark (if ``questions``) or none. Return whether it did."""
        marked = self.mark_of(cell)
        kind: MoveKind = "question" if questions and marked is not None else "flag"
        if not self._play_move(kind, cell, ms):
            return False
        if marked == kind:
            del self._marks[cell]
        else:
            self._marks[cell] = kind
        return True

    def _play_move(self, kind: MoveKind, cell: Cell, ms: int) -> bool:
        ms = max(ms, self.last_ms)  # a clock never runs backwards
        try:
            self.game.play(kind, cell, ms=ms)
        except IllegalMoveError:
            return False
        self.last_ms = ms
        return True
