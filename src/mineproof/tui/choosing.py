"""The settings, as a list to go through: enter or the arrows to the sides change a line."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from mineproof.base import words
from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import LEVELS, read_size
from mineproof.board.start import FIRST_CLICKS
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import FAIRNESSES
from mineproof.tui.settings import Settings

CUSTOM = "custom"
START = "start"

_WORDS = {
    True: "yes",
    False: "no",
    "any": "any: may be a mine",
    "safe": "safe: never a mine",
    "open": "open: no mine next to it",
    "none": "none",
    "forced": "forced: a forced guess never loses",
    "kind": "kind: a guess never loses",
    "strict": "strict: as forced; needless guesses lose",
}


class _Row(NamedTuple):
    name: str
    title: str
    choices: Sequence[Any]


_ROWS = (
    _Row("size", "Level", (*LEVELS, CUSTOM)),
    _Row("first_click", "First click", FIRST_CLICKS),
    _Row("fairness", "Fairness", FAIRNESSES),
    _Row("no_guess", "No-guess board", (False, True)),
    _Row("topology", "Shape", TOPOLOGIES),
    _Row("question_marks", "Question marks", (False, True)),
    _Row("letters_move", "h j k l move", (False, True)),
)
_TITLES = max(len(row.title) for row in _ROWS)


class Chosen(NamedTuple):
    """The settings, and whether a game is to be begun with them at once."""

    settings: Settings
    start: bool


class Choosing(ModalScreen[Chosen]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("right,space", "change(1)", show=False),
        Binding("left", "change(-1)", show=False),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._custom = settings.size not in LEVELS

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page", can_focus=False) as page:
            page.border_title = "Settings"
            page.border_subtitle = "← → change, escape closes"
            begin = Option("Begin a new game with these", id=START)
            yield OptionList(*(Option(self._prompt(row), id=row.name) for row in _ROWS), begin, compact=True)
            size = read_size(self._settings.size)
            yield Input(
                f"{size.columns}x{size.rows}x{size.mines}", id="custom", compact=True, placeholder="30x16x99",
                restrict=r"[0-9xX]*",
            )  # fmt: skip
            yield Static(markup=False, id="wrong")

    def on_mount(self) -> None:
        self._show_custom()
        self._complain("")

    # changing

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == START:
            self._begin()
        else:
            self.action_change(1)

    def action_change(self, step: int) -> None:
        """The next choice of the line that is highlighted."""
        place = self.query_one(OptionList).highlighted
        if place is None or place >= len(_ROWS) or isinstance(self.focused, Input):
            return
        row = _ROWS[place]
        at = (row.choices.index(self._choice(row)) + step) % len(row.choices)
        self._choose(row, row.choices[at])

    def _choice(self, row: _Row) -> Any:
        return CUSTOM if row.name == "size" and self._custom else getattr(self._settings, row.name)

    def _choose(self, row: _Row, choice: Any) -> None:
        if row.name == "size":
            self._custom = choice == CUSTOM
            self._show_custom()
        if choice != CUSTOM:
            self._settings = dataclasses.replace(self._settings, **{row.name: choice})
        self.query_one(OptionList).replace_option_prompt(row.name, self._prompt(row))

    def _prompt(self, row: _Row) -> str:
        return f"{row.title:<{_TITLES}}  {self._words(row)}"

    def _words(self, row: _Row) -> str:
        choice = self._choice(row)
        if choice in LEVELS:
            size = LEVELS[choice]
            return f"{choice}: {words.size(*size)}"
        return "custom: tab to write it below" if choice == CUSTOM else _WORDS.get(choice, choice)

    def _show_custom(self) -> None:
        self.query_one(Input).display = self._custom

    # leaving

    def on_input_submitted(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """Hand over the settings for a new game; a custom size that is none stays to be mended."""
        if error := self._take_custom():
            self._complain(f"{error}.")
            self.query_one(Input).focus()
        else:
            self.dismiss(Chosen(self._settings, start=True))

    def action_leave(self) -> None:
        """Hand over the settings for the next game; a custom size that is none is dropped."""
        self._take_custom()
        self.dismiss(Chosen(self._settings, start=False))

    def _take_custom(self) -> str:
        """Take over the size that is written out, if one is wanted; what is wrong with it."""
        if self._custom:
            written = self.query_one(Input).value
            try:
                read_size(written)
            except BoardSyntaxError as error:
                return str(error)
            self._settings = dataclasses.replace(self._settings, size=written)
        return ""

    def _complain(self, words: str) -> None:
        place = self.query_one("#wrong", Static)
        place.update(words)
        place.display = bool(words)
        place.scroll_visible(animate=False)
