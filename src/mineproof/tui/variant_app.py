"""A game of a variant on a terminal: a board of texts, since its clues are more than digits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, TypeVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from mineproof.base import colours, files
from mineproof.board.cells import Cell
from mineproof.board.topology import topology_named
from mineproof.errors import BudgetExceeded, MineproofError
from mineproof.game.rules import MoveKind
from mineproof.game.variant_game import VariantGame
from mineproof.tui import exit_signals
from mineproof.tui.app import INTERRUPTED, RIGHT_BUTTON, THEME
from mineproof.tui.message_lines import MessageLines
from mineproof.tui.questions import MINE, SAFE
from mineproof.tui.status import FACES
from mineproof.tui.text_screen import TextScreen
from mineproof.tui.texts import (
    cell_label,
    error_text,
    format_clock,
    join_sentences,
    topology_name,
    with_ruler_labels,
)
from mineproof.variants.clues import clue_rule
from mineproof.variants.variant_analysis import VariantAnalysis
from mineproof.variants.variant_hints import VariantHint
from mineproof.wording.catalogue import has_message, message
from mineproof.wording.variant_hints import LEVELS
from mineproof.wording.variants import rules_sentence, rules_title

T = TypeVar("T")
ODDS_SECONDS = 5.0  # also for a hint or the best move
WIDE_CLUE = 7  # characters of the longest clue of ``wall``
STATUS_INTERVAL = 0.5
_COVERED = [Style.parse(shade) for shade in colours.COVERED_SHADES]
_CURSOR = Style.parse("bold reverse")
_CLUE_OF_HINT = Style.parse("bold reverse underline")
_SHOWN = {
    "flag": Style.parse(colours.FLAG),
    "mine": Style.parse(colours.SHOWN_MINE),
    "exploded": Style.parse(colours.EXPLODED),
    "safe": Style.parse(colours.SAFE),
    "certain": Style.parse(colours.MINE),
}
_KEYS = (
    ("space,enter", "open", "tui-key-open", "tui-key-space"),
    ("f", "move('flag')", "tui-key-flag", "f"),
    ("c", "move('chord')", "tui-key-chord", "c"),
    ("h", "hint", "tui-key-hint", "h"),
    ("b", "best", "tui-key-best", "b"),
    ("o", "odds", "tui-key-odds", "o"),
    ("u,ctrl+z", "undo", "tui-key-undo", "u"),
    ("n", "new", "tui-key-new", "n"),
    ("q", "leave(0)", "tui-key-quit", "q"),
)


class VariantGrid(Static):
    """The board; a click opens or flags a cell."""

    def __init__(self, app: VariantTerminalGame) -> None:
        super().__init__(markup=False)
        self._player = app

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Make the move of a click."""
        self._player.press_at(event.x, event.y, is_right=event.button == RIGHT_BUTTON)


class VariantTerminalGame(App[int]):
    """The application that plays games of a variant; it returns the exit status."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "play.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1, 0)", show=False, priority=True),
        Binding("down", "step(1, 0)", show=False, priority=True),
        Binding("left", "step(0, -1)", show=False, priority=True),
        Binding("right", "step(0, 1)", show=False, priority=True),
        Binding("t", "text", show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
    ]

    def __init__(
        self, game: VariantGame, deal: Callable[[], VariantGame], path: Path, *, handle_signals: bool = False
    ) -> None:
        """``deal`` returns the next new game, and ``path`` is the file of the game."""
        super().__init__(ansi_color=True)
        self._handles_signals = handle_signals
        self.theme = THEME
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (24, "-tall")]
        for keys, action, key, display in _KEYS:
            name = message(display) if has_message(display) else display
            self.bind(keys, action, description=message(key), key_display=name)
        self.game, self._deal, self._path = game, deal, path
        self.cursor: Cell = game.middle
        self._shows_odds = False
        self._odds: VariantAnalysis | None = None
        self._hint: VariantHint | None = None
        self._hint_level = 0  # that is shown, or will be once the hint is computed
        self._lit: dict[Cell, str] = {}  # clue, safe or mine, for the cells of a hint
        self._wants_new = False  # was n pressed once in a running game?
        rules = game.variant.names
        shape = [] if game.topology == "grid" else [topology_name(game.topology)]
        self._rules = "  ".join([rules_title(rules), *shape])
        self.cell_width = 1 + (WIDE_CLUE if clue_rule(game.variant.clues).name == "wall" else 3)
        self._status = Static(id="status", markup=False)
        self._grid = VariantGrid(self)
        self._message = MessageLines(rules_sentence(rules))

    def compose(self) -> ComposeResult:
        yield self._status
        with VerticalScroll(can_focus=False):
            yield self._grid
        yield self._message
        yield Footer(compact=True, show_command_palette=False)

    def on_load(self) -> None:
        """Make signals that end programs act like the key q."""
        if self._handles_signals:
            loop = asyncio.get_running_loop()

            def leave(status: int) -> None:
                loop.call_soon_threadsafe(self.action_leave, status)

            exit_signals.install_handlers(leave)

    def on_mount(self) -> None:
        """Draw the board, and the clock again and again."""
        self._draw_board()
        self.set_interval(STATUS_INTERVAL, self._draw_status)

    # drawing

    @property
    def text(self) -> str:
        """The board as it is drawn."""
        return self._picture().plain

    def _draw_board(self) -> None:
        self._grid.update(self._picture())
        self._draw_status()

    def _draw_status(self) -> None:
        game = self.game
        mines = message("tui-status-mines", count=game.mines_left)
        state = f"{FACES[game.status]} {message(f'tui-status-{game.status}')}"
        parts = [self._rules, mines, format_clock(game.seconds), state, cell_label(self.cursor)]
        self._status.update("  ".join(parts)[: max(self.size.width - 2, 10)])

    def _picture(self) -> Text:
        view = self.game.as_json()
        mines = {(row, column): count for row, column, count in view.get("mines", ())}
        picture = Text()
        for row, (cells, labels) in enumerate(zip(view["cells"], view["labels"], strict=True)):
            if row:
                picture.append("\n")
            picture.append(" " * self._shift(row))
            for column in range(self.game.columns):
                if (row, column) in self.game.cells:
                    self._append(picture, (row, column), cells[column], labels[column], mines)
                else:
                    picture.append(" " * self.cell_width)
        return picture

    def _shift(self, row: int) -> int:
        """How far a row is shifted to the right: hexagons lie between those above."""
        is_shifted = row % 2 and topology_named(self.game.topology).has_shifted_rows
        return self.cell_width // 2 if is_shifted else 0

    def _append(self, picture: Text, cell: Cell, token: str, label: str, mines: dict[Cell, int]) -> None:
        """Draw a cell."""
        sign, style = self._sign(cell, token, label, mines)
        if cell == self.cursor:
            picture.append(f"[{sign}]".center(self.cell_width), style=_CURSOR)
        else:
            picture.append(sign.center(self.cell_width - 1), style=style)
            picture.append(" ")

    def _sign(self, cell: Cell, token: str, label: str, mines: dict[Cell, int]) -> tuple[str, Style]:
        is_covered = token == "#" or token.startswith("F")
        if not is_covered and cell in self._lit:
            return label, _CLUE_OF_HINT
        if not is_covered:
            number = label.strip("≥≤+")
            colour = colours.NUMBERS[(int(number) - 1) % len(colours.NUMBERS)] if number.isdecimal() else "default"
            return ("·" if label == "0" else label), Style.parse(f"bold {colour}" if number != "0" else "dim")
        if cell in mines:
            return ("!" if cell in self.game.exploded else "*") + (str(mines[cell]) if mines[cell] > 1 else ""), (
                _SHOWN["exploded" if cell in self.game.exploded else "mine"]
            )
        if token != "#":
            return token, _SHOWN["flag"]
        shade = _COVERED[(cell[0] + cell[1]) % len(_COVERED)]
        if cell in self._lit:
            is_safe = self._lit[cell] == "safe"
            return (SAFE, _SHOWN["safe"]) if is_safe else (MINE, _SHOWN["certain"])
        if self._odds is None:
            return "#", shade
        if cell in self._odds.safe:
            return SAFE, _SHOWN["safe"]
        if cell in self._odds.mines:
            return MINE, _SHOWN["certain"]
        return f"{min(99, max(1, round(100 * float(self._odds.mine_probability[cell]))))}", shade

    def _say(self, text: str) -> None:
        self._message.show_text(text)

    # moves

    def press_at(self, x: int, y: int, *, is_right: bool) -> None:
        """Make the move of a click on the board."""
        if x >= self._shift(y):
            self.press((y, (x - self._shift(y)) // self.cell_width), is_right=is_right)

    def press(self, cell: Cell, *, is_right: bool) -> None:
        """Make the move of a click on a cell."""
        if cell in self.game.cells:
            self.cursor = cell
            if is_right:
                self.action_move("flag")
            else:
                self.action_open()

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor; across joined borders, and over places without a cell."""
        game, cell = self.game, self.cursor
        for _ in range(max(game.rows, game.columns)):
            cell = topology_named(game.topology).move(cell[0] + down, cell[1] + right, game.rows, game.columns)
            if cell in self.game.cells:
                self.cursor = cell
                self._draw_board()
                return

    def action_open(self) -> None:
        """Open the cell under the cursor; on a clue, chord."""
        is_open = self.game.position.cells[self.cursor[0] * self.game.columns + self.cursor[1]].state == "open"
        self.action_move("chord" if is_open else "open")

    def action_move(self, kind: MoveKind) -> None:
        """Make a move at the cursor."""
        self._play_move(kind, self.cursor)

    def action_undo(self) -> None:
        """Undo the last move."""
        self._play_move("undo", None)

    def _play_move(self, kind: MoveKind, cell: Cell | None) -> None:
        self._wants_new = False
        try:
            self.game.play(kind, cell)
            note = self._save()
        except MineproofError as error:
            self._say(error_text(error))
            return
        self._odds = None
        self._forget_hint()
        end = {"won": "page-variants-won", "lost": "page-variants-lost"}.get(self.game.status)
        self._say(join_sentences(message(end) if end else "", note))
        self._draw_board()
        if self._shows_odds:
            self._count()

    def _save(self) -> str:
        """Save the game; return what went wrong, or nothing."""
        try:
            files.write(self._path, self.game.save(), private=True)
        except OSError as error:
            return message("tui-variant-not-saved", reason=files.reason(error))
        return ""

    # help

    def action_hint(self) -> None:
        """Show a hint, or its next level."""
        if self.game.is_over:
            return
        if self.game.status == "new":
            self._say(message("page-hint-start"))
            return
        self._hint_level = min(self._hint_level + 1, LEVELS[-1])
        if self._hint is not None:
            self._show_hint(self._hint)
        elif self._hint_level == 1:
            self.run_worker(self._find_hint(self.game, self.game.move_count), exclusive=True, group="help")

    async def _find_hint(self, game: VariantGame, moves: int) -> None:
        hint = await self._answer(lambda: game.hint(budget=ODDS_SECONDS))
        if hint is None:
            self._hint_level = 0
        elif (self.game, self.game.move_count) == (game, moves):
            self._hint = hint
            self._show_hint(hint)

    def _show_hint(self, hint: VariantHint) -> None:
        view = hint.as_json(self._hint_level)
        text = with_ruler_labels(lambda: hint.level(self._hint_level))
        if hint.kind == "step":
            text = message("tui-hint", level=self._hint_level, levels=LEVELS[-1], text=text)
        self._lit = {}
        for kind, cells in (("clue", view["because"]), ("safe", view["safe"]), ("mine", view["mines"])):
            self._lit |= dict.fromkeys([(row, column) for row, column in cells or ()], kind)
        if hint.cell is not None:
            self.cursor = hint.cell
        self._say(text)
        self._draw_board()

    def action_best(self) -> None:
        """Show the best move, and move the cursor to it."""
        if not self.game.is_over:
            self.run_worker(self._find_best(self.game, self.game.move_count), exclusive=True, group="help")

    async def _find_best(self, game: VariantGame, moves: int) -> None:
        move = await self._answer(lambda: game.board.best_move(budget=ODDS_SECONDS))
        if move is not None and (self.game, self.game.move_count) == (game, moves):
            self.cursor = move.cell or self.cursor
            self._say(with_ruler_labels(lambda: move.text))
            self._draw_board()

    async def _answer(self, work: Callable[[], T]) -> T | None:
        """Do some work in a thread; say so and return None if it takes too long."""
        try:
            return await asyncio.to_thread(work)
        except BudgetExceeded:
            self._say(message("page-variants-no-odds"))
            return None

    def _forget_hint(self) -> None:
        self._hint, self._hint_level, self._lit = None, 0, {}

    def action_text(self) -> None:
        """Show the whole message, which may be too long for its lines."""
        self.push_screen(TextScreen(message("tui-screen-message"), self._message.text))

    def action_odds(self) -> None:
        """Show or hide the odds."""
        self._shows_odds = not self._shows_odds
        self._odds = None
        self._draw_board()
        if self._shows_odds:
            self._count()

    def _count(self) -> None:
        if not self.game.is_over:
            self.run_worker(self._show_odds(self.game, self.game.move_count), exclusive=True)

    async def _show_odds(self, game: VariantGame, moves: int) -> None:
        odds = await self._answer(lambda: game.board.analyze(budget=ODDS_SECONDS))
        if odds is None:
            return
        if (self.game, self.game.move_count, self._shows_odds) == (game, moves, True):
            self._odds = odds
            self._say(message("page-variants-layouts", count=f"{odds.layouts:,}"))
            self._draw_board()

    def action_new(self) -> None:
        """Start a new game; a running one needs a second press."""
        if self.game.status == "running" and not self._wants_new:
            self._wants_new = True
            self._say(message("tui-variant-confirm-new"))
            return
        try:
            self.game = self._deal()
        except MineproofError as error:
            self._say(error_text(error))
            return
        self._wants_new, self._odds = False, None
        self._forget_hint()
        self._say(rules_sentence(self.game.variant.names))
        self._draw_board()
        if self._shows_odds:
            self._count()

    def action_leave(self, status: int) -> None:
        """Save the time and end."""
        if self.game.move_count:
            self._save()
        self.exit(status)
