"""Positions as text: every alphabet players paste, one reader, and our own way of writing.

A position is rows of one symbol a cell. The programs people use agree on the digits and on little else: ``?`` is a
covered cell in one and an exploded mine in another, ``#`` and ``-`` both mean covered. So the alphabet is chosen from
all the symbols of a text at once: the one that knows most of them, and among equals the first in the order of `sniff`.
Nothing is repaired. Rows of unequal length, a symbol the alphabet lacks or a size that disagrees with the first line
is an error that names the place, what stands there and what could.

Any text may open with a line ``WxHxM``, width by height by total mines. We let the total be ``?`` and a topology
follow: ``5x4x? hex``. ``/`` ends a row as a line end does. Too many flags for the total is no syntax error: a player
may plant them, the board can show them, and only an analysis can call them wrong.

Cost: linear in the text. Rows are cut and translated by the string type; positions are worked out only for an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeVar

from mineproof.base import checks
from mineproof.base.words import plural, size
from mineproof.board.cells import ABSENT, COVERED, FLAGGED, LARGEST_NUMBER, MAX_CELLS
from mineproof.board.geometry import TOPOLOGIES, Topology, require_size
from mineproof.errors import BoardSyntaxError


class Grid(NamedTuple):
    """A position as written: ``total_mines`` and ``topology`` are None where the text does not say."""

    rows: int
    columns: int
    codes: bytes
    total_mines: int | None
    topology: Topology | None
    alphabet: str


# the alphabets


@dataclass(frozen=True, slots=True, eq=False)  # two are equal if they are one: what is cached of each is found at once
class Alphabet:
    """Which symbols mean what; numbers mean themselves wherever there are any."""

    name: str
    covered: str
    flagged: str
    zero: str = "0"
    absent: str = ""
    numbers: str = "12345678"

    @property
    def symbols(self) -> frozenset[str]:
        return _symbols_of(self)

    def codes(self, cells: str) -> bytes:
        """The codes of cells whose symbols are all known."""
        return cells.encode("ascii").translate(_table(self))

    def knows(self, cells: str) -> bool:
        """Are all symbols known?"""
        return cells.isascii() and not cells.encode("ascii").translate(None, _bytes_of(self))

    def legend(self) -> str:
        """What the symbols mean, for people."""
        meanings = [("covered", self.covered), ("mine", self.flagged), ("not on the board", self.absent)]
        return ", ".join(f"{' '.join(symbols)} {meaning}" for meaning, symbols in meanings if symbols)

    def expected(self) -> str:
        """The symbols, for an error."""
        others = self.covered + self.flagged + self.absent + self.zero.replace("0", "")
        return " ".join(["0-8" if self.numbers else "0", *others.replace(" ", ""), *["blank"] * others.count(" ")])


@cache
def _meanings(alphabet: Alphabet) -> dict[str, int]:
    """The code byte of each symbol."""
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
def _table(alphabet: Alphabet) -> bytes:
    meanings = _meanings(alphabet)
    return bytes.maketrans("".join(meanings).encode("ascii"), bytes(meanings.values()))


MINEPROOF = Alphabet("mineproof", covered="#", flagged="F", zero="0.", absent="~")
FAIR = Alphabet("fair", covered="?", flagged="F")
MINE = Alphabet("mine", covered="H", flagged="FM?")
# `_` is Truffle-Swine Keeper's answer "no bomb". There is no code for "covered but known to be safe", and none is
# needed: the numbers that proved it are on the board, so the solver finds it again.
TRUFFLE = Alphabet("truffle", covered="#C_", flagged="*B")
MINEDETECTOR = Alphabet("minedetector", covered="-", flagged="+")
PRINTED = Alphabet("minedetector-output", covered="#", flagged="X", zero="0 ")
GO = Alphabet("go", covered="-", flagged="*", zero="0 ")

ALPHABETS = {alphabet.name: alphabet for alphabet in (MINEPROOF, FAIR, MINE, TRUFFLE, MINEDETECTOR, PRINTED, GO)}


# reading


def read(text: str, alphabet: str | None = None) -> Grid:
    """Read a position; ``alphabet`` forces one by name, else `sniff` takes one."""
    name = sniff(text) if alphabet is None else alphabet
    if checks.instance("alphabet", name, str, "the name of one") not in ALPHABETS:
        raise BoardSyntaxError(f"unknown alphabet {name!r}, expected one of {', '.join(ALPHABETS)}")
    return read_as(text, ALPHABETS[name])


def sniff(text: str) -> str:
    """The name of the alphabet a text is written in, or comes closest to.

    Bars make it the Go simulator's; a blank after every cell makes it what Minedetector prints. Otherwise the
    alphabet that knows most of the symbols wins, and of several the first of: mineproof, fair, mine, truffle,
    minedetector. Under a ``WxHxM`` line, which .mine files have and fair boards do not, mine comes before fair,
    unless that would make more mines than the line allows.
    """
    if is_plain(text):
        return MINEPROOF.name
    sheet = _open(text)
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


def is_plain(text: str) -> bool:
    """Is this certainly our own alphabet: nothing but its symbols and row ends, and ``#`` among them?

    No other format has such a text. Most boards are written so, and asking costs a hundredth of trying them all.
    """
    return "#" in text and text.isascii() and not text.encode("ascii").translate(None, _PLAIN)


def symbols_in(text: str) -> frozenset[str]:
    """The symbols of the rows of a text, a first line of sizes left out."""
    sheet = _open(text)
    return _symbols(sheet.text[sheet.body :])


def _symbols(body: str) -> frozenset[str]:
    return frozenset(body) - frozenset(" \t\n/")


def read_as(text: str, alphabet: Alphabet) -> Grid:
    """Read a position in one alphabet, which need not be one of ours."""
    sheet = _open(text)
    written = _SPLIT.get(alphabet.name, _plain_rows)(sheet)
    _check_symbols(sheet, written, alphabet)
    columns = _check_shape(sheet, written)
    codes = alphabet.codes("".join(written.rows))
    header = sheet.header
    if header is None:
        return Grid(len(written.rows), columns, codes, None, None, alphabet.name)
    cells = len(codes) - codes.count(ABSENT & 0xFF)
    if header.total_mines is not None and header.total_mines > cells:
        message = f"found a total of {header.total_mines} mines, expected 0 to {cells} on this board"
        raise sheet.error(header.total_at, message)
    return Grid(len(written.rows), columns, codes, header.total_mines, header.topology, alphabet.name)


def read_stream(text: str, width: int, height: int) -> Grid:
    """Read as Minedetector does when told a size: the first width × height cells, whatever stands between them."""
    require_size(height, width)
    line = _FIRST_LINE.match(text.removeprefix("\ufeff"))
    if line is not None:  # the digits of a first line of sizes would pass for cells
        raise BoardSyntaxError(f"found {quote(line[1].strip())}, expected cells alone where the size is given")
    cells = "".join(re.findall("[-+0-8]+", text))[: width * height]
    if len(cells) < width * height:
        raise BoardSyntaxError(f"found {len(cells)} cells (- + 0-8), expected {size(height, width)} = {width * height}")
    return Grid(height, width, MINEDETECTOR.codes(cells), None, None, MINEDETECTOR.name)


T = TypeVar("T")


def agree(what: str, written: T | None, given: T | None) -> T | None:
    """What the text says or what the caller says, which must not differ."""
    if written is not None and given is not None and written != given:
        raise BoardSyntaxError(f"found {written} as the {what} in the text, expected {given} as asked for")
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
        line = self.text.count("\n", 0, offset) + 1
        return BoardSyntaxError(message, line=line, column=offset - self.text.rfind("\n", 0, offset))


_FIRST_LINE = re.compile(r"[ \t\n]*([0-9]+[xX×][^\n/]*)")
_SIZE = re.compile(r"([0-9]{1,7})[xX×]([0-9]{1,7})[xX×]([0-9]{1,7}|\?)(?:[ \t]+([^ \t]+))?[ \t]*")


def _open(text: str) -> _Sheet:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    line = _FIRST_LINE.match(text)
    if line is None:
        return _Sheet(text, None, 0)
    body = min(line.end() + 1, len(text))  # past the line end or the "/"
    return _Sheet(text, _header(_Sheet(text, None, body), line), body)


def _header(sheet: _Sheet, line: re.Match[str]) -> _Header:
    parts = _SIZE.fullmatch(sheet.text, line.start(1), line.end())
    if parts is None:
        message = f"found {quote(line[1].strip())}, expected a size such as 9x9x10 or 9x9x? torus"
        raise sheet.error(line.start(1), message)
    kind = next((kind for kind in TOPOLOGIES if kind == parts[4]), None)
    if parts[4] is not None and kind is None:
        raise sheet.error(parts.start(4), f"found {quote(parts[4])}, expected one of {', '.join(TOPOLOGIES)}")
    total = None if parts[3] == "?" else int(parts[3])
    return _Header(int(parts[1]), int(parts[2]), total, kind, parts.start(2), parts.start(3))


# cutting a text into rows, one character a cell


class _Written(NamedTuple):
    """Rows of cell symbols, and where in the text each cell stands."""

    rows: list[str]
    place: Callable[[int, int], int]


def _plain_rows(sheet: _Sheet) -> _Written:
    start, body = _trimmed(sheet)
    pieces = body.replace("/", "\n").split("\n") if body else []

    def place(row: int, column: int) -> int:
        indent = len(pieces[row]) - len(pieces[row].lstrip(" \t"))
        return start + sum(len(piece) + 1 for piece in pieces[:row]) + indent + column

    return _Written([piece.strip(" \t") for piece in pieces], place)


def _barred_rows(sheet: _Sheet) -> _Written:
    """The Go simulator's ``| 1 | - |``, with its column numbers and row letters where they are shown."""
    start, body = _trimmed(sheet)
    rows, starts = [], []
    for number, line in enumerate(body.split("\n")):
        labels = number == 0 and line and not line.strip("0123456789 \t")
        if not labels:
            rows.append(_barred_row(sheet, start, line))
            starts.append(start)
        start += len(line) + 1

    def place(row: int, column: int) -> int:
        return _bar(sheet.text, starts[row], column)

    return _Written(rows, place)


def _barred_row(sheet: _Sheet, start: int, line: str) -> str:
    label, _, rest = line.partition("|")
    inner, bar, tail = rest.rpartition("|")
    label = label.strip(" \t")
    if not bar or tail.strip(" \t") or not (label.isalnum() or not label):
        raise sheet.error(start, f"found {quote(line)}, expected a row such as | 1 | - |")
    cells = [cell.strip(" \t") or " " for cell in inner.split("|")]
    for column, cell in enumerate(cells):
        if len(cell) > 1:
            raise sheet.error(_bar(sheet.text, start, column), f"found {quote(cell)}, expected one symbol in a cell")
    return "".join(cells)


def _bar(text: str, start: int, column: int) -> int:
    """Where the content of a barred cell begins."""
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
            message = f"found {between[column]!r}, expected a blank after each cell"
            raise sheet.error(place(row, column) + 1, message)
    return _Written([line[::2] for line in lines], place)


def _looks_spaced(body: str) -> bool:
    lines = body.strip("\n").split("\n")
    length = len(lines[0])
    return length % 2 == 0 < length and all(len(line) == length and not line[1::2].strip(" ") for line in lines)


def _trimmed(sheet: _Sheet) -> tuple[int, str]:
    """The rows without blank lines around them, and where they begin."""
    body = sheet.text[sheet.body :]
    return sheet.body + len(body) - len(body.lstrip(" \t\n")), body.strip(" \t\n")


_SPLIT: dict[str, Callable[[_Sheet], _Written]] = {GO.name: _barred_rows, PRINTED.name: _spaced_rows}


# what is refused


def _check_symbols(sheet: _Sheet, written: _Written, alphabet: Alphabet) -> None:
    if alphabet.knows("".join(written.rows)):
        return
    known = alphabet.symbols
    row, cells = next((row, cells) for row, cells in enumerate(written.rows) if not known.issuperset(cells))
    column = next(column for column, symbol in enumerate(cells) if symbol not in known)
    message = f"found {cells[column]!r}, expected one of {alphabet.expected()} ({alphabet.name} alphabet)"
    raise sheet.error(written.place(row, column), message)


def _check_shape(sheet: _Sheet, written: _Written) -> int:
    """The number of columns, once every row is known to have it."""
    rows, header = written.rows, sheet.header
    if not rows:
        raise sheet.error(len(sheet.text), "found no cells, expected the rows of a board")
    columns = len(rows[0]) if header is None else header.columns
    why = "as in the first row" if header is None else "as the first line says"
    for row, cells in enumerate(rows):
        if not cells:
            raise sheet.error(written.place(row, 0), "found an empty row, expected cells")
        if len(cells) != columns:
            message = f"found {plural(len(cells), 'cell')} in a row, expected {columns} {why}"
            raise sheet.error(written.place(row, min(len(cells), columns)), message)
    if header is not None and len(rows) != header.rows:
        at = header.rows_at if len(rows) < header.rows else written.place(header.rows, 0)
        raise sheet.error(at, f"found {len(rows)} rows, expected {header.rows} {why}")
    if len(rows) * columns > MAX_CELLS:
        message = f"found {size(len(rows), columns)} = {len(rows) * columns} cells, expected at most {MAX_CELLS}"
        raise sheet.error(written.place(0, 0), message)
    return columns


def quote(found: str) -> str:
    """Found text in an error: quoted, and cut where it is long."""
    return repr(found if len(found) <= 40 else found[:40] + "…")


# writing

_CODES = bytes([*range(LARGEST_NUMBER + 1), COVERED & 0xFF, FLAGGED & 0xFF, ABSENT & 0xFF])
_OURS = bytes.maketrans(_CODES, b"012345678#F~")
_DOT_MINE = bytes.maketrans(_CODES, b"012345678HF~")


def write(rows: int, columns: int, codes: bytes, total_mines: int | None, kind: Topology) -> str:
    """A position in our alphabet; `read` gives the same back. A plain grid of unknown total needs no first line."""
    lines = write_rows(columns, codes)
    if total_mines is not None or kind != "grid":
        lines.insert(0, size_line(rows, columns, total_mines, kind))
    return "\n".join(lines)


def write_rows(columns: int, codes: bytes) -> list[str]:
    """The rows alone."""
    return _cut(columns, codes.translate(_OURS))


def size_line(rows: int, columns: int, total_mines: int | None, kind: Topology) -> str:
    """The first line of a text: ``WxHxM``, and the topology where it is not the usual one."""
    total = "?" if total_mines is None else total_mines
    return f"{columns}x{rows}x{total}" + ("" if kind == "grid" else f" {kind}")


def write_mine(rows: int, columns: int, codes: bytes, total_mines: int | None) -> str:
    """A position as JSMinesweeper's ``.mine`` text, which always names the total and has no absent cells."""
    if total_mines is None:
        raise BoardSyntaxError("the mine format names the total of mines, and this board's total is unknown")
    if ABSENT & 0xFF in codes:
        raise BoardSyntaxError("the mine format has no symbol for cells that are not part of the board")
    return "\n".join([size_line(rows, columns, total_mines, "grid"), *_cut(columns, codes.translate(_DOT_MINE))])


def _cut(columns: int, symbols: bytes) -> list[str]:
    text = symbols.decode("ascii")
    return [text[at : at + columns] for at in range(0, len(text), columns)]
