"""Positions of variants as text: clues of any size, lists, alternatives, and numbers on covered cells.

Rows are lines, or separated by ``/``. Cells are separated by spaces; in a row without spaces each character is a cell.

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
from dataclasses import dataclass
from typing import NamedTuple

from mineproof.base import checks
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.errors import BoardSyntaxError
from mineproof.variants.clues import Clue

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


_PLAIN = {"#": VariantCell("covered"), "F": VariantCell("mine"), "~": VariantCell("absent")}


@dataclass(frozen=True, slots=True)
class VariantPosition:
    """A position of a variant; see the table above for its text."""

    rows: int
    columns: int
    cells: tuple[VariantCell, ...]
    total_mines: int | None = None

    @staticmethod
    def parse(text: str, *, total_mines: int | None = None) -> VariantPosition:
        """Read a position. Raises BoardSyntaxError with line and column.

        >>> VariantPosition.parse("2+3 # #/# 1|3 #3").cells[4]
        VariantCell(state='open', clues=(1, 3))
        """
        lines = [line for line in checks.instance("text", text, str).replace("/", "\n").split("\n") if line.strip()]
        table = [_read_line(number, line) for number, line in enumerate(lines, 1)]
        if not table:
            raise BoardSyntaxError("expected at least one row of cells, got none")
        for number, row in enumerate(table, 1):
            if len(row) != len(table[0]):
                raise BoardSyntaxError(f"expected {len(table[0])} cells as in line 1, got {len(row)}", line=number)
        if len(table) * len(table[0]) > MAX_CELLS:
            raise BoardSyntaxError(f"expected at most {MAX_CELLS:,} cells, got {len(table) * len(table[0]):,}")
        if total_mines is not None:
            checks.whole("total_mines", total_mines, 0)
        return VariantPosition(len(table), len(table[0]), tuple(cell for row in table for cell in row), total_mines)

    @staticmethod
    def from_board(board: Board) -> VariantPosition:
        """Return the position of an ordinary board; its flags are mines."""
        states = {COVERED: "covered", FLAGGED: "mine", ABSENT: "absent"}
        codes = memoryview(board.codes).cast("b").tolist()
        cells = tuple(VariantCell(states[code]) if code < 0 else VariantCell("open", (code,)) for code in codes)
        return VariantPosition(board.rows, board.columns, cells, board.total_mines)


def _read_line(number: int, line: str) -> list[VariantCell]:
    tokens = [(match.start() + 1, match[0]) for match in re.finditer(r"\S+", line)]
    if len(tokens) == 1:
        start, word = tokens[0]
        tokens = [(start + place, letter) for place, letter in enumerate(word)]
    return [_read_cell(number, column, token) for column, token in tokens]


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
