"""The text pictures that rich prints for everything that can be picture."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.base.words import wrap_text
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
    NUMBERS,
    PERCENT,
    QUESTION,
    SAFE,
    SPACED,
    TEXT_PICTURE_MAX_CELLS,
    UNDECIDED,
    WRONG,
    Mark,
    TextPicture,
    marks,
    move_marks,
    odds_marks,
)
from mineproof.pictures.variant_text import variant_picture
from mineproof.practice.puzzles import Puzzle
from mineproof.wording.catalogue import message

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.text import Text


class RichPicture:
    """A board as text that adapts to the width of the console, with a caption below.

    ``special`` are marks that replace those of the board, ``used`` are cells to point out, and ``used_for`` is their
    entry in the legend.
    """

    def __init__(
        self,
        board: Board,
        special: dict[Cell, Mark],
        *,
        odds: bool = False,
        used: Collection[Cell] = (),
        used_for: str | None = None,
        caption: str = "",
    ) -> None:
        self._board, self._special, self._odds, self._caption = board, special, odds, caption
        self._used, self._used_for = used, used_for

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        covered, widest = (UNDECIDED, PERCENT) if self._odds else (HIDDEN, SPACED)
        shown = marks(self._board, self._special, covered)
        width = options.max_width
        picture = TextPicture(self._board, shown, width, widest=widest, used=self._used, used_for=self._used_for)
        yield from picture.lines()
        yield from picture.legend()
        if self._caption:
            yield TextPicture.text("")
        for line in wrap_text(self._caption, options.max_width):
            yield TextPicture.text(line)


def rich_picture(what: object) -> RichPicture | str:
    """Return what rich prints for an object that `draw` can draw; the repr if the board is too large."""
    if (text := variant_picture(what)) is not None:
        return text
    shown = Game.replay(what) if isinstance(what, Record) else Board.parse(what) if isinstance(what, str) else what
    board = shown.board() if isinstance(shown, Layout) else shown if isinstance(shown, Board) else shown.board  # type: ignore[attr-defined]
    if len(board.codes) > TEXT_PICTURE_MAX_CELLS:
        return repr(what)
    return _build_picture(shown, board)


def _build_picture(what: object, board: Board) -> RichPicture:
    match what:
        case Analysis():
            return RichPicture(board, odds_marks(what), odds=True)
        case Hint():
            return RichPicture(board, move_marks(what), used=what.because, caption=what.text)
        case Deduction():
            certain = dict.fromkeys(what.safe, SAFE) | dict.fromkeys(what.mines, MINE)
            return RichPicture(board, certain, used=what.because, caption=what.text)
        case BestMove():
            chosen = {} if what.cell is None else {what.cell: GUESS if what.reason != "safe" else SAFE}
            return RichPicture(board, chosen, caption=what.text)
        case Puzzle():
            return RichPicture(board, {}, caption=what.task)
        case Game():
            return RichPicture(board, _scene_marks(scenes.of_game(what)))
        case Layout():
            return RichPicture(board, _scene_marks(scenes.of_layout(what)))
        case Review():
            scene = scenes.of_review(what)
            guessed = [guess.cell for guess in what.guesses]
            meaning = message("picture-used-guess")
            return RichPicture(board, _scene_marks(scene), used=guessed, used_for=meaning, caption=scene.text)
    return RichPicture(board, {})


_SIGNS = {"mine": MINE, "exploded": EXPLODED, "wrong": WRONG, "question": QUESTION, "flag": FLAG}


def _scene_marks(scene: Scene) -> dict[Cell, Mark]:
    """Return the marks of cells that differ from the board."""
    signs = {cell: _SIGNS[look.sign] for cell, look in scene.looks.items() if look.sign in _SIGNS}
    return signs | {cell: NUMBERS[look.number] for cell, look in scene.looks.items() if look.sign == "number"}
