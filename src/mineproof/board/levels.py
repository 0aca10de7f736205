"""Board sizes: levels by name, and ``WxHxM``."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from mineproof.base import checks, words
from mineproof.board.geometry import Topology, require_size
from mineproof.board.lattices import NARROW_REACH
from mineproof.board.notation import quote
from mineproof.board.topology import topology_named
from mineproof.errors import BoardSyntaxError


class Size(NamedTuple):
    """A board size with its number of mines."""

    rows: int
    columns: int
    mines: int


LEVELS = {
    "beginner": Size(9, 9, 10),
    "beginner8": Size(8, 8, 10),
    "intermediate": Size(16, 16, 40),
    "expert": Size(16, 30, 99),
}

_SIZE = re.compile(r"([0-9]{1,7})[xX×]([0-9]{1,7})[xX×]([0-9]{1,7})")
_SIDES = re.compile(r"([0-9]{1,7})[xX×]([0-9]{1,7})")


def read_size(text: str) -> Size:
    """Return the size of a level name, in any case, or of ``WxHxM`` (width by height by mines).

    Raises BoardSyntaxError for other text and for more mines than cells.

    >>> read_size("expert") == read_size("30x16x99") == Size(rows=16, columns=30, mines=99)
    True
    """
    name = text.strip()
    if name.lower() in LEVELS:
        return LEVELS[name.lower()]
    parts = _SIZE.fullmatch(name)
    if parts is None:
        raise BoardSyntaxError(f"expected {', '.join(LEVELS)} or a size such as 30x16x99, got {quote(name)}")
    columns, rows, mines = map(int, parts.groups())
    require_size(rows, columns)
    if mines > rows * columns:
        board = words.size(rows, columns)
        raise BoardSyntaxError(f"expected at most {rows * columns} mines on {board}, got {mines:,}")
    return Size(rows, columns, mines)


def size_on(topology: Topology, size: Size) -> Size:
    """Return a size that a topology can have: the same one, or one with about as many cells and as hard.

    >>> size_on("sphere", LEVELS["beginner"])
    Size(rows=10, columns=15, mines=11)
    """
    rows, columns, mines = size
    shape = topology_named(topology)
    if shape.nearest_size(rows, columns) == (rows, columns):
        return size
    rows, columns = shape.nearest_size(rows, columns)
    cells = rows * columns - len(shape.holes(rows, columns))
    share = mines / (size.rows * size.columns) * min(1.0, math.sqrt(NARROW_REACH / shape.most_neighbours))
    return Size(rows, columns, min(round(cells * share), cells - 1))


def level_of(size: Size) -> str | None:
    """Return the name of the level of a size, or None; both sizes of beginner are ``beginner``."""
    return next((name.rstrip("8") for name, known in LEVELS.items() if known == size), None)


def read_sides(text: str) -> tuple[int, int]:
    """Return rows and columns of a size ``WxH``, width by height. Raises BoardSyntaxError for other text."""
    sides = _SIDES.fullmatch(text)
    if sides is None:
        raise BoardSyntaxError(f"expected WIDTHxHEIGHT such as 30x16, got {quote(text)}")
    return int(sides[2]), int(sides[1])


def as_size(rows: object, columns: object, mines: object, topology: Topology = "grid") -> Size:
    """Return the size of arguments: rows, columns and mines, or in place of the rows a level or ``WxHxM`` alone.

    A level has another size on a topology that cannot have that of the grid.
    """
    if isinstance(rows, str):
        if columns is not None or mines is not None:
            raise TypeError(f"expected {rows!r} alone, got columns or mines besides")
        size = read_size(rows)
        return size_on(topology, size) if rows.strip().lower() in LEVELS else size
    if columns is None or mines is None:
        raise TypeError("expected rows, columns and mines, or a level such as 'expert'")
    numbers = {"rows": rows, "columns": columns, "mines": mines}
    return Size(*(checks.whole(name, value) for name, value in numbers.items()))
