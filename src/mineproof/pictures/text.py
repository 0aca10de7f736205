"""A board drawn in text: every cell with what is known about it, readable with and without colours.

One character a cell: digits are open numbers, capitals are certain, small letters are odds in steps of ten per cent,
and a dash is a cell of the sea, where all odds are the same. Where the terminal is wide enough, odds are two digits
of per cent instead. A board too wide for one character a cell is drawn in bands of columns.

Numbers that prove something stand in brackets, or above a caret where there is no room for them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof.analysis.analysis import Analysis
from mineproof.base import colours
from mineproof.base.words import percent
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell

if TYPE_CHECKING:
    from rich.text import Text

    from mineproof.advice.hints import Hint

MOST_PICTURED = 20_000  # cells
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


NUMBERS = [
    Mark(".", ".", "dim", "0"),
    *(Mark(str(number), str(number), f"bold {name}", "") for number, name in enumerate(colours.NUMBERS, 1)),
]
_NOTHING = Mark(" ", " ", "", "")
FLAG = Mark("F", "F", colours.FLAG, "flag")
SAFE = Mark("S", "S", colours.SAFE, "safe")
MINE = Mark("M", "M", colours.MINE, "mine")
WRONG = Mark("X", "X", colours.WRONG_FLAG, "wrong flag")
EXPLODED = Mark("*", "*", colours.MINE, "mine that was opened")
QUESTION = Mark("?", "?", "", "question mark")
GUESS = Mark("G", "G", colours.GUESS, "best guess")
UNDECIDED = Mark("#", "#", "", "undecided")
HIDDEN = Mark("#", "#", "", "covered")
_ORDER = "SMX*GF?.#-" + LETTERS

USED = colours.USED


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


def sea_cells(board: Board) -> frozenset[Cell]:
    """Cells that no open number touches."""
    return frozenset(map(board.cell, np.flatnonzero(board.sea()).tolist()))


def window(board: Board, cells: Collection[Cell], most_rows: int, most_columns: int) -> tuple[range, range]:
    """The rows and columns to show around some cells: all of them, or as many as allowed."""
    rows = _stretch([row for row, _ in cells], board.rows, most_rows)
    return rows, _stretch([column for _, column in cells], board.columns, most_columns)


def _stretch(places: Sequence[int], size: int, most: int) -> range:
    if size <= most:
        return range(size)
    first, last = min(places, default=0), max(places, default=0)
    spare = max(0, most - (last - first + 1))
    first = max(0, min(first - spare // 2, size - most))
    return range(first, min(size, max(first + most, last + 1)))


class Picture:
    """The drawing of a board, one mark a cell, at one width.

    ``widest`` is how many characters a cell may take, ``used`` are numbers to point out, for what ``used_for`` says,
    and ``rows`` and ``columns`` cut a piece out of the board.
    """

    def __init__(
        self,
        board: Board,
        marks: Sequence[Mark],
        width: int,
        *,
        widest: int = SPACED,
        used: Collection[Cell] = (),
        used_for: str = "number used",
        rows: range | None = None,
        columns: range | None = None,
    ) -> None:
        self.board = board
        self._rows = range(board.rows) if rows is None else rows
        self._columns = range(board.columns) if columns is None else columns
        self._label = len(str(self._rows[-1]))
        self._marks = marks
        self._used, self._used_for = frozenset(used), used_for
        self._width = width
        fitting = (cell for cell in (PERCENT, SPACED) if cell <= widest and self._room(cell) >= len(self._columns))
        self.cell = next(fitting, TIGHT)

    @classmethod
    def of_analysis(cls, found: Analysis, width: int) -> Picture:
        """All that an analysis knows, with the odds."""
        return cls(found.board, marks(found.board, odds_marks(found)), width, widest=PERCENT)

    def lines(self) -> Iterator[Text]:
        """The board with the numbers of its rows and columns."""
        room = max(1, self._room(self.cell))
        count = len(self._columns)
        step = room if room < 10 or room >= count else room - room % 10
        for first in range(0, count, step):
            columns = self._columns[first : first + step]
            if first:
                yield self.text("")
            yield from self._head(columns)
            for row in self._rows:
                yield self._row(row, columns)
                if self.cell == TIGHT and any((row, column) in self._used for column in columns):
                    yield self._carets(row, columns)
        if piece := ", ".join(self._piece()):
            yield self.text(piece, "dim")

    def legend(self) -> Iterator[Text]:
        """What the signs of this picture mean."""
        signs = {mark.letter: mark for mark in self._shown() if mark.meaning}
        entries = [
            self.text(letter, signs[letter].style).append(f" {signs[letter].meaning}")
            for letter in sorted(signs, key=_ORDER.index)
            if self.cell != PERCENT or letter not in LETTERS
        ]
        if self.cell == PERCENT and signs.keys() & set(LETTERS):
            entries.append(self.text("two digits: chance of a mine in %"))
        if self._used:
            sign = (
                self.text("^", "bold")
                if self.cell == TIGHT
                else self.text("[", "bold").append(" ", USED).append("]", "bold")
            )
            entries.append(sign.append(f" {self._used_for}"))
        line = self.text("")
        for entry in entries:
            if line and len(line) + 3 + len(entry) > self._width:
                yield line
                line = self.text("")
            line = line + self.text("   " if line else "") + entry
        if line:
            yield line

    def _shown(self) -> Iterator[Mark]:
        columns = self.board.columns
        return (self._marks[row * columns + column] for row in self._rows for column in self._columns)

    def _piece(self) -> Iterator[str]:
        """Which part of the board is shown, where it is not the whole."""
        sides = (("rows", self._rows, self.board.rows), ("columns", self._columns, self.board.columns))
        return (f"{name} {shown[0]}-{shown[-1]} of {size}" for name, shown, size in sides if len(shown) < size)

    def _room(self, cell: int) -> int:
        """How many columns fit when cells are this wide."""
        bracket = 1 if self._used and self.board.topology == "hex" else 0  # behind a row that stands to the right
        return (self._width - self._label - 2 - bracket) // cell

    def _head(self, columns: range) -> Iterator[Text]:
        """Numbers that fit above their columns, or the last digit of each, and the tens in full above that."""
        indent = " " * (self._label + 2)
        wide = self.cell - 1 if self.cell == PERCENT else 1  # digits above a column
        if self._columns[-1] < 10**wide:  # in all bands alike
            numbers = (f"{column:{wide}}" for column in columns)
        else:
            yield self.text(indent + self._tenths(columns), "dim")
            numbers = (f"{column % 10:{wide}}" for column in columns)
        yield self.text(indent + (" " * (self.cell - wide)).join(numbers), "dim")

    def _tenths(self, columns: range) -> str:
        """Tens, and the first column, in full above their columns; what does not fit is left out."""
        told = [column for column in columns if column % 10 == 0]
        begin, room = columns[0], self._width - self._label - 2
        if begin % 10 and (not told or (told[0] - begin) * self.cell > len(str(begin))):
            told.insert(0, begin)
        line = ""
        for column in told:
            start = (column - begin) * self.cell + (1 if self.cell == PERCENT else 0)
            if start + len(str(column)) <= room:
                line = f"{line:{start}}{column}"
        return line

    def _row(self, row: int, columns: range) -> Text:
        line = self.text(f"{row:{self._label}} " + " " * self._shift(row), "dim")
        used = [(row, column) in self._used for column in columns]
        for column, here, before in zip(columns, used, [False, *used], strict=False):
            mark = self._marks[row * self.board.columns + column]
            line.append(self._gap(column == columns[0], mark, here, before), "bold" if here or before else "")
            line.append(mark.wide if self.cell == PERCENT else mark.letter, USED if here else mark.style)
        line.append("]" if used[-1] and self.cell != TIGHT else "", "bold")
        line.rstrip()
        return line

    def _gap(self, first: bool, mark: Mark, here: bool, before: bool) -> str:
        """What stands in front of a cell: room, or the brackets of numbers that are used."""
        if self.cell == TIGHT:
            return " " if first else ""
        if self.cell == SPACED:
            return " " if here == before else "[" if here else "]"
        opening = "[" if here else " " * (2 - len(mark.wide))
        return ("]" if before else " ") + opening

    def _carets(self, row: int, columns: range) -> Text:
        signs = "".join("^" if (row, column) in self._used else " " for column in columns)
        return self.text(f"{' ' * (self._label + 1 + self._shift(row))} {signs}".rstrip(), "bold")

    def _shift(self, row: int) -> int:
        """How far a row stands to the right: hexagons lie between those above."""
        return self.cell // 2 if self.board.topology == "hex" and row % 2 else 0

    @staticmethod
    def text(content: str, style: str = "") -> Text:
        from rich.text import Text

        text = Text(no_wrap=True)
        return text.append(content, style)


def marks(board: Board, special: dict[Cell, Mark], covered: Mark = UNDECIDED) -> list[Mark]:
    """The mark of each cell, in row order: what it shows, or a special one."""
    shown = dict(enumerate(NUMBERS)) | {ABSENT & 0xFF: _NOTHING, FLAGGED & 0xFF: FLAG, COVERED & 0xFF: covered}
    found = [shown[code] for code in board.codes]
    for cell, mark in special.items():
        found[board.index(cell)] = mark
    return found


def odds_marks(found: Analysis) -> dict[Cell, Mark]:
    """Marks for the covered cells that are certain or have odds."""
    certain = dict.fromkeys(found.safe, SAFE) | dict.fromkeys(found.mines, MINE)
    beyond = sea_cells(found.board)
    special = {}
    for cell in found.board.cells(COVERED):
        chance = found.mine_probability[cell]
        if cell in certain:
            special[cell] = certain[cell]
        elif not math.isnan(chance):
            special[cell] = _beyond(chance) if cell in beyond else _odds(chance)
    return special


def move_marks(found: Hint) -> dict[Cell, Mark]:
    """What a hint says to do where."""
    if found.kind == "flag" and found.cell is not None:
        return {found.cell: WRONG}
    if found.kind == "guess" and found.cell is not None:
        return {found.cell: GUESS}
    return dict.fromkeys(found.safe, SAFE) | dict.fromkeys(found.mines, MINE)
