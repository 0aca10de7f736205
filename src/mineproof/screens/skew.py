"""Find out by how much a picture is turned, and turn it back: photographs and scans of a screen.

Edges of a screen are level or upright. The angle of a picture is the median direction of its nearly level edges, if the
nearly upright ones agree. Beyond `MAX_DEGREES` a picture is refused, because cells overlap too far.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import BoardSyntaxError
from mineproof.screens.pixels import Pixels

LEAST_DEGREES = 0.25  # smaller angles do not matter
MAX_DEGREES = 4.0  # larger angles are refused
SEARCHED_DEGREES = 12.0
AGREEMENT = 0.35  # degrees by which both directions may differ, and a tenth of the angle
STRONG = 40.0  # change of brightness of an edge that counts
MIN_EDGES = 300  # pixels of either direction
SIDE = 1000  # longest side of the picture that is looked at

Floats = NDArray[np.floating]
Box = tuple[float, float, float, float]


def turned_by(pixels: Pixels) -> float:
    """Return by how many degrees a picture is turned clockwise; 0 if it is straight or no angle is clear."""
    step = max(1, max(pixels.shape[:2]) // SIDE)
    green = pixels[: len(pixels) // step * step, : pixels.shape[1] // step * step, 1]
    grey = green.reshape(len(green) // step, step, -1, step).mean((1, 3), dtype=np.float32)
    smooth_across, smooth_down = _smooth(grey.T).T, _smooth(grey)
    across, down = smooth_across[1:-1, 2:] - smooth_across[1:-1, :-2], smooth_down[2:, 1:-1] - smooth_down[:-2, 1:-1]
    upright = _median_angle(across, down)
    level = _median_angle(down, -across)
    if upright is None or level is None or abs(upright - level) > AGREEMENT + 0.1 * abs(level):
        return 0.0
    angle = (upright + level) / 2
    return angle if abs(angle) >= LEAST_DEGREES else 0.0


def _smooth(grey: Floats) -> Floats:
    """Smoothed across the direction of a difference along the first axis."""
    padded = np.pad(grey, ((0, 0), (1, 1)), mode="edge")
    smooth: Floats = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
    return smooth


def _median_angle(along: Floats, beside: Floats) -> float | None:
    """The median direction, in degrees, of strong edges that change mostly ``along``; None if there are few."""
    strong = (np.abs(along) > STRONG) & (np.abs(beside) < np.tan(np.radians(SEARCHED_DEGREES)) * np.abs(along))
    if strong.sum() < MIN_EDGES:
        return None
    return float(np.degrees(np.median(np.arctan(beside[strong] / along[strong]))))


def straighten(pixels: Pixels) -> tuple[Pixels, float]:
    """Return the picture turned back, and the degrees by which it was turned.

    Smooth edges make the angle seem a little smaller, so it is measured again. Raises BoardSyntaxError if the picture
    is turned too far.
    """
    degrees = turned_by(pixels)
    if not degrees:
        return pixels, 0.0
    degrees += turned_by(_turn_back(pixels, degrees))
    return _turn_back(pixels, degrees), degrees


def _turn_back(pixels: Pixels, degrees: float) -> Pixels:
    """The picture turned about its middle."""
    from PIL import Image

    if abs(degrees) > MAX_DEGREES:
        raise BoardSyntaxError(
            f"the picture is turned by about {abs(degrees):.0f} degrees: straighten it to at most {MAX_DEGREES:.0f}"
        )
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    fill = tuple(int(part) for part in np.median(rim, 0))
    return np.asarray(Image.fromarray(pixels).rotate(degrees, Image.Resampling.BICUBIC, fillcolor=fill))


def box_before(box: Box, pixels: Pixels, degrees: float, scale: int) -> Box:
    """The box around a box of the straightened picture, in the picture as it came, ``scale`` times as large."""
    middle_x, middle_y = scale * pixels.shape[1] / 2, scale * pixels.shape[0] / 2
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    corners = [(x - middle_x, y - middle_y) for x in (box[0], box[2]) for y in (box[1], box[3])]
    xs = [x * cosine - y * sine + middle_x for x, y in corners]
    ys = [x * sine + y * cosine + middle_y for x, y in corners]
    return float(min(xs)), float(min(ys)), float(max(xs)), float(max(ys))
