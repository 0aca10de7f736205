"""The game in progress, with its file and its messages; it does not depend on a terminal.

Every move is on disk before the player sees it. A no-guess board is made for the first click
(`mineproof.generation.new_game`). A given layout, and a board that is played again, is fixed: the first click never
changes it.

The session counts the help that the player used and saves it in the same file. `Session.on_finished` is the one place
that reports finished games.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mineproof.analysis.judgement import judge
from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.errors import BudgetExceeded, IllegalMoveError, MineproofError
from mineproof.game import autosave
from mineproof.game.game import Game, Outcome
from mineproof.game.help import HelpKind, HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.game.record import GameExtras, Record
from mineproof.game.rules import COMPARING, REVEALS, Fairness, MoveKind, Rules, revealed_cells
from mineproof.generation.new_game import start_game, with_no_guess_board
from mineproof.pictures.captions import format_size
from mineproof.tui.settings import Settings
from mineproof.tui.texts import (
    cell_label,
    cell_list,
    error_text,
    format_clock,
    join_sentences,
    level_name,
    topology_name,
)
from mineproof.wording.catalogue import decimal, listing, message, plural

ANSWER_BUDGET = Budget(seconds=5.0)  # for one question; a player does not wait longer


class LosingMove(NamedTuple):
    """A move that lost: the board before it, and the cells it opened at once."""

    board: Board
    cells: frozenset[Cell]


class MoveReport(NamedTuple):
    """The message after a move, and the move itself if it lost the game."""

    text: str
    losing_move: LosingMove | None = None


class Opening(NamedTuple):
    """The board of the first game, where the settings do not draw it; ``note`` says where it comes from."""

    layout: Layout
    given: Board | None = None  # the position to continue from
    fairness: Fairness = "none"
    seed: int = 0
    note: str = ""


class UnfinishedGame(Exception):
    """The file holds another unfinished game, which would be lost."""


class Session:
    """One game after the other, in one file.

    The session resumes the unfinished game of the file, unless ``fresh``. The first new game has the given ``seed``,
    the next one the seed after it, and so on; without a seed every game is random. With an ``opening`` the first game
    is that one, or UnfinishedGame is raised. ``note`` is the first message for the player.

    ``on_finished`` is called each time a game ends and is saved, with its record and the help used. The text that it
    returns is shown to the player. After an undo the same game can end again: its record then holds the undo.
    """

    def __init__(
        self,
        settings: Settings,
        path: Path,
        *,
        seed: int | None = None,
        fresh: bool = False,
        opening: Opening | None = None,
        on_finished: Callable[[Record, GameExtras], str] | None = None,
    ) -> None:
        self.settings = settings
        self.path = path
        self.on_finished = on_finished
        self.help = HelpUsed()
        self._fixed = False
        self._next_seed = seed
        saved = autosave.load(path, budget=ANSWER_BUDGET)
        unfinished = None if fresh or saved.game is None or saved.game.is_over else saved.game
        if unfinished is not None and (opening is None or _has_same_start(unfinished, opening)):
            self.game = unfinished
            self.help, self._fixed = saved.extras
            resumed = message("tui-resumed", size=self.size_text(), level=level_name(settings.size))
            self.note = join_sentences(resumed, self.rules_text())
        elif unfinished is not None and unfinished.status == "running":
            raise UnfinishedGame
        elif opening is not None:
            self._start_opening(opening)
            self.note = saved.note or opening.note
        else:
            self.start_game()
            self.note = join_sentences(saved.note or message("tui-welcome"), self.rules_text())

    # state

    @property
    def no_guess(self) -> bool:
        """Is this a no-guess board?"""
        return self._layout.no_guess

    @property
    def in_progress(self) -> bool:
        """Would a new game lose a game that has begun?"""
        return self.game.status == "running"

    @property
    def place(self) -> Cell:
        """The first cell for the cursor: the last move, the start that the layout was made for, or the middle."""
        line = self.game.line
        if line and line[-1].cell is not None:
            return line[-1].cell
        return self.start or (self.game.rows // 2, self.game.columns // 2)

    @property
    def start(self) -> Cell | None:
        """The first click that the layout was made for or played with before, until that click is made."""
        return self._layout.start if self.game.status == "new" and self._fixed else None

    def size_text(self) -> str:
        """Return the size of the board and its number of mines."""
        return format_size(self.game.rows, self.game.columns, self.game.total_mines)

    def rules_text(self) -> str:
        """Return a sentence with the unusual rules of this game, or an empty text."""
        rules, layout = self.game.rules, self._layout
        unusual = []
        if rules.fairness != "none":
            unusual.append(message("tui-rule-fairness", name=message(f"tui-fairness-{rules.fairness}")))
        if layout.no_guess:
            unusual.append(message("tui-rule-no-guess"))
        if layout.topology != "grid":
            unusual.append(message("tui-rule-topology", name=topology_name(layout.topology)))
        if rules.first_click != "safe" and not self._fixed:
            unusual.append(message(f"tui-rule-first-click-{rules.first_click}"))
        return message("tui-rules", rules=listing(unusual)) if unusual else ""

    @property
    def _layout(self) -> Layout:
        return self.game.record().layout

    # moves

    def start_game(self) -> None:
        """Start a game with the current settings. The file holds the game before until the first move."""
        self.help, self._fixed = GameExtras()
        seed = secrets.randbits(64) if self._next_seed is None else self._next_seed
        if self._next_seed is not None:
            self._next_seed = (seed + 1) % 2**64
        settings = self.settings
        self.game = start_game(
            settings.dimensions(), Rules(settings.first_click, settings.fairness), seed=seed,
            topology=settings.topology, no_guess=settings.no_guess, budget=ANSWER_BUDGET,
        )  # fmt: skip

    def restart_game(self) -> None:
        """Start the same board again, and propose the same first click."""
        self.help, self._fixed = HelpUsed(repeats=self.help.repeats + 1), True
        self.game = self.game.again()

    def _start_opening(self, opening: Opening) -> None:
        self.help, self._fixed = HelpUsed(), True
        self.game = Game(
            opening.layout, first_click="any", fairness=opening.fairness, seed=opening.seed, given=opening.given,
            budget=ANSWER_BUDGET,
        )  # fmt: skip

    def play(self, kind: MoveKind, cell: Cell | None = None, *, helped: HelpKind | None = None) -> MoveReport:
        """Make a move and save it. A move that is not allowed changes nothing, and the text says why.

        ``helped`` is the help that the player had for this move; the session counts it.
        """
        try:
            report = self._undo() if cell is None else self._move(kind, cell)
        except IllegalMoveError as error:
            return MoveReport(self._refusal_text(kind, cell) or error_text(error))
        except MineproofError as error:
            return MoveReport(message("tui-refused-error", error=error_text(error)))
        if kind == "undo":
            self.help = self.help.more("undos")
        elif helped is not None:
            self.help = self.help.more(helped)
        return report._replace(text=join_sentences(report.text, self.save(), self._report_end()))

    def count_help(self, kind: HelpKind) -> None:
        """Count help that is not a move."""
        self.help = self.help.more(kind)
        self._save_begun()

    def count_hint(self, level: int) -> None:
        """Count a hint that was shown up to a level."""
        self.help = self.help.with_hint(level)
        self._save_begun()

    def _save_begun(self) -> None:
        """Save the game, unless it has no move yet: the file then still holds the game before."""
        if self.game.moves:
            self.save()

    def _report_end(self) -> str:
        """Report a finished game, and return the text to show."""
        if not self.game.is_over or self.on_finished is None:
            return ""
        return self.on_finished(self.game.record(), GameExtras(self.help, self._fixed)).strip()

    def _undo(self) -> MoveReport:
        line = self.game.line
        self.game.undo()
        undone = line[-1]
        assert undone.cell is not None  # only an undo has no cell
        return MoveReport(message(f"tui-undone-{undone.kind}", cell=cell_label(undone.cell)))

    def _move(self, kind: MoveKind, cell: Cell) -> MoveReport:
        if kind == "open" and not self._fixed:
            self.game = with_no_guess_board(self.game, cell, ANSWER_BUDGET)
        before = self.game.board
        outcome = self.game.play(kind, cell)
        if kind not in REVEALS:
            return MoveReport(self._mark_text(cell))
        return self._reveal_report(kind, cell, before, revealed_cells(before, kind, cell), outcome)

    def save(self) -> str:
        """Write the game to its file; return an empty text, or the message to show if that fails."""
        try:
            autosave.save(self.game, self.path, GameExtras(self.help, self._fixed))
        except OSError as error:
            return message("tui-game-unsaved", reason=files.reason(error))
        return ""

    # texts

    def _reveal_report(
        self, kind: MoveKind, cell: Cell, before: Board, cells: frozenset[Cell], outcome: Outcome
    ) -> MoveReport:
        if outcome.status == "lost":
            lost = plural("tui-lost", len(outcome.exploded), cells=cell_list(outcome.exploded))
            fairness = self.game.rules.fairness
            has_rule = outcome.redrawn or fairness in COMPARING
            return MoveReport(
                join_sentences(lost, message(f"tui-lost-{fairness}") if has_rule else ""), LosingMove(before, cells)
            )
        redrawn = self._redraw_text(before, cells) if outcome.redrawn else ""
        result = self._win_text() if outcome.status == "won" else _opened_text(outcome, kind, cell)
        return MoveReport(join_sentences(redrawn, result))

    def _redraw_text(self, before: Board, cells: frozenset[Cell]) -> str:
        """Return a note on a guess that fairness saved; only the rule `kind` saves any guess."""
        fairness = self.game.rules.fairness
        if fairness in COMPARING:
            return message(f"tui-redrawn-{fairness}")
        try:
            forced = fairness != "kind" or judge(before, cells, ANSWER_BUDGET).forced
        except BudgetExceeded:
            return message("tui-redrawn")
        return message("tui-redrawn-forced" if forced else "tui-redrawn-kind")

    def _win_text(self) -> str:
        seconds, bbbv = self.game.seconds, measure(self.game.layout).bbbv
        won = message("tui-won", time=format_clock(seconds), seconds=decimal(seconds, 1))
        measured = ""
        if self.game.record().given is None:  # a given position had some of its 3BV solved before the clock started
            speed = decimal(bbbv / seconds, 2) if seconds else ""
            measured = message("tui-won-speed", bbbv=bbbv, speed=speed) if speed else message("tui-won-bbbv", bbbv=bbbv)
        return join_sentences(won, measured, message("tui-after-win"))

    def _mark_text(self, cell: Cell) -> str:
        if cell in self.game.questions:
            key = "tui-question-set"
        else:
            key = "tui-mark-removed" if self.game.board[cell] == COVERED else "tui-flag-set"
        return message(key, cell=cell_label(cell))

    def _refusal_text(self, kind: MoveKind, cell: Cell | None) -> str:
        """Return why a move is not allowed, or an empty text if only the error knows."""
        if cell is None:
            return message("tui-refused-undo")
        board = self.game.board
        code, label = board[cell], cell_label(cell)
        if code == ABSENT:
            return message("tui-refused-absent", cell=label)
        if self.game.is_over:
            return message("tui-refused-won" if self.game.status == "won" else "tui-refused-lost")
        if kind == "chord":
            return _chord_refusal_text(board, cell)
        if kind != "open":
            return message("tui-refused-mark", cell=label) if code >= 0 else ""
        return message("tui-refused-flagged" if code == FLAGGED else "tui-refused-open", cell=label)


def _chord_refusal_text(board: Board, cell: Cell) -> str:
    number, label = board[cell], cell_label(cell)
    if number < 0:
        return message("tui-refused-covered", cell=label)
    flags = sum(board[neighbour] == FLAGGED for neighbour in board.neighbours(cell))
    if flags != number:
        return plural("tui-refused-chord", flags, number=number, cell=label)
    return message("tui-refused-chord-done", cell=label)


def _opened_text(outcome: Outcome, kind: MoveKind, cell: Cell) -> str:
    count = len(outcome.opened)
    if count == 1:
        return message("tui-opened-one", cell=cell_label(*outcome.opened))
    return plural("tui-opened-around" if kind == "chord" else "tui-opened-from", count, cell=cell_label(cell))


def _has_same_start(game: Game, opening: Opening) -> bool:
    """Was a game started from this opening? From a position, the layout may be another one, drawn another time."""
    record = game.record()
    if opening.given is not None or record.given is not None:
        return record.given == opening.given
    layout, expected = record.layout, opening.layout
    return (layout.mines, layout.geometry, layout.absent) == (expected.mines, expected.geometry, expected.absent)
