"""Positions as text: the alphabets of other programs, one reader, and our own format.

A position is rows of one symbol a cell. The programs people use agree on the digits and on little else: ``?`` is a
covered cell in one and an exploded mine in another, ``#`` and ``-`` both mean covered. So the alphabet is chosen from
all the symbols of a text at once: the one that knows most of them, and among equals the first in the order of `sniff`.
Nothing is repaired. Rows of unequal length, an unknown symbol or a size that disagrees with the first line is an error
that names the place, the expected symbols and the actual one.

Any text may open with a line ``WxHxM``, width by height by total mines. We let the total be ``?`` and a topology
follow: ``5x4x? hex``. Numbers above 8, which such shapes can have, are in parentheses in our own alphabet: ``(12)``.
``/`` ends a row as a line end does. Too many flags for the total are not a syntax error: a player may set them, and
only an analysis can call them wrong.

Cost: linear in the text. Rows are cut and translated by the string type; positions are worked out only for an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar

from mineproof.base import checks
from mineproof.base.words import listing, plural, size
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_DIGIT, LARGEST_NUMBER, MAX_CELLS
from mineproof.board.geometry import TOPOLOGIES, Topology, require_size
from mineproof.board.topology import find_topology
from mineproof.errors import BoardSyntaxError


class Grid(NamedTuple):
    """A parsed position; ``total_mines`` and ``topology`` are None if the text has none."""

    rows: int
    columns: int
    codes: bytes
    total_mines: int | None
    topology: Topology | None
    alphabet: str


# the alphabets


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, which makes cache lookups fast
class Alphabet:
    """The symbols of a format; digits are numbers."""

    name: str
    covered: str
    flagged: str
    zero: str = "0"
    absent: str = ""
    numbers: str = "12345678"

    @property
    def symbols(self) -> frozenset[str]:
        """All symbols."""
        return _symbols_of(self)

    def codes(self, cells: str) -> bytes:
        """Return the codes of cells whose symbols are all known."""
        return cells.encode("ascii").translate(_byte_table(self))

    def knows(self, cells: str) -> bool:
        """Are all symbols known?"""
        return cells.isascii() and not cells.encode("ascii").translate(None, _bytes_of(self))

    def symbol_list(self) -> str:
        """Return the symbols and, in an alphabet of positions, what they mean, for an error message."""
        zeros = self.zero.replace("0", "")
        meanings = ((self.covered, "covered"), (self.flagged, "flag"), (self.absent, "no cell"), (zeros, "an open 0"))
        signs = [("blank" if sign == " " else sign, meaning) for signs, meaning in meanings for sign in signs]
        if not self.numbers:
            return listing(["0", *(sign for sign, _ in signs)], "or")
        return listing(["0-8", *(f"{sign} ({meaning})" for sign, meaning in signs)], "or")


@cache
def _meanings(alphabet: Alphabet) -> dict[str, int]:
    """Return the code byte of each symbol."""
    groups = [(alphabet.zero, 0), (alphabet.covered, COVERED), (alphabet.flagged, FLAGGED), (alphabet.absent, ABSENT)]
    others = {symbol: code & 0xFF for symbols, code in groups for symbol in symbols}
    return others | {number: int(number) for number in alphabet.numbers}


@cache
def _symbols_of(alphabet: Alphabet) -> frozenset[str]:
    return frozenset(_meanings(alphabet))


@cache
def _bytes_of(alphabet: Alphabet) -> bytes:
    return "".join(_meanings(alphabet)).encode("ascii")


@cache
def _byte_table(alphabet: Alphabet) -> bytes:
    meanings = _meanings(alphabet)
    return bytes.maketrans("".join(meanings).encode("ascii"), bytes(meanings.values()))


MINEPROOF = Alphabet("mineproof", covered="#", flagged="F", zero="0.", absent="~")
FAIR = Alphabet("fair", covered="?", flagged="F")
MINE = Alphabet("mine", covered="H", flagged="FM?")
# `_` is Truffle-Swine Keeper's answer "no bomb". There is no code for "covered but known to be safe", and none is
# needed: the numbers that prove it are on the board, so the solver finds it again.
TRUFFLE = Alphabet("truffle", covered="#C_", flagged="*B")
MINEDETECTOR = Alphabet("minedetector", covered="-", flagged="+")
PRINTED = Alphabet("minedetector-output", covered="#", flagged="X", zero="0 ")
GO = Alphabet("go", covered="-", flagged="*", zero="0 ")

ALPHABETS = {alphabet.name: alphabet for alphabet in (MINEPROOF, FAIR, MINE, TRUFFLE, MINEDETECTOR, PRINTED, GO)}


# reading


def read(text: str, alphabet: str | None = None) -> Grid:
    """Read a position in the alphabet of this name, by default that of `sniff`."""
    name = sniff(text) if alphabet is None else alphabet
    if checks.instance("alphabet", name, str, "the name of an alphabet") not in ALPHABETS:
        raise BoardSyntaxError(f"alphabet must be one of {', '.join(ALPHABETS)}, got {name!r}")
    return read_as(text, ALPHABETS[name])


def sniff(text: str) -> str:
    """Return the name of the alphabet that fits a text best.

    Bars make it the Go simulator's; a blank after every cell makes it what Minedetector prints. Otherwise the
    alphabet that knows most of the symbols wins, and of several the first of: mineproof, fair, mine, truffle,
    minedetector. Under a ``WxHxM`` line, which .mine files have and fair boards do not, mine comes before fair,
    unless that would make more mines than the line allows. Numbers in parentheses are ours.
    """
    if is_plain(text) or _LARGE_NUMBER.search(text):
        return MINEPROOF.name
    sheet = _open_any(text)
    body = sheet.text[sheet.body :]
    present = _symbols(body)
    if "|" in present:
        return GO.name
    if present and present <= PRINTED.symbols and _looks_spaced(body):
        return PRINTED.name
    order = [MINEPROOF, FAIR, MINE, TRUFFLE, MINEDETECTOR]
    if sheet.header is not None:
        mines = sum(map(body.count, MINE.flagged))
        if sheet.header.total_mines is None or mines <= sheet.header.total_mines:
            order[1:3] = MINE, FAIR
    return min(order, key=lambda alphabet: len(present - alphabet.symbols)).name


_PLAIN = b"012345678.#F~/\n"
_LARGE_NUMBER = re.compile(r"\(([0-9]{1,3})\)")


def is_plain(text: str) -> bool:
    """Is this certainly our own alphabet: nothing but its symbols and row ends, and ``#`` among them?

    No other format has such text. Most boards do, and this check takes a hundredth of the time of trying all formats.
    """
    return "#" in text and text.isascii() and not text.encode("ascii").translate(None, _PLAIN)


def symbols_in(text: str) -> frozenset[str]:
    """Return the symbols of the rows of a text, without a first line ``WxHxM``."""
    sheet = _open_any(text)
    return _symbols(sheet.text[sheet.body :])


def _symbols(body: str) -> frozenset[str]:
    return frozenset(body) - frozenset(" \t\n/")


def read_as(text: str, alphabet: Alphabet) -> Grid:
    """Read a position in an alphabet."""
    sheet = _open(text)
    written = _SPLIT.get(alphabet.name, _plain_rows)(sheet)
    _check_symbols(sheet, written, alphabet)
    columns = _check_shape(sheet, written)
    codes = alphabet.codes("".join(written.rows))
    if written.large:
        codes = _with_large_numbers(codes, written.large, columns)
    header = sheet.header
    if header is None:
        return Grid(len(written.rows), columns, codes, None, None, alphabet.name)
    cells = len(codes) - codes.count(ABSENT & 0xFF)
    if header.total_mines is not None and header.total_mines > cells:
        message = f"expected 0 to {cells} mines on this board, got {header.total_mines}"
        raise sheet.error(header.total_at, message)
    return Grid(len(written.rows), columns, codes, header.total_mines, header.topology, alphabet.name)


def read_stream(text: str, rows: int, columns: int) -> Grid:
    """Read as Minedetector does for a given size: the first rows × columns cells, ignoring other characters."""
    require_size(rows, columns)
    line = _FIRST_LINE.match(text.removeprefix("\ufeff"))
    if line is not None:  # its digits would be read as cells
        raise BoardSyntaxError(f"expected only cells because the size is given, got {quote(line[1].strip())}")
    cells = "".join(re.findall("[-+0-8]+", text))[: rows * columns]
    if len(cells) < rows * columns:
        expected = f"{size(rows, columns)} = {rows * columns} cells (- + 0-8)"
        raise BoardSyntaxError(f"expected {expected}, got {len(cells)}")
    return Grid(rows, columns, MINEDETECTOR.codes(cells), None, None, MINEDETECTOR.name)


T = TypeVar("T")


def agree(what: str, written: T | None, given: T | None) -> T | None:
    """Return the value of the text or of the caller. Raises BoardSyntaxError if they differ."""
    if written is not None and given is not None and written != given:
        raise BoardSyntaxError(f"expected {given} as the {what}, got {written} in the text")
    return given if written is None else written


# the first line


class _Header(NamedTuple):
    columns: int
    rows: int
    total_mines: int | None
    topology: Topology | None
    rows_at: int
    total_at: int


class _Sheet(NamedTuple):
    """A text with "\\n" line ends, its first line if it is a size, and where the rows begin."""

    text: str
    header: _Header | None
    body: int

    def error(self, offset: int, message: str) -> BoardSyntaxError:
        """An error at a place."""
        line = self.text.count("\n", 0, offset) + 1
        return BoardSyntaxError(message, line=line, column=offset - self.text.rfind("\n", 0, offset))


_FIRST_LINE = re.compile(r"[ \t\n]*([0-9]+[xX×][0-9]+(?:[xX×][^\n/]*)?[ \t]*)(?=[\n/]|\Z)")
_SIZE = re.compile(r"([0-9]{1,7})[xX×]([0-9]{1,7})[xX×]([0-9]{1,7}|\?)(?:[ \t]+([^ \t]+))?[ \t]*")


def _open(text: str) -> _Sheet:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    line = _FIRST_LINE.match(text)
    if line is None:
        return _Sheet(text, None, 0)
    body = min(line.end() + 1, len(text))  # past the line end or the "/"
    return _Sheet(text, _header(_Sheet(text, None, body), line), body)


def _open_any(text: str) -> _Sheet:
    """Open a text; if its first line is not a valid size, it is a row of cells."""
    try:
        return _open(text)
    except BoardSyntaxError:
        return _Sheet(text, None, 0)


def _header(sheet: _Sheet, line: re.Match[str]) -> _Header:
    parts = _SIZE.fullmatch(sheet.text, line.start(1), line.end())
    if parts is None:
        message = f"expected a size such as 9x9x10 or 9x9x? torus, got {quote(line[1].strip())}"
        raise sheet.error(line.start(1), message)
    kind = find_topology(parts[4])
    if parts[4] is not None and kind is None:
        raise sheet.error(parts.start(4), f"expected {listing(TOPOLOGIES, 'or')}, got {quote(parts[4])}")
    total = None if parts[3] == "?" else int(parts[3])
    return _Header(int(parts[1]), int(parts[2]), total, kind, parts.start(2), parts.start(3))


# cutting a text into rows, one character a cell


class _Written(NamedTuple):
    """Rows of cell symbols, the place of each cell in the text, and numbers above 8, which have a 0 in the rows."""

    rows: list[str]
    place: Callable[[int, int], int]
    large: Mapping[tuple[int, int], int] = {}


def _plain_rows(sheet: _Sheet) -> _Written:
    start, body = _strip_blank_lines(sheet)
    pieces = body.replace("/", "\n").split("\n") if body else []

    def place(row: int, column: int) -> int:
        indent = len(pieces[row]) - len(pieces[row].lstrip(" \t"))
        return start + sum(len(piece) + 1 for piece in pieces[:row]) + indent + column

    return _Written([piece.strip(" \t") for piece in pieces], place)


def _rows_with_large_numbers(sheet: _Sheet) -> _Written:
    """Rows of our own alphabet, where ``(12)`` is one cell."""
    plain = _plain_rows(sheet)
    large: dict[tuple[int, int], int] = {}
    rows: list[str] = []
    before: list[list[tuple[int, int]]] = []  # by row: a column, and the characters more than one that end before it
    for row, line in enumerate(plain.rows):
        cells, shifts, end = "", [(0, 0)], 0
        for match in _LARGE_NUMBER.finditer(line):
            cells += line[end : match.start()]
            large[row, len(cells)] = _large_number(sheet, plain.place(row, match.start()), int(match[1]))
            cells, end = cells + "0", match.end()
            shifts.append((len(cells), end - len(cells)))
        rows.append(cells + line[end:])
        before.append(shifts)

    def place(row: int, column: int) -> int:
        shifts = before[row] if row < len(before) else [(0, 0)]
        return plain.place(row, column + max(shift for first, shift in shifts if first <= column))

    return _Written(rows, place, large)


def _large_number(sheet: _Sheet, place: int, number: int) -> int:
    if number > LARGEST_NUMBER:
        raise sheet.error(place, f"expected a number of at most {LARGEST_NUMBER} in parentheses, got {number}")
    return number


def _with_large_numbers(codes: bytes, large: Mapping[tuple[int, int], int], columns: int) -> bytes:
    changed = bytearray(codes)
    for (row, column), number in large.items():
        changed[row * columns + column] = number
    return bytes(changed)


def _barred_rows(sheet: _Sheet) -> _Written:
    """The Go simulator's ``| 1 | - |``, with its column numbers and row letters where they are shown."""
    start, body = _strip_blank_lines(sheet)
    rows, starts = [], []
    for number, line in enumerate(body.split("\n")):
        labels = number == 0 and line and not line.strip("0123456789 \t")
        if not labels:
            rows.append(_barred_row(sheet, start, line))
            starts.append(start)
        start += len(line) + 1

    def place(row: int, column: int) -> int:
        return _bar_end(sheet.text, starts[row], column)

    return _Written(rows, place)


def _barred_row(sheet: _Sheet, start: int, line: str) -> str:
    label, _, rest = line.partition("|")
    inner, bar, tail = rest.rpartition("|")
    label = label.strip(" \t")
    if not bar or tail.strip(" \t") or not (label.isalpha() or not label):
        raise sheet.error(start, f"expected a row such as | 1 | - |, got {quote(line)}")
    cells = [cell.strip(" \t") or " " for cell in inner.split("|")]
    for column, cell in enumerate(cells):
        if len(cell) > 1:
            raise sheet.error(_bar_end(sheet.text, start, column), f"expected one symbol in a cell, got {quote(cell)}")
    return "".join(cells)


def _bar_end(text: str, start: int, column: int) -> int:
    """Return the place where the content of a barred cell begins."""
    for _ in range(column + 1):
        start = text.index("|", start) + 1
    inside = text[start:].partition("|")[0]
    return start + (len(inside) - len(inside.lstrip(" \t")) if inside.strip(" \t") else 0)


def _spaced_rows(sheet: _Sheet) -> _Written:
    """What Minedetector prints: each cell and a blank, so a row of zeros is a row of blanks."""
    body = sheet.text[sheet.body :]
    start = sheet.body + len(body) - len(body.lstrip("\n"))
    lines = body.strip("\n").split("\n") if body.strip("\n") else []

    def place(row: int, column: int) -> int:
        return start + sum(len(line) + 1 for line in lines[:row]) + 2 * column

    for row, line in enumerate(lines):
        between = line[1::2]
        if between.strip(" "):
            column = len(between) - len(between.lstrip(" "))
            message = f"expected a blank after each cell, got {between[column]!r}"
            raise sheet.error(place(row, column) + 1, message)
    return _Written([line[::2] for line in lines], place)


def _looks_spaced(body: str) -> bool:
    lines = body.strip("\n").split("\n")
    length = len(lines[0])
    return length % 2 == 0 < length and all(len(line) == length and not line[1::2].strip(" ") for line in lines)


def _strip_blank_lines(sheet: _Sheet) -> tuple[int, str]:
    """Return the place of the rows, and the rows without blank lines around them."""
    body = sheet.text[sheet.body :]
    return sheet.body + len(body) - len(body.lstrip(" \t\n")), body.strip(" \t\n")


_SPLIT: dict[str, Callable[[_Sheet], _Written]] = {
    MINEPROOF.name: lambda sheet: (_rows_with_large_numbers if "(" in sheet.text else _plain_rows)(sheet),
    GO.name: _barred_rows,
    PRINTED.name: _spaced_rows,
}


# errors


def _check_symbols(sheet: _Sheet, written: _Written, alphabet: Alphabet) -> None:
    if alphabet.knows("".join(written.rows)):
        return
    known = alphabet.symbols
    row, cells = next((row, cells) for row, cells in enumerate(written.rows) if not known.issuperset(cells))
    column = next(column for column, symbol in enumerate(cells) if symbol not in known)
    raise sheet.error(written.place(row, column), f"expected {alphabet.symbol_list()}, got {cells[column]!r}")


def _check_shape(sheet: _Sheet, written: _Written) -> int:
    """Return the number of columns. Raises BoardSyntaxError if rows differ."""
    rows, header = written.rows, sheet.header
    if not rows:
        raise sheet.error(len(sheet.text), "expected rows of cells, got none")
    columns = len(rows[0]) if header is None else header.columns
    why = "as in the first row" if header is None else "as the first line says"
    for row, cells in enumerate(rows):
        if not cells:
            raise sheet.error(written.place(row, 0), "expected cells, got an empty row")
        if len(cells) != columns:
            message = f"expected {plural(columns, 'cell')} {why}, got {len(cells)}"
            raise sheet.error(written.place(row, min(len(cells), columns)), message)
    if header is not None and len(rows) != header.rows:
        at = header.rows_at if len(rows) < header.rows else written.place(header.rows, 0)
        raise sheet.error(at, f"expected {plural(header.rows, 'row')} {why}, got {len(rows)}")
    if len(rows) * columns > MAX_CELLS:
        message = f"expected at most {MAX_CELLS} cells, got {size(len(rows), columns)} = {len(rows) * columns}"
        raise sheet.error(written.place(0, 0), message)
    return columns


def quote(text: str) -> str:
    """Return text for an error message: quoted, and cut if it is long."""
    return repr(text if len(text) <= 40 else text[:40] + "…")


# writing

_CODES = bytes([*range(LARGEST_DIGIT + 1), COVERED & 0xFF, FLAGGED & 0xFF, ABSENT & 0xFF])
_OURS = bytes.maketrans(_CODES, b"012345678#F~")
_DOT_MINE = bytes.maketrans(_CODES, b"012345678HF~")


def write(rows: int, columns: int, codes: bytes, total_mines: int | None, kind: Topology) -> str:
    """Return a position in our alphabet, for `read`. A plain grid of unknown total needs no first line."""
    lines = write_rows(columns, codes)
    if total_mines is not None or kind != "grid":
        lines.insert(0, size_line(rows, columns, total_mines, kind))
    return "\n".join(lines)


def write_rows(columns: int, codes: bytes) -> list[str]:
    """Return the rows alone; numbers above 8 are in parentheses."""
    if not codes.translate(None, _CODES):
        return _cut_row(columns, codes.translate(_OURS))
    symbols = write_symbols(codes)
    return ["".join(symbols[at : at + columns]) for at in range(0, len(symbols), columns)]


def write_symbols(codes: bytes) -> list[str]:
    """Return the symbol of each cell."""
    if not codes.translate(None, _CODES):
        return list(codes.translate(_OURS).decode("ascii"))
    return [f"({code})" if LARGEST_DIGIT < code <= LARGEST_NUMBER else chr(_OURS[code]) for code in codes]


def split_symbols(row: str) -> list[str]:
    """Return the symbols of a row of our own alphabet, each of which is one cell; none needs to be valid."""
    return _SYMBOL.findall(row) if "(" in row else list(row)


def codes_of(symbols: Iterable[str]) -> bytes:
    """Return the codes of symbols of our own alphabet, all of which are in `OUR_SYMBOLS`."""
    return bytes(OUR_SYMBOLS[symbol] for symbol in symbols)


_SYMBOL = re.compile(r"\([0-9]{1,3}\)|.", re.DOTALL)
OUR_SYMBOLS = _meanings(MINEPROOF) | {f"({number})": number for number in range(LARGEST_NUMBER + 1)}


def size_line(rows: int, columns: int, total_mines: int | None, kind: Topology) -> str:
    """Return the first line of a text: ``WxHxM``, and the topology unless it is a plain grid."""
    total = "?" if total_mines is None else total_mines
    return f"{columns}x{rows}x{total}" + ("" if kind == "grid" else f" {kind}")


def write_mine(rows: int, columns: int, codes: bytes, total_mines: int | None) -> str:
    """Return JSMinesweeper's ``.mine`` text. Raises BoardSyntaxError for an unknown total and for absent cells."""
    if total_mines is None:
        raise BoardSyntaxError("The format mine needs the number of mines, which is unknown. Pass `total_mines`.")
    if ABSENT & 0xFF in codes:
        raise BoardSyntaxError("mine has no symbol for cells that are not part of the board")
    return "\n".join([size_line(rows, columns, total_mines, "grid"), *_cut_row(columns, codes.translate(_DOT_MINE))])


def _cut_row(columns: int, symbols: bytes) -> list[str]:
    text = symbols.decode("ascii")
    return [text[at : at + columns] for at in range(0, len(text), columns)]
