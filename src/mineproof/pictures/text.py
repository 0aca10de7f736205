"""A board as text: every cell with what is known about it, readable with and without colours.

One character a cell: digits are open numbers, capitals are certain, small letters are odds in steps of ten per cent,
and a dash is a cell without a number next to it, where all odds are the same. If the terminal is wide enough, odds are
two digits of per cent instead. A board that is too wide for one character a cell is drawn in bands of columns.

Numbers that prove something are in brackets, or above a caret if there is no room for brackets.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof.analysis.analysis import Analysis
from mineproof.base import colours
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_DIGIT, LARGEST_NUMBER, Cell
from mineproof.board.topology import topology_named
from mineproof.pictures.captions import format_percent
from mineproof.wording.catalogue import has_message, message

if TYPE_CHECKING:
    from rich.text import Text

    from mineproof.advice.hints import Hint

TEXT_PICTURE_MAX_CELLS = 20_000
TIGHT, SPACED, PERCENT = 1, 2, 3  # characters a cell
LETTERS = "abcdefghij"


class Mark(NamedTuple):
    """How one cell is drawn: ``wide`` is for pictures with two characters a cell.

    ``meaning`` is the message in the legend, as a key or as text; ``value`` is the field ``{value}`` of the message.
    Marks without a meaning are not in the legend.
    """

    letter: str
    wide: str
    style: str
    meaning: str
    value: str = ""

    def meaning_text(self) -> str:
        """Return the meaning in the language of the reader."""
        return message(self.meaning, value=self.value) if has_message(self.meaning) else self.meaning


def _number_mark(number: int) -> Mark:
    """Return the mark of a number; those above 8 are in parentheses, as in position texts: two digits are odds."""
    sign = str(number) if number <= LARGEST_DIGIT else f"({number})"
    return Mark(sign, sign, f"bold {colours.NUMBERS[(number - 1) % len(colours.NUMBERS)]}", "")


NUMBERS = [Mark(".", ".", "dim", "picture-sign-zero"), *map(_number_mark, range(1, LARGEST_NUMBER + 1))]
_NOTHING = Mark(" ", " ", "", "")
FLAG = Mark("F", "F", colours.FLAG, "picture-flag")
SAFE = Mark("S", "S", colours.SAFE, "picture-sign-safe")
MINE = Mark("M", "M", colours.MINE, "picture-sign-mine")
WRONG = Mark("X", "X", colours.WRONG_FLAG, "picture-wrong")
EXPLODED = Mark("*", "*", colours.MINE, "picture-exploded")
QUESTION = Mark("?", "?", "", "picture-sign-question")
GUESS = Mark("G", "G", colours.GUESS, "picture-sign-guess")
UNDECIDED = Mark("#", "#", "", "picture-sign-undecided")
HIDDEN = Mark("#", "#", "", "picture-sign-covered")
_ORDER = "SMX*GF?.#-" + LETTERS

USED = colours.USED


def heat(mine_probability: float) -> str:
    """Return the style of odds."""
    return colours.TERMINAL_HEAT[_step(mine_probability)]


def odds_letter(mine_probability: float) -> str:
    """Return the letter of odds in steps of ten per cent: ``a`` is below 10 %, ``j`` 90 % or more."""
    return LETTERS[_step(mine_probability)]


def _step(mine_probability: float) -> int:
    return min(int(mine_probability * 10), 9)


def _odds_mark(mine_probability: float) -> Mark:
    rounded = min(round(mine_probability * 100), 99)
    wide = f"{rounded:02}" if rounded else "<1"
    limit = f"{_step(mine_probability) + 1}0"
    return Mark(odds_letter(mine_probability), wide, heat(mine_probability), "picture-sign-odds", limit)


def _sea_mark(mine_probability: float) -> Mark:
    return Mark("-", "-", "dim", "picture-sign-sea", format_percent(mine_probability))


def sea_cells(board: Board) -> frozenset[Cell]:
    """Return the cells that no open number touches."""
    return frozenset(map(board.cell, np.flatnonzero(board.sea()).tolist()))


def window(board: Board, cells: Collection[Cell], max_rows: int, max_columns: int) -> tuple[range, range]:
    """Return the rows and columns to show around some cells: the whole board, or as much as allowed."""
    rows = _stretch([row for row, _ in cells], board.rows, max_rows)
    return rows, _stretch([column for _, column in cells], board.columns, max_columns)


def _stretch(places: Sequence[int], size: int, max_size: int) -> range:
    if size <= max_size:
        return range(size)
    first, last = min(places, default=0), max(places, default=0)
    spare = max(0, max_size - (last - first + 1))
    first = max(0, min(first - spare // 2, size - max_size))
    return range(first, min(size, max(first + max_size, last + 1)))


class TextPicture:
    """A board as text, one mark a cell, for one width.

    ``widest`` is the largest number of characters a cell. ``used`` are cells to point out; ``used_for`` is their entry
    in the legend. ``rows`` and ``columns`` select a part of the board.
    """

    def __init__(
        self,
        board: Board,
        marks: Sequence[Mark],
        width: int,
        *,
        widest: int = SPACED,
        used: Collection[Cell] = (),
        used_for: str | None = None,
        rows: range | None = None,
        columns: range | None = None,
    ) -> None:
        self.board = board
        self._topology = topology_named(board.topology)
        self._rows = range(board.rows) if rows is None else rows
        self._columns = range(board.columns) if columns is None else columns
        self._label = len(str(self._rows[-1]))
        self._marks = marks
        self._used = frozenset(used)
        self._used_for = message("picture-ring-because") if used_for is None else used_for
        self._width = width
        longest = max(len(mark.letter) for mark in self._visible_marks())
        fitting = (cell for cell in (PERCENT, SPACED) if cell <= widest and self._room(cell) >= len(self._columns))
        self.cell = next(fitting, TIGHT) if longest == 1 else longest + 2

    @classmethod
    def of_analysis(cls, analysis: Analysis, width: int) -> TextPicture:
        """Return the picture of an analysis, with the odds."""
        return cls(analysis.board, marks(analysis.board, odds_marks(analysis)), width, widest=PERCENT)

    def lines(self) -> Iterator[Text]:
        """Return the board with the numbers of its rows and columns."""
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
        if part := ", ".join(self._part_text()):
            yield self.text(part, "dim")

    def legend(self) -> Iterator[Text]:
        """Return the meanings of the signs in this picture."""
        signs = {mark.letter: mark for mark in self._visible_marks() if mark.meaning}
        entries = [
            self.text(letter, signs[letter].style).append(f" {signs[letter].meaning_text()}")
            for letter in sorted(signs, key=_ORDER.index)
            if self.cell < PERCENT or letter not in LETTERS
        ]
        if self.cell >= PERCENT and signs.keys() & set(LETTERS):
            entries.append(self.text(message("picture-sign-digits")))
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

    def _visible_marks(self) -> Iterator[Mark]:
        columns = self.board.columns
        return (self._marks[row * columns + column] for row in self._rows for column in self._columns)

    def _part_text(self) -> Iterator[str]:
        """Return which rows and columns are shown, if it is not the whole board."""
        for key, shown, size in (
            ("picture-part-rows", self._rows, self.board.rows),
            ("picture-part-columns", self._columns, self.board.columns),
        ):
            if len(shown) < size:
                yield message(key, first=shown[0], last=shown[-1], count=size)

    def _room(self, cell: int) -> int:
        """Return how many columns fit with cells of this width."""
        bracket = 1 if self._used and self._topology.has_shifted_rows else 0  # behind a shifted row
        return (self._width - self._label - 2 - bracket) // cell

    def _head(self, columns: range) -> Iterator[Text]:
        """Return the numbers of columns where they fit, or their last digits with the tens in full above."""
        indent = " " * (self._label + 2)
        wide = self.cell - 1 if self.cell >= PERCENT else 1  # digits above a column
        if self._columns[-1] < 10**wide:  # in all bands alike
            numbers = (f"{column:{wide}}" for column in columns)
        else:
            yield self.text(indent + self._tenths(columns), "dim")
            numbers = (f"{column % 10:{wide}}" for column in columns)
        yield self.text(indent + (" " * (self.cell - wide)).join(numbers), "dim")

    def _tenths(self, columns: range) -> str:
        """Return the tens and the first column in full, as far as they fit."""
        labelled = [column for column in columns if column % 10 == 0]
        begin, room = columns[0], self._width - self._label - 2
        if begin % 10 and (not labelled or (labelled[0] - begin) * self.cell > len(str(begin))):
            labelled.insert(0, begin)
        line = ""
        for column in labelled:
            start = (column - begin) * self.cell + (1 if self.cell >= PERCENT else 0)
            if start + len(str(column)) <= room:
                line = f"{line:{start}}{column}"
        return line

    def _row(self, row: int, columns: range) -> Text:
        line = self.text(f"{row:{self._label}} " + " " * self._shift(row), "dim")
        used = [(row, column) in self._used for column in columns]
        for column, here, before in zip(columns, used, [False, *used], strict=False):
            mark = self._marks[row * self.board.columns + column]
            line.append(self._gap(column == columns[0], mark, here, before), "bold" if here or before else "")
            line.append(mark.wide if self.cell >= PERCENT else mark.letter, USED if here else mark.style)
        line.append("]" if used[-1] and self.cell != TIGHT else "", "bold")
        line.rstrip()
        return line

    def _gap(self, first: bool, mark: Mark, here: bool, before: bool) -> str:
        """Return the gap in front of a cell: spaces, or the brackets of used numbers."""
        if self.cell == TIGHT:
            return " " if first else ""
        if self.cell == SPACED:
            return " " if here == before else "[" if here else "]"
        opening = " " * (self.cell - 1 - len(mark.wide))
        if opening:
            return ("]" if before else " ") + (opening[:-1] + "[" if here else opening)
        return " " if here == before else "[" if here else "]"  # one character for both

    def _carets(self, row: int, columns: range) -> Text:
        signs = "".join("^" if (row, column) in self._used else " " for column in columns)
        return self.text(f"{' ' * (self._label + 1 + self._shift(row))} {signs}".rstrip(), "bold")

    def _shift(self, row: int) -> int:
        """Return how far a row is shifted to the right: hexagons lie between those above."""
        return self.cell // 2 if self._topology.has_shifted_rows and row % 2 else 0

    @staticmethod
    def text(content: str, style: str = "") -> Text:
        from rich.text import Text

        text = Text(no_wrap=True)
        return text.append(content, style)


def marks(board: Board, special: dict[Cell, Mark], covered: Mark = UNDECIDED) -> list[Mark]:
    """Return the mark of each cell in row order: its own, or a special one."""
    shown = dict(enumerate(NUMBERS)) | {ABSENT & 0xFF: _NOTHING, FLAGGED & 0xFF: FLAG, COVERED & 0xFF: covered}
    cell_marks = [shown[code] for code in board.codes]
    for cell, mark in special.items():
        cell_marks[board.index(cell)] = mark
    return cell_marks


def odds_marks(analysis: Analysis) -> dict[Cell, Mark]:
    """Return marks for the covered cells that are certain or have odds."""
    certain = dict.fromkeys(analysis.safe, SAFE) | dict.fromkeys(analysis.mines, MINE)
    sea = sea_cells(analysis.board)
    special = {}
    for cell in analysis.board.cells(COVERED):
        chance = analysis.mine_probability[cell]
        if cell in certain:
            special[cell] = certain[cell]
        elif not math.isnan(chance):
            special[cell] = _sea_mark(chance) if cell in sea else _odds_mark(chance)
    return special


def move_marks(hint: Hint) -> dict[Cell, Mark]:
    """Return the marks of the move that a hint proposes."""
    if hint.kind == "flag" and hint.cell is not None:
        return {hint.cell: WRONG}
    if hint.kind == "guess" and hint.cell is not None:
        return {hint.cell: GUESS}
    return dict.fromkeys(hint.safe, SAFE) | dict.fromkeys(hint.mines, MINE)
