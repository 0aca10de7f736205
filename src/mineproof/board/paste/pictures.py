"""Our own pictures of boards in text: what `hint`, `solve`, `analyze`, `best`, `puzzle`, `watch` and `play` show.

A picture has a ruler above, the number of each row on the left and cells of one, two or three characters, so every cell
has a fixed place; wide boards are cut into bands of columns. Marks are those of `mineproof.pictures.text` and
`mineproof.tui.marks`: what is certain (``S``, ``M``), a guess (``G``) and odds stand on covered cells. A picture is
recognised by its legend or, on the screen of the game, by its line of mines and time; both in any
language. Pictures of commands number rows and columns from 0; the game has letters for columns, and rows from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from mineproof.board.paste import words
from mineproof.board.paste.sheet import Facts, Sheet, Table, paste_note
from mineproof.board.paste.wrappers import without_void

# Words are those of any language: signs, numbers and their order are enough, since a picture needs a ruler as well.
_LEGEND = re.compile(
    r"[ \t]{0,200}(?:[SMXGF.#*?-] (?:0|[^\W\d]{2,40}(?: [^\W\d]{1,40}){0,5})(?: {2}|: |$)|\[ \] |\^ "
    r"|[^\W\d]{1,40} [^\W\d]{1,40}: )"
)
_GAME = re.compile(
    r"[ \t]{0,200}(?:[^\W\d]{1,40} )?(-?[0-9]{1,7})  (?:[^\W\d]{1,40} )?[0-9]{1,4}:[0-9]{2}(?::[0-9]{2})?\b"
)
_LARGE_NUMBER = re.compile(r"\((?:9|[1-9][0-9])\)")
_PART = re.compile(r"[ \t]{0,200}[^\W\d]{1,40} [0-9]+-[0-9]+ [^\W\d]{1,40} [0-9]+")
_RULER = re.compile(r" *[0-9]+(?: {1,2}[0-9]+)*")
_LETTERS = re.compile(r" *A(?: {1,3}[A-Z]{1,3})*")
_ROW = re.compile(r" *([0-9]{1,7})(?: .*)?")
_BRACKETED_ODDS = re.compile(r"[ \]]\[(?:[0-9]{2}|<1)")  # takes a character more than other cells
_COVERED = frozenset("SMG#-?·abcdefghij")  # on these marks the cell is covered
_FLAGS = frozenset("FX")
_MINES = frozenset("*!")


class _Line(NamedTuple):
    text: str
    offset: int


class _Band(NamedTuple):
    """Some columns of all rows: the number of the first, how many, how wide a cell is, and the lines."""

    first: int
    columns: int
    width: int
    lines: list[_Line]
    is_game: bool  # letters above, and rows from 1


def read(sheet: Sheet) -> Table | None:
    """The board of a picture of ours; None where the text is none."""
    lines = list(_lines(sheet.text))
    game = next((match for line in lines if (match := _GAME.match(line.text)) is not None), None)
    if game is None and not any(map(_LEGEND.match, (line.text for line in lines))):
        return None
    large = next((line for line in lines if _ROW.match(line.text) and _LARGE_NUMBER.search(line.text)), None)
    if large is not None:
        message = "Pictures with numbers above 8 cannot be read. Paste the board itself or the output of --json."
        raise sheet.error(large.offset, message)
    bands = list(_bands(lines))
    heights = {len(band.lines) for band in bands}
    if len(heights) != 1 or bands[0].first != 0:
        return None
    again = next((band for band in bands[1:] if band.first == 0), None)
    if again is not None:
        raise sheet.error(again.lines[0].offset, "expected one board, got the picture of another. Paste one of them.")
    piece = next((line for line in lines if _PART.match(line.text)), None)
    if piece is not None:
        message = "The picture shows a part of the board. Paste the board itself or the output of --json."
        raise sheet.error(piece.offset, message)
    facts = _facts(lines)
    if facts.topology is None and any(map(_is_hex, bands)):
        facts = replace(facts, topology="hex")
    rows = _cells(bands, is_game=game is not None, is_hex=facts.topology == "hex")
    if rows is None:
        return None
    flags = sum(row.count("F") for row in rows)
    if game is not None and int(game[1]) + flags >= 0:
        facts = replace(facts, total_mines=int(game[1]) + flags)
    first = bands[0].lines
    return Table(sheet, rows, lambda row, _: first[row].offset, facts, (paste_note("format-paste-picture"),))


def _lines(text: str) -> Iterator[_Line]:
    offset = 0
    for line in text.split("\n"):
        yield _Line(without_void(line).rstrip(), offset)
        offset += len(line) + 1


def _facts(lines: list[_Line]) -> Facts:
    return next((facts for line in lines if (facts := words.our_size(*line)) is not None), Facts())


def _bands(lines: list[_Line]) -> Iterator[_Band]:
    """Rulers with the rows 0, 1, 2 … (in the game: 1, 2, 3 …) below them."""
    at = 0
    while at < len(lines):
        ruler, above = lines[at].text, lines[at - 1].text if at else ""
        at += 1
        is_game = _LETTERS.fullmatch(ruler) is not None
        if not is_game and not _RULER.fullmatch(ruler):
            continue
        rows: list[_Line] = []
        while at < len(lines):
            is_next = _row_number(lines[at].text) == len(rows) + is_game
            if is_next and not (not rows and not is_game and _is_ruler_of(lines, at)):
                rows.append(lines[at])
            elif lines[at].text.strip(" ^") or not lines[at].text:
                break
            at += 1
        if rows:
            first = 0 if is_game else _first_column(ruler, above)
            yield _Band(first, *_measure(ruler, rows, len(str(len(rows) - 1 + is_game))), rows, is_game)


def _first_column(ruler: str, above: str) -> int:
    """The number of the first column; where a ruler has last digits only, tens stand above it."""
    tens = re.match(" *([0-9]{1,7})(?:  +[0-9]|$)", above)
    first = re.search("[0-9]", ruler)
    assert first is not None
    number = re.match("[0-9]{1,7}", ruler[first.start() :])
    assert number is not None
    if tens is not None and int(tens[1]) % 10 == int(first[0]):
        return int(tens[1])
    return int(number[0]) if " " in ruler.strip() else int(first[0])


def _row_number(line: str) -> int | None:
    row = _ROW.fullmatch(line)
    return None if row is None else int(row[1])


def _is_ruler_of(lines: list[_Line], at: int) -> bool:
    """Is a line that could be row 0 the ruler of the next line, which could be, too?"""
    return _RULER.fullmatch(lines[at].text) is not None and at + 1 < len(lines) and _row_number(lines[at + 1].text) == 0


def _measure(ruler: str, rows: list[_Line], label: int) -> tuple[int, int]:
    """How many columns a ruler has, and how many characters each is wide."""
    ends = [name.end() for name in re.finditer("[0-9A-Z]+", ruler)]
    first = re.search("[0-9A-Z]+", ruler)
    assert first is not None
    digits = len(first[0])
    if len(ends) > 1:
        width = ends[1] - ends[0]
        return (ends[-1] - ends[0]) // width + 1, width
    if digits > 1:
        return digits, 1
    dent = _indent(rows)
    return 1, 3 if any(len(row.text) - dent > label + 3 for row in rows) else 2


def _indent(rows: list[_Line]) -> int:
    return len(rows[-1].text) - len(rows[-1].text.lstrip())


def _begin(band: _Band) -> int:
    """Where the first cell of a row that is not shifted begins."""
    return _indent(band.lines) + len(str(len(band.lines) - 1 + band.is_game)) + 1 + (band.width == 1)


def _is_hex(band: _Band) -> bool:
    """Do marks of odd rows stand in the gaps of the even ones?"""
    if band.width == 1:
        return False
    gaps = [line.text[_begin(band) + band.width :: band.width] for line in band.lines]
    return not "".join(gaps[::2]).strip("[]() ") and bool("".join(gaps[1::2]).strip("[]() "))


def _cells(bands: list[_Band], *, is_game: bool, is_hex: bool) -> list[list[str]] | None:
    """The symbols of all rows, or None where some mark is none of ours."""
    rows: list[list[str]] = [[] for _ in bands[0].lines]
    for band in bands:
        for number, line in enumerate(band.lines):
            at = _begin(band) + (band.width // 2 if is_hex and number % 2 else 0)
            for _ in range(band.columns):
                wide = band.width + (_BRACKETED_ODDS.match(line.text, at) is not None)
                symbol = _symbol(line.text[at : at + wide].strip("[]() "), is_game)
                if symbol is None:
                    return None
                rows[number].append(symbol)
                at += wide
    return rows


def _symbol(mark: str, is_game: bool) -> str | None:
    if not mark:
        return "0" if is_game else "~"
    if len(mark) == 1:
        if mark in "12345678":
            return mark
        if mark == ".":
            return "0"
        return "#" if mark in _COVERED else "F" if mark in _FLAGS | _MINES else None
    return "#" if mark == "<1" or (mark.isascii() and mark.isdigit()) else None  # odds
