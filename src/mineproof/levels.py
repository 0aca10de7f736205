"""Board sizes players know by name, and sizes as they write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from mineproof.codes import MAX_CELLS
from mineproof.errors import BoardSyntaxError
from mineproof.notation import quote


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


def read_size(text: str) -> Size:
    """The size a level name or ``WxHxM`` (width by height by mines) stands for.

    >>> read_size("expert") == read_size("30x16x99") == Size(rows=16, columns=30, mines=99)
    True
    """
    name = text.strip()
    if name in LEVELS:
        return LEVELS[name]
    parts = _SIZE.fullmatch(name)
    if parts is None:
        raise BoardSyntaxError(f"found {quote(name)}, expected {', '.join(LEVELS)} or a size such as 30x16x99")
    columns, rows, mines = map(int, parts.groups())
    cells = rows * columns
    if not 1 <= cells <= MAX_CELLS:
        raise BoardSyntaxError(f"found a size of {columns} × {rows}, expected 1 to {MAX_CELLS} cells")
    if mines > cells:
        raise BoardSyntaxError(f"found {mines} mines on {columns} × {rows}, expected at most {cells}")
    return Size(rows, columns, mines)
