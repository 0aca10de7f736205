"""A page of text over the board: the keys, a long message, a pause, a position to copy, the review of a game."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

# Short lines, which a terminal of 40 columns need not fold.
HELP = """\
arrows     move the cursor
Home End   to the ends of the row
PgUp PgDn  a page up or down
space      open; a number: chord
enter      the same
f          flag on or off
m          question mark on or off
c          chord: open what is left
           around a number that has
           its flags
h i        hint; again: more of it
           (where to look, numbers,
           move, reasoning)
o          chance of a mine in %;
           S is certainly safe,
           M is certainly a mine;
           flags do not count
b          best move, and why
a          make the best move
A          go on making it; escape
           or a move of yours stops
u ctrl+z   undo, also after a loss
p          pause: hides the board
n          new game
g          the same board again
y Y        copy the position: text,
           link to JSMinesweeper
s          settings
r          review, when it is over
t          all of a long message
escape     hint and message away
q ctrl+c   quit; the game is kept

Mouse
left       open; a number: chord
right      flag (or ctrl with left)
middle     chord

Signs
·  covered      *  mine
F  flag         !  went off
?  question     X  wrong flag
S  safe         M  certain mine
G  guess
[ ] the cursor
( ) what a hint speaks of

The clock stands while a page like
this one hides the board.

With "h j k l move" in the settings
these keys move the cursor, and
only i asks for a hint.
"""


_COLUMN = 38  # characters of the left one of two columns
TWO_COLUMNS = 2 * _COLUMN  # characters of a terminal that has room for both


def help_text(width: int) -> str:
    """The keys, in two columns where a terminal has room for them: then most of them are seen at once."""
    lines = HELP.splitlines()
    if width < TWO_COLUMNS:
        return HELP
    half = -(-len(lines) // 2)
    rows = zip_longest(lines[:half], lines[half:], fillvalue="")
    return "\n".join(f"{left:{_COLUMN}}{right}".rstrip() for left, right in rows)


class Page(ModalScreen[None]):
    """Text that scrolls; any of the usual keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space,question_mark", "close", show=False)]

    def __init__(self, title: str, text: str, *, wide: bool = False) -> None:
        super().__init__()
        self._title = title
        self._words = Static(text, markup=False)
        self._look = "page wide" if wide else "page"

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes=self._look) as page:
            page.border_title = self._title
            page.border_subtitle = "escape closes"
            yield self._words

    def rewrite(self, text: str) -> None:
        """Other text, where the first was only to say that it takes a moment."""
        self._words.update(text)

    def action_close(self) -> None:
        self.dismiss()


class Pause(Page):
    """What is seen instead of the board while the clock stands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("p", "close", show=False)]

    def __init__(self, time: str) -> None:
        super().__init__("Paused", f"The clock stands at {time}.\n\np, space or escape goes on.")
