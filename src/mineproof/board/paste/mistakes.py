"""Mistakes in rows that no reader understands: a sign that is no cell, or a row of another length than the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mineproof.base.words import plural
from mineproof.board.notation import quote
from mineproof.board.paste import words
from mineproof.board.paste.cuts import Way
from mineproof.board.paste.sheet import Sheet
from mineproof.board.paste.symbols import BLANK, symbol_of
from mineproof.board.paste.tables import Line, Row, is_beside, lines_of, place_of, ways_of
from mineproof.errors import BoardSyntaxError

_SEPARATORS = {"\t": "tabs", ",": "commas", ";": "semicolons"}


def find(sheet: Sheet) -> BoardSyntaxError | None:
    """The first mistake in a text that is rows of cells otherwise; None where it is something else."""
    lines = [line for line in lines_of(sheet.text) if line.text.strip() and not is_beside(line)]
    if not lines or words.sides_in(lines[0].text) is not None:
        return None
    return _unknown_cell(sheet, lines) or _uneven_row(sheet, lines)


_EXPECTED = "expected 0-8, # (covered) or F (flag)"


def _unknown_cell(sheet: Sheet, lines: list[Line]) -> BoardSyntaxError | None:
    """The first token that is no cell, in rows of equal length in which most tokens are cells."""
    for _, rows in _cuts(sheet, lines):
        tokens = [token for row in rows for token in row.tokens]
        known = sum(symbol_of(token) is not None for token in tokens)
        if len({len(row.tokens) for row in rows}) == 1 and len(tokens) // 2 < known < len(tokens):
            row = next(row for row in rows if not all(map(symbol_of, row.tokens)))
            index = next(index for index, token in enumerate(row.tokens) if symbol_of(token) is None)
            return sheet.error(place_of(sheet, row, index), f"{_EXPECTED}, got {quote(row.tokens[index])}")
    return None


def _uneven_row(sheet: Sheet, lines: list[Line]) -> BoardSyntaxError | None:
    """The first row with another number of cells than most, for the way to cut that makes most rows equal."""
    best: tuple[int, int, Way, list[Row]] | None = None
    for way, cut in _cuts(sheet, lines):
        rows = cut[words.is_sequence(cut[0].tokens) and len(cut) > 1 :]  # without the numbers of the columns
        if not all(len(row.tokens) == 1 or all(map(symbol_of, row.tokens)) for row in rows):
            continue
        counts = Counter(len(row.tokens) for row in rows)
        length, equal = max(counts.items(), key=lambda item: (item[1], item[0] == len(rows[0].tokens)), default=(0, 0))
        if length > 1 and len(rows) / 2 <= equal < len(rows) and (best is None or equal > best[0]):
            best = equal, length, way, rows
    return None if best is None else _uneven_error(sheet, *best[1:])


def _uneven_error(sheet: Sheet, length: int, way: Way, rows: list[Row]) -> BoardSyntaxError:
    row = next(row for row in rows if len(row.tokens) != length)
    expected = plural(length, "cell")
    got = str(len(row.tokens))
    if way.signs in _SEPARATORS and way.signs not in row.line.text:
        expected, got = f"{expected} separated by {_SEPARATORS[way.signs]}", quote(row.line.text.strip())
    others = "the first row" if len(rows[0].tokens) == length else "the other rows"
    message = f"expected {expected} as in {others}, got {got}"
    error = sheet.error(row.line.offset + len(row.line.text), message)
    if "\n" not in sheet.source.strip():  # rows end with "/", so the line number does not identify the row
        return error
    return BoardSyntaxError(message, line=error.line)


def _cuts(sheet: Sheet, lines: list[Line]) -> Iterator[tuple[Way, list[Row]]]:
    """The lines as each way cuts them; a line that cannot be cut so is one token."""
    for way in ways_of(sheet.text):
        if way.even:
            continue
        rows = [Row(way.cut(line.text) or [line.text.strip()], line) for line in lines]
        if way.ended and all(len(row.tokens) > 1 and row.tokens[-1] == BLANK for row in rows):
            rows = [Row(row.tokens[:-1], row.line) for row in rows]
        yield way, rows
