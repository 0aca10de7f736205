"""Positions in links of the JSMinesweeper analyser: ``?analysis=…``, or the code behind it alone.

Width (two digits), height (two) and total mines (four) come first, in base 62 with the digits ``a-z A-Z 0-9``. Then the
cells in row order, run by run. Each kind of cell owns a stretch of the 62 digits and writes the length of its runs
with those alone, so a change of owner ends a run and no separator is needed: nine covered cells are ``0``, ten ``SR``.
A kind with one digit repeats it.

Numbers are small where mines are known, so the code stores them deflated: every flag (``F``) and every mine that one
number gives away (``I``, covered all the same) takes 1 off the open cells around it. Row order decides who comes first
where they compete for a number; a flag that finds a 0 next to it stays out as ``O``, a mine without flag falls back to
``H``. Reading adds 1 around each F and I again.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase, digits

import numpy as np
import numpy.typing as npt

from mineproof.base import words
from mineproof.board.board import Board
from mineproof.board.cells import COVERED, FLAGGED, LARGEST_DIGIT
from mineproof.board.geometry import require_size
from mineproof.errors import BoardSyntaxError
from mineproof.formats import links
from mineproof.formats.exchange import ParsedValue, require_grid
from mineproof.wording.catalogue import message

_DIGITS = ascii_lowercase + ascii_uppercase + digits
_VALUE = {digit: value for value, digit in enumerate(_DIGITS)}
_HEAD = 8
_LARGEST_SIDE = len(_DIGITS) ** 2 - 1

_KINDS = "012345678IHFO"
_BASES = (10, 7, 5, 5, 4, 3, 3, 1, 1, 4, 10, 8, 1)
_OWN = {kind: _DIGITS[sum(_BASES[:place]) : sum(_BASES[: place + 1])] for place, kind in enumerate(_KINDS)}
_OWNER = {digit: kind for kind, own in _OWN.items() for digit in own}
_CODES = bytes.maketrans(_KINDS.encode(), bytes([*range(9), *(c & 0xFF for c in (COVERED, COVERED, FLAGGED, FLAGGED))]))


def size_of(text: str) -> tuple[int, int]:
    """Return rows and columns of a link or code, without reading its cells."""
    _, columns, rows, _ = _split_code(text)
    return rows, columns


def _split_code(text: str) -> tuple[str, int, int, int]:
    """Return the code, and the columns, rows and total at its head."""
    code = links.parameter(text, "analysis") if "=" in text else text.strip()
    for at, digit in enumerate(code):
        if digit not in _VALUE:
            raise BoardSyntaxError(f"expected a-z, A-Z or 0-9 as character {at + 1} of the code, got {digit!r}")
    if len(code) <= _HEAD:
        raise BoardSyntaxError(f"expected a code of more than {_HEAD} characters, got {len(code)}")
    columns, rows, total = _number(code[:2]), _number(code[2:4]), _number(code[4:_HEAD])
    require_size(rows, columns)
    return code, columns, rows, total


def read(text: str) -> ParsedValue:
    """Read a link, ``analysis=…`` or the bare code."""
    code, columns, rows, total = _split_code(text)
    kinds = _expand(code[_HEAD:], rows * columns).encode("ascii")
    codes = _inflate(np.frombuffer(kinds, np.uint8).reshape(rows, columns), kinds.translate(_CODES))
    return ParsedValue(Board(rows, columns, codes, total), "grid", message("format-note-jsminesweeper"))


def write(board: Board) -> str:
    """Return the code; put ``?analysis=`` before it for a link."""
    require_grid(board, "jsminesweeper")
    if board.total_mines is None:
        raise BoardSyntaxError(
            "The format jsminesweeper needs the number of mines, which is unknown. Pass `total_mines`."
        )
    if max(board.rows, board.columns) > _LARGEST_SIDE:
        sides = words.size(board.rows, board.columns)
        raise BoardSyntaxError(f"jsminesweeper holds at most {_LARGEST_SIDE} rows and columns, got {sides}")
    head = _digits(board.columns, 2) + _digits(board.rows, 2) + _digits(board.total_mines, 4)
    return head + "".join(_run_code(kind, len(list(run))) for kind, run in groupby(_deflate(board)))


# numbers and runs


def _number(code: str) -> int:
    value = 0
    for digit in code:
        value = value * len(_DIGITS) + _VALUE[digit]
    return value


def _digits(value: int, length: int) -> str:
    return _in_base(value, _DIGITS).rjust(length, _DIGITS[0])


def _in_base(value: int, own: str) -> str:
    text = ""
    while value:
        value, digit = divmod(value, len(own))
        text = own[digit] + text
    return text


def _run_code(kind: str, length: int) -> str:
    own = _OWN[kind]
    return own * length if len(own) == 1 else _in_base(length, own)


def _expand(code: str, cells: int) -> str:
    """Return the kinds of all cells, one character each."""
    parts, left = [], cells
    for kind, run in groupby(code, _OWNER.__getitem__):
        length = _run_length(_OWN[kind], run, left)
        if length > left:
            raise BoardSyntaxError(f"expected {cells} cells in the code, got more")
        parts.append(kind * length)
        left -= length
    if left:
        raise BoardSyntaxError(f"expected {cells} cells in the code, got {cells - left}")
    return "".join(parts)


def _run_length(own: str, run: Iterable[str], most: int) -> int:
    """Return the length of a run, or a number above ``most`` if it is longer."""
    length = 0
    for digit in run:
        if len(own) > 1 and length == 0 and digit == own[0]:
            raise BoardSyntaxError(f"expected a run that begins with another digit than zero, got {digit!r}")
        length = length + 1 if len(own) == 1 else length * len(own) + own.index(digit)
        if length > most:  # stop before the number grows with the square of the text
            break
    return length


# deflation


def _count_neighbours(marks: npt.NDArray[np.bool_]) -> npt.NDArray[np.int8]:
    """Return for each cell the number of marked neighbours."""
    rows, columns = marks.shape
    wide = np.pad(marks.astype(np.int8), 1)
    counts = np.zeros(marks.shape, np.int8)
    for down in range(3):
        for right in range(3):
            counts += wide[down : down + rows, right : right + columns]
    return counts - marks.astype(np.int8)


def _inflate(kinds: npt.NDArray[np.uint8], codes: bytes) -> bytes:
    shown = np.frombuffer(codes, np.int8).reshape(kinds.shape)
    mines = (kinds == ord("F")) | (kinds == ord("I"))
    full = np.where(shown >= 0, shown + _count_neighbours(mines), shown).astype(np.int8)
    if full.max() > LARGEST_DIGIT:
        row, column = divmod(int(full.argmax()), full.shape[1])
        raise BoardSyntaxError(f"expected at most {LARGEST_DIGIT} at {words.at((row, column))}, got {full.max()}")
    return full.tobytes()


def _deflate(board: Board) -> str:
    """Return the kinds of all cells after every known mine has taken 1 off the numbers around it."""
    shown = board.to_array()
    hidden = shown < 0
    used_up = ~hidden & (shown == _count_neighbours(hidden))  # every covered cell around these numbers is a mine
    kinds = np.where(hidden, ord("H"), shown + ord("0")).astype(np.uint8)
    kinds[(shown == COVERED) & (_count_neighbours(used_up) > 0)] = ord("I")
    kinds[shown == FLAGGED] = ord("F")
    return _take_shares(kinds)


def _take_shares(kinds: npt.NDArray[np.uint8]) -> str:
    columns = kinds.shape[1] + 2
    cells = bytearray(np.pad(kinds, 1, constant_values=ord("H")).tobytes())
    steps = [down * columns + right for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    zero, nine = ord("0"), ord("9")
    fallback = {ord("F"): ord("O"), ord("I"): ord("H")}
    for at in [at for at, kind in enumerate(cells) if kind in fallback]:
        numbers = [at + step for step in steps if cells[at + step] < nine]
        if any(cells[number] == zero for number in numbers):
            cells[at] = fallback[cells[at]]
            continue
        for number in numbers:
            cells[number] -= 1
    return np.frombuffer(cells, np.uint8).reshape(-1, columns)[1:-1, 1:-1].tobytes().decode("ascii")
