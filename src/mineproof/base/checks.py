"""Arguments as they must be: a wrong type is a TypeError, a wrong value a ValueError; both say what was expected."""

from __future__ import annotations

from collections.abc import Sequence
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


def seed(name: str, value: Any) -> int:
    """The key of a stream of random numbers, or its number."""
    return whole(name, value, 0, LARGEST_SEED)


def one_of(name: str, value: object, known: Sequence[object]) -> None:
    """Raise ValueError unless a value is among those known; None stands for "not given" and is not listed."""
    if value not in known:
        expected = ", ".join(str(each) for each in known if each is not None)
        raise ValueError(f"found {name}={value!r}, expected one of {expected}")


def cell(name: str, value: Any) -> tuple[int, int]:
    """A cell: two whole numbers, as a tuple or, as JSON has it, a list."""
    try:
        row, column = (whole(name, part) for part in value)
    except (TypeError, ValueError):
        raise TypeError(f"found {name}={value!r}, expected a cell (row, column)") from None
    return row, column
