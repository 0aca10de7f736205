"""Places, odds and counts as people read them, said the same way everywhere."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|ms|s|h|KiB|MiB|GiB|kB|MB|GB|×)(?!\w))|(?<=[<>≈×]) (?=\d)")


def at(cell: tuple[int, int]) -> str:
    """A cell: ``(0,2)``."""
    return f"({cell[0]},{cell[1]})"


def percent(mine_probability: float) -> str:
    """The odds of a cell that is not certain: never 0 and never 100."""
    shown = f"{mine_probability:.1%}".replace("%", " %")
    return {"0.0 %": "< 0.1 %", "100.0 %": "> 99.9 %"}.get(shown, shown)


def listing(names: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def plural(count: int, noun: str) -> str:
    """A number of things: ``1 flag``, ``1,000 flags``."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def keep_units(text: str) -> str:
    """Return a text whose numbers and units do not part at the end of a line, by no-break spaces."""
    return _BEFORE_UNIT.sub(NO_BREAK_SPACE, text)


def wrap_text(text: str, width: int) -> list[str]:
    """Break a text into lines between words; lines of the text stay lines, and a number stays with its unit.

    >>> wrap_text("the risk is 33.3 %", 17)
    ['the risk is', '33.3 %']
    """
    lines = []
    for paragraph in text.split("\n"):
        lines += textwrap.wrap(keep_units(paragraph), max(width, 1), break_on_hyphens=False)
    return [line.replace(NO_BREAK_SPACE, " ") for line in lines]


def duration(seconds: float) -> str:
    """A time that something took: ``1.50 s``, or ``less than 0.01 s``."""
    return f"{seconds:.2f} s" if seconds >= 0.005 else "less than 0.01 s"


def none_or(most: int) -> str:
    """How many there may be: ``none``, or ``0 to 8``."""
    return f"0 to {most:,}" if most else "none"


def size(rows: int, columns: int, mines: int | None = None) -> str:
    """A size in the order players use: width × height, and the number of mines if it is given."""
    board = f"{columns} × {rows}"
    return board if mines is None else f"{board}, {plural(mines, 'mine')}"
