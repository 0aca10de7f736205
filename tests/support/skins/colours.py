"""Colours of looks: random ones that can be distinguished, and the palettes that most programs use for digits."""

from __future__ import annotations

import colorsys

import numpy as np

Colour = tuple[int, int, int]
CLASSIC = ("0000ff", "008000", "ff0000", "000080", "800000", "008080", "000000", "808080")
MODERN = ("1976d2", "388e3c", "d32f2f", "7b1fa2", "ff8f00", "0097a7", "424242", "9e9e9e")
NIGHT = ("7cc7ff", "66c266", "ff7788", "ee88ff", "ddaa22", "66cccc", "d0d0d0", "8a94a0")
SOFT = ("b6d94c", "00c8f8", "7ccf8a", "f0a030", "e06080", "9060d0", "60a0a0", "a0a0b0")


def parse(text: str) -> Colour:
    return int(text[:2], 16), int(text[2:4], 16), int(text[4:], 16)


def brightness(colour: Colour) -> float:
    red, green, blue = colour
    return (0.3 * red + 0.59 * green + 0.11 * blue) / 255


def shade(colour: Colour, share: float) -> Colour:
    """Towards white for a positive share, towards black for a negative one."""
    goal = 255 if share > 0 else 0
    red, green, blue = (round(part + (goal - part) * abs(share)) for part in colour)
    return red, green, blue


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round(a * (1 - share) + b * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def random_colour(rng: np.random.Generator, low: float = 0.0, high: float = 1.0, vivid: float = 0.7) -> Colour:
    """A colour whose brightness lies between ``low`` and ``high``."""
    for _ in range(60):
        saturation = rng.uniform(0, vivid) if rng.random() < 0.6 else 0.0
        parts = colorsys.hsv_to_rgb(rng.random(), saturation, rng.uniform(low, 1))
        red, green, blue = (round(255 * part) for part in parts)
        if low <= brightness((red, green, blue)) <= high:
            return red, green, blue
    grey = round(255 * (low + high) / 2)
    return grey, grey, grey


def digit_colours(rng: np.random.Generator, ground: Colour) -> tuple[Colour, ...]:
    """Colours of 1 to 8 that can be seen on ``ground``."""
    kind = rng.random()
    if kind < 0.4:
        chosen = CLASSIC if brightness(ground) > 0.4 or rng.random() < 0.2 else NIGHT
    elif kind < 0.6:
        chosen = MODERN if brightness(ground) > 0.4 else NIGHT
    elif kind < 0.68:
        chosen = SOFT
    elif kind < 0.8:
        one = _seen(rng, ground)
        return (one,) * 8
    else:
        return tuple(_seen(rng, ground, vivid=1.0) for _ in range(8))
    return tuple(_lifted(parse(text), ground) for text in chosen)


def _seen(rng: np.random.Generator, ground: Colour, vivid: float = 0.5) -> Colour:
    light = brightness(ground)
    low, high = (0.0, light - 0.3) if light > 0.5 else (light + 0.3, 1.0)
    return random_colour(rng, max(0.0, low), min(1.0, max(high, low + 0.1)), vivid)


def _lifted(colour: Colour, ground: Colour) -> Colour:
    """The colour itself, or lighter or darker where it would vanish."""
    distance = max(abs(a - b) for a, b in zip(colour, ground, strict=True))
    if distance > 70:
        return colour
    return shade(colour, 0.55 if brightness(ground) < 0.5 else -0.6)
