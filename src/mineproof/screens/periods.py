"""Find distances at which a picture repeats itself: candidates for the pitch of a lattice, and where to look for it.

A board repeats its borders and figures in every cell. In a *tile*, a square part of the picture, the strength of edges
across an axis is summed over thin bands; the autocorrelation of such a profile peaks at the pitch and its multiples,
wherever the board begins. Bands are weighed alike, so a photograph beside the board does not drown it. Tiles overlap,
and the picture is taken at several scales, each for the pitches that fit a tile some five times.

Cost    One Fourier transform of 512 for each band and tile: some hundredths of a second for a full screen.
Tried   The spectrum of the whole picture: a small board on a large desktop is lost in it. A two-dimensional
        autocorrelation for each tile: twenty times the cost for the same candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.base.budget import Deadline
from mineproof.screens.pixels import Pixels

TILE = 256
STEP = 128
BAND = 8
SHORTEST = 8  # pixels of a pitch, at the scale of its tile
PER_SCALE = 3  # candidates at each scale
QUIET = 3  # differences below this are noise of compression
LEAST = 0.005  # of a score
LOUD = 60  # beyond this all edges are alike
NARROWEST, WIDEST = 0.42, 2.1  # a cell's width over its height
NEARLY_SQUARE = 1.25  # cells of most programs
OBLONG = 0.45  # weight of other cells
OBLONG_PER_SCALE = 1
ALONE = 0.1  # weight of a pitch that is seen along one axis only

Floats = NDArray[np.float32]
# The strength of an edge, by the difference of two bytes.
STRENGTHS: Floats = np.sqrt(np.clip(np.arange(256, dtype=np.float32) - QUIET, 0, LOUD) / LOUD)


@dataclass(frozen=True, slots=True)
class Period:
    """A pitch (width and height of a cell) seen in a tile (left, top, right, bottom), in pixels of the picture.

    ``scale`` is how many of these make a pixel of the picture that was looked at. ``is_placed`` says that cells begin
    where the tile does.
    """

    wide: float
    tall: float
    tile: tuple[int, int, int, int]
    score: float
    scale: int
    is_placed: bool = False

    @property
    def is_square(self) -> bool:
        """Are cells nearly as wide as high?"""
        return 1 / NEARLY_SQUARE <= self.wide / self.tall <= NEARLY_SQUARE

    def has_pitch_of(self, other: Period) -> bool:
        """Are the pitches of both periods nearly equal?"""
        return abs(self.wide / other.wide - 1) < 0.03 and abs(self.tall / other.tall - 1) < 0.03


def edges(pixels: Pixels) -> tuple[Floats, Floats]:
    """How strongly the picture changes to the right and downwards at each pixel, from 0 to 1."""
    return _edge(pixels, 1), _edge(pixels, 0)


def _edge(pixels: Pixels, axis: int) -> Floats:
    strength = np.zeros(pixels.shape[:2], np.float32)
    inner = strength[:, 1:] if axis == 1 else strength[1:]
    change = np.zeros(inner.shape, np.uint8)
    for colour in np.moveaxis(pixels, -1, 0):
        first, second = (colour[:, :-1], colour[:, 1:]) if axis == 1 else (colour[:-1], colour[1:])
        np.maximum(change, np.maximum(first, second) - np.minimum(first, second), out=change)
    np.take(STRENGTHS, change, out=inner)
    return strength


def halve(pixels: Pixels) -> Pixels:
    height, width = (side // 2 * 2 for side in pixels.shape[:2])
    half = np.empty((height // 2, width // 2, 3), np.uint8)
    for colour in range(3):  # one after the other takes less memory
        part = pixels[:height, :width, colour]
        sums = part[::2, ::2].astype(np.uint16)
        for other in (part[1::2, ::2], part[::2, 1::2], part[1::2, 1::2]):
            sums += other
        half[..., colour] = (sums + 2) // 4
    return half


def periods(pixels: Pixels, across: Floats, down: Floats, deadline: Deadline) -> Iterator[Period]:
    """Candidates that differ: the best at each scale, then the second ones, and so on; nearly square cells first.

    ``across`` and ``down`` are the `edges` of the picture. Raises BudgetExceeded when the deadline passes.
    """
    by_scale: list[list[Period]] = []
    scale = 1
    while min(pixels.shape[:2]) >= 4 * SHORTEST:
        by_scale.append(sorted(_at_scale(across, down, scale, deadline), key=lambda period: -period.score))
        if max(pixels.shape[:2]) <= TILE:
            break
        pixels, scale = halve(pixels), 2 * scale
        across, down = edges(pixels)
    yielded: list[Period] = []
    for is_square, most in ((True, PER_SCALE), (False, OBLONG_PER_SCALE)):
        groups = [[period for period in candidates if period.is_square == is_square] for candidates in by_scale]
        groups.sort(key=lambda periods: -periods[0].score if periods else 0.0)
        for candidates in groups * most:
            fresh = next((period for period in candidates if not any(map(period.has_pitch_of, yielded))), None)
            if fresh is not None:
                yielded.append(fresh)
                yield fresh


def _starts(length: int) -> Iterator[int]:
    if length <= TILE:
        yield 0
        return
    count = -(-(length - TILE) // STEP) + 1
    yield from (round(k * (length - TILE) / max(1, count - 1)) for k in range(count))


def _at_scale(across: Floats, down: Floats, scale: int, deadline: Deadline) -> Iterator[Period]:
    height, width = across.shape
    for top in _starts(height):
        deadline.check()
        for left in _starts(width):
            part = slice(top, min(height, top + TILE)), slice(left, min(width, left + TILE))
            tile = left * scale, top * scale, part[1].stop * scale, part[0].stop * scale
            wide, tall = _repeats(across[part]), _repeats(down[part].T)
            yield from _pair_pitches(wide, tall, tile, scale)


def _repeats(strength: Floats) -> list[tuple[float, float]]:
    """Distances along the second axis at which a tile repeats itself, with how well it does."""
    rows, length = strength.shape
    bands = strength[: rows // BAND * BAND].reshape(-1, BAND, length).mean(1)
    bands = bands - bands.mean(1, keepdims=True)
    energy = (bands**2).sum(1)
    if not len(bands) or energy.max() < 1e-3:
        return []
    spectrum = np.fft.rfft(bands, 2 * TILE)
    products = np.fft.irfft(np.abs(spectrum) ** 2, 2 * TILE)[:, : length * 2 // 3]
    lags = np.arange(products.shape[1])
    share = products / (energy[:, None] + 0.05 * energy.max() + 1e-6) * (length / (length - lags))
    return _peaks(share.mean(0))


def _peaks(curve: NDArray[np.floating]) -> list[tuple[float, float]]:
    """Pitches whose multiples stand out of what lies between them."""
    last = len(curve) - 2
    peaks = []
    for lag in range(SHORTEST, last // 2):
        if not (curve[lag] >= curve[lag - 1] and curve[lag] > curve[lag + 1]):
            continue
        place = lag + _offset(curve[lag - 1 : lag + 2])
        score = _comb(curve, place)
        if score > LEAST:
            peaks.append((place, score))
    peaks.sort(key=lambda one: -one[1])
    return peaks[:6]


def _offset(three: NDArray[np.floating]) -> float:
    """Where between three values their parabola peaks."""
    bend = float(three[0] - 2 * three[1] + three[2])
    return 0.0 if bend >= 0 else float(np.clip(0.5 * (three[0] - three[2]) / bend, -0.5, 0.5))


def _comb(curve: NDArray[np.floating], pitch: float) -> float:
    """How high the curve is at multiples of the pitch, less how high it is half way between them."""
    count = min(4, int((len(curve) - 2) / pitch))
    at = np.arange(1, count + 1) * pitch
    xs = np.arange(len(curve))
    on = np.interp(at, xs, curve)
    off = np.interp(at - pitch / 2, xs, curve)
    return float(min(on.mean(), 2 * on.min() + 0.1) - 0.5 * off.mean())


def _pair_pitches(
    wide: list[tuple[float, float]], tall: list[tuple[float, float]], tile: tuple[int, int, int, int], scale: int
) -> Iterator[Period]:
    """Cells are close to squares in most programs, so the pitches of both axes go together.

    The other axis may show none: few digits and no lines.
    """
    for across, first in wide:
        for down, second in tall:
            if NARROWEST <= across / down <= WIDEST:
                uneven = abs(float(np.log(across / down)))
                even = 1 - 2 * uneven if uneven <= np.log(NEARLY_SQUARE) else OBLONG
                score = (min(first, second) + 0.3 * max(first, second)) * even
                yield Period(across * scale, down * scale, tile, score, scale)
    for pitch, strength in (*wide[:1], *tall[:1]):
        yield Period(pitch * scale, pitch * scale, tile, ALONE * strength, scale)
