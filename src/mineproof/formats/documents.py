"""Our JSON: the one format that holds everything a board or a layout can be.

``{"schema": "mineproof/board/1", "rows": 2, "columns": 2, "total_mines": 1, "cells": ["1#", "##"]}``
``{"schema": "mineproof/layout/1", "rows": 2, "columns": 2, "mines": [[0, 1]], "start": [1, 1]}``

``cells`` are rows in our alphabet; ``mines`` are [row, column] from 0, each once, and so are the ``absent`` cells of a
layout, which are not part of its board. ``total_mines``, ``start``, ``topology``, ``absent`` and ``no_guess`` may be
left out and are then null, null, "grid", none and false. ``source``, which stands there where many boards were written,
and ``read_as``, by which a server tells what it was given, are not looked at. A key that is not known is refused by
name: it may be one of these with a slip in it. Boards inside of other JSON of ours are read by `enclosed`.
"""

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
from mineproof.formats.exchange import Found
from mineproof.game.layout import SCHEMA as LAYOUT
from mineproof.game.layout import Layout


class BoardDocument(msgspec.Struct, tag_field="schema", tag=BOARD, kw_only=True, forbid_unknown_fields=True):
    rows: int
    columns: int
    total_mines: int | None = None
    topology: Topology = "grid"
    cells: list[str]
    source: str | None = None  # where many boards are answered, which one this was; not looked at
    read_as: dict[str, Any] | None = None  # what it was read from; not looked at either


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


# Made at import: msgspec crashes where two threads make one at once.
_read_board_or_layout = msgspec.json.Decoder(BoardDocument | LayoutDocument).decode


def fits(text: str) -> bool:
    """Is this a JSON object, whatever is in it?"""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def read(text: str) -> Found:
    """Read either document; ``schema`` says which."""
    try:
        document = _read_board_or_layout(text.removeprefix("\ufeff"))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    value = board_of(document) if isinstance(document, BoardDocument) else layout_of(document)
    schema = document.__struct_config__.tag
    return Found(value, document.topology, f"JSON of schema {schema}")


def write(value: Board | Layout) -> str:
    """One line of JSON."""
    return msgspec.json.encode(value.as_json()).decode("utf-8")


def board_of(document: BoardDocument) -> Board:
    rows, columns, cells = document.rows, document.columns, document.cells
    known = notation.MINEPROOF.symbols
    if len(cells) != rows:
        raise BoardSyntaxError(f"JSON: found {plural(len(cells), 'row')} in `cells`, expected {rows} as `rows` says")
    for row, symbols in enumerate(cells):
        if len(symbols) != columns:
            found = f"{plural(len(symbols), 'cell')} in `cells[{row}]`"
            raise BoardSyntaxError(f"JSON: found {found}, expected {columns} as `columns` says")
        wrong = next((column for column, symbol in enumerate(symbols) if symbol not in known), None)
        if wrong is not None:
            found, expected = quote(symbols[wrong]), notation.MINEPROOF.expected()
            raise BoardSyntaxError(f"JSON: found {found} at `cells[{row}][{wrong}]`, expected one of {expected}")
    return Board(rows, columns, notation.MINEPROOF.codes("".join(cells)), document.total_mines)


def layout_of(document: LayoutDocument) -> Layout:
    mines, absent = _once(document.mines, "mines"), _once(document.absent or [], "absent")
    no_guess = document.no_guess is True
    return Layout(document.rows, document.columns, mines, document.start, absent=absent, no_guess=no_guess)


def _once(cells: list[Cell], key: str) -> frozenset[Cell]:
    found = frozenset(cells)
    if len(found) != len(cells):
        twice = next(cell for cell, times in Counter(cells).items() if times > 1)
        raise BoardSyntaxError(f"JSON: found the cell {at(twice)} twice in `{key}`, expected each once")
    return found
