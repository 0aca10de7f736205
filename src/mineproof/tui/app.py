"""The game on a terminal: the actions of keys and mouse, and the messages about them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from mineproof.advice.hints import MOVE, NUMBERS, REASONING, Hint, Preference, hint
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.decision.moves import BestMove
from mineproof.errors import MineproofError
from mineproof.game.rules import MoveKind, hint_options
from mineproof.tui import clipboard, exit_signals, questions, settings
from mineproof.tui.grid import BoardGrid
from mineproof.tui.marks import HINT_GUESS, HINT_MINE, HINT_SAFE, HINT_WRONG, CellMark, View
from mineproof.tui.message_lines import MessageLines
from mineproof.tui.review_screen import review_text
from mineproof.tui.session import ANSWER_BUDGET, LosingMove, MoveReport, Session
from mineproof.tui.settings_screen import SettingsChoice, SettingsScreen
from mineproof.tui.status import status_line
from mineproof.tui.text_screen import TWO_COLUMNS_WIDTH, PauseScreen, TextScreen, help_text
from mineproof.tui.texts import cell_label, error_text, format_clock, join_sentences, with_ruler_labels
from mineproof.wording.catalogue import has_message, message

INTERRUPTED = 130  # exit status after Ctrl-C
MIDDLE_BUTTON, RIGHT_BUTTON = 2, 3
TALL_TERMINAL_LINES = 24  # from here on there is room for a longer message
STATUS_INTERVAL = 0.5  # seconds between two updates of the clock
AUTOPLAY_INTERVAL = 0.4  # seconds between two moves that are made for the player
T = TypeVar("T")

# The terminal's own colours: dark or light as the terminal is. NO_COLOR removes them.
THEME = "ansi-dark"

# Keys in the footer: key, action, message, and the message of the key's name where it has one.
_FOOTER_KEYS = (
    ("question_mark", "help", "tui-key-help", "?"),
    ("space,enter", "open", "tui-key-open", "tui-key-space"),
    ("f", "mark('flag')", "tui-key-flag", "f"),
    ("h", "letter(0, -1)", "tui-key-hint", "h"),
    ("b", "best", "tui-key-best", "b"),
    ("o", "odds", "tui-key-odds", "o"),
    ("u,ctrl+z", "undo", "tui-key-undo", "u"),
    ("n", "new", "tui-key-new", "n"),
    ("s", "settings", "tui-key-settings", "s"),
    ("r", "review", "tui-key-review", "r"),
    ("q", "leave(0)", "tui-key-quit", "q"),
)


class TerminalGame(App[int]):
    """The application that plays a `Session`; it returns the exit status."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "play.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mark('question')", show=False),
        Binding("c", "chord", show=False),
        Binding("j", "letter(1, 0)", show=False),
        Binding("k", "letter(-1, 0)", show=False),
        Binding("l", "letter(0, 1)", show=False),
        Binding("i", "hint", show=False),
        Binding("a", "autoplay(False)", show=False),
        Binding("A", "autoplay(True)", show=False),
        Binding("p", "pause", show=False),
        Binding("g", "again", show=False),
        Binding("y", "copy('text')", show=False),
        Binding("Y", "copy('link')", show=False),
        Binding("t", "full_message", show=False),
        Binding("escape", "clear", show=False),
        Binding("ctrl+c", f"leave({INTERRUPTED})", show=False, priority=True),
    ]

    def __init__(self, session: Session, *, handle_signals: bool = False) -> None:
        super().__init__(ansi_color=True)
        self._handles_signals = handle_signals  # for the whole process, so only if the game is all that it does
        self.theme = THEME
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL_TERMINAL_LINES, "-tall")]
        for keys, action, key, display in _FOOTER_KEYS:  # here and not in BINDINGS: the language is known now
            name = message(display) if has_message(display) else display
            self.bind(keys, action, description=message(key), key_display=name)
        self.session = session
        self._hint: Hint | None = None
        self._hint_level = 0  # that is shown, or will be once the hint is computed
        self._counted_level = 0  # the last level that the session has counted
        self._best: BestMove | None = None
        self._autoplays = False  # does the program make one move after the other for the player?
        self._shows_odds = False
        self._odds: dict[Cell, questions.CellOdds] = {}
        self._odds_board: Board | None = None
        self._status = Static(id="status", markup=False)
        self._grid = BoardGrid(self._view(), session.place)
        self._message = MessageLines(session.note)

    def compose(self) -> ComposeResult:
        yield self._status
        yield self._grid
        yield self._message
        yield Footer(compact=True, show_command_palette=False)

    def on_load(self) -> None:
        """Make signals that end programs act like the key q, before Textual takes over the terminal.

        The terminal is restored, and the time since the last move is saved.
        """
        if self._handles_signals:
            loop = asyncio.get_running_loop()

            def leave(status: int) -> None:
                loop.call_soon_threadsafe(self.action_leave, status)

            exit_signals.install_handlers(leave)

    def on_mount(self) -> None:
        self._grid.focus()
        self.set_interval(STATUS_INTERVAL, self._show_status)
        self._refresh_board()

    def on_resize(self) -> None:
        self._show_status()

    # moves

    def action_open(self) -> None:
        """Open the cell under the cursor; on an open number, the cells around it."""
        cell = self._grid.cursor
        self._play_move("chord" if self.session.game.board[cell] >= 0 else "open", cell)

    def action_mark(self, kind: MoveKind) -> None:
        self._play_move(kind, self._grid.cursor)

    def action_chord(self) -> None:
        self._play_move("chord", self._grid.cursor)

    def action_undo(self) -> None:
        self._play_move("undo")

    def on_board_grid_clicked(self, event: BoardGrid.Clicked) -> None:
        if event.button == RIGHT_BUTTON:
            self._play_move(self._next_mark(event.cell), event.cell)
        elif event.button == MIDDLE_BUTTON:
            self._play_move("chord", event.cell)
        else:
            self.action_open()

    def _next_mark(self, cell: Cell) -> MoveKind:
        """Return what the right button does: flag, then question mark if the settings have them, then no mark."""
        flagged = self.session.game.board[cell] == FLAGGED
        questions_next = cell in self.session.game.questions or (flagged and self.session.settings.question_marks)
        return "question" if questions_next else "flag"

    def _play_move(self, kind: MoveKind, cell: Cell | None = None) -> None:
        """Make a move of the player."""
        self._stop_thinking()
        report = self.session.play(kind, cell, helped="odds_moves" if self._shows_odds else None)
        self._show_move(report, report.text)

    def _show_move(self, report: MoveReport, text: str) -> None:
        self._drop_advice()
        self.show_message(text)
        self._refresh_board()
        if report.losing_move is not None:
            self._explain_loss(text, report.losing_move)

    def _explain_loss(self, text: str, move: LosingMove) -> None:
        def explain(budget: Budget) -> str:
            return questions.explain_loss(move.board, move.cells, budget)

        def show(explanation: str) -> None:
            self.show_message(join_sentences(text, explanation, message("tui-after-loss")))

        self._think("advice", explain, show)

    # other games

    def action_new(self) -> None:
        if self.session.in_progress and self._message.text != message("tui-give-up-new"):
            self.show_message(message("tui-give-up-new"))
        else:
            self._start_game()

    def action_again(self) -> None:
        """Start the same board again: at any time, also after a loss."""
        if self.session.in_progress and self._message.text != message("tui-give-up-again"):
            self.show_message(message("tui-give-up-again"))
            return
        self.session.restart_game()
        start = self.session.start
        if start is None:
            self._show_new_game(message("tui-same-board"))
        else:
            self._show_new_game(message("tui-same-board-start", cell=cell_label(start)))

    def action_settings(self) -> None:
        self._open_over(SettingsScreen(self.session.settings), self._apply_settings)

    def _apply_settings(self, choice: SettingsChoice | None) -> None:
        if choice is None:
            return
        changed = choice.settings != self.session.settings
        self.session.settings = choice.settings
        error = settings.save(choice.settings) if changed else ""
        if choice.start:
            self._start_game()
        elif changed:
            self._refresh_board()
            self.show_message(join_sentences(message("tui-settings-later"), error))

    def _start_game(self) -> None:
        self.session.start_game()
        started = message("tui-new-game", size=self.session.size_text())
        self._show_new_game(join_sentences(started, self.session.rules_text()))

    def _show_new_game(self, text: str) -> None:
        self._stop_thinking()
        self._drop_advice()
        self.show_message(text)
        self._refresh_board()
        self._grid.centre_cursor(self.session.place)

    # advice

    def action_letter(self, down: int, right: int) -> None:
        """Move the cursor as vi does, if the settings say so; otherwise h gives a hint."""
        if self.session.settings.letters_move:
            self._grid.action_move(down, right)
        elif right < 0:
            self.action_hint()

    def action_hint(self) -> None:
        """Show a hint, or its next level; also while the hint is still being computed."""
        is_pending = self._hint_level > 0
        if self._is_first_click_safe():
            self.show_message(self._first_click_text())
            return
        self._autoplays, self._best = False, None
        self._hint_level = min(self._hint_level + 1, REASONING)
        if self._hint is not None:
            self._show_hint(self._hint)
        elif not is_pending:
            self._think("advice", self._hint_question(), self._show_hint)

    def _hint_question(self) -> Callable[[Budget], Hint]:
        """Return the question to the engine; players who set no flags get a cell to open."""
        board, help_for = self.session.game.board, hint_options(self.session.game.rules.fairness)
        prefer: Preference = "easiest" if board.count(FLAGGED) else "safe"
        return lambda budget: hint(board, prefer=prefer, **help_for, budget=budget)

    def _first_click_text(self) -> str:
        start = self.session.start
        return message("tui-first-any") if start is None else message("tui-first-start", cell=cell_label(start))

    def _show_hint(self, result: Hint) -> None:
        self._hint = result
        level = self._hint_level
        if level > self._counted_level:
            self._counted_level = level
            self.session.count_hint(level)
        text = with_ruler_labels(lambda: result.level(level))
        self.show_message(message("tui-hint", level=level, levels=REASONING, text=text))
        self._refresh_board()
        place = result.near or (result.cell if level >= MOVE else None)
        if place is not None:
            self._grid.bring_into_view(place)

    def _drop_advice(self) -> None:
        self._hint, self._hint_level, self._counted_level, self._best = None, 0, 0, None

    def _stop_thinking(self) -> None:
        """Cancel pending advice and automatic moves."""
        self._autoplays = False
        self.workers.cancel_group(self, "advice")

    def action_best(self) -> None:
        """Find the best move and show it."""
        if self._is_first_click_safe():
            self.show_message(self._first_click_text())
            return
        self._autoplays = False
        self._drop_advice()
        self.show_message(message("tui-searching"))
        board = self.session.game.board
        self._think("advice", lambda budget: questions.find_best_move(board, budget), self._show_best)

    def _show_best(self, move: BestMove) -> None:
        self._best = move
        self.session.count_help("best_moves")
        fairness = self.session.game.rules.fairness
        self.show_message(questions.describe_best_move(move, fairness, no_guess=self.session.no_guess))
        self._refresh_board()
        if move.cell is not None:
            self._grid.bring_into_view(move.cell)

    def _is_first_click_safe(self) -> bool:
        """Is the first click still to come, and can it not lose?"""
        game = self.session.game
        return game.status == "new" and (game.rules.first_click != "any" or self.session.start is not None)

    # moves made for the player

    def action_autoplay(self, repeat: bool) -> None:
        """Make the best move; with ``repeat`` one after the other, or stop doing so."""
        stops = repeat and self._autoplays
        self._stop_thinking()
        self._drop_advice()
        self._autoplays = repeat and not stops
        if stops:
            self.show_message(message("tui-stopped"))
            self._refresh_board()
        else:
            self._find_next_move()

    def _find_next_move(self) -> None:
        if self._is_first_click_safe():
            self._open_for_player(self.session.start or self._grid.cursor, self._first_click_text())
            return
        board = self.session.game.board
        if not self._autoplays:
            self.show_message(message("tui-searching"))
        self._think("advice", lambda budget: questions.find_best_move(board, budget, playouts=0), self._make_best_move)

    def _make_best_move(self, move: BestMove) -> None:
        text = with_ruler_labels(lambda: move.text)
        if move.cell is None:
            self._autoplays = False
            self.show_message(text)
            return
        cell = move.cell
        if move.reason == "safe":  # all safe cells are equally good; a near one is easier to follow
            row, column = self._grid.cursor
            safe = [option.cell for option in move.moves if option.mine_probability == 0]
            cell = min(safe, key=lambda place: (max(abs(place[0] - row), abs(place[1] - column)), place))
        if cell != move.cell:
            text = message("tui-certainly-safe", cell=cell_label(cell))
        self._open_for_player(cell, text)

    def _open_for_player(self, cell: Cell, reason: str) -> None:
        """Open a cell for the player, and remove a flag from it first."""
        if self.session.game.board[cell] == FLAGGED:
            self.session.play("flag", cell, helped="auto_moves")
        report = self.session.play("open", cell, helped="auto_moves")
        self._grid.move_cursor(cell)
        is_over = self.session.game.is_over
        self._show_move(report, report.text if is_over else f"{reason} {report.text}")
        if self._autoplays and not is_over:
            self.set_timer(AUTOPLAY_INTERVAL, self._continue_autoplay)
        else:
            self._autoplays = False

    def _continue_autoplay(self) -> None:
        if self._autoplays and not self.session.game.is_over:
            self._find_next_move()

    def action_odds(self) -> None:
        self._shows_odds = not self._shows_odds
        self._refresh_board()
        self.show_message(self._odds_text() if self._shows_odds else "")

    def _odds_text(self) -> str:
        scale = message("tui-odds-letters" if self._grid.is_narrow else "tui-odds-percent")
        assumption = message("tui-odds-no-guess") if self.session.no_guess else ""
        return join_sentences(scale, message("tui-odds-signs"), assumption)

    def _compute_odds(self) -> None:
        board = self.session.game.board
        self._odds, self._odds_board = {}, board

        def show(odds: dict[Cell, questions.CellOdds]) -> None:
            self._odds = odds
            self._refresh_board()

        self._think("odds", lambda budget: questions.compute_odds(board, budget), show)

    def _think(self, group: str, question: Callable[[Budget], T], show: Callable[[T], None]) -> None:
        """Ask the engine in a worker thread and show its answer, unless the board has changed meanwhile."""
        game, board = self.session.game, self.session.game.board

        def is_current() -> bool:
            return self.session.game is game and game.board == board

        def show_answer(answer: T) -> None:
            if is_current():
                show(answer)

        def show_error(error: MineproofError) -> None:
            if not is_current():
                return
            self._autoplays = False
            self._drop_advice()
            self.show_message(join_sentences(self._message.text, message("tui-no-answer", error=error_text(error))))

        def work() -> None:
            worker = get_current_worker()
            budget = replace(ANSWER_BUDGET, cancelled=lambda: worker.is_cancelled)
            try:
                answer = question(budget)
            except MineproofError as error:
                if not worker.is_cancelled:
                    self.call_from_thread(show_error, error)
            else:
                if not worker.is_cancelled:
                    self.call_from_thread(show_answer, answer)

        self.run_worker(work, group=group, thread=True, exclusive=True)

    # screens over the board

    def _open_over(self, screen: Screen[T], on_close: Callable[[T | None], None] | None = None) -> None:
        """Show a screen that hides the board; stop the clock meanwhile, and cancel pending advice."""
        self._stop_thinking()
        self.session.game.pause()

        def close(result: T | None) -> None:
            self.session.game.resume()
            if on_close is not None:
                on_close(result)
            self._show_status()

        self.push_screen(screen, close)

    def action_help(self) -> None:
        width = self.size.width
        self._open_over(TextScreen(message("tui-screen-help"), help_text(width), wide=width >= TWO_COLUMNS_WIDTH))

    def action_pause(self) -> None:
        """Hide the board and stop the clock, if it is running."""
        if self.session.game.status != "running":
            self.show_message(message("tui-nothing-to-pause"))
            return
        self.session.count_help("pauses")
        self._open_over(PauseScreen(format_clock(self.session.game.seconds)))

    def action_full_message(self) -> None:
        self._open_over(TextScreen(message("tui-screen-message"), self._message.text))

    def action_copy(self, copy_format: clipboard.CopyFormat) -> None:
        """Copy the position to the clipboard, and show it for terminals without a clipboard.

        The clock continues: the screen shows the position.
        """
        self._autoplays = False
        try:
            text = clipboard.write_position(self.session.game.board, copy_format)
        except MineproofError as error:
            self.show_message(message(f"tui-copy-failed-{copy_format}", error=error_text(error)))
            return
        self.copy_to_clipboard(text)
        title = message(f"tui-copy-title-{copy_format}")
        self.push_screen(TextScreen(title, f"{text}\n\n{message('tui-copy-help')}", wide=True))

    def action_review(self) -> None:
        screen = TextScreen(message("tui-screen-review"), message("tui-review-working"))
        self.push_screen(screen)
        game, help_used = self.session.game, self.session.help
        self._think("review", lambda budget: review_text(game, help_used, budget), screen.replace_text)

    def action_clear(self) -> None:
        self._stop_thinking()
        self._drop_advice()
        self.show_message("")
        self._refresh_board()

    def action_leave(self, exit_status: int) -> None:
        if self.session.game.moves:
            self.session.save()  # for the time since the last move
        self.exit(exit_status)

    def _fatal_error(self) -> None:
        """Print a traceback as Textual does, but without local variables: they contain the mines."""
        from rich.traceback import Traceback

        self.panic(Traceback())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Allow a review only after the end, and advice only before it."""
        over = self.session.game.is_over
        if action == "review":
            return over
        return not (over and action in ("hint", "odds", "letter", "best", "autoplay", "pause"))

    # drawing

    def show_message(self, text: str) -> None:
        self._message.show_text(text)

    def _refresh_board(self) -> None:
        if self._shows_odds and not self.session.game.is_over and self._odds_board != self.session.game.board:
            self._compute_odds()
        if self._grid.view.is_over != self.session.game.is_over:
            self.refresh_bindings()  # only now: rebuilding the footer takes time
        self._grid.show(self._view())
        self._show_status()

    def _show_status(self) -> None:
        width = max(0, self.size.width - 2)
        session = self.session
        odds = self._odds if self._shows_odds and not session.game.is_over else {}
        line = status_line(
            session.game, self._grid.cursor, width, no_guess=session.no_guess, sea=questions.sea_label(odds),
            odds=questions.percent_at(odds, self._grid.cursor),
        )  # fmt: skip
        self._status.update(line.ljust(width))

    def on_board_grid_moved(self) -> None:
        self._show_status()

    def _view(self) -> View:
        game, ruler = self.session.game, self.session.settings.ruler
        if game.is_over:
            return View(game.board, layout=game.layout, exploded=game.exploded, ruler=ruler)
        odds = self._odds if self._shows_odds else {}
        return View(
            game.board, game.questions, used=self._used_numbers(), moves=self._move_marks(), odds=odds, ruler=ruler,
            shows_odds=self._shows_odds,
        )  # fmt: skip

    def _used_numbers(self) -> frozenset[Cell]:
        """Return the numbers of the hint, as far as its level shows them."""
        if self._hint is None:
            return frozenset()
        numbers = self._hint.because if self._hint_level >= NUMBERS else [self._hint.near]
        return frozenset(cell for cell in numbers if cell is not None)

    def _move_marks(self) -> dict[Cell, CellMark]:
        """Return the marks of the best move, or of the hint once its level shows the move."""
        if self._best is not None and self._best.cell is not None:
            return {self._best.cell: HINT_SAFE if self._best.reason == "safe" else HINT_GUESS}
        result = self._hint
        if result is None or self._hint_level < MOVE:
            return {}
        if result.cell is not None:
            return {result.cell: HINT_WRONG if result.kind == "flag" else HINT_GUESS}
        return dict.fromkeys(result.safe, HINT_SAFE) | dict.fromkeys(result.mines, HINT_MINE)
