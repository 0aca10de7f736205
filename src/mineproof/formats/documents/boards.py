"""Board and layout documents. `nested` reads boards inside our other JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from mineproof.base.words import at, plural
from mineproof.board import notation
from mineproof.board.board import SCHEMA as BOARD
from mineproof.board.board import Board
from mineproof.board.cells import Cell
from mineproof.board.geometry import Topology
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import ParsedValue
from mineproof.game.layout import SCHEMA as LAYOUT
from mineproof.game.layout import Layout


class BoardDocument(msgspec.Struct, tag_field="schema", tag=BOARD, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    total_mines: int | None = None
    topology: Topology = "grid"
    cells: list[str]
    source: str | None = None  # which of many boards this was; ignored
    read_as: dict[str, Any] | None = None  # how a server read its input; ignored


class LayoutDocument(msgspec.Struct, tag_field="schema", tag=LAYOUT, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    mines: list[Cell]
    start: Cell | None = None
    topology: Topology = "grid"
    absent: list[Cell] | msgspec.UnsetType = msgspec.UNSET
    no_guess: bool | msgspec.UnsetType = msgspec.UNSET
    source: str | None = None
    read_as: dict[str, Any] | None = None


# Created at import: msgspec crashes if two threads create one at the same time.
_read_board_or_layout = msgspec.json.Decoder(BoardDocument | LayoutDocument).decode


def fits(text: str) -> bool:
    """Is this one JSON object, or several, of any kind?"""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def read(text: str) -> ParsedValue:
    """Read a board or a layout document."""
    try:
        document = _read_board_or_layout(text.removeprefix("\ufeff"))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    value = board_of(document) if isinstance(document, BoardDocument) else layout_of(document)
    schema = document.__struct_config__.tag
    return ParsedValue(value, document.topology, f"JSON of schema {schema}")


def write(value: Board | Layout) -> str:
    """Return one line of JSON."""
    return msgspec.json.encode(value.as_json()).decode("utf-8")


def board_of(document: BoardDocument) -> Board:
    """Return the board of a document. Raises BoardSyntaxError for invalid rows."""
    rows, columns, cells = document.rows, document.columns, document.cells
    known = notation.OUR_SYMBOLS
    if len(cells) != rows:
        raise BoardSyntaxError(f"JSON: expected {plural(rows, 'row')} in `cells` as `rows` says, got {len(cells)}")
    lines = [notation.split_symbols(line) for line in cells]
    for row, symbols in enumerate(lines):
        if len(symbols) != columns:
            expected = f"{plural(columns, 'cell')} in `cells[{row}]` as `columns` says"
            raise BoardSyntaxError(f"JSON: expected {expected}, got {len(symbols)}")
        wrong = next((column for column, symbol in enumerate(symbols) if symbol not in known), None)
        if wrong is not None:
            expected = f"{notation.MINEPROOF.symbol_list()} at `cells[{row}][{wrong}]`"
            raise BoardSyntaxError(f"JSON: expected {expected}, got {quote(symbols[wrong])}")
    codes = notation.codes_of(symbol for symbols in lines for symbol in symbols)
    return Board(rows, columns, codes, document.total_mines, document.topology)


def layout_of(document: LayoutDocument) -> Layout:
    """Return the layout of a document. Raises BoardSyntaxError for repeated cells."""
    mines, absent = _unique_cells(document.mines, "mines"), _unique_cells(document.absent or [], "absent")
    no_guess = document.no_guess is True
    return Layout(document.rows, document.columns, mines, document.start, absent=absent, no_guess=no_guess)


def _unique_cells(cells: list[Cell], key: str) -> frozenset[Cell]:
    unique = frozenset(cells)
    if len(unique) != len(cells):
        repeated = next(cell for cell, times in Counter(cells).items() if times > 1)
        raise BoardSyntaxError(f"JSON: the cell {at(repeated)} is listed twice in `{key}`")
    return unique
