"""How a cell looks: a sign that tells it from others without colours, and colours that help.

Open cells have the terminal's own background. Covered cells bring theirs along, from the fixed part of the 256 colours,
so that they look the same on dark terminals and on light ones. Numbers are in the terminal's colours, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.style import Style

from mineproof.base import colours
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.game.layout import Layout
from mineproof.tui.thinking import MINE, SAFE, Odds


class Mark(NamedTuple):
    """At most two signs, and how they are drawn."""

    sign: str
    style: Style


def _mark(sign: str, style: str) -> Mark:
    return Mark(sign, Style.parse(style))


_NUMBERS = [_mark(" ", ""), *(_mark(str(number), f"bold {name}") for number, name in enumerate(colours.NUMBERS, 1))]
_NOTHING = _mark(" ", "")

# Neighbours differ a little, as squares on a chequered board do: two characters of odds touch those of the next cell.
_SHADES = [Style.parse(f"color(250) on color({shade})") for shade in (239, 241)]
_COVERED = [Mark("·", shade) for shade in _SHADES]
_FLAG = _mark("F", colours.FLAG)
_QUESTION = _mark("?", "bold color(231) on color(60)")
_MINE = _mark("*", "bold color(231) on color(239)")
_EXPLODED = _mark("!", "bold color(231) on color(160)")
_WRONG_FLAG = _mark("X", colours.WRONG_FLAG)

HINT_SAFE = _mark(SAFE, colours.SAFE)
HINT_MINE = _mark(MINE, colours.MINE)
HINT_WRONG = _mark("X", colours.WRONG_FLAG)
HINT_GUESS = _mark("G", colours.GUESS)
USED = Style.parse(colours.USED)
CURSOR = Style.parse("bold reverse")
RULER = Style.parse("dim")
RULER_TENTH = Style()
RULER_HERE = Style.parse("bold")

# Odds from green over yellow to red, in steps of a fifth, each in two shades.
_HEAT = [
    [Style.parse(f"color(16) on color({shade})") for shade in pair]
    for pair in ((114, 150), (186, 185), (222, 221), (215, 209), (203, 204))
]
_MARKED = Style.parse("bold italic")
_APART = Style.parse("underline")


@dataclass(frozen=True)
class View:
    """All that is to be drawn of a board. ``layout`` is given once the game is over, and never before."""

    board: Board
    questions: frozenset[Cell] = frozenset()
    layout: Layout | None = None
    exploded: frozenset[Cell] = frozenset()
    used: frozenset[Cell] = frozenset()  # numbers that a hint speaks of
    moves: Mapping[Cell, Mark] = field(default_factory=dict)  # what a hint proposes
    odds: Mapping[Cell, Odds] = field(default_factory=dict)
    shows_odds: bool = False  # also while they are being counted
    colours: bool = True

    @property
    def is_over(self) -> bool:
        return self.layout is not None

    def mark(self, cell: Cell, *, narrow: bool = False) -> Mark:
        """How one cell is drawn, whatever else is around it.

        Where cells are ``narrow``, odds are left out of those that no number touches: they are all the same, and two
        digits touch those of the next cell.
        """
        code = self.board[cell]
        if code >= 0:
            return _NUMBERS[code]
        if code == ABSENT:
            return _NOTHING
        if self.layout is not None:
            return self._uncovered(cell, code, self.layout)
        return self._covered(cell, code, narrow)

    def _covered(self, cell: Cell, code: int, narrow: bool) -> Mark:
        shade = sum(cell) % 2
        if cell in self.moves:
            return self.moves[cell]
        if cell in self.odds and (self.odds[cell].near or not narrow):
            mark = _odds_mark(self.odds[cell], shade, code == FLAGGED or cell in self.questions)
            return mark if self.colours or not shade else mark._replace(style=mark.style + _APART)
        if code == FLAGGED:
            return _FLAG
        return _QUESTION if cell in self.questions else _COVERED[shade]

    def _uncovered(self, cell: Cell, code: int, layout: Layout) -> Mark:
        if cell in self.exploded:
            return _EXPLODED
        if cell in layout.mines:
            return _FLAG if code == FLAGGED else _MINE
        return _COVERED[sum(cell) % 2] if code == COVERED else _WRONG_FLAG


def _odds_mark(odds: Odds, shade: int, marked: bool) -> Mark:
    certain = {SAFE: HINT_SAFE.style, MINE: HINT_MINE.style}
    heat = _HEAT[min(int(odds.mine_probability * 5), 4)] if odds.near else _SHADES
    style = certain.get(odds.label, heat[shade])
    return Mark(odds.label, style + _MARKED if marked else style)
