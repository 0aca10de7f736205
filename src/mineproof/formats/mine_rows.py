"""Layout text as a format: rows of ``*`` and ``.``, see `mineproof.game.layout_text`."""

from __future__ import annotations

from mineproof.board import notation
from mineproof.formats.exchange import ParsedValue
from mineproof.game import layout_text
from mineproof.game.layout import Layout
from mineproof.game.layout_text import START
from mineproof.game.layout_text import fits as fits
from mineproof.wording.catalogue import message


def read(text: str) -> ParsedValue:
    """Read rows of stars and dots."""
    layout, topology = layout_text.read(text)
    return ParsedValue(layout, topology, message("format-note-layout"))


def write(layout: Layout) -> str:
    """Return the rows, with a first line unless the topology is a plain grid."""
    rows = str(layout).split("\n")
    if layout.start is not None and layout.no_guess and layout.start not in layout.mines | layout.absent:
        row, column = layout.start
        rows[row] = rows[row][:column] + START + rows[row][column + 1 :]
    if layout.topology != "grid":
        rows.insert(0, notation.size_line(layout.rows, layout.columns, layout.total_mines, layout.topology))
    return "\n".join(rows)
