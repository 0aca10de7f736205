"""Few reasons instead of many: a part of what proves something, of which nothing can be spared.

Large chunks are tried first, then halves of them, down to single items.

Cost: about twice the size of the answer times log(items) questions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def shrink(items: Sequence[T], holds: Callable[[Sequence[T]], bool]) -> list[T]:
    """A part of the items, in their order, of which ``holds`` is true and of which no item can be spared.

    Items at the front are tried first. If ``holds`` starts to say no because time is up, the part is only larger.
    """
    needed = list(items)
    chunk = len(needed)
    while chunk:
        at = 0
        while at < len(needed):
            rest = needed[:at] + needed[at + chunk :]
            if holds(rest):
                needed = rest
            else:
                at += chunk
        chunk //= 2
    return needed
