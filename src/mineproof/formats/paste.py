"""Pasted text as a format: rows of cells in any of the forms that `mineproof.board.paste` knows.

The other formats come first: this one reads only text that none of them reads, and loads that package only then.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mineproof.board.board import Board
from mineproof.board.cells import COVERED
from mineproof.board.geometry import Topology
from mineproof.board.notation import Grid
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import ParsedValue, board_of_grid
from mineproof.game import layout_text
from mineproof.wording.catalogue import message
from mineproof.wording.phrases import Phrase, phrase

if TYPE_CHECKING:
    from mineproof.board.paste.meanings import Position
    from mineproof.board.paste.sheet import PasteNote

NAME = "pasted"


def read(
    text: str,
    total_mines: int | None = None,
    topology: Topology | None = None,
    refusal: BoardSyntaxError | None = None,
) -> ParsedValue:
    """Read a position or a layout; ``refusal`` is the error of the format that fits the text best."""
    from mineproof.board.paste import reader
    from mineproof.board.paste.meanings import Known, resolve

    table = reader.find_table(text, refusal)
    rows = "\n".join("".join(row) for row in table.rows)
    if layout_text.fits(rows):
        layout = layout_text.read(rows, table.facts.total_mines)
        return ParsedValue(
            layout.value, table.facts.topology, message("format-note-pasted-layout"), notes=_sentences(table.notes)
        )
    return _parsed_value(resolve(table, Known(total_mines, topology)), message("format-note-pasted"))


def reconsider(
    text: str, parsed: ParsedValue, alphabet: str, total_mines: int | None, topology: Topology | None
) -> ParsedValue:
    """Return a position in a documented alphabet, or read its symbols differently if only that is possible."""
    board = parsed.value
    if not isinstance(board, Board) or COVERED & 0xFF in board.codes:  # a covered cell leaves no doubt
        return parsed
    from mineproof.board.paste import reader
    from mineproof.board.paste.meanings import Known

    grid = Grid(board.rows, board.columns, board.codes, board.total_mines, parsed.topology, alphabet)
    position = reader.reconsider(text, grid, Known(total_mines, topology))
    return _parsed_value(position, parsed.note)


def _parsed_value(position: Position, note: str) -> ParsedValue:
    grid = position.grid
    return ParsedValue(board_of_grid(grid), grid.topology, note, notes=_sentences(position.notes))


def _sentences(notes: Iterable[PasteNote]) -> tuple[str, ...]:
    return tuple(_phrase(note).text for note in notes)


def _phrase(note: PasteNote) -> Phrase:
    return phrase(note.key, note.number, **{name: _field(value) for name, value in note.fields})


def _field(value: object) -> object:
    """The value of a field; a note is a named tuple, and other tuples are lists."""
    from mineproof.board.paste.sheet import PasteNote

    if isinstance(value, PasteNote):
        return _phrase(value)
    return tuple(map(_field, value)) if isinstance(value, tuple) else value
