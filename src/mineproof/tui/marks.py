"""How a cell looks: a sign that is clear without colours, and colours that help.

Open cells have the terminal's own background. Covered cells have one from the fixed part of the 256 colours, so that
they look the same on dark and on light terminals. Numbers use the terminal's colours, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.style import Style

from mineproof.base import colours
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_NUMBER, Cell
from mineproof.game.layout import Layout
from mineproof.pictures.text import odds_letter
from mineproof.tui.questions import MINE, SAFE, CellOdds


class CellMark(NamedTuple):
    """At most two characters, and their style."""

    sign: str
    style: Style


def _make_mark(sign: str, style: str) -> CellMark:
    return CellMark(sign, Style.parse(style))


_NUMBERS = [
    _make_mark(" ", ""),
    *(
        _make_mark(str(number), f"bold {colours.NUMBERS[(number - 1) % len(colours.NUMBERS)]}")
        for number in range(1, LARGEST_NUMBER + 1)
    ),
]
_NOTHING = _make_mark(" ", "")

_SHADES = [Style.parse(style) for style in colours.COVERED_SHADES]
_COVERED = [CellMark("·", shade) for shade in _SHADES]
_FLAG = _make_mark("F", colours.FLAG)
_QUESTION = _make_mark("?", colours.QUESTION)
_MINE = _make_mark("*", colours.SHOWN_MINE)
_EXPLODED = _make_mark("!", colours.EXPLODED)
_WRONG_FLAG = _make_mark("X", colours.WRONG_FLAG)

HINT_SAFE = _make_mark(SAFE, colours.SAFE)
HINT_MINE = _make_mark(MINE, colours.MINE)
HINT_WRONG = _make_mark("X", colours.WRONG_FLAG)
HINT_GUESS = _make_mark("G", colours.GUESS)
USED = Style.parse(colours.USED)
CURSOR = Style.parse("bold reverse")
RULER = Style.parse("dim")
RULER_FULL = Style()
RULER_CURSOR = Style.parse("bold")

_HEAT = [[Style.parse(style) for style in pair] for pair in colours.GAME_HEAT]
_MARKED = Style.parse("bold italic")


@dataclass(frozen=True)
class View:
    """Everything that the board shows. ``layout`` is set once the game is over, and never before."""

    board: Board
    questions: frozenset[Cell] = frozenset()
    layout: Layout | None = None
    exploded: frozenset[Cell] = frozenset()
    used: frozenset[Cell] = frozenset()  # numbers that a hint uses
    moves: Mapping[Cell, CellMark] = field(default_factory=dict)  # what a hint proposes
    odds: Mapping[Cell, CellOdds] = field(default_factory=dict)
    ruler: bool = True
    shows_odds: bool = False  # also while they are being computed

    @property
    def is_over(self) -> bool:
        return self.layout is not None

    def mark(self, cell: Cell, *, narrow: bool = False) -> CellMark:
        """Return how one cell is drawn.

        In a ``narrow`` cell, odds are a letter for ten per cent each, as in the output of commands. Cells that no
        number touches have no letter: their odds are all the same.
        """
        code = self.board[cell]
        if code >= 0:
            return _NUMBERS[code]
        if code == ABSENT:
            return _NOTHING
        if self.layout is not None:
            return self._uncovered_mark(cell, code, self.layout)
        return self._covered_mark(cell, code, narrow)

    def _covered_mark(self, cell: Cell, code: int, narrow: bool) -> CellMark:
        shade = sum(cell) % 2
        if cell in self.moves:
            return self.moves[cell]
        if cell in self.odds and (self.odds[cell].near or not narrow):
            return _odds_mark(self.odds[cell], shade, code == FLAGGED or cell in self.questions, narrow)
        if code == FLAGGED:
            return _FLAG
        return _QUESTION if cell in self.questions else _COVERED[shade]

    def _uncovered_mark(self, cell: Cell, code: int, layout: Layout) -> CellMark:
        if cell in self.exploded:
            return _EXPLODED
        if cell in layout.mines:
            return _FLAG if code == FLAGGED else _MINE
        return _COVERED[sum(cell) % 2] if code == COVERED else _WRONG_FLAG


def _odds_mark(odds: CellOdds, shade: int, marked: bool, narrow: bool) -> CellMark:
    certain = {SAFE: HINT_SAFE.style, MINE: HINT_MINE.style}
    heat = _HEAT[min(int(odds.mine_probability * 5), 4)] if odds.near else _SHADES
    style = certain.get(odds.label, heat[shade])
    label = odds_letter(odds.mine_probability) if narrow and odds.label not in certain else odds.label
    return CellMark(label, style + _MARKED if marked else style)
