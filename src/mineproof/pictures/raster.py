"""SVG to PNG, by resvg (extra ``image``): quick, the same on every system but for the fonts it finds."""

from __future__ import annotations

from functools import cache
from typing import Any

from mineproof.base import extras
from mineproof.pictures.style import FONT

LARGEST_SCALE = 16  # pixels for a unit
INSTALL = "mineproof[image]"
NO_FONT = "found no font, expected one for the words of a PNG (Debian: apt install fonts-dejavu-core); SVG needs none"

_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    f'<text y="18" font-size="20" font-family="{FONT}">{{}}</text></svg>'
)  # in the fonts of pictures: a system may have one of them, and none that goes by the name of another family


def rasterise(text: str, scale: float) -> bytes:
    """The pixels of an SVG; ImportError without resvg, RuntimeError without a font."""
    engine = _engine()
    if not _writes():
        raise RuntimeError(NO_FONT)
    return bytes(engine.svg_to_bytes(svg_string=text, zoom=scale))


def _engine() -> Any:
    return extras.load("resvg_py", INSTALL, "PNG")


@cache
def _writes() -> bool:
    """Does text leave a trace? Without a font it is silently left out."""
    engine = _engine()
    return bytes(engine.svg_to_bytes(svg_string=_PROBE.format("8"))) != bytes(
        engine.svg_to_bytes(svg_string=_PROBE.format(""))
    )
