"""The game on a terminal: what keys and mouse do, and what is said about it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from mineproof.advice.hints import MOVE, NUMBERS, REASONING, Hint, hint
from mineproof.base.budget import Budget
from mineproof.base.words import size
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.errors import MineproofError
from mineproof.game.rules import MoveKind
from mineproof.tui import looking_back, settings, status, thinking
from mineproof.tui.choosing import Choosing, Chosen
from mineproof.tui.grid import Grid
from mineproof.tui.marks import HINT_GUESS, HINT_MINE, HINT_SAFE, HINT_WRONG, Mark, View
from mineproof.tui.reading import HELP, Page
from mineproof.tui.saying import Saying
from mineproof.tui.session import THOUGHT, Fatal, Session

INTERRUPTED = 130
BY_SIGNAL = 128  # and the number of the signal: the exit status of what a signal has ended, as shells count
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # those this system has of them
MIDDLE, RIGHT = 2, 3  # buttons of a mouse; 1 is the left one
LINES = 24  # from which on a terminal has room for a longer message
TICK = 0.5  # seconds between two looks at the clock
GIVE_UP = "Press n again to give up this game and begin another."
T = TypeVar("T")

# The terminal's own colours, so that it is as dark or light as the terminal is; NO_COLOR takes them all away.
THEME = "ansi-dark"


class Play(App[int]):
    """Plays a `Session`; what it returns is the exit status."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "play.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("space,enter", "open", "Open", key_display="space"),
        Binding("f", "mark('flag')", "Flag"),
        Binding("m", "mark('question')", show=False),
        Binding("c", "chord", "Chord"),
        Binding("h", "letter(0, -1)", "Hint"),
        Binding("j", "letter(1, 0)", show=False),
        Binding("k", "letter(-1, 0)", show=False),
        Binding("l", "letter(0, 1)", show=False),
        Binding("i", "hint", show=False),
        Binding("o", "odds", "Odds"),
        Binding("u,ctrl+z", "undo", "Undo", key_display="u"),
        Binding("n", "new", "New"),
        Binding("s", "settings", "Settings"),
        Binding("r", "review", "Review"),
        Binding("t", "whole_text", show=False),
        Binding("escape", "forget", show=False),
        Binding("q", "leave(0)", "Quit"),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__(ansi_color=True)
        self.theme = THEME
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (LINES, "-tall")]
        self.session = session
        self._hint: Hint | None = None
        self._level = 0  # to which the hint is told, or will be once it is found
        self._shows_odds = False
        self._odds: dict[Cell, thinking.Odds] = {}
        self._odds_of: Board | None = None
        self._status = Static(id="status", markup=False)
        self._grid = Grid(self._view(), self._middle())
        self._saying = Saying(session.note)

    def compose(self) -> ComposeResult:
        yield self._status
        yield self._grid
        yield self._saying
        yield Footer(compact=True, show_command_palette=False)

    def on_load(self) -> None:
        """Before the terminal is taken over: a signal that ends programs ends this one as the key q does.

        The terminal is given back as it was, and the time since the last move is saved.
        """
        for number in (getattr(signal, name) for name in SIGNALS if hasattr(signal, name)):
            # Windows has no such handlers, and only the main thread may set them.
            with suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().add_signal_handler(number, self.action_leave, BY_SIGNAL + number)

    def on_mount(self) -> None:
        self._grid.focus()
        self.set_interval(TICK, self._show_status)
        self._show()

    def on_resize(self) -> None:
        self._show_status()

    # moves

    def action_open(self) -> None:
        """Open the cell under the cursor; where that is done, what is around it."""
        cell = self._grid.cursor
        self._play("chord" if self.session.game.board[cell] >= 0 else "open", cell)

    def action_mark(self, kind: MoveKind) -> None:
        self._play(kind, self._grid.cursor)

    def action_chord(self) -> None:
        self._play("chord", self._grid.cursor)

    def action_undo(self) -> None:
        self._play("undo")

    def on_grid_clicked(self, event: Grid.Clicked) -> None:
        if event.button == RIGHT:
            self._play(self._next_mark(event.cell), event.cell)
        elif event.button == MIDDLE:
            self._play("chord", event.cell)
        else:
            self.action_open()

    def _next_mark(self, cell: Cell) -> MoveKind:
        """What the right button does: flag, then question mark if those are wanted, then nothing."""
        flagged = self.session.game.board[cell] == FLAGGED
        asks = cell in self.session.game.questions or (flagged and self.session.settings.question_marks)
        return "question" if asks else "flag"

    def _play(self, kind: MoveKind, cell: Cell | None = None) -> None:
        report = self.session.play(kind, cell)
        self._drop_hint()
        self.say(report.text)
        self._show()
        if report.fatal is not None:
            self._explain_loss(report.text, report.fatal)

    def _explain_loss(self, text: str, fatal: Fatal) -> None:
        def look(budget: Budget) -> str:
            return thinking.verdict(fatal.board, fatal.cells, budget)

        self._think("advice", look, lambda verdict: self.say(f"{text} {verdict} u takes it back, n begins another."))

    # another game

    def action_new(self) -> None:
        if self.session.in_progress and self._saying.message != GIVE_UP:
            self.say(GIVE_UP)
        else:
            self._begin()

    def action_settings(self) -> None:
        self.push_screen(Choosing(self.session.settings), self._chosen)

    def _chosen(self, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        changed = chosen.settings != self.session.settings
        self.session.settings = chosen.settings
        unsaved = settings.keep(chosen.settings) if changed else ""
        if chosen.start:
            self._begin()
        elif changed:
            self.say(f"Level and rules are those of the next game; n begins it.{unsaved}")

    def _begin(self) -> None:
        self.session.begin()
        self._drop_hint()
        game = self.session.game
        self.say(f"A new game: {size(game.rows, game.columns, game.total_mines)}.")
        self._show()
        self._grid.go(self._middle())

    def _middle(self) -> Cell:
        return self.session.game.rows // 2, self.session.game.columns // 2

    # advice

    def action_letter(self, down: int, right: int) -> None:
        """A key of vi, where the player wants those; h is for hints otherwise."""
        if self.session.settings.letters_move:
            self._grid.action_move(down, right)
        elif right < 0:
            self.action_hint()

    def action_hint(self) -> None:
        """A hint, or more of it; also of one that is still being looked for."""
        game, asked = self.session.game, self._level > 0
        if game.status == "new" and game.rules.first_click != "any":
            self.say("Open any cell: the first one is safe.")
            return
        self._level = min(self._level + 1, REASONING)
        if self._hint is not None:
            self._tell(self._hint)
        elif not asked:
            board = game.board
            self._think("advice", lambda budget: hint(board, budget=budget), self._tell)

    def _tell(self, found: Hint) -> None:
        self._hint = found
        self.say(f"Hint {self._level} of {REASONING}: {found.level(self._level)}")
        self._show()
        place = found.near or (found.cell if self._level >= MOVE else None)
        if place is not None:
            self._grid.bring_into_view(place)

    def _drop_hint(self) -> None:
        self._hint, self._level = None, 0

    def action_odds(self) -> None:
        self._shows_odds = not self._shows_odds
        self.say(self._odds_words() if self._shows_odds else "")
        self._show()

    def _odds_words(self) -> str:
        words = "Odds: chance of a mine in per cent, flags ignored. S is certainly safe, M certainly a mine."
        uniform = " They take all layouts for equally likely, but this one is made to need no guess."
        return words + uniform if self.session.no_guess else words

    def _count_odds(self) -> None:
        board = self.session.game.board
        self._odds, self._odds_of = {}, board

        def show(found: dict[Cell, thinking.Odds]) -> None:
            self._odds = found
            self._show()

        self._think("odds", lambda budget: thinking.odds(board, budget), show)

    def _think(self, group: str, question: Callable[[Budget], T], answer: Callable[[T], None]) -> None:
        """Ask the engine, beside everything else; what it says of a board that is no longer there is dropped."""
        game, board = self.session.game, self.session.game.board

        def deliver(found: T) -> None:
            if self.session.game is game and game.board == board:
                answer(found)

        def give_up(error: MineproofError) -> None:
            self._drop_hint()
            self.say(f"{self._saying.message} No answer: {error}.".lstrip())

        def work() -> None:
            worker = get_current_worker()
            budget = replace(THOUGHT, cancelled=lambda: worker.is_cancelled)
            try:
                found = question(budget)
            except MineproofError as error:
                if not worker.is_cancelled:
                    self.call_from_thread(give_up, error)
            else:
                if not worker.is_cancelled:
                    self.call_from_thread(deliver, found)

        self.run_worker(work, group=group, thread=True, exclusive=True)

    # pages

    def action_help(self) -> None:
        self.push_screen(Page("Keys and mouse", HELP))

    def action_whole_text(self) -> None:
        self.push_screen(Page("Message", self._saying.message))

    def action_review(self) -> None:
        page = Page("Review", "Working out what could be known at each move …")
        self.push_screen(page)
        game = self.session.game
        self._think("review", lambda budget: looking_back.page(game, budget), page.rewrite)

    def action_forget(self) -> None:
        self._drop_hint()
        self.say("")
        self._show()

    def action_leave(self, exit_status: int) -> None:
        if self.session.game.moves:
            self.session.save()  # for the time since the last move
        self.exit(exit_status)

    def _fatal_error(self) -> None:
        """A fault of ours, told as Textual tells it, but without the variables: among them are the mines."""
        from rich.traceback import Traceback

        self.panic(Traceback())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No review before the end, and no advice after it."""
        over = self.session.game.is_over
        return over if action == "review" else not (over and action in ("hint", "odds", "letter"))

    # showing

    def say(self, text: str) -> None:
        self._saying.say(text)

    def _show(self) -> None:
        if self._shows_odds and not self.session.game.is_over and self._odds_of != self.session.game.board:
            self._count_odds()
        if self._grid.view.is_over != self.session.game.is_over:
            self.refresh_bindings()  # other keys are of use then; making the footer again takes time
        self._grid.show(self._view())
        self._show_status()

    def _show_status(self) -> None:
        width = max(0, self.size.width - 2)
        self._status.update(status.line(self.session.game, self._grid.cursor, width).ljust(width))

    def on_grid_moved(self) -> None:
        self._show_status()

    def _view(self) -> View:
        game = self.session.game
        if game.is_over:
            return View(game.board, layout=game.layout, exploded=game.exploded)
        odds = self._odds if self._shows_odds else {}
        view = View(game.board, game.questions, odds=odds, colours=not self.no_color)
        return view if self._hint is None else replace(view, used=self._used(), moves=self._moves())

    def _used(self) -> frozenset[Cell]:
        """The numbers that the hint speaks of, as far as it is told."""
        if self._hint is None:
            return frozenset()
        numbers = self._hint.because if self._level >= NUMBERS else [self._hint.near]
        return frozenset(cell for cell in numbers if cell is not None)

    def _moves(self) -> dict[Cell, Mark]:
        """The move that the hint proposes, once it is told."""
        found = self._hint
        if found is None or self._level < MOVE:
            return {}
        if found.cell is not None:
            return {found.cell: HINT_WRONG if found.kind == "flag" else HINT_GUESS}
        return dict.fromkeys(found.safe, HINT_SAFE) | dict.fromkeys(found.mines, HINT_MINE)
