"""Exact Minesweeper: what can be known about a position, how likely the rest is, and why.

>>> import mineproof as mp
>>> found = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
>>> sorted(found.mines), sorted(found.safe)
([(0, 0), (0, 4)], [(0, 2)])
>>> print(mp.hint(mp.Board.parse("#1#1#", total_mines=2)).level(3))
(0,4) is a mine: flag it.

What is public is listed once, with its room, in ``__init__.pyi``. A name is imported when it is first used, so that
``import mineproof`` costs next to nothing and a program loads the rooms it walks through.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from mineproof.base.showing import Painter
from mineproof.version import VERSION

__version__ = VERSION

_LISTED = re.compile(r"^from (mineproof[\w.]*) import (\w+) as \2$", re.MULTILINE)
_ROOMS = {name: room for room, name in _LISTED.findall(Path(__file__).with_suffix(".pyi").read_text("utf-8"))}

__all__ = sorted(_ROOMS)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    value = import_module(f"{room}.{name}") if room == "mineproof" else getattr(import_module(room), name)
    globals()[name] = value  # so that this is asked once
    return value


def _draw(what: object) -> Any:
    """For notebooks: the room of pictures is loaded when the first one is wanted."""
    return __getattr__("draw")(what)  # type: ignore[operator]


Painter.draw = staticmethod(_draw)


def __dir__() -> list[str]:
    return __all__
