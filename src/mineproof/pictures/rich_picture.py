"""What rich prints of boards, analyses, hints, moves, games and puzzles: the picture in text that commands draw."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from mineproof.advice.hints import Hint
from mineproof.analysis.analysis import Analysis
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.decision.moves import BestMove
from mineproof.pictures.text import (
    GUESS,
    HIDDEN,
    MOST_PICTURED,
    PERCENT,
    SAFE,
    SPACED,
    UNDECIDED,
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
    """A board in text that takes the width of whatever console it is printed on; words below it."""

    def __init__(
        self, board: Board, special: dict[Cell, Mark], *, odds: bool, used: Collection[Cell], words: str
    ) -> None:
        self._board, self._special, self._odds, self._used, self._words = board, special, odds, used, words

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        covered, widest = (UNDECIDED, PERCENT) if self._odds else (HIDDEN, SPACED)
        drawn = Picture(
            self._board, marks(self._board, self._special, covered), options.max_width, widest=widest, used=self._used
        )
        yield from drawn.lines()
        yield from drawn.legend()
        if self._words:
            yield Picture.text("")
            for line in textwrap.wrap(self._words, max(options.max_width, 1), break_on_hyphens=False):
                yield Picture.text(line)


def rich_picture(what: object) -> RichPicture | str:
    """What rich prints of a board, or of what was found out about one; the repr where the board is too large."""
    board = getattr(what, "board", None) if not isinstance(what, Board) else what
    if not isinstance(board, Board) or len(board.codes) > MOST_PICTURED:
        return repr(what)
    special, used, words = dict[Cell, Mark](), tuple[Cell, ...](), ""
    match what:
        case Analysis():
            special = odds_marks(what)
        case Hint():
            special, used, words = move_marks(what), what.because, what.text
        case BestMove():
            special = {} if what.cell is None else {what.cell: GUESS if what.reason != "safe" else SAFE}
            words = what.text
        case Puzzle():
            words = what.task
    return RichPicture(board, special, odds=isinstance(what, Analysis), used=used, words=words)
