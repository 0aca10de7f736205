"""What rich prints of whatever can be drawn: the picture in text that commands draw."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove
from mineproof.deduction.deduction import Deduction
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Record
from mineproof.game.reviews import Review
from mineproof.pictures import scenes
from mineproof.pictures.scene import Scene
from mineproof.pictures.text import (
    EXPLODED,
    FLAG,
    GUESS,
    HIDDEN,
    MINE,
    MOST_PICTURED,
    NUMBERS,
    PERCENT,
    QUESTION,
    SAFE,
    SPACED,
    UNDECIDED,
    WRONG,
    Mark,
    Picture,
    marks,
    move_marks,
    odds_marks,
)
from mineproof.practice.puzzles import Puzzle

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text


class RichPicture:
    """A board in text that takes the width of whatever console it is printed on; words below it.

    ``special`` are marks of cells that look otherwise than on the board, ``used`` cells to point out, for what
    ``used_for`` says.
    """

    def __init__(
        self,
        board: Board,
        special: dict[Cell, Mark],
        *,
        odds: bool = False,
        used: Collection[Cell] = (),
        used_for: str = "number used",
        words: str = "",
    ) -> None:
        self._board, self._special, self._odds, self._words = board, special, odds, words
        self._used, self._used_for = used, used_for

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        covered, widest = (UNDECIDED, PERCENT) if self._odds else (HIDDEN, SPACED)
        shown = marks(self._board, self._special, covered)
        drawn = Picture(self._board, shown, options.max_width, widest=widest, used=self._used, used_for=self._used_for)
        yield from drawn.lines()
        yield from drawn.legend()
        if self._words:
            yield Picture.text("")
        for paragraph in self._words.split("\n"):
            for line in textwrap.wrap(paragraph, max(options.max_width, 1), break_on_hyphens=False):
                yield Picture.text(line)


def rich_picture(what: object) -> RichPicture | str:
    """What rich prints of whatever `draw` draws; the repr where the board is too large."""
    shown = Game.replay(what) if isinstance(what, Record) else Board.parse(what) if isinstance(what, str) else what
    board = shown.board() if isinstance(shown, Layout) else shown if isinstance(shown, Board) else shown.board  # type: ignore[attr-defined]
    if len(board.codes) > MOST_PICTURED:
        return repr(what)
    return _picture(shown, board)


def _picture(what: object, board: Board) -> RichPicture:
    match what:
        case Analysis():
            return RichPicture(board, odds_marks(what), odds=True)
        case Hint():
            return RichPicture(board, move_marks(what), used=what.because, words=what.text)
        case Deduction():
            certain = dict.fromkeys(what.safe, SAFE) | dict.fromkeys(what.mines, MINE)
            return RichPicture(board, certain, used=what.because, words=what.text)
        case BestMove():
            chosen = {} if what.cell is None else {what.cell: GUESS if what.reason != "safe" else SAFE}
            return RichPicture(board, chosen, words=what.text)
        case Puzzle():
            return RichPicture(board, {}, words=what.task)
        case Game():
            return RichPicture(board, _of_scene(scenes.of_game(what)))
        case Layout():
            return RichPicture(board, _of_scene(scenes.of_layout(what)))
        case Review():
            scene = scenes.of_review(what)
            guessed = [guess.cell for guess in what.guesses]
            return RichPicture(board, _of_scene(scene), used=guessed, used_for="guess", words=scene.text)
    return RichPicture(board, {})


_SIGNS = {"mine": MINE, "exploded": EXPLODED, "wrong": WRONG, "question": QUESTION, "flag": FLAG}


def _of_scene(scene: Scene) -> dict[Cell, Mark]:
    """The marks of cells that are neither covered nor a number that the board has."""
    found = {cell: _SIGNS[look.sign] for cell, look in scene.looks.items() if look.sign in _SIGNS}
    return found | {cell: NUMBERS[look.number] for cell, look in scene.looks.items() if look.sign == "number"}
