"""Checks of arguments: they raise TypeError for a wrong type and ValueError for a wrong value."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from operator import index
from typing import Any, TypeVar

T = TypeVar("T")

LARGEST_SEED = 2**64 - 1


def instance(name: str, value: object, kind: type[T], instead: str = "") -> T:
    """Return the value if it is of a class, else raise TypeError; ``instead`` says how to get one."""
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    hint = f" ({instead})" if instead else ""
    raise TypeError(f"{name} must be {article} {kind.__name__}, got {type(value).__name__}{hint}")


def whole(name: str, value: Any, least: int | None = None, most: int | None = None) -> int:
    """Return a whole number within bounds: an int or an integer of NumPy, but no bool."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, got {value!r}") from None
    if (least is not None and number < least) or (most is not None and number > most):
        raise ValueError(f"{name} must be {_range(least, most)}, got {number}")
    return number


def _range(least: int | None, most: int | None) -> str:
    upper = "2**64 - 1" if most == LARGEST_SEED else f"{most}"
    return f"at least {least}" if most is None else f"at most {upper}" if least is None else f"from {least} to {upper}"


def number(name: str, value: Any, least: float) -> float:
    """Return a number that is at least a bound. Raises for NaN and text."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    converted = float(value)
    if not converted >= least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return converted


def any_number(name: str, value: Any) -> float:
    """Return any number, NaN included."""
    return math.nan if isinstance(value, float) and math.isnan(value) else number(name, value, -math.inf)


def chance(name: str, value: Any) -> Fraction:
    """Return a chance between 0 and 1 as an exact number; the float 0.2 is one fifth, not the double next to it."""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        raise TypeError(f"{name} must be a number between 0 and 1, got {value!r}")
    bounds: Any = value  # a Fraction may be closer to 0 or 1 than any float
    if (isinstance(value, Decimal) and not value.is_finite()) or not 0 < bounds < 1:
        raise ValueError(f"{name} must be more than 0 and less than 1, got {value}")
    if isinstance(value, Decimal):
        return _from_decimal(name, value)
    return value if isinstance(value, Fraction) else Fraction(repr(float(value)))


def _from_decimal(name: str, value: Decimal) -> Fraction:
    if len(value.as_tuple().digits) - int(value.as_tuple().exponent) > 2 * _MAX_DECIMAL_ZEROS:
        raise ValueError(f"{name} must have at most {2 * _MAX_DECIMAL_ZEROS} digits, got {shorten(value)}")
    return Fraction(value)


# The length is limited, because 1e-999999999 as a fraction would fill the memory with its digits.
_MAX_DECIMAL_ZEROS = 400  # behind the point: the smallest float is 5e-324
_CHANCE = re.compile(r"[0-9]{1,40}/[0-9]{1,40}|([0-9]{0,40}\.?[0-9]{0,40}(?:[eE][-+]?([0-9]{1,3}))?)( ?%)?")


def read_chance(text: str) -> Fraction:
    """Return a chance between 0 and 1 from ``0.2``, ``1/5`` or ``20%``; ValueError for anything else."""
    match = _CHANCE.fullmatch(text.strip())
    chance = Fraction(0)
    if match is not None and int(match[2] or 0) <= _MAX_DECIMAL_ZEROS:
        with suppress(ValueError, ZeroDivisionError):
            chance = Fraction(match[1] or match[0]) / (100 if match[3] else 1)
    if not 0 < chance < 1:
        raise ValueError(f"expected a number between 0 and 1 such as 0.2, 1/5 or 20%, got {shorten(text)}")
    return chance


def require_callable(name: str, value: T) -> T:
    """Return the value if it is callable or None."""
    if value is None or callable(value):
        return value
    raise TypeError(f"{name} must be callable, got {type(value).__name__}")


def flag(name: str, value: object) -> None:
    """Raise TypeError unless a value is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {value!r}")


def seed(name: str, value: Any) -> int:
    """Return a seed, or the number of a random stream."""
    return whole(name, value, 0, LARGEST_SEED)


def one_of(name: str, value: object, known: Sequence[object]) -> None:
    """Raise ValueError unless a value is one of those allowed; None means "not given" and is not listed."""
    if not any(value is choice or (isinstance(value, type(choice)) and value == choice) for choice in known):
        expected = ", ".join(str(choice) for choice in known if choice is not None)
        raise ValueError(f"{name} must be one of {expected}, got {value!r}")


def cells(name: str, value: Any) -> frozenset[tuple[int, int]]:
    """Return a set of cells from any collection of them."""
    try:
        unique = frozenset(value)
        rows, columns = zip(*unique, strict=True) if unique else ((), ())
        if not unique or ({*map(type, unique)}, {*map(type, rows), *map(type, columns)}) == ({tuple}, {int}):
            return unique  # checked without a loop in Python, because layouts have many mines
    except (TypeError, ValueError):  # not a collection of tuples of two
        pass
    try:
        return frozenset(cell(name, item) for item in value)
    except TypeError:
        raise TypeError(f"{name} must be cells (row, column), got {shorten(value)}") from None


def shorten(value: object) -> str:
    """Return a value for an error message, cut if it is long."""
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:80]}…"


def cell(name: str, value: Any) -> tuple[int, int]:
    """Return a cell: two whole numbers in a tuple, or in a list as JSON has it."""
    try:
        row, column = (whole(name, part) for part in value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a cell (row, column), got {value!r}") from None
    return row, column
