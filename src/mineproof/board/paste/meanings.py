"""From symbols to codes: each doubtful symbol gets the meaning that makes the position possible.

If one documented alphabet knows all symbols, its reading wins if it is possible. So does the only possible one. Of
several, the only *plain* one wins: no two symbols mean the same, and some cell is covered. Otherwise none is chosen,
and the error names two. Whatever was assumed is said in a note.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from mineproof.base.words import listing, size
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, MAX_CELLS
from mineproof.board.geometry import Topology
from mineproof.board.notation import ALPHABETS, Alphabet, Grid
from mineproof.board.paste.plausibility import is_possible
from mineproof.board.paste.sheet import ADVICE, PasteNote, Table, paste_note
from mineproof.board.paste.symbols import BLANK, DOUBTFUL, NAMES, PLAIN, is_documented, meanings_of, symbol_of
from mineproof.errors import BoardSyntaxError

NAME = "pasted"
# How many readings are tried: all of a few doubtful symbols, however large the board, and more of them on small ones.
LEAST_READINGS = 8
MAX_READ_CELLS = 100_000
LAYOUT_SYMBOLS = frozenset("*.0~ ")  # nothing is covered and no number is open: the stars are all the mines there are
Meaning = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Known:
    """What the caller knows besides the text."""

    total_mines: int | None = None
    topology: Topology | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """A position that was read, and what was assumed to read it."""

    grid: Grid
    notes: tuple[PasteNote, ...]
    possible: bool


def resolve(table: Table, known: Known) -> Position:
    """The position in a table; BoardSyntaxError where it can be read in two ways."""
    _refuse_layout(table)
    first = _resolve_one(table, known)
    if table.other is None:
        return first
    second = _resolve_one(table.other, known)
    if first.possible == second.possible:
        raise table.sheet.error(table.place(0, 0), f"The text can be read in two ways. {table.advice}")
    return first if first.possible else second


def _resolve_one(table: Table, known: Known) -> Position:
    _require_size(table)
    _refuse_word(table)
    cells = _Cells(table, known)
    documented = _documented_meaning(cells.symbols, table.fixed)
    if documented is not None and cells.are_possible(documented):
        return cells.position(documented)
    readings = [reading for reading in _readings(cells, table.fixed) if reading != documented]
    fitting = [reading for reading in readings if cells.are_possible(reading)]
    if not fitting:
        return cells.position(readings[0] if documented is None else documented, possible=False)
    if len(fitting) == 1:
        return cells.position(fitting[0], alone=len(readings) > 1 or documented is not None)
    best = [reading for reading in fitting if _is_plain(reading) and not _trusts_too_much(reading)]
    if len(best) == 1:
        return cells.position(best[0])
    raise _two_ways(table, *(best or fitting)[:2])


class _Cells:
    """The symbols of a table, to be tried with one meaning after the other."""

    def __init__(self, table: Table, known: Known) -> None:
        facts = table.facts
        self._table = table
        self._text = "".join(symbol for row in table.rows for symbol in row)
        self._total = known.total_mines if facts.total_mines is None else facts.total_mines
        self._topology = known.topology if facts.topology is None else facts.topology
        self.symbols = sorted(set(self._text))

    def __len__(self) -> int:
        return len(self._text)

    def are_possible(self, meaning: Meaning) -> bool:
        table = self._table
        return is_possible(len(table.rows), table.columns, self._codes(meaning), self._total, self._topology)

    def position(self, meaning: Meaning, *, possible: bool = True, alone: bool = False) -> Position:
        """The position with this meaning; ``alone`` if no other one is possible."""
        table, facts = self._table, self._table.facts
        codes = self._codes(meaning)
        grid = Grid(len(table.rows), table.columns, codes, facts.total_mines, facts.topology, NAME)
        return Position(grid, (*table.notes, *_assumptions(meaning, alone=alone)), possible)

    def _codes(self, meaning: Meaning) -> bytes:
        codes = {ord(symbol): chr(code & 0xFF) for symbol, code in meaning.items()}
        return self._text.translate(codes).encode("latin-1")


def _refuse_layout(table: Table) -> None:
    symbols = {symbol for row in table.rows for symbol in row}
    if "*" in symbols and symbols <= LAYOUT_SYMBOLS:
        message = "The text is a layout: it shows where the mines are. Layout.parse and formats.read read it."
        raise table.sheet.error(table.place(0, 0), message)


def _refuse_word(table: Table) -> None:
    """Refuse letters that no program documents where nothing else shows that the text is a board."""
    symbols = {symbol for row in table.rows for symbol in row}
    letters = [symbol for symbol in symbols if symbol.isalpha() and not is_documented(symbol)]
    is_board = not symbols.isdisjoint("12345678") or any(
        symbol_of(sign) == "#" for sign in set(table.sheet.text) if not sign.isalpha()
    )
    if letters and not is_board:
        error = table.sheet.error(table.place(0, 0), "expected a number or a covered cell, got letters alone")
        error.advise(ADVICE)
        raise error


def _require_size(table: Table) -> None:
    rows, columns, facts = len(table.rows), table.columns, table.facts
    if rows * columns > MAX_CELLS:
        raise table.sheet.error(table.place(0, 0), f"expected at most {MAX_CELLS:,} cells, got {rows * columns:,}")
    if facts.size is not None and facts.size != (rows, columns):
        expected = f"{size(*facts.size)} cells as the text says"
        raise table.sheet.error(table.place(0, 0), f"expected {expected}, got {size(rows, columns)}")
    absent = sum(row.count("~") for row in table.rows)
    if facts.total_mines is not None and facts.total_mines > rows * columns - absent:
        room = rows * columns - absent
        raise table.sheet.error(facts.total_at, f"expected 0 to {room} mines on this board, got {facts.total_mines}")


# the readings


def _documented_meaning(symbols: list[str], fixed: Meaning) -> Meaning | None:
    """The reading of the first alphabet that knows all symbols, or of symbols that leave no doubt together."""
    for alphabet in ALPHABETS.values():
        if alphabet.symbols.issuperset(symbols) and not fixed:
            return {symbol: _code_in(alphabet, symbol) for symbol in symbols}
    first = {symbol: fixed.get(symbol, meanings_of(symbol)[0]) for symbol in symbols}
    doubtful = [symbol for symbol in symbols if symbol in DOUBTFUL and symbol not in fixed]
    if all(DOUBTFUL[symbol].documented for symbol in doubtful) and _is_plain(first):
        return first
    return None


def _code_in(alphabet: Alphabet, symbol: str) -> int:
    code = alphabet.codes(symbol)[0]
    return code - 256 if code > 127 else code


def _readings(cells: _Cells, fixed: Meaning) -> list[Meaning]:
    """Every choice of meanings, preferred ones first."""
    symbols = cells.symbols
    choices = [(fixed[symbol],) if symbol in fixed else meanings_of(symbol) for symbol in symbols]
    if math.prod(map(len, choices)) > max(LEAST_READINGS, MAX_READ_CELLS // len(cells)):
        doubtful = [symbol for symbol, codes in zip(symbols, choices, strict=True) if len(codes) > 1]
        signs = listing([_symbol_name(symbol) for symbol in doubtful])
        raise BoardSyntaxError(f"The meaning of {signs} is in doubt. Write # for covered, F for a mine, 0-8 for open.")
    return [dict(zip(symbols, codes, strict=True)) for codes in product(*choices)]


def _is_plain(meaning: Meaning) -> bool:
    """Does every code have one symbol only, and is there a covered cell? An empty cell and a 0 go together."""
    codes = [code for symbol, code in meaning.items() if (symbol, code) != (BLANK, 0)]
    return COVERED in codes and all(codes.count(code) <= 1 for code in (COVERED, FLAGGED, 0))


def _trusts_too_much(meaning: Meaning) -> bool:
    """Is an undocumented symbol read as a mine, which no analysis would question?"""
    return any(code == FLAGGED and not is_documented(symbol) for symbol, code in meaning.items())


# notes


def _assumptions(meaning: Meaning, *, alone: bool) -> Iterator[PasteNote]:
    """One note on the doubtful symbols, unless a covered cell written as # leaves no doubt about the others."""
    doubtful = {symbol: code for symbol, code in meaning.items() if symbol in DOUBTFUL}
    if "#" in meaning and not alone:
        doubtful = {symbol: code for symbol, code in doubtful.items() if symbol != "."}
    if doubtful:
        readings = tuple(
            paste_note("format-paste-symbol", symbol=_symbol_note(symbol), meaning=paste_note(_MEANING_KEYS[code]))
            for symbol, code in doubtful.items()
        )
        yield paste_note("format-paste-read-alone" if alone else "format-paste-read", readings=readings)


_MEANING_KEYS = {
    COVERED: "format-paste-covered",
    FLAGGED: "format-paste-mine",
    ABSENT: "format-paste-absent",
    0: "format-paste-zero",
}


def _symbol_note(symbol: str) -> PasteNote | str:
    return paste_note("format-paste-blank") if symbol == BLANK else repr(symbol)


def _symbol_name(symbol: str) -> str:
    return "an empty cell" if symbol == BLANK else repr(symbol)


def _two_ways(table: Table, first: Meaning, second: Meaning) -> BoardSyntaxError:
    symbol = next(symbol for symbol in first if first[symbol] != second[symbol])
    row, column = next((row, cells.index(symbol)) for row, cells in enumerate(table.rows) if symbol in cells)
    codes = (first[symbol], second[symbol])
    choices = " or ".join(NAMES[code] for code in codes)
    plain = listing([f"{PLAIN[code]} for {NAMES[code]}" for code in codes], "or")
    return table.sheet.error(table.place(row, column), f"{_symbol_name(symbol)} can be {choices}. Write {plain}.")
