"""Exact Minesweeper analysis: certain cells, exact mine probabilities, and the reasons for them.

>>> import mineproof as mp
>>> analysis = mp.analyze(mp.Board.parse("#1#1#", total_mines=2))
>>> sorted(analysis.mines), sorted(analysis.safe)
([(0, 0), (0, 4)], [(0, 2)])
>>> print(mp.hint(mp.Board.parse("#1#1#", total_mines=2)).level(3))
(0,4) is a mine. Flag it.

``__init__.pyi`` lists the public names with their modules. A name is imported on first use, so that ``import
mineproof`` is fast and a program loads only the modules it needs.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from mineproof.base.notebook import Painter
from mineproof.board.other_boards import RuleReader
from mineproof.version import VERSION

__version__ = VERSION


def _read_public_names() -> dict[str, str]:
    """Return the module of each public name, as the stub imports them: one name in a line."""
    modules = {}
    for line in Path(__file__).with_suffix(".pyi").read_text("utf-8").splitlines():
        match line.split():
            case ["from", module, "import", name, "as", _]:
                modules[name] = module
    return modules


_ROOMS = _read_public_names()

__all__ = sorted(_ROOMS)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    room = _ROOMS.get(name)
    if room is None:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    value = import_module(f"{room}.{name}") if room == "mineproof" else getattr(import_module(room), name)
    globals()[name] = value  # the next access does not call this function
    return value


def _draw_picture(value: object) -> Any:
    """Draw a value for a notebook; the module is loaded for the first picture."""
    return __getattr__("draw")(value)  # type: ignore[operator]


def _read_rules(*arguments: Any, **options: Any) -> Any:
    """Read a board of a variant; the module is loaded for the first one."""
    return import_module("mineproof.variants.variant_board").VariantBoard.parse(*arguments, **options)


Painter.draw = staticmethod(_draw_picture)
RuleReader.read = staticmethod(_read_rules)


def __dir__() -> list[str]:
    return __all__
