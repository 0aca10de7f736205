"""Straighten photographs and scans of a screen: turned by some degrees, or taken at an angle.

Edges of a screen are level or upright. The angle of a turned picture is the median direction of its nearly level edges,
if the nearly upright ones agree. In a photograph taken at an angle, upright edges lean more the further right they are,
or level ones the further down they are. Medians over strips of the picture show how much more: the edges on its four
sides give the projection to undo. Beyond `MAX_DEGREES` a picture is refused, because cells overlap too far.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import BoardSyntaxError
from mineproof.screens.pixels import Pixels

LEAST_DEGREES = 0.25  # smaller angles do not matter
MAX_DEGREES = 4.0  # larger angles are refused
MAX_LEAN = 8.0  # degrees by which the edges on both sides of a picture may differ
LEAST_LEAN = 0.8  # smaller differences do not matter
SEARCHED_DEGREES = 12.0
AGREEMENT = 0.35  # degrees by which both directions may differ, and a tenth of the angle
STRONG = 40.0  # change of brightness of an edge that counts
MIN_EDGES = 300  # pixels of either direction
SIDE = 1000  # longest side of the picture that is looked at
STRIPS = 8  # parts of a picture in which directions are compared
MIN_STRIPS = 5  # of these must have edges
STRIP_EDGES = 60  # pixels of edges in a strip
STRAY = 0.4  # degrees by which the median of a strip may differ from the line through most
LEVEL = 0.02  # degrees of a strip whose edges do not lean
MAX_LEVEL_STRIPS = 2  # of a picture taken at an angle
PASSES = 2  # smooth edges make angles seem a little smaller, so they are measured again

Floats = NDArray[np.floating]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Lean:
    """Degrees by which edges lean in the middle, and how much more at the far side than at the near one."""

    middle: float
    difference: float


@dataclass(frozen=True, slots=True)
class Warp:
    """How a picture was straightened: ``matrix`` takes places of the straight picture to places of the original.

    ``degrees`` is the angle of a picture that was only turned, 0 if it was taken at an angle.
    """

    matrix: Floats
    degrees: float

    def box_before(self, box: Box, scale: int) -> Box:
        """The box around a box of the straight picture, in the original picture, ``scale`` times as large."""
        corners = [(x / scale, y / scale) for x in (box[0], box[2]) for y in (box[1], box[3])]
        places = scale * project(self.matrix, np.array(corners))
        (left, top), (right, bottom) = places.min(0), places.max(0)
        return float(left), float(top), float(right), float(bottom)


def project(matrix: Floats, places: Floats) -> Floats:
    """Places (n, 2) after a projection."""
    x, y, w = np.einsum("ij,nj->in", matrix, np.concatenate([places, np.ones((len(places), 1))], 1))
    return np.stack([x / w, y / w], 1)


def turned_by(pixels: Pixels) -> float:
    """Return by how many degrees a picture is turned clockwise; 0 if it is straight or no angle is clear."""
    upright, level = (_median_angle(*edges[:2]) for edges in _edges(pixels))
    return _turned_by(upright, level)


def _turned_by(upright: float | None, level: float | None) -> float:
    if upright is None or level is None or abs(upright - level) > AGREEMENT + 0.1 * abs(level):
        return 0.0
    angle = (upright + level) / 2
    return angle if abs(angle) >= LEAST_DEGREES else 0.0


def _edges(pixels: Pixels) -> tuple[tuple[Floats, Floats, int], tuple[Floats, Floats, int]]:
    """Changes of brightness at upright edges and at level ones: across the edge, along it, and the axis across."""
    step = max(1, max(pixels.shape[:2]) // SIDE)
    green = pixels[: len(pixels) // step * step, : pixels.shape[1] // step * step, 1]
    grey = green.reshape(len(green) // step, step, -1, step).mean((1, 3), dtype=np.float32)
    smooth_across, smooth_down = _smooth(grey.T).T, _smooth(grey)
    across, down = smooth_across[1:-1, 2:] - smooth_across[1:-1, :-2], smooth_down[2:, 1:-1] - smooth_down[:-2, 1:-1]
    return (across, down, 1), (down, -across, 0)


def _smooth(grey: Floats) -> Floats:
    """Smoothed across the direction of a difference along the first axis."""
    padded = np.pad(grey, ((0, 0), (1, 1)), mode="edge")
    smooth: Floats = (padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]) / 4
    return smooth


def _is_strong(along: Floats, beside: Floats) -> NDArray[np.bool_]:
    """Where edges are strong, and nearly upright (or level)."""
    strong: NDArray[np.bool_] = (np.abs(along) > STRONG) & (
        np.abs(beside) < np.tan(np.radians(SEARCHED_DEGREES)) * np.abs(along)
    )
    return strong


def _median_angle(along: Floats, beside: Floats) -> float | None:
    """The median direction, in degrees, of strong edges that change mostly ``along``; None if there are few."""
    strong = _is_strong(along, beside)
    if strong.sum() < MIN_EDGES:
        return None
    return float(np.degrees(np.median(np.arctan(beside[strong] / along[strong]))))


def _lean(along: Floats, beside: Floats, axis: int) -> Lean | None:
    """How edges lean, as a line through the medians of most strips along ``axis``; None if these are not on a line."""
    strong = _is_strong(along, beside)
    places = np.nonzero(strong)[axis] / strong.shape[axis] - 0.5
    if len(places) < MIN_EDGES:
        return None
    angles = np.degrees(np.arctan(beside[strong] / along[strong]))
    strips = np.minimum((places + 0.5) * STRIPS, STRIPS - 1).astype(int)
    known = [strip for strip in range(STRIPS) if (strips == strip).sum() >= STRIP_EDGES]
    if len(known) < MIN_STRIPS:
        return None
    middles = np.array([places[strips == strip].mean() for strip in known])
    medians = np.array([np.median(angles[strips == strip]) for strip in known])
    pairs = np.triu_indices(len(known), 1)
    slopes = np.subtract.outer(medians, medians)[pairs] / np.subtract.outer(middles, middles)[pairs]
    slope = float(np.median(slopes))
    middle = float(np.median(medians - slope * middles))
    fitting = np.abs(medians - middle - slope * middles) < STRAY
    if fitting.sum() < MIN_STRIPS:
        return None
    if (np.abs(medians) < LEVEL).sum() > MAX_LEVEL_STRIPS:  # what leans there is a part of a straight screen
        return Lean(0.0, 0.0)
    slope, middle = (float(part) for part in np.polyfit(middles[fitting], medians[fitting], 1))
    return Lean(middle, slope)


def straighten(pixels: Pixels) -> tuple[Pixels, Warp | None]:
    """Return the picture turned back, and how that was done, None if it was straight.

    Raises BoardSyntaxError if the picture is turned too far, or taken at too large an angle.
    """
    matrix, degrees = np.eye(3), 0.0
    straight = pixels
    for _ in range(PASSES):
        upright, level = _edges(straight)
        step, angle = _projection(_lean(*upright), _lean(*level), straight), 0.0
        if step is None:
            angle = _turned_by(_median_angle(*upright[:2]), _median_angle(*level[:2]))
            if not angle:
                break
            step = _rotation(angle, straight)
        else:
            degrees = np.nan  # the whole is no turn
        matrix, degrees = np.einsum("ij,jk->ik", matrix, step), degrees + angle
        if abs(degrees) > MAX_DEGREES:
            raise BoardSyntaxError(
                f"the picture is turned by about {abs(degrees):.0f} degrees: straighten it to at most {MAX_DEGREES:.0f}"
            )
        straight = _apply(pixels, matrix)
    if straight is pixels:
        return pixels, None
    return straight, Warp(matrix, 0.0 if np.isnan(degrees) else degrees)


def _rotation(degrees: float, pixels: Pixels) -> Floats:
    """About the middle of a picture."""
    height, width = pixels.shape[:2]
    cosine, sine = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    x, y = width / 2, height / 2
    return np.array([[cosine, -sine, x - cosine * x + sine * y], [sine, cosine, y - sine * x - cosine * y], [0, 0, 1]])


def _projection(upright: Lean | None, level: Lean | None, pixels: Pixels) -> Floats | None:
    """From the straight picture to this one, if edges lean differently on two of its sides."""
    if upright is None or level is None or max(abs(upright.difference), abs(level.difference)) < LEAST_LEAN:
        return None
    if max(abs(upright.middle), abs(level.middle)) > MAX_DEGREES:
        return None  # refused as turned too far, if both agree
    if max(abs(upright.difference), abs(level.difference)) > MAX_LEAN:
        raise BoardSyntaxError(
            "the picture is taken at too large an angle: take it from straight ahead, or make a screenshot"
        )
    height, width = pixels.shape[:2]
    straight, leaning = [], []
    for across in (-0.5, 0.5):
        for down in (-0.5, 0.5):
            by_column = np.tan(np.radians(upright.middle + across * upright.difference))
            by_row = np.tan(np.radians(level.middle + down * level.difference))
            # x = across * width - by_column * y, y = down * height + by_row * x, from the middle of the picture
            x = (across * width - by_column * down * height) / (1 + by_column * by_row)
            straight.append((across * width + width / 2, down * height + height / 2))
            leaning.append((x + width / 2, down * height + by_row * x + height / 2))
    return _matrix(np.array(straight), np.array(leaning))


def _matrix(before: Floats, after: Floats) -> Floats:
    """The projection that takes four places to four others."""
    rows, values = [], []
    for (x, y), (u, v) in zip(before, after, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(values)), 1).reshape(3, 3)


def _apply(pixels: Pixels, matrix: Floats) -> Pixels:
    """The straight picture, of the same size."""
    from PIL import Image

    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    fill = tuple(int(part) for part in np.median(rim, 0))
    height, width = pixels.shape[:2]
    values = (matrix / matrix[2, 2]).ravel()[:8].tolist()
    picture = Image.fromarray(pixels)
    return np.asarray(
        picture.transform(
            (width, height), Image.Transform.PERSPECTIVE, values, Image.Resampling.BICUBIC, fillcolor=fill
        )
    )
