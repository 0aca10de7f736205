"""Rows of cells in a text, with whatever stands around them.

Each way to cut lines (`cuts`) is tried in turn on the whole text. One fits if all rows have the same length, and every
other line is a border, a blank line, a ``WxHxM`` line, the numbers along the top, or words before or after the rows. A
line of cells that fits nowhere is never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from mineproof.board.paste import words
from mineproof.board.paste.cuts import (
    AT_BLANKS,
    BETWEEN_BARS,
    EVERY_SECOND,
    LABEL,
    WAYS,
    Tokens,
    Way,
    has_outer_bars,
    is_label,
)
from mineproof.board.paste.sheet import Facts, PasteNote, Sheet, Table, paste_note
from mineproof.board.paste.symbols import BLANK, symbol_of
from mineproof.board.paste.wrappers import without_void

_LEAST_LABELS = 3  # two numbers are in order too often to be taken for labels
_DROPPED = paste_note("format-paste-numbers-dropped")
_ADVICE_ON_LABELS = "Remove the numbers of rows and columns, or write the cells without blanks between them."
_ADVICE_ON_BLANKS = "Write 0 for open cells without a number, and # for covered ones."


class Line(NamedTuple):
    """A line as it looks, and where it begins in the sheet."""

    text: str
    offset: int


class Row(NamedTuple):
    tokens: Tokens
    line: Line


@dataclass(slots=True)
class Block:
    """The lines of a text by what they are."""

    rows: list[Row] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)  # of the lines that are rows
    words: list[Line] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)
    heading: Tokens | None = None
    doubtful_heading: Row | None = None  # the line of a heading that can be a row of cells, too
    has_doubtful_end: bool = False  # the last cell of each row is empty, or is nothing but the last separator


class _Several(Exception):
    """There are rows of more than one board; ``offset`` is where the second one begins."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


def read(sheet: Sheet) -> Table | None:
    """The rows of a text; None where it has none that can be read.

    A first line that can be a size is one if the rows below have that size, or if no other line has its ``x``.
    """
    lines = list(lines_of(sheet.text))
    first = next((at for at, line in enumerate(lines) if line.text.strip() and not _is_skipped(line)), 0)
    sides = words.sides_in(lines[first].text)
    if sides is None:
        return _read_lines(sheet, lines, Facts())
    below = [*lines[:first], *lines[first + 1 :]]
    stated = words.size_line(*lines[first])
    table = _read_lines(sheet, below, stated or Facts())
    has_size = table is not None and (len(table.rows), table.columns) == sides
    sized = None if stated is None else table
    if not has_size and any(set(line.text) & set("xX×") and not is_beside(line) for line in below):
        return _read_lines(sheet, lines, Facts()) or sized
    return sized


def _is_skipped(line: Line) -> bool:
    """Is the line neither a row nor a size, not even one with words behind it?"""
    return is_beside(line) and words.sides_in(line.text) is None


def _read_lines(sheet: Sheet, lines: list[Line], facts: Facts) -> Table | None:
    several = None
    for way in ways_of(sheet.text):
        try:
            block = _block(lines, way, facts)
        except _Several as error:
            several = several or error
            continue
        table = None if block is None else _cell_table(sheet, block)
        if block is not None and table is not None:
            if way is AT_BLANKS and table.other is None and any(_is_uneven(row.line.text) for row in block.rows):
                return _with_blank_cells(sheet, lines, table, facts)
            if way.even and table.other is None and not any(row[0] == "#" for row in table.rows):
                return _with_blank_column(sheet, lines, way, table, facts)
            return table
    if several is not None:
        raise sheet.error(several.offset, "expected one board, got several. Paste one of them.")
    return None


def ways_of(text: str) -> Iterator[Way]:
    ways = (way for way in WAYS if not way.signs or any(sign in text for sign in way.signs))
    return (
        way for way in ways if way is not BETWEEN_BARS or not has_outer_bars([line.text for line in lines_of(text)])
    )


def lines_of(text: str) -> Iterator[Line]:
    """The lines of a sheet."""
    offset = 0
    for line in text.split("\n"):
        text = without_void(line)
        yield Line(text.rstrip(" ") or text, offset)  # nothing but blanks can be a row
        offset += len(line) + 1


# lines by what they are


def _block(lines: list[Line], way: Way, facts: Facts, *, indented: bool = True) -> Block | None:
    """The lines as this way cuts them, or None where some line has no place in a board."""
    block = Block(facts=facts)
    indent, width = _extent(lines) if way.even else (0, 0)
    indent = indent if indented else 0
    length = _length(lines, way)
    if not way.even and _has_blank_row(lines):
        return None
    for number, line in enumerate(lines):
        if not line.text.strip() and not _has_cells(way.cut(line.text), length):
            continue
        if words.is_border(line.text) and not _has_cells(way.cut(line.text), length):
            if words.is_empty_row(line.text):
                return None
            continue
        tokens = way.cut(line.text[indent:].ljust(width - indent) if way.even else line.text)
        if tokens and _could_be_row(tokens) and not words.is_total(line.text):
            block.rows.append(Row(tokens, line))
            block.numbers.append(number)
        elif words.is_prose(line.text):
            cells = way.cut(words.before_words(line.text)) if not way.even else None
            if cells and all(map(symbol_of, cells)) and length in (0, len(cells)):
                block.rows.append(Row(cells, line))
                block.numbers.append(number)
                beside = line.text[len(words.before_words(line.text)) :]
                block.words.append(Line(beside, line.offset))
            elif _is_row_in_disguise(line.text, way, length):
                return None
            else:
                block.words.append(line)
        else:
            return None
    if way.ended:
        _drop_last_separators(block, in_doubt=way is not BETWEEN_BARS)
    _take_heading(block)
    if not block.rows or len({len(row.tokens) for row in block.rows}) > 1:
        return None
    if way.even and not _has_blank_cells([row.line.text[indent:] for row in block.rows], way):
        return None
    _require_one_board(block, lines)
    return block


def _is_row_in_disguise(line: str, way: Way, length: int) -> bool:
    """Can a line with letters be a row: an unknown sign for each cell, or as many cells as a row has, then words?"""
    tokens = way.cut(line) or ()
    if len(tokens) == length > 2:
        is_unknown = len({*tokens}) == 1 and len(tokens[0]) == 1
        return is_unknown or sum(map(bool, map(symbol_of, tokens))) > length / 2
    cells = line.split()[:length]
    return len(cells) == length > 2 and all(map(symbol_of, cells))


def _has_blank_row(lines: list[Line]) -> bool:
    """Is a line between others nothing but blanks, and as long as the line before and the one after?"""
    inner = zip(lines, lines[1:], lines[2:], strict=False)
    return any(
        len(line.text) > 2 and not line.text.strip() and len(before.text) == len(line.text) == len(after.text)
        for before, line, after in inner
    )


def _has_blank_cells(rows: list[str], way: Way) -> bool:
    """Are blanks cells rather than gaps, and not only where a row is too short?"""
    if way is not EVERY_SECOND and not any(row[1::2].strip(" ") for row in rows):
        return False
    return any(BLANK in (way.cut(row) or ()) for row in rows)


def _length(lines: list[Line], way: Way) -> int:
    """How many cells the first line has that is certainly a row."""
    cut = (way.cut(line.text) for line in lines if line.text.strip() and not is_beside(line))
    return next((len(tokens) for tokens in cut if tokens and _could_be_row(tokens)), 0)


def _has_cells(tokens: Tokens | None, length: int) -> bool:
    """Is a line that can be a border a row of cells as long as the others?"""
    return bool(tokens) and len(tokens or ()) == length and all(map(symbol_of, tokens or ()))


def _extent(lines: list[Line]) -> tuple[int, int]:
    """Where the first cell of all rows begins and the last one ends."""
    rows = [line.text for line in lines if line.text.strip() and not is_beside(line)]
    indents = [len(row) - len(row.lstrip()) for row in rows]
    return min(indents, default=0), max(map(len, rows), default=0)


def is_beside(line: Line) -> bool:
    """Does the line have words or a border rather than cells?"""
    return words.is_prose(line.text) or words.is_border(line.text)


def _could_be_row(tokens: Tokens) -> bool:
    """Cells, perhaps behind a label; or the numbers along the top."""
    first, *others = tokens
    if not others and len(first) > 1 and words.is_prose(first):
        return False
    is_row = all(map(symbol_of, others)) and (is_label(first) or first.isalnum() or symbol_of(first) is not None)
    return is_row or words.is_sequence(_without_blanks(tokens))


def _without_blanks(tokens: Tokens) -> Tokens:
    return [token for token in tokens if token != BLANK]


def _drop_last_separators(block: Block, *, in_doubt: bool) -> None:
    """Drop the empty field behind the last separator of all rows; if other cells are empty it can be one, too."""
    if not all(row.tokens[-1] == BLANK and len(row.tokens) > 1 for row in block.rows):
        return
    if any(BLANK in row.tokens[:-1] for row in block.rows):
        block.has_doubtful_end = in_doubt
    else:
        block.rows = [Row(row.tokens[:-1], row.line) for row in block.rows]


def _take_heading(block: Block) -> None:
    """Set the first line apart if it is certainly the numbers of the columns."""
    if len(block.rows) < 2:
        return
    _drop_labels_on_the_right(block)
    first, below = block.rows[0], block.rows[1].tokens
    numbers = _without_blanks(first.tokens)
    if not words.is_sequence(numbers):
        _take_footing(block)
        return
    has_footing = len(block.rows) > 2 and _without_blanks(block.rows[-1].tokens) == numbers  # the same numbers below
    inner = block.rows[1 : len(block.rows) - has_footing]
    has_corner = _has_corner(first.tokens, numbers, inner)
    is_alone = len(numbers) == len(first.tokens)  # an empty field can only be a corner
    if has_corner or (
        is_alone and (len(numbers) == len(below) - 1 or (len(numbers) == len(below) and _beyond_cells(numbers)))
    ):
        block.heading = numbers
        if has_corner and max(len(numbers), len(inner)) < _LEAST_LABELS:
            block.doubtful_heading = first
        del block.rows[0], block.numbers[0]
        if has_footing:
            del block.rows[-1], block.numbers[-1]


def _take_footing(block: Block) -> None:
    """Set the last line apart if it is the numbers of the columns, below rows that begin with labels."""
    *inner, last = block.rows
    numbers = _without_blanks(last.tokens)
    labels = [row.tokens[0].removesuffix(LABEL) for row in inner]
    widths = {len(row.tokens) for row in inner}
    is_below = len(numbers) > 1 and len(inner) > 1 and widths == {len(numbers) + 1}
    if is_below and words.is_sequence(numbers) and words.is_sequence(labels):
        block.heading = numbers
        del block.rows[-1], block.numbers[-1]


def _has_corner(tokens: Tokens, numbers: Tokens, inner: list[Row]) -> bool:
    """Do the numbers stand behind an empty corner, above rows that begin with labels?"""
    end = [BLANK] if len(tokens) > len(numbers) + 1 else []
    if list(tokens) != [BLANK, *numbers, *end] or any(len(row.tokens) != len(tokens) for row in inner):
        return False
    return words.is_sequence([row.tokens[0] for row in inner])


def _drop_labels_on_the_right(block: Block) -> None:
    """Drop the last token of each row if it repeats the label on the left, under numbers of the columns between."""
    numbers = _without_blanks(block.rows[0].tokens)
    has_footing = len(block.rows) > 2 and _without_blanks(block.rows[-1].tokens) == numbers
    inner = block.rows[1 : len(block.rows) - has_footing]
    if not words.is_sequence(numbers) or any(len(row.tokens) != len(numbers) + 2 for row in inner):
        return
    labels = [row.tokens[0].removesuffix(LABEL) for row in inner]
    if words.is_sequence(labels) and labels == [row.tokens[-1] for row in inner]:
        block.rows[1 : 1 + len(inner)] = [Row(row.tokens[:-1], row.line) for row in inner]


def _beyond_cells(labels: Tokens) -> bool:
    """Is some label no number that a cell can show?"""
    return any(label not in "012345678" for label in labels)


def _require_one_board(block: Block, lines: list[Line]) -> None:
    """Raise _Several unless nothing but borders and equally many blank lines stand between the rows."""
    gaps = [sum(not lines[at].text.strip() for at in range(here + 1, there)) for here, there in pairwise(block.numbers)]
    fewest = min(gaps, default=0)
    apart = (row.line.offset for gap, row in zip(gaps, block.rows[1:], strict=True) if gap > fewest)
    begin, end = block.rows[0].line.offset, block.rows[-1].line.offset
    rows = {row.line.offset for row in block.rows}
    beside = (line.offset for line in block.words if begin < line.offset < end and line.offset not in rows)
    second = min([*apart, *beside], default=None)
    if second is not None:
        raise _Several(next(row.line.offset for row in block.rows if row.line.offset >= second))


# rows as a table


def _cell_table(sheet: Sheet, block: Block) -> Table | None:
    """The cells without labels; two readings where numbers can be either."""
    labels = [row.tokens[0] for row in block.rows]
    width = len(block.rows[0].tokens)
    in_order = words.is_sequence(labels)
    if any(map(is_label, labels)) and not in_order:
        return None
    above = block.heading
    labelled = in_order and (_beyond_cells(labels) or (above is not None and len(above) == width - 1))
    if above is not None and len(above) != width - labelled:
        return None
    skip = int(labelled or _has_margin(block.rows))
    table = _cells(sheet, block, block.rows, skip, [_DROPPED] if labelled or above is not None else [])
    if table is None or (skip and not labelled):
        return table
    other, advice = None, _ADVICE_ON_LABELS
    if block.doubtful_heading is not None:
        other = _cells(sheet, block, [block.doubtful_heading, *block.rows], 0, [])
    elif not labelled and above is None:
        other = _without_labels(sheet, block, in_order)
    if other is None and block.has_doubtful_end:
        shorter = [Row(row.tokens[:-1], row.line) for row in block.rows]
        other, advice = _cells(sheet, block, shorter, int(labelled), list(table.notes)), _ADVICE_ON_BLANKS
    return table if other is None else replace(table, other=other, advice=advice)


def _has_margin(rows: list[Row]) -> bool:
    """Is there nothing but a dash or nothing before each row, where no open 0 can be or zeros are written?

    An open 0 has no covered neighbour in any game.
    """
    first = rows[0].tokens[0]
    has_zeros = first == BLANK and any("0" in row.tokens for row in rows)
    return (
        first in (BLANK, "-", "–", "•")
        and all(row.tokens[0] == first and first not in row.tokens[1:] for row in rows)
        and len(rows[0].tokens) > 2
        and (has_zeros or any(symbol_of(row.tokens[1]) == "#" for row in rows))
    )


def _without_labels(sheet: Sheet, block: Block, in_order: bool) -> Table | None:
    """The other reading, in which numbers in order along a side are no cells."""
    rows = block.rows
    if AT_BLANKS.cut(rows[0].line.text) != rows[0].tokens:  # what has no blanks has no labels
        return None
    if len(rows) > 1 and len(rows[0].tokens) >= _LEAST_LABELS and words.is_sequence(rows[0].tokens):
        return _cells(sheet, block, rows[1:], 0, [_DROPPED])
    if in_order and len(rows) >= _LEAST_LABELS and len(rows[0].tokens) > 1:
        return _cells(sheet, block, rows, 1, [_DROPPED])
    return None


def _cells(sheet: Sheet, block: Block, rows: list[Row], skip: int, notes: list[PasteNote]) -> Table | None:
    symbols: list[list[str]] = []
    for row in rows:
        cells = [symbol for token in row.tokens[skip:] if (symbol := symbol_of(token)) is not None]
        if not cells or len(cells) < len(row.tokens) - skip:
            return None
        symbols.append(cells)
    if all(symbol == BLANK for row in symbols for symbol in row):
        return None
    facts, total = block.facts, words.total_in(block.words)
    if facts.total_mines is None and total is not None:
        facts = replace(facts, total_mines=total[0], total_at=total[1])
        notes = [*notes, paste_note("format-paste-total", total[0])]
    return Table(sheet, symbols, lambda row, column: place_of(sheet, rows[row], column + skip), facts, tuple(notes))


def place_of(sheet: Sheet, row: Row, index: int) -> int:
    """Where a token begins in the source."""
    line = sheet.text[row.line.offset :].partition("\n")[0]
    at = 0
    for token in row.tokens[: index + 1]:
        text = token.removesuffix(LABEL)
        position = line.find(text, at)
        start, at = (position, position + len(text)) if position >= 0 else (at, at)
    return row.line.offset + start


# blanks that can be cells


def _is_uneven(line: str) -> bool:
    """Are some cells further apart than others, so that there can be blank ones between?"""
    if "  " not in line.strip():
        return False
    ends = [token.end() for token in re.finditer(r"\S+", line)]
    return len({after - before for before, after in pairwise(ends)}) > 1


def _with_blank_cells(sheet: Sheet, lines: list[Line], table: Table, facts: Facts) -> Table:
    """The table with a second reading if there can be a cell at every second place."""
    block = _block(lines, EVERY_SECOND, facts)
    other = None if block is None or block.heading is not None else _cells(sheet, block, block.rows, 0, [])
    if other is None or len(other.rows) != len(table.rows):
        return table
    return replace(table, other=other, advice=_ADVICE_ON_BLANKS)


def _with_blank_column(sheet: Sheet, lines: list[Line], way: Way, table: Table, facts: Facts) -> Table:
    """The table with a second reading if the blanks before all rows can be cells."""
    block = _block(lines, way, facts, indented=False)
    other = None if block is None or block.heading is not None else _cells(sheet, block, block.rows, 0, [])
    if other is None or other.columns == table.columns or len(other.rows) != len(table.rows):
        return table
    return replace(table, other=other, advice=_ADVICE_ON_BLANKS)
