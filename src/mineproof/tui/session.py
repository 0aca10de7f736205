"""The game being played, with its file and its words; it knows no terminal.

Every move is on disk before it is told. A board that needs no guess is made for the first click, so it is only made
when that is known: before, another layout stands for it, with the marks that the player may have set.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import NamedTuple

from mineproof.analysis.judgement import judge
from mineproof.base.budget import Budget
from mineproof.base.rng import Random, deal
from mineproof.base.words import at
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, Cell
from mineproof.errors import BudgetExceeded, IllegalMoveError, MineproofError
from mineproof.game import autosave
from mineproof.game.game import Game, Outcome
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.game.rules import REVEALS, MoveKind, revealed
from mineproof.tui import status
from mineproof.tui.settings import Settings

THOUGHT = Budget(seconds=5.0)  # for one question: an answer that comes later is of no use to a player


class Fatal(NamedTuple):
    """A reveal that lost: what was seen before it, and the cells it opened at once."""

    board: Board
    cells: frozenset[Cell]


class Report(NamedTuple):
    """What a move did, in words."""

    text: str
    fatal: Fatal | None = None


class Session:
    """One game after the other, in one file.

    The unfinished game of the file is gone on with, unless ``fresh``. The first game that is begun has the given
    ``seed``, the next one the seed after it, and so on; without one each is random. ``note`` is for the player to know
    at first.
    """

    def __init__(self, settings: Settings, path: Path, *, seed: int | None = None, fresh: bool = False) -> None:
        self.settings = settings
        self.path = path
        self._next_seed = seed
        found = autosave.load(path, budget=THOUGHT)
        if found.game is not None and not found.game.is_over and not fresh:
            self.game = found.game
            self.note = "Your unfinished game goes on; n begins another."
        else:
            self.begin()
            self.note = found.note or "Space opens a cell, f flags it, ? tells all keys."

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
    def _dealt(self) -> Layout:
        return self.game.record().layout

    # moving

    def begin(self) -> None:
        """Another game by the settings as they are. The file keeps the one before until a move is made."""
        seed = secrets.randbits(64) if self._next_seed is None else self._next_seed
        if self._next_seed is not None:
            self._next_seed = (seed + 1) % 2**64
        rules = self.settings
        self.game = Game(
            self._deal(seed), first_click=rules.first_click, fairness=rules.fairness, seed=seed, budget=THOUGHT
        )

    def play(self, kind: MoveKind, cell: Cell | None = None) -> Report:
        """Make a move and save it; one that cannot be made changes nothing, and the words say why."""
        try:
            report = self._undo() if cell is None else self._move(kind, cell)
        except IllegalMoveError as error:
            return Report(_sentence(str(error)))
        except MineproofError as error:
            return Report(f"Nothing is done: {error}.")
        return report._replace(text=report.text + self.save())

    def _undo(self) -> Report:
        line = self.game.line
        self.game.undo()
        undone = line[-1]
        assert undone.cell is not None  # only an undo has none
        return Report(f"Taken back: {undone.kind} {at(undone.cell)}.")

    def _move(self, kind: MoveKind, cell: Cell) -> Report:
        if kind == "open":
            self._make_for(cell)
        before = self.game.board
        outcome = self.game.play(kind, cell)
        if kind not in REVEALS:
            return Report(self._mark_words(cell))
        return self._reveal_words(cell, before, revealed(before, kind, cell), outcome)

    def save(self) -> str:
        """Put the game on disk; nothing, or what to tell the player if that fails."""
        try:
            autosave.save(self.game, self.path)
        except OSError as error:
            return f" The game could not be saved: {error}."
        return ""

    # layouts

    def _deal(self, seed: int) -> Layout:
        rows, columns, mines = self.settings.dimensions()
        dealt = deal(Random(seed, 0), range(rows * columns), mines)
        cells = frozenset(divmod(index, columns) for index in dealt)
        return Layout(rows, columns, cells, topology=self.settings.topology, no_guess=self.settings.no_guess)

    def _make_for(self, start: Cell) -> None:
        """Where a board that needs no guess is about to be begun: make it for this first click, and keep the marks."""
        waiting, dealt = self.game, self._dealt
        if waiting.status != "new" or not dealt.no_guess or dealt.start == start or not _covered(waiting.board, start):
            return
        from mineproof.generation.making import generate

        made = generate(
            rows=dealt.rows, columns=dealt.columns, mines=dealt.total_mines, seed=waiting.seed, topology=dealt.topology,
            no_guess=True, start=start, budget=THOUGHT,
        )  # fmt: skip
        rules = waiting.rules
        self.game = Game(
            made, first_click=rules.first_click, fairness=rules.fairness, chord_rule=rules.chord_rule,
            seed=waiting.seed, budget=THOUGHT,
        )  # fmt: skip
        for move in waiting.line:
            self.game.play(move.kind, move.cell)

    # words

    def _reveal_words(self, cell: Cell, before: Board, cells: frozenset[Cell], outcome: Outcome) -> Report:
        if outcome.status == "lost":
            mines = ", ".join(map(at, sorted(outcome.exploded)))
            strict = " The rule is strict: a needless guess loses." if outcome.redrawn else ""
            return Report(f"Lost: there was a mine at {mines}.{strict}", Fatal(before, cells))
        luck = self._luck(before, cells) if outcome.redrawn else ""
        return Report(luck + (self._victory() if outcome.status == "won" else _opened(outcome, cell)))

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
        return f"Won in {status.clock(seconds)} ({seconds:.1f} s). 3BV {clicks}{speed}. r tells more, n begins another."

    def _mark_words(self, cell: Cell) -> str:
        if cell in self.game.questions:
            return f"Question mark at {at(cell)}."
        return f"No mark at {at(cell)}." if _covered(self.game.board, cell) else f"Flag at {at(cell)}."


def _covered(board: Board, cell: Cell) -> bool:
    inside = 0 <= cell[0] < board.rows and 0 <= cell[1] < board.columns
    return inside and board[cell] == COVERED


def _opened(outcome: Outcome, cell: Cell) -> str:
    count = len(outcome.opened)
    return f"Opened {at(cell)}." if count == 1 else f"Opened {count} cells at {at(cell)}."


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
