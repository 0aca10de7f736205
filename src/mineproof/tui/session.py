"""The game being played, with its file and its words; it knows no terminal.

Every move is on disk before it is told. A board that needs no guess is made for the first click
(`mineproof.generation.beginning`). A layout that was given, and one that is played again, is fixed: no first click
makes another of it.

What helped the player is counted here and kept in the same file. Whoever wants to know of finished games is told in one
place, `Session.on_finished`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mineproof.analysis.judgement import judge
from mineproof.base import files
from mineproof.base.budget import Budget
from mineproof.base.words import at, listing, size
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.errors import BudgetExceeded, IllegalMoveError, MineproofError
from mineproof.game import autosave
from mineproof.game.game import Game, Outcome
from mineproof.game.help import HelpKind, HelpUsed
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.game.record import Kept, Record
from mineproof.game.rules import REVEALS, Fairness, MoveKind, Rules, revealed
from mineproof.generation.beginning import begun, made_for
from mineproof.tui import status
from mineproof.tui.settings import Settings

THOUGHT = Budget(seconds=5.0)  # for one question: an answer that comes later is of no use to a player

FIRST_NOTE = "Space opens a cell, f flags it, p pauses, ? tells all keys."


class Fatal(NamedTuple):
    """A reveal that lost: what was seen before it, and the cells it opened at once."""

    board: Board
    cells: frozenset[Cell]


class Report(NamedTuple):
    """What a move did, in words."""

    text: str
    fatal: Fatal | None = None


class Opening(NamedTuple):
    """What the first game is played on, where it is not drawn by the settings; ``note`` says where it comes from."""

    layout: Layout
    given: Board | None = None  # the position to go on from
    fairness: Fairness = "none"
    seed: int = 0
    note: str = ""


class UnfinishedGame(Exception):
    """Another game than the one asked for is unfinished, and would be lost."""


class Session:
    """One game after the other, in one file.

    The unfinished game of the file is gone on with, unless ``fresh``. The first game that is begun has the given
    ``seed``, the next one the seed after it, and so on; without one each is random. With an ``opening`` the first game
    is that one, or UnfinishedGame is raised. ``note`` is for the player to know at first.

    ``on_finished`` is called each time a game comes to its end, with its record and what is kept beside it, once saved;
    what it returns is told to the player. A game whose end is taken back comes to another one: its record then holds
    the undo.
    """

    def __init__(
        self,
        settings: Settings,
        path: Path,
        *,
        seed: int | None = None,
        fresh: bool = False,
        opening: Opening | None = None,
        on_finished: Callable[[Record, Kept], str] | None = None,
    ) -> None:
        self.settings = settings
        self.path = path
        self.on_finished = on_finished
        self.help = HelpUsed()
        self._fixed = False
        self._next_seed = seed
        found = autosave.load(path, budget=THOUGHT)
        unfinished = None if fresh or found.game is None or found.game.is_over else found.game
        if unfinished is not None and (opening is None or _is_of(unfinished, opening)):
            self.game = unfinished
            self.help, self._fixed = found.kept
            board = size(self.game.rows, self.game.columns, self.game.total_mines)
            self.note = f"Your unfinished game goes on: {board}; n begins another: {settings.size}.{self.rule_words()}"
        elif unfinished is not None and unfinished.status == "running":
            raise UnfinishedGame
        elif opening is not None:
            self._begin_on(opening)
            self.note = found.note or opening.note
        else:
            self.begin()
            self.note = (found.note or FIRST_NOTE) + self.rule_words()

    # looking

    @property
    def no_guess(self) -> bool:
        """Is this board made, or to be made, to need no guess?"""
        return self._dealt.no_guess

    @property
    def in_progress(self) -> bool:
        """Would something be lost if another game were begun?"""
        return self.game.status == "running"

    @property
    def place(self) -> Cell:
        """Where a player looks first: at the last move, the start that the layout was made for, or the middle."""
        done = self.game.line
        if done and done[-1].cell is not None:
            return done[-1].cell
        return self.start or (self.game.rows // 2, self.game.columns // 2)

    @property
    def start(self) -> Cell | None:
        """The first click that the layout was made for or played with before, while it is still to come."""
        return self._dealt.start if self.game.status == "new" and self._fixed else None

    def rule_words(self) -> str:
        """The rules of this game that are not the usual ones, as a sentence after another one; or nothing."""
        rules, layout = self.game.rules, self._dealt
        unusual = []
        if rules.fairness != "none":
            unusual.append(f"fairness {rules.fairness}")
        if layout.no_guess:
            unusual.append("no-guess board")
        if layout.topology != "grid":
            unusual.append(f"shape {layout.topology}")
        if rules.first_click != "safe" and not self._fixed:
            unusual.append(f"first click {rules.first_click}")
        return f" Rules: {listing(unusual)}." if unusual else ""

    @property
    def _dealt(self) -> Layout:
        return self.game.record().layout

    # moving

    def begin(self) -> None:
        """Another game by the settings as they are. The file keeps the one before until a move is made."""
        self.help, self._fixed = Kept()
        seed = secrets.randbits(64) if self._next_seed is None else self._next_seed
        if self._next_seed is not None:
            self._next_seed = (seed + 1) % 2**64
        wanted = self.settings
        self.game = begun(
            wanted.dimensions(), Rules(wanted.first_click, wanted.fairness), seed=seed, topology=wanted.topology,
            no_guess=wanted.no_guess, budget=THOUGHT,
        )  # fmt: skip

    def begin_again(self) -> None:
        """The same board from its beginning, with the same first click proposed."""
        self.help, self._fixed = HelpUsed(repeats=self.help.repeats + 1), True
        self.game = self.game.again()

    def _begin_on(self, opening: Opening) -> None:
        self.help, self._fixed = HelpUsed(), True
        self.game = Game(
            opening.layout, first_click="any", fairness=opening.fairness, seed=opening.seed, given=opening.given,
            budget=THOUGHT,
        )  # fmt: skip

    def play(self, kind: MoveKind, cell: Cell | None = None, *, helped: HelpKind | None = None) -> Report:
        """Make a move and save it; one that cannot be made changes nothing, and the words say why.

        ``helped`` is the help that it was made with, to be counted.
        """
        try:
            report = self._undo() if cell is None else self._move(kind, cell)
        except IllegalMoveError as error:
            return Report(_sentence(str(error)))
        except MineproofError as error:
            return Report(f"Nothing is done: {error}.")
        if kind == "undo":
            self.help = self.help.more("undos")
        elif helped is not None:
            self.help = self.help.more(helped)
        return report._replace(text=report.text + self.save() + self._finished())

    def helped(self, kind: HelpKind) -> None:
        """Count help that is no move."""
        self.help = self.help.more(kind)
        self._save_begun()

    def hinted(self, level: int) -> None:
        """Count a hint that is told to a level."""
        self.help = self.help.with_hint(level)
        self._save_begun()

    def _save_begun(self) -> None:
        """Save, but do not put a game without a move in the place of the one before."""
        if self.game.moves:
            self.save()

    def _finished(self) -> str:
        """The one place where the end of a game is told; what is to be said of it."""
        if not self.game.is_over or self.on_finished is None:
            return ""
        return self.on_finished(self.game.record(), Kept(self.help, self._fixed))

    def _undo(self) -> Report:
        line = self.game.line
        self.game.undo()
        undone = line[-1]
        assert undone.cell is not None  # only an undo has none
        return Report(f"Taken back: {undone.kind} {at(undone.cell)}.")

    def _move(self, kind: MoveKind, cell: Cell) -> Report:
        if kind == "open" and not self._fixed:
            self.game = made_for(self.game, cell, THOUGHT)
        before = self.game.board
        outcome = self.game.play(kind, cell)
        if kind not in REVEALS:
            return Report(self._mark_words(cell))
        return self._reveal_words(kind, cell, before, revealed(before, kind, cell), outcome)

    def save(self) -> str:
        """Put the game on disk; nothing, or what to tell the player if that fails."""
        try:
            autosave.save(self.game, self.path, Kept(self.help, self._fixed))
        except OSError as error:
            return f" The game could not be saved: {files.reason(error)}."
        return ""

    # words

    def _reveal_words(
        self, kind: MoveKind, cell: Cell, before: Board, cells: frozenset[Cell], outcome: Outcome
    ) -> Report:
        if outcome.status == "lost":
            mines = ", ".join(map(at, sorted(outcome.exploded)))
            strict = " The rule is strict: a needless guess loses." if outcome.redrawn else ""
            return Report(f"Lost: there was a mine at {mines}.{strict}", Fatal(before, cells))
        luck = self._luck(before, cells) if outcome.redrawn else ""
        return Report(luck + (self._victory() if outcome.status == "won" else _opened(outcome, kind, cell)))

    def _luck(self, before: Board, cells: frozenset[Cell]) -> str:
        """A note on a guess that fairness saved; only the rule `kind` saves one that was not forced."""
        try:
            forced = self.game.rules.fairness != "kind" or judge(before, cells, THOUGHT).forced
        except BudgetExceeded:
            return "The board was redrawn. "
        return f"This guess was {'forced' if forced else 'needless, but the rule is kind'}; the board was redrawn. "

    def _victory(self) -> str:
        seconds, clicks = self.game.seconds, measure(self.game.layout).bbbv
        speed = f", {clicks / seconds:.2f} a second" if seconds else ""
        # Of a position that was given, some of the 3BV was done before the clock started.
        measured = f" 3BV {clicks}{speed}." if self.game.record().given is None else ""
        time = f"Won in {status.clock(seconds)} ({seconds:.1f} s)."
        return f"{time}{measured} r tells more, n begins another, g the same again."

    def _mark_words(self, cell: Cell) -> str:
        if cell in self.game.questions:
            return f"Question mark at {at(cell)}."
        return f"No mark at {at(cell)}." if _covered(self.game.board, cell) else f"Flag at {at(cell)}."


def _covered(board: Board, cell: Cell) -> bool:
    inside = 0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns
    return inside and board[cell] == COVERED


def _opened(outcome: Outcome, kind: MoveKind, cell: Cell) -> str:
    count = len(outcome.opened)
    if count == 1:
        return f"Opened {at(*outcome.opened)}."
    return f"Opened {count} cells {'around' if kind == 'chord' else 'at'} {at(cell)}."


def _is_of(game: Game, opening: Opening) -> bool:
    """Is a game played on what an opening names? From a position it may have another layout, drawn another time."""
    record = game.record()
    if opening.given is not None or record.given is not None:
        return record.given == opening.given
    layout, asked = record.layout, opening.layout
    return (layout.mines, layout.geometry, layout.absent) == (asked.mines, asked.geometry, asked.absent)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
