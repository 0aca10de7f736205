"""Board sizes players know by name, and sizes as they write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from mineproof.base import checks, words
from mineproof.board.geometry import require_size
from mineproof.board.notation import quote
from mineproof.errors import BoardSyntaxError


class Size(NamedTuple):
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
    """The size a level name, in any case, or ``WxHxM`` (width by height by mines) stands for.

    >>> read_size("expert") == read_size("30x16x99") == Size(rows=16, columns=30, mines=99)
    True
    """
    name = text.strip()
    if name.lower() in LEVELS:
        return LEVELS[name.lower()]
    parts = _SIZE.fullmatch(name)
    if parts is None:
        raise BoardSyntaxError(f"found {quote(name)}, expected {', '.join(LEVELS)} or a size such as 30x16x99")
    columns, rows, mines = map(int, parts.groups())
    require_size(rows, columns)
    if mines > rows * columns:
        found = f"{words.plural(mines, 'mine')} on {words.size(rows, columns)}"
        raise BoardSyntaxError(f"found {found}, expected at most {rows * columns}")
    return Size(rows, columns, mines)


def level_of(size: Size) -> str | None:
    """The level that has this size, if one does; both sizes of beginner are ``beginner``."""
    return next((name.rstrip("8") for name, known in LEVELS.items() if known == size), None)


def read_sides(text: str) -> tuple[int, int]:
    """Rows and columns of a board that is written as ``WxH``, width by height."""
    sides = _SIDES.fullmatch(text)
    if sides is None:
        raise BoardSyntaxError(f"found {quote(text)}, expected WIDTHxHEIGHT such as 30x16")
    return int(sides[2]), int(sides[1])


def as_size(rows: int | str, columns: int | None, mines: int | None) -> Size:
    """The size that arguments ask for: rows, columns and mines, or in place of the rows a level or ``WxHxM`` alone."""
    if isinstance(rows, str):
        if columns is not None or mines is not None:
            raise TypeError(f"found {rows!r} with columns or mines, expected a level or WxHxM alone")
        return read_size(rows)
    if columns is None or mines is None:
        raise TypeError("expected rows, columns and mines, or a level such as 'expert'")
    numbers = {"rows": rows, "columns": columns, "mines": mines}
    return Size(*(checks.whole(name, value) for name, value in numbers.items()))
