"""A board drawn in text: every cell with what is known about it, readable with and without colours.

One character a cell: digits are open numbers, capitals are certain, small letters are odds in steps of ten per cent,
and a dash is a cell of the sea, where all odds are the same. Where the terminal is wide enough, odds are two digits
of per cent instead. A board too wide for one character a cell is drawn in bands of columns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof.analysis import Analysis
from mineproof.board import Board
from mineproof.codes import ABSENT, FLAGGED
from mineproof.errors import Cell

if TYPE_CHECKING:
    from rich.text import Text

TIGHT, SPACED, PERCENT = 1, 2, 3  # characters a cell
LETTERS = "abcdefghij"

# From green over yellow to red, one for each letter; terminals with fewer colours take the nearest they have.
_HEAT = [f"color(16) on color({shade})" for shade in (114, 150, 186, 222, 221, 215, 209, 203, 197, 161)]


class Mark(NamedTuple):
    """How one cell is drawn; ``wide`` is for pictures with two characters to spare."""

    letter: str
    wide: str
    style: str
    meaning: str


_NUMBERS = [Mark(".", ".", "dim", "0"), *(Mark(str(number), str(number), "", "") for number in range(1, 9))]
_NOTHING = Mark(" ", " ", "", "")
_FLAG = Mark("F", "F", "red", "flag")
SAFE = Mark("S", "S", "bold color(231) on color(28)", "safe")
MINE = Mark("M", "M", "bold red", "mine")
_UNDECIDED = Mark("#", "#", "", "undecided")


def percent(mine_probability: float) -> str:
    """The odds of a cell that is not certain: never 0 and never 100."""
    shown = f"{mine_probability:.1%}".replace("%", " %")
    return {"0.0 %": "< 0.1 %", "100.0 %": "> 99.9 %"}.get(shown, shown)


def heat(mine_probability: float) -> str:
    """The colours of odds."""
    return _HEAT[_step(mine_probability)]


def _step(mine_probability: float) -> int:
    return min(int(mine_probability * 10), 9)


def _odds(mine_probability: float) -> Mark:
    step = _step(mine_probability)
    rounded = min(round(mine_probability * 100), 99)
    return Mark(LETTERS[step], f"{rounded:02}" if rounded else "<1", _HEAT[step], f"<{step + 1}0 %")


def _beyond(mine_probability: float) -> Mark:
    return Mark("-", "-", "dim", f"no number near: {percent(mine_probability)}")


def sea(board: Board) -> frozenset[Cell]:
    """Cells that no open number touches."""
    numbers = np.append(np.frombuffer(board.codes, dtype=np.int8) >= 0, False)
    touched = numbers[board.topology.neighbours].any(axis=1)
    return frozenset(map(board.cell, np.flatnonzero(~touched).tolist()))


class Picture:
    """The drawing of one analysis at one width."""

    def __init__(self, found: Analysis, width: int) -> None:
        self.board = found.board
        self._label = len(str(self.board.rows - 1))
        self._marks = list(_marks(found))
        self._width = width
        self.cell = next((cell for cell in (PERCENT, SPACED) if self._room(cell) >= self.board.columns), TIGHT)

    def lines(self) -> Iterator[Text]:
        """The board with the numbers of its rows and columns."""
        room = max(1, self._room(self.cell))
        step = room if room < 10 or room >= self.board.columns else room - room % 10
        for first in range(0, self.board.columns, step):
            columns = range(first, min(first + step, self.board.columns))
            if first:
                yield self._text("")
            yield from self._head(columns)
            yield from (self._row(row, columns) for row in range(self.board.rows))

    def legend(self) -> Iterator[Text]:
        """What the signs of this picture mean."""
        signs = {mark.letter: mark for mark in self._marks if mark.meaning}
        entries = [
            self._text(letter, signs[letter].style).append(f" {signs[letter].meaning}")
            for letter in sorted(signs, key="SMF.#-abcdefghij".index)
            if self.cell != PERCENT or letter not in LETTERS
        ]
        if self.cell == PERCENT and signs.keys() & set(LETTERS):
            entries.append(self._text("two digits: chance of a mine in %"))
        line = self._text("")
        for entry in entries:
            if line and len(line) + 3 + len(entry) > self._width:
                yield line
                line = self._text("")
            line = line + self._text("   " if line else "") + entry
        if line:
            yield line

    def _room(self, cell: int) -> int:
        """How many columns fit when cells are this wide."""
        return (self._width - self._label - 2) // cell

    def _head(self, columns: range) -> Iterator[Text]:
        indent = " " * (self._label + 2)
        if self.cell == PERCENT:
            yield self._text(indent + " ".join(f"{column % 100:2}" for column in columns), "dim")
            return
        tens = "".join(str(column).ljust(10 * self.cell) for column in columns[::10])
        yield self._text((indent + tens)[: self._width].rstrip(), "dim")
        yield self._text(indent + (" " * (self.cell - 1)).join(str(column % 10) for column in columns), "dim")

    def _row(self, row: int, columns: range) -> Text:
        line = self._text(f"{row:{self._label}}  ", "dim")
        if self.board.topology.kind == "hex" and row % 2:
            line.append(" " * (self.cell // 2))
        for column in columns:
            mark = self._marks[row * self.board.columns + column]
            sign = f"{mark.wide:>2}" if self.cell == PERCENT else mark.letter
            line.append(sign, mark.style)
            if self.cell != TIGHT:
                line.append(" ")
        line.rstrip()
        return line

    @staticmethod
    def _text(content: str, style: str = "") -> Text:
        from rich.text import Text

        text = Text(no_wrap=True)
        return text.append(content, style)


def _marks(found: Analysis) -> Iterator[Mark]:
    """The mark of each cell, in row order."""
    codes = found.board.codes
    certain = dict.fromkeys(found.safe, SAFE) | dict.fromkeys(found.mines, MINE)
    beyond = sea(found.board)
    for index, chance in enumerate(found.mine_probability.flat):
        code = codes[index]
        if code < len(_NUMBERS):
            yield _NUMBERS[code]
        elif code == ABSENT & 0xFF:
            yield _NOTHING
        elif code == FLAGGED & 0xFF:
            yield _FLAG
        elif mark := certain.get(cell := found.board.cell(index)):
            yield mark
        elif math.isnan(chance):
            yield _UNDECIDED
        else:
            yield _beyond(chance) if cell in beyond else _odds(chance)
