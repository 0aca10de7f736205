"""Results that hold arrays, compared as values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def all_equal(first: Iterable[object], second: Iterable[object]) -> bool:
    """Are the values of two results equal, one by one? NaN in an array is equal to NaN."""
    return all(_equal(one, other) for one, other in zip(first, second, strict=True))


def _equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == other.dtype.kind == "f")
    return bool(one == other)
