"""Boards inside our other JSON: what we write we read back, wherever a board is asked for.

Answers about a position have it as `board`; `generate` tells a layout; the view of a game, and a saved game, are a
position: what the player sees. Where the mines are is kept apart, for those who ask for a layout, so that nothing that
looks at a position sees the mines of a running game. Of several lines of JSON, one may hold a board.
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
from mineproof.formats import documents
from mineproof.formats.exchange import Found
from mineproof.game import record
from mineproof.game.layout import Layout
from mineproof.game.record import Record, standing
from mineproof.game.rules import REVEALS

FAULTS = (msgspec.MsgspecError, UnicodeError, RecursionError)


class _Head(msgspec.Struct):
    schema: str | None = None


class _Answer(msgspec.Struct):
    """Some answer: `board` is a board document, or the rows of one, once with its first line among them."""

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


# Made at import: msgspec crashes where two threads make one at once.
_read_head = msgspec.json.Decoder(_Head).decode
_read_answer = msgspec.json.Decoder(_Answer).decode
_read_generated = msgspec.json.Decoder(_Generated).decode
_read_view = msgspec.json.Decoder(_View).decode


def fits(text: str) -> bool:
    """Is this a JSON object, or several, whatever is in them?"""
    return documents.fits(text)


def read(text: str) -> Found:
    """The board or layout of a document of ours, or of one in several lines."""
    text = text.removeprefix("\ufeff")
    try:
        schema = _read_head(text).schema
    except FAULTS:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(map(_is_whole, lines)):
            return _only(lines)
        return documents.read(text)  # which says what is wrong
    found = _held(text, schema)
    if found is None and schema is not None and schema.startswith("mineproof/"):
        use = "; 'mineproof check BOARD --certificate FILE' checks it" if schema == "mineproof/certificate/1" else ""
        raise BoardSyntaxError(f"JSON: found the schema {schema}, which holds no board that is read{use}")
    return documents.read(text) if found is None else found


def _is_whole(line: str) -> bool:
    try:
        _read_head(line)
    except FAULTS:
        return False
    return True


def _only(lines: Sequence[str]) -> Found:
    """The one board that several lines hold."""
    found = [held for line in lines if (held := _held(line, _read_head(line).schema)) is not None]
    if len(found) != 1:
        count = plural(len(found), "board") if found else "no board"
        raise BoardSyntaxError(f"JSON: found {count} in {len(lines)} lines, expected one")
    return found[0]


def _held(text: str, schema: str | None) -> Found | None:
    """What a document of a schema holds; None where that is nothing, or it is no schema of ours."""
    name = (schema or "").removeprefix("mineproof/").removesuffix("/1")
    if name in ("board", "layout"):
        return documents.read(text)
    if name not in _READERS or schema != f"mineproof/{name}/1":
        return None
    try:
        return _READERS[name](text)
    except FAULTS as error:
        raise BoardSyntaxError(f"JSON: {error}") from None


def _answer(text: str) -> Found | None:
    found = _read_answer(text)
    note = "position that an answer is about"
    if isinstance(found.board, documents.BoardDocument):
        return Found(documents.board_of(found.board), found.board.topology, note)
    if not found.board:
        return None
    grid = notation.read("\n".join(found.board), "mineproof")
    total = grid.total_mines if grid.total_mines is not None else found.total_mines
    kind: Topology = found.topology if grid.topology is None else grid.topology
    return Found(Board(grid.rows, grid.columns, grid.codes, total, kind), kind, note)


def _generated(text: str) -> Found:
    made = _read_generated(text).layout
    return Found(documents.layout_of(made), made.topology, "layout that 'generate' made")


def _view(text: str) -> Found:
    seen = _read_view(text)
    cells = [row.replace("?", "#") for row in seen.cells]
    shown = documents.BoardDocument(rows=seen.rows, columns=seen.columns, total_mines=seen.total_mines, cells=cells)
    board, layout = documents.board_of(shown), None
    if seen.mines is not None:
        absent = frozenset(board.cells(ABSENT))
        layout = Layout(seen.rows, seen.columns, frozenset(seen.mines), topology=seen.topology, absent=absent)
    return Found(board, seen.topology, "view of a game", layout)


def _game(text: str) -> Found:
    from mineproof.game.game import Game

    played = record.from_json(text)
    try:
        game = Game.replay(played)
    except MineproofError as error:
        raise BoardSyntaxError(f"JSON: {error}") from None
    note = f"saved game, {played.status}: what its player sees"
    return Found(game.board, played.layout.topology, note, _layout_behind(played))


def _layout_behind(played: Record) -> Layout:
    """Where the mines of a game are now, with its first click as the start."""
    moves = standing(played.moves)
    layout = played.layout
    for index in moves:
        if index in played.redraws:
            layout = layout.with_mines(played.redraws[index])
    first = next((played.moves[index].cell for index in moves if played.moves[index].kind in REVEALS), None)
    start = first if layout.start is None else layout.start
    if start in layout.mines:  # which nobody can start at
        start = None
    return Layout(
        layout.rows, layout.columns, layout.mines, start, layout.topology, layout.absent, layout.no_guess
    )  # fmt: skip


_READERS: dict[str, Callable[[str], Found | None]] = {
    **dict.fromkeys(["analysis", "solution", "hint", "best", "layouts", "check", "grade"], _answer),
    "generated": _generated,
    "view": _view,
    "game": _game,
}
