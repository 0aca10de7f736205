"""The settings as a list; enter or the left and right arrows change the highlighted line."""

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

from mineproof.board.geometry import TOPOLOGIES
from mineproof.board.levels import LEVELS, read_size
from mineproof.board.start import FIRST_CLICKS
from mineproof.errors import BoardSyntaxError
from mineproof.game.rules import FAIRNESSES
from mineproof.pictures.captions import format_size
from mineproof.tui.settings import Settings
from mineproof.tui.texts import error_text, level_name
from mineproof.wording.catalogue import has_message, message

CUSTOM = "custom"
START = "start"


class _SettingRow(NamedTuple):
    name: str  # of the field of `Settings`
    title: str  # key of the message
    choices: Sequence[Any]


_ROWS = (
    _SettingRow("size", "tui-settings-size", (*LEVELS, CUSTOM)),
    _SettingRow("first_click", "tui-settings-first-click", FIRST_CLICKS),
    _SettingRow("fairness", "tui-settings-fairness", FAIRNESSES),
    _SettingRow("no_guess", "tui-settings-no-guess", (False, True)),
    _SettingRow("topology", "tui-settings-topology", TOPOLOGIES),
    _SettingRow("question_marks", "tui-settings-question-marks", (False, True)),
    _SettingRow("ruler", "tui-settings-ruler", (False, True)),
    _SettingRow("letters_move", "tui-settings-letters-move", (False, True)),
)


class SettingsChoice(NamedTuple):
    """The settings, and whether to start a new game with them at once."""

    settings: Settings
    start: bool


class SettingsScreen(ModalScreen[SettingsChoice]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("right,space", "change(1)", show=False),
        Binding("left", "change(-1)", show=False),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._custom = settings.size not in LEVELS
        self._title_width = max(len(message(row.title)) for row in _ROWS)

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page", can_focus=False) as page:
            page.border_title = message("tui-screen-settings")
            page.border_subtitle = message("tui-settings-keys")
            start = Option(message("tui-settings-start"), id=START)
            yield OptionList(*(Option(self._prompt(row), id=row.name) for row in _ROWS), start, compact=True)
            size = read_size(self._settings.size)
            yield Input(
                f"{size.columns}x{size.rows}x{size.mines}", id="custom", compact=True, placeholder="30x16x99",
                restrict=r"[0-9xX]*",
            )  # fmt: skip
            yield Static(markup=False, id="wrong")

    def on_mount(self) -> None:
        self._show_custom()
        self._show_error("")

    # changing

    @on(OptionList.OptionSelected)
    def _on_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == START:
            self._start()
        else:
            self.action_change(1)

    def action_change(self, step: int) -> None:
        """Select the next choice of the highlighted line."""
        place = self.query_one(OptionList).highlighted
        if place is None or place >= len(_ROWS) or isinstance(self.focused, Input):
            return
        row = _ROWS[place]
        index = (row.choices.index(self._choice(row)) + step) % len(row.choices)
        self._choose(row, row.choices[index])

    def _choice(self, row: _SettingRow) -> Any:
        return CUSTOM if row.name == "size" and self._custom else getattr(self._settings, row.name)

    def _choose(self, row: _SettingRow, choice: Any) -> None:
        if row.name == "size":
            self._custom = choice == CUSTOM
            self._show_custom()
        if choice != CUSTOM:
            self._settings = dataclasses.replace(self._settings, **{row.name: choice})
        self.query_one(OptionList).replace_option_prompt(row.name, self._prompt(row))

    def _prompt(self, row: _SettingRow) -> str:
        return f"{message(row.title):<{self._title_width}}  {_choice_text(self._choice(row))}"

    def _show_custom(self) -> None:
        self.query_one(Input).display = self._custom

    # leaving

    def on_input_submitted(self) -> None:
        self._start()

    def _start(self) -> None:
        """Close with the settings for a new game; an invalid custom size keeps the screen open."""
        if error := self._read_custom_size():
            self._show_error(error)
            self.query_one(Input).focus()
        else:
            self.dismiss(SettingsChoice(self._settings, start=True))

    def action_leave(self) -> None:
        """Close with the settings for the next game; an invalid custom size is dropped."""
        self._read_custom_size()
        self.dismiss(SettingsChoice(self._settings, start=False))

    def _read_custom_size(self) -> str:
        """Copy a custom size from its input to the settings; return an error message if it is invalid."""
        if self._custom:
            text = self.query_one(Input).value
            try:
                read_size(text)
            except BoardSyntaxError as error:
                return error_text(error)
            self._settings = dataclasses.replace(self._settings, size=text)
        return ""

    def _show_error(self, text: str) -> None:
        place = self.query_one("#wrong", Static)
        place.update(text)
        place.display = bool(text)
        place.scroll_visible(animate=False)


def _choice_text(choice: Any) -> str:
    if isinstance(choice, bool):
        return message("tui-choice-yes" if choice else "tui-choice-no")
    if choice in LEVELS:
        return message("tui-choice-level", name=level_name(choice), size=format_size(*LEVELS[choice]))
    key = f"tui-choice-{choice}"
    return message(key) if has_message(key) else str(choice)
