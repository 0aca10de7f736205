"""Small phrases that the results of many commands share: odds, sizes, rates and intervals."""

from __future__ import annotations

from fractions import Fraction

from mineproof.base.words import size
from mineproof.wording.catalogue import decimal, message, plural


def percent(chance: float) -> str:
    """The odds of a cell that is not certain: never 0 and never 100."""
    shown = decimal(100 * chance, 1)
    if shown == decimal(0, 1):
        return f"< {decimal(0.1, 1)} %"
    return f"> {decimal(99.9, 1)} %" if shown == decimal(100, 1) else f"{shown} %"


def share(part: float) -> str:
    """A share in whole per cent."""
    return f"{decimal(100 * part, 0)} %"


def exact_chance(value: Fraction) -> str:
    """A fraction and its value in per cent; 0 and 1 as they are."""
    return f"{100 * value} %" if value in (0, 1) else f"{value} = {percent(float(value))}"


def board_size(rows: int, columns: int, topology: str = "grid") -> str:
    """Width by height, as players write it, and the shape if it is not a plain grid."""
    return size(rows, columns) + ("" if topology == "grid" else f" {topology}")


def board_and_mines(rows: int, columns: int, mines: int, topology: str = "grid") -> str:
    """The size, and the number of mines."""
    return f"{board_size(rows, columns, topology)}, {plural('cli-mines', mines)}"


def interval(low: float, high: float, digits: int = 2, *, signed: bool = False) -> str:
    """The ends of an interval in per cent or percentage points."""
    ends = [signed_decimal(100 * end, digits) if signed else decimal(100 * end, digits) for end in (low, high)]
    return message("cli-range", low=ends[0], high=ends[1])


def signed_decimal(value: float, digits: int) -> str:
    """A number with its sign, also if it is not negative."""
    return ("-" if value < 0 else "+") + decimal(abs(value), digits)


def significant(value: float, digits: int = 3) -> str:
    """A number with a few significant digits."""
    return f"{value:.{digits}g}".replace(".", message("number-point"))
