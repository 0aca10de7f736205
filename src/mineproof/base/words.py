"""Places, odds and counts as people read them, said the same way everywhere."""

from __future__ import annotations

from collections.abc import Sequence


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


def no_room(number: int, cell: tuple[int, int], flagged: int, covered: int) -> str:
    """Why a number cannot be right on its own: too many flags next to it, or too few cells for its mines."""
    if flagged > number:
        return f"the {number} at {at(cell)} has {plural(flagged, 'flag')} around it, more than it needs"
    room = f"{plural(flagged, 'flag')} and {plural(covered, 'covered cell')}"
    return f"the {number} at {at(cell)} needs {plural(number, 'mine')}, and has {room} around it"


def wrong_total(total: int, fewest: int, most: int) -> str:
    """Why a total cannot be right: what the numbers and flags need, or have room for."""
    if fewest == most:
        needs = f"has exactly {plural(most, 'mine')}"
    elif total < fewest:
        needs = f"has at least {plural(fewest, 'mine')}"
    elif total > most:
        needs = f"has at most {plural(most, 'mine')}"
    else:
        needs = f"has {fewest:,} to {most:,} mines, and cannot have {total:,}"
    return f"the total is {plural(total, 'mine')}, but every layout that fits the rest {needs}"


def none_or(most: int) -> str:
    """How many there may be: ``none``, or ``0 to 8``."""
    return f"0 to {most:,}" if most else "none"


def size(rows: int, columns: int, mines: int | None = None) -> str:
    """A size in the order players use: width × height, and the mines if they are told."""
    board = f"{columns} × {rows}"
    return board if mines is None else f"{board}, {plural(mines, 'mine')}"
