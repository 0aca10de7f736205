"""The themes of pictures, and the colours of odds; `mineproof.base.colours` declares the colours."""

from __future__ import annotations

from typing import Literal, get_args

from mineproof.base.colours import HEAT_STOPS

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[Theme, ...] = get_args(Theme)


def heat(chance: float) -> str:
    """Return the colour of a chance of a mine, in steps of one per cent, so that a picture has few colours."""
    place = min(max(round(chance, 2), 0.0), 1.0) * (len(HEAT_STOPS) - 1)
    low = min(int(place), len(HEAT_STOPS) - 2)
    mixed = (round(a + (b - a) * (place - low)) for a, b in zip(HEAT_STOPS[low], HEAT_STOPS[low + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
