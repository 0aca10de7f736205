"""Screens of text over the board: the keys, a long message, a pause, a position to copy, the review of a game."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from mineproof.wording.catalogue import message

_LEFT_COLUMN_WIDTH = 38  # characters
TWO_COLUMNS_WIDTH = 2 * _LEFT_COLUMN_WIDTH  # characters that a terminal needs for both columns of the help


def help_text(width: int) -> str:
    """Return the list of keys, in two columns if the terminal is wide enough, so that most of it fits on the screen."""
    text = message("tui-help")
    if width < TWO_COLUMNS_WIDTH:
        return text
    lines = text.splitlines()
    half = -(-len(lines) // 2)
    rows = zip_longest(lines[:half], lines[half:], fillvalue="")
    return "\n".join(f"{left:{_LEFT_COLUMN_WIDTH}}{right}".rstrip() for left, right in rows)


class TextScreen(ModalScreen[None]):
    """Text that scrolls; any of the usual keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space,question_mark", "close", show=False)]

    def __init__(self, title: str, text: str, *, wide: bool = False) -> None:
        super().__init__()
        self._title = title
        self._text = Static(text, markup=False)
        self._style_classes = "page wide" if wide else "page"

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes=self._style_classes) as page:
            page.border_title = self._title
            page.border_subtitle = message("tui-screen-close")
            yield self._text

    def replace_text(self, text: str) -> None:
        """Show the result in place of a text that asked the player to wait."""
        self._text.update(text)

    def action_close(self) -> None:
        self.dismiss()


class PauseScreen(TextScreen):
    """Hides the board while the clock is stopped."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("p", "close", show=False)]

    def __init__(self, time: str) -> None:
        super().__init__(message("tui-screen-paused"), message("tui-paused", time=time))
