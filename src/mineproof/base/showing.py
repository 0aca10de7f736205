"""What notebooks and rich terminals show of an object: its picture.

Boards and games do not know how they are drawn: whoever draws says so here, once, and is asked when somebody wants to
see something.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Drawn(Protocol):
    """A picture."""

    @property
    def svg(self) -> str: ...

    def __rich__(self) -> Any: ...


class Painter:
    """Who draws; nobody until `mineproof` is imported, which is before anything in it is."""

    draw: Callable[[object], Drawn]


class Shown:
    """A class whose objects `mineproof.draw` can draw alone; what is too large for a picture is shown as its repr."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        try:
            return Painter.draw(self).svg
        except ValueError:
            return None

    def __rich__(self) -> Any:
        try:
            return Painter.draw(self).__rich__()
        except ValueError:
            return repr(self)
