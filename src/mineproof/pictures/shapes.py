"""The shapes of pictures, as paths of SVG: each around a middle, or around nothing for a group that is moved there."""

from __future__ import annotations

import math
from collections.abc import Callable

STAR = [
    ((0.45 if k % 2 else 1) * math.cos(k * math.pi / 5 - math.pi / 2),
     (0.45 if k % 2 else 1) * math.sin(k * math.pi / 5 - math.pi / 2))
    for k in range(10)
]  # fmt: skip


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def polygon(x: float, y: float, corners: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x + px)} {number(y + py)}" for px, py in corners) + "z"


def _flag_pole(x: float, y: float) -> str:
    return f"M{number(x - 4.5)} {number(y - 9)}h2.3v18h-2.3zM{number(x - 8)} {number(y + 8)}h9.6v2.3h-9.6z"


def _flag_cloth(x: float, y: float) -> str:
    return f"M{number(x - 3)} {number(y - 9.6)}l11.5 5.8l-11.5 5.8z"


def _disc(x: float, y: float, radius: float) -> str:
    half = f"a{radius} {radius} 0 1 0"
    return f"M{number(x - radius)} {number(y)}{half} {2 * radius} 0{half} {-2 * radius} 0z"


def _spikes(x: float, y: float) -> str:
    return (
        f"M{number(x - 10.5)} {number(y)}h21M{number(x)} {number(y - 10.5)}v21"
        f"M{number(x - 7.4)} {number(y - 7.4)}l14.8 14.8M{number(x + 7.4)} {number(y - 7.4)}l-14.8 14.8"
    )


def _cross(x: float, y: float, reach: float) -> str:
    return (
        f"M{number(x - reach)} {number(y - reach)}l{2 * reach} {2 * reach}"
        f"M{number(x + reach)} {number(y - reach)}l{-2 * reach} {2 * reach}"
    )


def _tick(x: float, y: float) -> str:
    return f"M{number(x - 6.5)} {number(y)}l4.9 4.9l8.1 -9.8"


Shape = Callable[[float, float], str]
SIGNS: dict[str, Shape] = {"safe": _tick, "mine": lambda x, y: _cross(x, y, 5.5)}
TOLD = {"safe": "tick", "mine": "cross"}
_FLAG: list[tuple[str, Shape]] = [("pole", _flag_pole), ("cloth", _flag_cloth)]
_MINE: list[tuple[str, Shape]] = [("body", lambda x, y: _disc(x, y, 7)), ("line spikes", _spikes)]
FIGURES: dict[str, list[tuple[str, Shape]]] = {  # by their signs, each part with its class
    "flag": _FLAG,
    "wrong": [*_FLAG, ("line cross", lambda x, y: _cross(x, y, 10))],
    "mine": _MINE,
    "exploded": _MINE,
}


def scaled(x: float, y: float, size: float, sign: str, on: str) -> str:
    parts = "".join(f'<path class="{name}{on}" d="{piece(0, 0)}"/>' for name, piece in FIGURES[sign])
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(size)})">{parts}</g>'
