"""Layout text: rows of ``*`` for a mine, ``.`` for a free cell (``0`` is read as free too, as replays write it), ``S``
for the free cell that is the first click and ``~`` for a place that is not part of the board.

A layout differs from a position by what it lacks: a text of ``*``, ``.``, ``S``, ``~`` and ``0`` alone shows neither a
covered cell nor a number, so the stars must be the mines themselves. Without a single ``*``, dots are a layout without
mines and zeros are a position, because that is how we write the two. The optional first line is that of positions; its
total must be the number of stars. A first click is written only for layouts made to need no guess from there. A layout
that names one is assumed to need no guess; `check` verifies it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mineproof.base.words import plural
from mineproof.board import notation
from mineproof.board.cells import ABSENT, COVERED, FLAGGED
from mineproof.board.geometry import Topology
from mineproof.errors import BoardSyntaxError
from mineproof.game.layout import Layout

START = "S"
# The start is read as a covered cell, of which a layout has none.
_STARS = notation.Alphabet("layout", covered=START, flagged="*", zero="0.", absent="~", numbers="")


def parse(text: str, topology: Topology | None = None) -> Layout:
    """Parse a layout, also with blanks, bars and other packaging. A topology must agree with one in the text."""
    try:
        layout, named = read(text)
    except BoardSyntaxError as refusal:
        from mineproof.board.paste.reader import find_table

        table = find_table(text, refusal)
        layout, named = read("\n".join("".join(row) for row in table.rows), table.facts.total_mines)
        named = table.facts.topology
    kind: Topology | None = notation.agree("topology", named, topology)
    return layout if kind is None else replace(layout, topology=kind)


class LayoutText(NamedTuple):
    """A layout on a plain grid, and the topology that the text names, or None."""

    value: Layout
    topology: Topology | None


def fits(text: str) -> bool:
    """Can this text only be a layout?"""
    present = notation.symbols_in(text)
    return present <= {"*", ".", "0", "~", START} and ("*" in present or START in present or present - {"~"} == {"."})


def read(text: str, total_mines: int | None = None) -> LayoutText:
    """Read rows of stars and dots. Raises BoardSyntaxError if the number of stars is not ``total_mines``."""
    grid = notation.read_as(text, _STARS)
    mines, absent, starts = (
        frozenset(divmod(at, grid.columns) for at, byte in enumerate(grid.codes) if byte == code & 0xFF)
        for code in (FLAGGED, ABSENT, COVERED)
    )
    if len(starts) > 1:
        raise BoardSyntaxError(f"expected at most one start ({START}), got {len(starts)}")
    total = total_mines if grid.total_mines is None else grid.total_mines
    if total is not None and total != len(mines):
        raise BoardSyntaxError(f"expected {plural(total, 'mine')} as the first line says, got {len(mines)}")
    start = next(iter(starts), None)
    layout = Layout(grid.rows, grid.columns, mines, start, absent=absent, no_guess=start is not None)
    return LayoutText(layout, grid.topology)
