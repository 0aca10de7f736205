"""Arguments as they must be: a wrong type is a TypeError, a wrong value a ValueError; both say what was expected."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from operator import index
from typing import Any, TypeVar

T = TypeVar("T")

LARGEST_SEED = 2**64 - 1


def instance(name: str, value: object, kind: type[T], instead: str = "") -> T:
    """The value, once it is known to be of a class; ``instead`` says how to come by one."""
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    hint = f" ({instead})" if instead else ""
    raise TypeError(f"found {name} of type {type(value).__name__}, expected {article} {kind.__name__}{hint}")


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """A whole number within bounds: an int or what counts as one, such as NumPy's, and no truth value."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)
    except TypeError:
        raise TypeError(f"found {name}={value!r}, expected a whole number") from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise ValueError(f"found {name}={number}, expected {_range(least, most)}")
    return number


def _range(least: int | None, most: int | None) -> str:
    upper = "2**64 - 1" if most == LARGEST_SEED else f"{most}"
    return f"{least} or more" if most is None else f"at most {upper}" if least is None else f"{least} to {upper}"


def number(name: str, value: Any, least: float) -> float:
    """A number that is no less than a bound, and is one: not NaN, and no text."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"found {name}={value!r}, expected a number")
    found = float(value)
    if not found >= least:
        raise ValueError(f"found {name}={value}, expected {least} or more")
    return found


def any_number(name: str, value: Any) -> float:
    """Also one that is out of every range, NaN among them."""
    return math.nan if isinstance(value, float) and math.isnan(value) else number(name, value, -math.inf)


def chance(name: str, value: Any) -> Fraction:
    """A chance strictly between 0 and 1, as an exact number; the float 0.2 is one fifth, not the double next to it."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"found {name}={value!r}, expected a number between 0 and 1")
    bounds: Any = value  # a Fraction may be closer to 0 or 1 than any float
    if not 0 < bounds < 1:
        raise ValueError(f"found a {name} of {value}, expected one between 0 and 1, both excluded")
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


# A fraction or a decimal number of a length that somebody writes: 1e-999999999 would be worked out, digit by digit.
_CHANCE = re.compile(r"[0-9]{1,40}/[0-9]{1,40}|[0-9]{0,40}\.?[0-9]{0,40}(?:[eE]-?[0-9]{1,2})?")


def read_chance(text: str) -> Fraction:
    """A chance strictly between 0 and 1 as somebody writes it, ``0.2`` or ``1/5``; ValueError for anything else."""
    try:
        found = Fraction(text if _CHANCE.fullmatch(text) else "")
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found < 1:
        raise ValueError(f"found {shortened(text)}, expected a number between 0 and 1 such as 0.2 or 1/5")
    return found


def called(name: str, value: T) -> T:
    """The value, once it is known to be something that can be called, or None."""
    if value is None or callable(value):
        return value
    raise TypeError(f"found {name} of type {type(value).__name__}, expected something that can be called")


def flag(name: str, value: object) -> None:
    """Raise TypeError unless a value is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"found {name}={value!r}, expected True or False")


def seed(name: str, value: Any) -> int:
    """The key of a stream of random numbers, or its number."""
    return whole(name, value, 0, LARGEST_SEED)


def one_of(name: str, value: object, known: Sequence[object]) -> None:
    """Raise ValueError unless a value is among those known; None stands for "not given" and is not listed."""
    if not any(value is each or (isinstance(value, type(each)) and value == each) for each in known):
        expected = ", ".join(str(each) for each in known if each is not None)
        raise ValueError(f"found {name}={value!r}, expected one of {expected}")


def cells(name: str, value: Any) -> frozenset[tuple[int, int]]:
    """Several cells, each once, from any collection of them."""
    try:
        found = frozenset(value)
        rows, columns = zip(*found, strict=True) if found else ((), ())
        if not found or ({*map(type, found)}, {*map(type, rows), *map(type, columns)}) == ({tuple}, {int}):
            return found  # known without a loop in Python: layouts have many mines, and are many
    except (TypeError, ValueError):  # not a collection, or one of lists, or of other than pairs
        pass
    try:
        return frozenset(cell(name, each) for each in value)
    except TypeError:
        raise TypeError(f"found {name}={shortened(value)}, expected cells (row, column)") from None


def shortened(value: object) -> str:
    """A found value in an error, cut where it is long."""
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"


def cell(name: str, value: Any) -> tuple[int, int]:
    """A cell: two whole numbers, as a tuple or, as JSON has it, a list."""
    try:
        row, column = (whole(name, part) for part in value)
    except (TypeError, ValueError):
        raise TypeError(f"found {name}={value!r}, expected a cell (row, column)") from None
    return row, column
