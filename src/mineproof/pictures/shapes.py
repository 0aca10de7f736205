"""The shapes of pictures as SVG paths: each around its centre, or around (0, 0) for a group that is moved."""

from __future__ import annotations

import math
from collections.abc import Callable

STAR = [
    ((0.45 if k % 2 else 1) * math.cos(k * math.pi / 5 - math.pi / 2),
     (0.45 if k % 2 else 1) * math.sin(k * math.pi / 5 - math.pi / 2))
    for k in range(10)
]  # fmt: skip


def coordinate(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def polygon(x: float, y: float, corners: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{coordinate(x + px)} {coordinate(y + py)}" for px, py in corners) + "z"


def _flag_pole(x: float, y: float) -> str:
    pole = f"M{coordinate(x - 4.5)} {coordinate(y - 9)}h2.3v18h-2.3z"
    return f"{pole}M{coordinate(x - 8)} {coordinate(y + 8)}h9.6v2.3h-9.6z"


def _flag_cloth(x: float, y: float) -> str:
    return f"M{coordinate(x - 3)} {coordinate(y - 9.6)}l11.5 5.8l-11.5 5.8z"


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius} {radius} 0 1 0"
    return f"M{coordinate(x - radius)} {coordinate(y)}{half} {2 * radius} 0{half} {-2 * radius} 0z"


def _spikes(x: float, y: float) -> str:
    return (
        f"M{coordinate(x - 10.5)} {coordinate(y)}h21M{coordinate(x)} {coordinate(y - 10.5)}v21"
        f"M{coordinate(x - 7.4)} {coordinate(y - 7.4)}l14.8 14.8M{coordinate(x + 7.4)} {coordinate(y - 7.4)}l-14.8 14.8"
    )


def _cross(x: float, y: float, reach: float) -> str:
    return (
        f"M{coordinate(x - reach)} {coordinate(y - reach)}l{2 * reach} {2 * reach}"
        f"M{coordinate(x + reach)} {coordinate(y - reach)}l{-2 * reach} {2 * reach}"
    )


def _tick(x: float, y: float) -> str:
    return f"M{coordinate(x - 6.5)} {coordinate(y)}l4.9 4.9l8.1 -9.8"


Shape = Callable[[float, float], str]
SIGNS: dict[str, Shape] = {"safe": _tick, "mine": lambda x, y: _cross(x, y, 5.5)}
CERTAINTY_LINES = {"safe": "tick", "mine": "cross"}
_FLAG: list[tuple[str, Shape]] = [("pole", _flag_pole), ("cloth", _flag_cloth)]
_MINE: list[tuple[str, Shape]] = [("body", lambda x, y: _disc(x, y, 7)), ("line spikes", _spikes)]
FIGURES: dict[str, list[tuple[str, Shape]]] = {  # by sign; every part has its class
    "flag": _FLAG,
    "wrong": [*_FLAG, ("line cross", lambda x, y: _cross(x, y, 10))],
    "mine": _MINE,
    "exploded": _MINE,
}


def scaled_figure(x: float, y: float, size: float, sign: str, on: str) -> str:
    parts = "".join(f'<path class="{name}{on}" d="{piece(0, 0)}"/>' for name, piece in FIGURES[sign])
    return f'<g transform="translate({coordinate(x)} {coordinate(y)}) scale({coordinate(size)})">{parts}</g>'
