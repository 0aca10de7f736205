"""Layout text: rows of ``*`` for a mine, ``.`` for a free cell (``0`` is read as free too, as replays write it), ``S``
for the free cell that is the first click and ``~`` for a place that is not part of the board.

It is told apart from position text by what it lacks: a text of ``*``, ``.``, ``S``, ``~`` and ``0`` alone shows neither
a covered cell nor a number, so nothing is left to play and the stars must be the mines themselves. Without a single
``*``, dots are a layout free of mines and zeros are a position, because that is how we write the two. The optional
first line is that of positions; its total must be the number of stars. A first click is written only of layouts that
were made to need no guess from there, and where one is read the layout is taken for such; `check` tells if it is.
"""

from __future__ import annotations

from mineproof.base.words import plural
from mineproof.board import notation
from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.errors import BoardSyntaxError
from mineproof.formats.exchange import Found
from mineproof.game.layout import Layout

START = "S"
# The start is read as a covered cell, of which a layout has none.
_STARS = notation.Alphabet("layout", covered=START, flagged="*", zero="0.", absent="~", numbers="")


def fits(text: str) -> bool:
    """Can this only be a layout?"""
    present = notation.symbols_in(text)
    return present <= {"*", ".", "0", "~", START} and ("*" in present or START in present or present - {"~"} == {"."})


def read(text: str) -> Found:
    """Read rows of stars and dots."""
    grid = notation.read_as(text, _STARS)
    mines, absent, starts = (
        frozenset(divmod(at, grid.columns) for at, found in enumerate(grid.codes) if found == code & 0xFF)
        for code in (FLAGGED, ABSENT, COVERED)
    )
    if len(starts) > 1:
        raise BoardSyntaxError(f"found {len(starts)} starts ({START}), expected one at most")
    if grid.total_mines not in (None, len(mines)):
        raise BoardSyntaxError(
            f"found {plural(len(mines), 'mine')}, expected {grid.total_mines} as the first line says"
        )
    start = next(iter(starts), None)
    layout = Layout(grid.rows, grid.columns, mines, start, absent=absent, no_guess=start is not None)
    return Found(layout, grid.topology, "rows of * mine, . free")


def write(layout: Layout) -> str:
    """The rows, and a first line only where the topology needs one."""
    rows = str(layout).split("\n")
    if layout.start is not None and layout.no_guess and layout.start not in layout.mines | layout.absent:
        row, column = layout.start
        rows[row] = rows[row][:column] + START + rows[row][column + 1 :]
    if layout.topology != "grid":
        rows.insert(0, notation.size_line(layout.rows, layout.columns, layout.total_mines, layout.topology))
    return "\n".join(rows)
