"""SVG to PNG with resvg (extra ``image``): fast, and the same on every system except for the fonts."""

from __future__ import annotations

from functools import cache
from typing import Any

from mineproof.base import extras
from mineproof.pictures.style import FONT

MAX_SCALE = 16  # pixels per unit
INSTALL = "mineproof[image]"
NO_FONT = "A PNG needs a font: install one (Debian: apt install fonts-dejavu-core), or save an SVG."

_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">'
    f'<text y="18" font-size="20" font-family="{FONT}">{{}}</text></svg>'
)  # with the fonts of pictures: resvg does not substitute other families


def rasterise(text: str, scale: float) -> bytes:
    """Return an SVG as PNG; raise ImportError without resvg, RuntimeError without a font."""
    engine = _engine()
    if not _has_font():
        raise RuntimeError(NO_FONT)
    return bytes(engine.svg_to_bytes(svg_string=text, zoom=scale))


def _engine() -> Any:
    return extras.load("resvg_py", INSTALL, "PNG")


@cache
def _has_font() -> bool:
    """Does text leave pixels? Without a font resvg silently omits it."""
    engine = _engine()
    return bytes(engine.svg_to_bytes(svg_string=_PROBE.format("8"))) != bytes(
        engine.svg_to_bytes(svg_string=_PROBE.format(""))
    )
