"""Shrink a list of reasons to a minimal part that still proves the same.

Large chunks are tried first, then halves of them, down to single items.

Cost: about twice the size of the result times log(items) calls of the predicate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shrink(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> list[T]:
    """Return a part of the items, in their order, for which ``holds`` is true and that needs all of its items.

    Items at the front are removed first. If ``holds`` returns false because time is up, the part is larger than needed.
    """
    needed = list(items)
    chunk = len(needed)
    while chunk:
        start = 0
        while start < len(needed):
            rest = needed[:start] + needed[start + chunk :]
            if holds(rest):
                needed = rest
            else:
                start += chunk
        chunk //= 2
    return needed
