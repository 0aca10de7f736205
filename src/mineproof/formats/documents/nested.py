"""Boards inside our other JSON: every command that reads a board also reads what the other commands write.

Answers about a position contain it as `board`. `generate` writes a layout. The view of a game and a saved game are read
as the position that the player sees. Their mines are returned separately, so that no analysis of a position sees the
mines of a running game. Of several lines of JSON, exactly one must contain a board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from mineproof.base.words import plural
from mineproof.board import notation
from mineproof.board.board import Board
from mineproof.board.cells import ABSENT, Cell
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError, MineproofError
from mineproof.formats.documents import boards as documents
from mineproof.formats.exchange import ParsedValue
from mineproof.game import record
from mineproof.game.layout import Layout
from mineproof.game.record import Record, moves_in_effect
from mineproof.game.rules import REVEALS
from mineproof.wording.catalogue import message

FAULTS = (msgspec.MsgspecError, UnicodeError, RecursionError)


class _Head(msgspec.Struct):
    schema: str | None = None


class _Answer(msgspec.Struct):
    """An answer: `board` is a board document, or the rows of one, maybe with its first line."""

    board: documents.BoardDocument | list[str] | None = None
    total_mines: int | None = None
    topology: Topology = "grid"


class _Generated(msgspec.Struct):
    layout: documents.LayoutDocument


class _View(msgspec.Struct):
    rows: int
    columns: int
    cells: list[str]
    total_mines: int | None = None
    topology: Topology = "grid"
    mines: list[Cell] | None = None


# Created at import: msgspec crashes if two threads create one at the same time.
_read_head = msgspec.json.Decoder(_Head).decode
_read_answer = msgspec.json.Decoder(_Answer).decode
_read_generated = msgspec.json.Decoder(_Generated).decode
_read_view = msgspec.json.Decoder(_View).decode


def read(text: str) -> ParsedValue:
    """Return the board or layout of a document, or of the one line of several that has one."""
    text = text.removeprefix("\ufeff")
    try:
        schema = _read_head(text).schema
    except FAULTS:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(map(_is_json, lines)):
            return _read_lines(lines)
        return documents.read(text)  # its error says what is wrong
    parsed = _read_document(text, schema)
    if parsed is None and schema is not None and schema.startswith("mineproof/"):
        use = (
            ". Check it with 'mineproof check BOARD --certificate FILE'." if schema == "mineproof/certificate/1" else ""
        )
        raise BoardSyntaxError(f"JSON: expected a document that holds a board, got schema {schema}{use}")
    return documents.read(text) if parsed is None else parsed


def _is_json(line: str) -> bool:
    try:
        _read_head(line)
    except FAULTS:
        return False
    return True


def _read_lines(lines: Sequence[str]) -> ParsedValue:
    """Return the only board in several lines."""
    documents_read = (_read_document(line, _read_head(line).schema) for line in lines)
    boards = [parsed for parsed in documents_read if parsed is not None]
    if len(boards) != 1:
        count = plural(len(boards), "board") if boards else "none"
        raise BoardSyntaxError(f"JSON: expected one board in {len(lines)} lines, got {count}")
    return boards[0]


def _read_document(text: str, schema: str | None) -> ParsedValue | None:
    """Return the board or layout of a document; None if it has none or the schema is not one of ours."""
    name = (schema or "").removeprefix("mineproof/").removesuffix("/1")
    if name in ("board", "layout"):
        return documents.read(text)
    if name not in _READERS or schema != f"mineproof/{name}/1":
        return None
    try:
        return _READERS[name](text)
    except FAULTS as error:
        raise BoardSyntaxError(f"JSON: {error}") from None


def _parse_answer(text: str) -> ParsedValue | None:
    answer = _read_answer(text)
    note = message("format-note-answer")
    if isinstance(answer.board, documents.BoardDocument):
        return ParsedValue(documents.board_of(answer.board), answer.board.topology, note)
    if not answer.board:
        return None
    grid = notation.read("\n".join(answer.board), "mineproof")
    total = grid.total_mines if grid.total_mines is not None else answer.total_mines
    kind: Topology = answer.topology if grid.topology is None else grid.topology
    return ParsedValue(Board(grid.rows, grid.columns, grid.codes, total, kind), kind, note)


def _parse_generated(text: str) -> ParsedValue:
    document = _read_generated(text).layout
    return ParsedValue(documents.layout_of(document), document.topology, message("format-note-generated"))


def _parse_view(text: str) -> ParsedValue:
    view = _read_view(text)
    cells = [row.replace("?", "#") for row in view.cells]
    shown = documents.BoardDocument(rows=view.rows, columns=view.columns, total_mines=view.total_mines, cells=cells)
    board, layout = documents.board_of(shown), None
    if view.mines is not None:
        absent = frozenset(board.cells(ABSENT))
        layout = Layout(view.rows, view.columns, frozenset(view.mines), topology=view.topology, absent=absent)
    return ParsedValue(board, view.topology, message("format-note-view"), layout)


def _parse_game(text: str) -> ParsedValue:
    from mineproof.game.game import Game

    played = record.from_json(text)
    try:
        game = Game.replay(played)
    except MineproofError as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    note = message(f"format-note-saved-{played.status}")
    return ParsedValue(game.board, played.layout.topology, note, _layout_behind(played))


def _layout_behind(played: Record) -> Layout:
    """Return the current mines of a game as a layout, with its first click as the start."""
    moves = moves_in_effect(played.moves)
    layout = played.layout
    for index in moves:
        if index in played.redraws:
            layout = layout.with_mines(played.redraws[index])
    first = next((played.moves[index].cell for index in moves if played.moves[index].kind in REVEALS), None)
    start = first if layout.start is None else layout.start
    if start in layout.mines:  # a start cell must be safe
        start = None
    return Layout(
        layout.rows, layout.columns, layout.mines, start, layout.topology, layout.absent, layout.no_guess
    )  # fmt: skip


_READERS: dict[str, Callable[[str], ParsedValue | None]] = {
    **dict.fromkeys(["analysis", "solution", "hint", "best", "layouts", "check", "grade"], _parse_answer),
    "generated": _parse_generated,
    "view": _parse_view,
    "game": _parse_game,
}
