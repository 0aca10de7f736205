"""Pictures of objects in notebooks and rich terminals.

Boards and games do not know how they are drawn. `mineproof` sets `Painter.draw` when it is imported.
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
    """The function that draws objects, set when `mineproof` is imported."""

    draw: Callable[[object], Drawn]


class Shown:
    """A class whose objects `mineproof.draw` can draw. An object too large for a picture is shown as its repr."""

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
