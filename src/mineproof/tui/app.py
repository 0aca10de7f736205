"""The game on a terminal: what keys and mouse do, and what is said about it."""

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
from mineproof.base.words import at, size
from mineproof.board.board import Board
from mineproof.board.cells import FLAGGED, Cell
from mineproof.decision.moves import BestMove
from mineproof.errors import MineproofError
from mineproof.game.rules import MoveKind
from mineproof.tui import copying, leaving, looking_back, settings, status, thinking
from mineproof.tui.choosing import Choosing, Chosen
from mineproof.tui.grid import Grid
from mineproof.tui.marks import HINT_GUESS, HINT_MINE, HINT_SAFE, HINT_WRONG, Mark, View
from mineproof.tui.reading import TWO_COLUMNS, Page, Pause, help_text
from mineproof.tui.saying import Saying
from mineproof.tui.session import THOUGHT, Fatal, Report, Session

INTERRUPTED = 130
MIDDLE, RIGHT = 2, 3  # buttons of a mouse; 1 is the left one
LINES = 24  # from which on a terminal has room for a longer message
TICK = 0.5  # seconds between two looks at the clock
PACE = 0.4  # seconds between two moves that are made for the player
GIVE_UP = "Press n again to give up this game and begin another."
GIVE_UP_AGAIN = "Press g again to give up this game and begin the same board again."
AFTER_LOSS = "u takes it back, n begins another, g the same again."
LOOKING = "Looking for the best move … escape cancels."
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
        Binding("c", "chord", show=False),
        Binding("h", "letter(0, -1)", "Hint"),
        Binding("j", "letter(1, 0)", show=False),
        Binding("k", "letter(-1, 0)", show=False),
        Binding("l", "letter(0, 1)", show=False),
        Binding("i", "hint", show=False),
        Binding("b", "best", "Best"),
        Binding("o", "odds", "Odds"),
        Binding("a", "follow(False)", show=False),
        Binding("A", "follow(True)", show=False),
        Binding("u,ctrl+z", "undo", "Undo", key_display="u"),
        Binding("p", "pause", show=False),
        Binding("n", "new", "New"),
        Binding("g", "again", show=False),
        Binding("y", "copy('text')", show=False),
        Binding("Y", "copy('link')", show=False),
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
        self._told = 0  # the level that was told last, and counted
        self._best: BestMove | None = None
        self._follows = False  # are moves made for the player, one after the other?
        self._shows_odds = False
        self._odds: dict[Cell, thinking.Odds] = {}
        self._odds_of: Board | None = None
        self._status = Static(id="status", markup=False)
        self._grid = Grid(self._view(), session.place)
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
        if not self.is_headless:  # a test has signals of its own
            loop = asyncio.get_running_loop()

            def leave(status: int) -> None:
                loop.call_soon_threadsafe(self.action_leave, status)

            leaving.listen(leave)

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
        """A move of the player."""
        self._stop_thinking()
        report = self.session.play(kind, cell, helped="odds_moves" if self._shows_odds else None)
        self._tell_move(report, report.text)

    def _tell_move(self, report: Report, text: str) -> None:
        self._drop_advice()
        self.say(text)
        self._show()
        if report.fatal is not None:
            self._explain_loss(text, report.fatal)

    def _explain_loss(self, text: str, fatal: Fatal) -> None:
        def look(budget: Budget) -> str:
            return thinking.verdict(fatal.board, fatal.cells, budget)

        self._think("advice", look, lambda verdict: self.say(f"{text} {verdict} {AFTER_LOSS}"))

    # another game

    def action_new(self) -> None:
        if self.session.in_progress and self._saying.message != GIVE_UP:
            self.say(GIVE_UP)
        else:
            self._begin()

    def action_again(self) -> None:
        """The same board from its beginning: at any time, also after a loss."""
        if self.session.in_progress and self._saying.message != GIVE_UP_AGAIN:
            self.say(GIVE_UP_AGAIN)
            return
        self.session.begin_again()
        start = self.session.start
        self._show_new("The same board again." if start is None else f"The same board again: open {at(start)} first.")

    def action_settings(self) -> None:
        self._open_over(Choosing(self.session.settings), self._chosen)

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
        game = self.session.game
        board = size(game.rows, game.columns, game.total_mines)
        self._show_new(f"A new game: {board}.{self.session.rule_words()}")

    def _show_new(self, text: str) -> None:
        self._stop_thinking()
        self._drop_advice()
        self.say(text)
        self._show()
        self._grid.go_first(self.session.place)

    # advice

    def action_letter(self, down: int, right: int) -> None:
        """A key of vi, where the player wants those; h is for hints otherwise."""
        if self.session.settings.letters_move:
            self._grid.action_move(down, right)
        elif right < 0:
            self.action_hint()

    def action_hint(self) -> None:
        """A hint, or more of it; also of one that is still being looked for."""
        asked = self._level > 0
        if self._needs_no_advice():
            self.say(self._first_words())
            return
        self._follows, self._best = False, None
        self._level = min(self._level + 1, REASONING)
        if self._hint is not None:
            self._tell(self._hint)
        elif not asked:
            self._think("advice", self._advice(), self._tell)

    def _advice(self) -> Callable[[Budget], Hint]:
        """What to ask: of a player who sets no flags, for a cell to open."""
        board, fair = self.session.game.board, self.session.game.rules.fairness != "none"
        prefer: Preference = "easiest" if board.count(FLAGGED) else "safe"
        return lambda budget: hint(board, prefer=prefer, fair=fair, budget=budget)

    def _first_words(self) -> str:
        start = self.session.start
        return (
            "Open any cell: the first one is safe." if start is None else f"Open {at(start)}: the board is made for it."
        )

    def _tell(self, found: Hint) -> None:
        self._hint = found
        if self._level > self._told:
            self._told = self._level
            self.session.hinted(self._level)
        self.say(f"Hint {self._level} of {REASONING}: {found.level(self._level)}")
        self._show()
        place = found.near or (found.cell if self._level >= MOVE else None)
        if place is not None:
            self._grid.bring_into_view(place)

    def _drop_advice(self) -> None:
        self._hint, self._level, self._told, self._best = None, 0, 0, None

    def _stop_thinking(self) -> None:
        """Nobody waits for advice any more, nor for moves to be made."""
        self._follows = False
        self.workers.cancel_group(self, "advice")

    def action_best(self) -> None:
        """Look for the best move, and tell it."""
        if self._needs_no_advice():
            self.say(self._first_words())
            return
        self._follows = False
        self._drop_advice()
        self.say(LOOKING)
        board = self.session.game.board
        self._think("advice", lambda budget: thinking.best(board, budget), self._tell_best)

    def _tell_best(self, found: BestMove) -> None:
        self._best = found
        self.session.helped("best_moves")
        self.say(thinking.best_words(found, self.session.game.rules.fairness))
        self._show()
        if found.cell is not None:
            self._grid.bring_into_view(found.cell)

    def _needs_no_advice(self) -> bool:
        """Is the first click still to come, and cannot lose?"""
        game = self.session.game
        return game.status == "new" and (game.rules.first_click != "any" or self.session.start is not None)

    # moves made for the player

    def action_follow(self, on: bool) -> None:
        """Make the best move; go on doing so if wanted, or stop that."""
        stops = on and self._follows
        self._stop_thinking()
        self._drop_advice()
        self._follows = on and not stops
        if stops:
            self.say("Stopped: the next move is yours.")
            self._show()
        else:
            self._follow_best()

    def _follow_best(self) -> None:
        if self._needs_no_advice():
            self._make(self.session.start or self._grid.cursor, self._first_words())
            return
        board = self.session.game.board
        if not self._follows:
            self.say(LOOKING)
        self._think("advice", lambda budget: thinking.best(board, budget, playouts=0), self._take)

    def _take(self, found: BestMove) -> None:
        if found.cell is None:
            self._follows = False
            self.say(found.text)
            return
        cell = found.cell
        if found.reason == "safe":  # all of them are as good: one that is close is easier to follow
            near = self._grid.cursor
            safe = [option.cell for option in found.moves if option.mine_probability == 0]
            cell = min(safe, key=lambda each: (max(abs(each[0] - near[0]), abs(each[1] - near[1])), each))
        text = f"{at(cell)} is certainly safe." if cell != found.cell else found.text
        self._make(cell, text)

    def _make(self, cell: Cell, why: str) -> None:
        """Open a cell for the player, and take a flag off it first."""
        if self.session.game.board[cell] == FLAGGED:
            self.session.play("flag", cell, helped="auto_moves")
        report = self.session.play("open", cell, helped="auto_moves")
        self._grid.go(cell)
        over = self.session.game.is_over
        self._tell_move(report, report.text if over else f"{why} {report.text}")
        if self._follows and not over:
            self.set_timer(PACE, self._follow_on)
        else:
            self._follows = False

    def _follow_on(self) -> None:
        if self._follows and not self.session.game.is_over:
            self._follow_best()

    def action_odds(self) -> None:
        self._shows_odds = not self._shows_odds
        self.say(self._odds_words() if self._shows_odds else "")
        self._show()

    def _odds_words(self) -> str:
        words = (
            "Odds: chance of a mine in per cent, flags ignored. S is certainly safe, M certainly a mine. "
            "Cells that no number touches all have the odds of · above."
        )
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
            if self.session.game is not game or game.board != board:
                return
            self._follows = False
            self._drop_advice()
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

    def _open_over(self, page: Screen[T], then: Callable[[T | None], None] | None = None) -> None:
        """Show a page that hides the board, and stop the clock meanwhile; nobody waits for advice there."""
        self._stop_thinking()
        self.session.game.pause()

        def close(answer: T | None) -> None:
            self.session.game.resume()
            if then is not None:
                then(answer)
            self._show_status()

        self.push_screen(page, close)

    def action_help(self) -> None:
        width = self.size.width
        self._open_over(Page("Keys and mouse", help_text(width), wide=width >= TWO_COLUMNS))

    def action_pause(self) -> None:
        """Hide the board and stop the clock, where it runs."""
        if self.session.game.status != "running":
            self.say("There is nothing to pause: the clock starts with the first cell that is opened.")
            return
        self.session.helped("pauses")
        self._open_over(Pause(status.clock(self.session.game.seconds)))

    def action_whole_text(self) -> None:
        self._open_over(Page("Message", self._saying.message))

    def action_copy(self, what: copying.What) -> None:
        """Put the position into the clipboard, and on a page for terminals without one.

        The clock runs on: the page shows the position.
        """
        self._follows = False
        try:
            text = copying.position(self.session.game.board, what)
        except MineproofError as error:
            self.say(f"It cannot be copied as a {what}: {error}.")
            return
        self.copy_to_clipboard(text)
        self.push_screen(Page(copying.TITLES[what], f"{text}\n\n{copying.WHERE}", wide=True))

    def action_review(self) -> None:
        page = Page("Review", "Working out what could be known at each move …")
        self.push_screen(page)
        game, used = self.session.game, self.session.help
        self._think("review", lambda budget: looking_back.page(game, used, budget), page.rewrite)

    def action_forget(self) -> None:
        self._stop_thinking()
        self._drop_advice()
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
        if action == "review":
            return over
        return not (over and action in ("hint", "odds", "letter", "best", "follow", "pause"))

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
        session = self.session
        far = thinking.sea(self._odds) if self._shows_odds and not session.game.is_over else ""
        line = status.line(session.game, self._grid.cursor, width, no_guess=session.no_guess, sea=far)
        self._status.update(line.ljust(width))

    def on_grid_moved(self) -> None:
        self._show_status()

    def _view(self) -> View:
        game = self.session.game
        if game.is_over:
            return View(game.board, layout=game.layout, exploded=game.exploded)
        odds = self._odds if self._shows_odds else {}
        return View(
            game.board, game.questions, used=self._used(), moves=self._moves(), odds=odds,
            shows_odds=self._shows_odds, colours=not self.no_color,
        )  # fmt: skip

    def _used(self) -> frozenset[Cell]:
        """The numbers that the hint speaks of, as far as it is told."""
        if self._hint is None:
            return frozenset()
        numbers = self._hint.because if self._level >= NUMBERS else [self._hint.near]
        return frozenset(cell for cell in numbers if cell is not None)

    def _moves(self) -> dict[Cell, Mark]:
        """The best move, or that of the hint, once it is told."""
        if self._best is not None and self._best.cell is not None:
            return {self._best.cell: HINT_SAFE if self._best.reason == "safe" else HINT_GUESS}
        found = self._hint
        if found is None or self._level < MOVE:
            return {}
        if found.cell is not None:
            return {found.cell: HINT_WRONG if found.kind == "flag" else HINT_GUESS}
        return dict.fromkeys(found.safe, HINT_SAFE) | dict.fromkeys(found.mines, HINT_MINE)
