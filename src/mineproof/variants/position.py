"""Positions of variants as text: clues of any size, lists, alternatives, and numbers on covered cells.

Rows are lines, or separated by ``/``. Cells are separated by spaces; in a row without spaces each character is a cell.
There, parentheses hold a cell of several characters: ``#(12)#``.

| text | cell |
|---|---|
| `#` | covered |
| `F` | a mine, known or flagged |
| `~` | not part of the board |
| `?` | open, without a number |
| `3`, `12` | open, with a number |
| `2+3` | open, with several numbers, for rules such as ``wall`` |
| `1|3` | open, with one of these numbers: hidden digits, or a smudged clue |
| `#3` | covered, but its number is known: numbers on mines |
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.base import checks
from mineproof.base.words import at
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, Cell
from mineproof.board.geometry import Geometry, Topology, require_shape
from mineproof.errors import BoardSyntaxError
from mineproof.variants.clues import Clue, clue_text

MAX_CELLS = 1_000_000
MAX_CLUE = 1_000_000
_TOKEN = re.compile(r"(#?)(?:([0-9]{1,7}(?:\+[0-9]{1,7})*(?:\|[0-9]{1,7}(?:\+[0-9]{1,7})*)*)|(\?))|([#F~])")


class VariantCell(NamedTuple):
    """A cell: what is known of its mines, and its clue.

    ``state`` is ``covered``, ``open``, ``mine`` or ``absent``. ``clues`` are the numbers that it may show, one of which
    is true; empty if it shows none.
    """

    state: str
    clues: tuple[Clue, ...] = ()

    @property
    def text(self) -> str:
        """The cell as texts write it."""
        shown = "|".join(map(clue_text, self.clues))
        return shown or "?" if self.state == "open" else _LETTERS[self.state] + shown


_LETTERS = {"covered": "#", "mine": "F", "absent": "~"}
_PLAIN = {"#": VariantCell("covered"), "F": VariantCell("mine"), "~": VariantCell("absent")}


@dataclass(frozen=True, slots=True)
class VariantPosition:
    """A position of a variant; see the table above for its text."""

    rows: int
    columns: int
    cells: tuple[VariantCell, ...]
    total_mines: int | None = None
    topology: Topology = "grid"

    @staticmethod
    def parse(text: str, *, total_mines: int | None = None, topology: Topology = "grid") -> VariantPosition:
        """Read a position. Raises BoardSyntaxError with line and column.

        ``topology`` is the shape of the board, as for `Board.parse`.

        >>> VariantPosition.parse("2+3 # #/# 1|3 #3").cells[4]
        VariantCell(state='open', clues=(1, 3))
        """
        return read_position(text, total_mines, topology)

    @staticmethod
    def from_board(board: Board) -> VariantPosition:
        """Return the position of an ordinary board; its flags are mines."""
        states = {COVERED: "covered", FLAGGED: "mine", ABSENT: "absent"}
        codes = memoryview(board.codes).cast("b").tolist()
        cells = tuple(VariantCell(states[code]) if code < 0 else VariantCell("open", (code,)) for code in codes)
        return VariantPosition(board.rows, board.columns, cells, board.total_mines, board.topology)

    def __getitem__(self, cell: Cell) -> VariantCell:
        """Return a cell. Raises OutsideError if it is not on the board."""
        return self.cells[self.index(cell)]

    __iter__ = None  # else ``for cell in position`` would try ``position[0]``

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in `cells`. Raises OutsideError if it is not on the board."""
        return Geometry(self.topology, self.rows, self.columns).index(cell)

    def replace(self, cells: Iterable[VariantCell]) -> VariantPosition:
        """Return a position with other cells."""
        return VariantPosition(self.rows, self.columns, tuple(cells), self.total_mines, self.topology)

    def most_mines(self, cell_max: int = 1) -> int:
        """Return the most mines that fit: as if no cell were open yet."""
        return cell_max * sum(cell.state != "absent" for cell in self.cells)

    def lines(self) -> list[str]:
        """Return the rows as text, cells separated by spaces."""
        words = [cell.text for cell in self.cells]
        starts = range(0, len(words), self.columns)
        if self.columns == 1:  # without spaces, each letter is a cell
            return [word if len(word) == 1 else f"({word})" for word in words]
        return [" ".join(words[start : start + self.columns]) for start in starts]


def read_position(text: str, total_mines: int | None, topology: Topology, first_line: int = 1) -> VariantPosition:
    """Read a position whose text begins in some line of a longer one, which errors count from."""
    lines = [line for line in checks.instance("text", text, str).replace("/", "\n").split("\n") if line.strip()]
    table = [_read_line(number, line) for number, line in enumerate(lines, first_line)]
    if not table:
        raise BoardSyntaxError("expected at least one row of cells, got none")
    for number, row in enumerate(table, first_line):
        if len(row) != len(table[0]):
            message = f"expected {len(table[0])} cells as in line {first_line}, got {len(row)}"
            raise BoardSyntaxError(message, line=number)
    rows, columns = len(table), len(table[0])
    if rows * columns > MAX_CELLS:
        raise BoardSyntaxError(f"expected at most {MAX_CELLS:,} cells, got {rows * columns:,}")
    if total_mines is not None:
        checks.whole("total_mines", total_mines, 0)
    require_shape(topology, rows, columns)
    cells = [cell for row in table for cell in row]
    for index in Geometry(topology, rows, columns).holes:
        if cells[index].state != "absent":
            place = at(divmod(index, columns))
            raise BoardSyntaxError(f"{place}: expected ~, because {topology} has no cell there")
    return VariantPosition(rows, columns, tuple(cells), total_mines, topology)


def _read_line(number: int, line: str) -> list[VariantCell]:
    tokens = [(match.start() + 1, match[0]) for match in re.finditer(r"\S+", line)]
    if len(tokens) == 1:
        start, word = tokens[0]
        tokens = [(start + match.start(), match[0]) for match in re.finditer(r"\([^()]*\)|.", word)]
    return [_read_cell(number, column, _without_parentheses(token)) for column, token in tokens]


def _without_parentheses(token: str) -> str:
    return token[1:-1] if len(token) > 2 and token[0] == "(" and token[-1] == ")" else token


def _read_cell(line: int, column: int, token: str) -> VariantCell:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise BoardSyntaxError(
            f"expected #, F, ~, ?, a number, 2+3, 1|3 or #3, got {checks.shorten(token)}", line=line, column=column
        )
    covered, clues, unknown, plain = match.groups()
    if plain:
        return _PLAIN[plain]
    state = "covered" if covered else "open"
    return VariantCell(state) if unknown else VariantCell(state, tuple(map(_read_clue, clues.split("|"))))


def _read_clue(text: str) -> Clue:
    numbers = tuple(map(int, text.split("+")))
    return numbers if len(numbers) > 1 else numbers[0]
