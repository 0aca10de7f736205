"""The colours of pictures, light and dark: those of the page, but for edges, which are darker on light paper.

Text on a cell has a contrast of 4.5 to 1 at least, and so have signs. Rings have 3 to 1, and so have the edges of
covered cells against open ones. Odds go from blue over pale to orange, two hues that colour-blind people tell apart,
and are written in the cells. Their colours are the same in both themes, and what stands on them is dark in both.
"""

from __future__ import annotations

from typing import Literal, get_args

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[Theme, ...] = get_args(Theme)

COLOURS: dict[str, tuple[str, str]] = {  # light, dark
    "paper": ("#ffffff", "#0f141b"),
    "ink": ("#16202e", "#e7edf5"),
    "quiet": ("#566274", "#9fadbf"),
    "covered": ("#b4c2d3", "#3b4a5e"),
    "covered-edge": ("#7f90a8", "#5d7089"),
    "open": ("#f9fbfd", "#1a222d"),
    "open-edge": ("#d5dde8", "#2a3544"),
    "flag": ("#9a0d18", "#ff9c9c"),
    "pole": ("#1b2533", "#eef3fa"),
    "mine": ("#1b2533", "#e7edf5"),
    "exploded": ("#c01722", "#c01722"),
    "safe": ("#07501f", "#8df0b0"),
    "wrong": ("#930a15", "#ffb6ae"),
    "because": ("#1746d1", "#6ea8ff"),
    "best": ("#5f17a3", "#d9b3ff"),
    "guess": ("#b54100", "#ffb057"),
    "n1": ("#1a4fd6", "#82b1ff"),
    "n2": ("#1b6e2c", "#7fd694"),
    "n3": ("#c3202b", "#ff8c8c"),
    "n4": ("#5b2394", "#cda2ff"),
    "n5": ("#8c3a09", "#f0a875"),
    "n6": ("#0b6a74", "#66d4de"),
    "n7": ("#1b2533", "#e7edf5"),
    "n8": ("#5c6673", "#a9b4c2"),
}
ON_HEAT = "#14181f"  # can be read on all of it
ON_HEAT_RINGS = {"safe": "#07501f", "wrong": "#7d0811", "best": "#5f17a3"}
ON_EXPLODED = "#ffffff"
_HEAT = ((92, 156, 212), (160, 205, 230), (247, 237, 215), (246, 178, 112), (228, 116, 58))


def heat(chance: float) -> str:
    """The colour of a chance of a mine; a step for each hundredth, so that a picture has few."""
    place = min(max(round(chance, 2), 0.0), 1.0) * (len(_HEAT) - 1)
    low = min(int(place), len(_HEAT) - 2)
    mixed = (round(a + (b - a) * (place - low)) for a, b in zip(_HEAT[low], _HEAT[low + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
