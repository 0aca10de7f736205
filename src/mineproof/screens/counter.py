"""The number of mines left that a program shows: red segments above the board, or a text beside it.

Lit segments above the board's left half stand in a row of digits. Which of the seven segments of each are lit gives the
number. Segments that are not lit may be seen or not, and other red things beside them do not matter. Anything that is
not clearly such a display is not read.

A text counts if it is a pair ("12/40") that goes with the flags on the board, or a number beside a word for mines, or
beside a picture of a flag or a mine. Times have a colon. Texts that contradict each other are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.base.budget import Deadline
from mineproof.screens import text
from mineproof.screens.lattice import Lattice, looks
from mineproof.screens.network import MARKS, log_probabilities
from mineproof.screens.pixels import Pixels, resize

ABOVE = 5  # cells above the board that are looked at
BELOW = 3  # and below it, for texts
TEXT_CELL = 40  # pixels of a cell in the picture that texts are looked for in
LARGEST_SCALE = 1.5  # of that picture
MINE_WORDS = ("m1nes", "m1ne", "m1nen", "m1nas", "b0mbs", "b0mb")  # letters that look like digits are digits
LEFT_WORDS = ("1eft", "rema1n1ng", "ubr1g")
SIGN_CHANCE = 0.8
LEAST_VOTES = 2  # levels of brightness at which a caption is read, and how often as often as another one
TORN = 0.7  # of the height of a number: a character as close may be a digit of it
MAX_SIGN_PARTS = 4  # characters that a picture of a flag seems to be
DIGITS = (2, 4)  # of a display, at least and at most
LIT = 170  # red of a segment that is lit
MIN_HEIGHT = 10  # pixels of a digit
NARROW, WIDE = 0.3, 0.85  # of its height: a 1 is narrower, a digit never wider
DARK = 90  # brightest colour of the ground
# Where each segment lies in a digit (top, bottom, left, right), in the order of the letters a to g.
ZONES: Final = (
    (0.0, 0.25, 0.3, 0.7), (0.18, 0.42, 0.6, 1.0), (0.58, 0.82, 0.6, 1.0), (0.75, 1.0, 0.3, 0.7),
    (0.58, 0.82, 0.0, 0.4), (0.18, 0.42, 0.0, 0.4), (0.36, 0.64, 0.3, 0.7),
)  # fmt: skip
LEVEL: Final = "adg"  # segments that lie
LIT_SHARE = 0.5  # of the length of a segment
SHAPES: Final = {
    "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4", "acdfg": "5", "acdefg": "6", "abc": "7",
    "abcdefg": "8", "abcdfg": "9", "g": "-",
}  # fmt: skip

Mask = NDArray[np.bool_]


def read_counter(pixels: Pixels, lattice: Lattice) -> int | None:
    """Mines left by the display above the left half of the board, or None."""
    x0, y0, x1, _ = lattice.box
    top, bottom = max(0, round(y0 - ABOVE * lattice.tall)), max(0, round(y0))
    left, right = max(0, round(x0 - lattice.wide)), max(0, round(x0 + 0.45 * (x1 - x0)))
    part = pixels[top:bottom, left:right].astype(np.int16)
    if part.shape[0] < 12 or part.shape[1] < 12:
        return None
    red, other = part[..., 0], part[..., 1:].max(-1)
    lit = (red > LIT) & (red > 2 * other + 20)
    dark = (part.max(-1) < DARK) | ((red > 2 * other) & (red <= LIT))
    for gap in sorted({1, round(0.12 * lattice.tall), round(0.25 * lattice.tall)}):  # upper and lower halves are apart
        for rows in _runs(lit, 1, gap):
            if rows.stop - rows.start < MIN_HEIGHT:
                continue
            for columns in _displays(lit[rows], rows.stop - rows.start):
                number = _number(lit[rows, columns], dark[rows, columns])
                if number is not None:
                    return number
    return None


@dataclass(frozen=True, slots=True)
class Caption:
    """A number beside the board: of mines left, or of mines (``is_left`` False: it may be either); or a pair."""

    number: int
    of: int | None = None
    is_left: bool = True


def captions(pixels: Pixels, lattice: Lattice, deadline: Deadline) -> list[Caption]:
    """Return the numbers in the texts above and below a board that may be the number of mines."""
    x0, y0, x1, y1 = lattice.box
    height, width = pixels.shape[:2]
    left, right = max(0.0, x0 - lattice.wide), min(float(width), x1 + lattice.wide)
    captions_read: list[Caption] = []
    for top, bottom in ((y0 - ABOVE * lattice.tall, y0), (y1, y1 + BELOW * lattice.tall)):
        deadline.check()
        top, bottom = max(0.0, top), min(float(height), bottom)  # noqa: PLW2901
        if bottom - top < text.LEAST_HEIGHT or right - left < text.LEAST_HEIGHT:
            continue
        factor = min(LARGEST_SCALE, TEXT_CELL / lattice.tall)
        size = round((right - left) * factor), round((bottom - top) * factor)
        if min(size) < text.LEAST_HEIGHT:
            continue
        grey = (255 * resize(pixels, (left, top, right, bottom), size).mean(-1)).astype(np.uint8)
        for line in text.lines(grey):
            deadline.check()
            captions_read += _captions_of(line, pixels, (left, top, factor), deadline)
    return captions_read


def _captions_of(
    line: list[text.Word], pixels: Pixels, place: tuple[float, float, float], deadline: Deadline
) -> Iterator[Caption]:
    """``place`` is where the text was cut out (left, top), and how much it was enlarged."""
    plain = [re.sub("[:~]+$", "", word.text.lower()).replace("i", "1") for word in line]
    is_left = any(_is_one_of(word, LEFT_WORDS) for word in plain)
    for at, word in enumerate(line):
        pair = re.fullmatch(r"(\d{1,3})/(\d{1,4})", word.number)
        if pair:
            yield Caption(int(pair[1]), int(pair[2]))
        elif re.fullmatch(r"\d{1,3}", word.number) and not any(":" in other.number for other in line[at + 1 : at + 2]):
            if _is_torn(line, at):
                continue
            if any(_is_one_of(other, MINE_WORDS) for other in plain[max(0, at - 2) : at + 2]):
                yield Caption(int(word.number), is_left=is_left)
            elif at and _is_sign(line[at - 1], pixels, place, deadline):
                yield Caption(int(word.number))


def _is_torn(line: list[text.Word], at: int) -> bool:
    """May a word be a part of a number, with another digit close to it?"""
    x0, top, x1, bottom = line[at].box
    near = TORN * (bottom - top)
    before, after = line[max(0, at - 1) : at], line[at + 1 : at + 2]
    close = [word for word in before if x0 - word.box[2] < near and not _is_tall(word, bottom - top)]
    close += [word for word in after if word.box[0] - x1 < near]
    return any(len(word.text) <= 2 and ("?" in word.number or word.number.isdigit()) for word in close)


def _is_tall(word: text.Word, height: int) -> bool:
    """Higher than the digits beside it, as a picture is."""
    return word.box[3] - word.box[1] > 1.15 * height


def _is_one_of(word: str, known: tuple[str, ...]) -> bool:
    """Is it one of these words, but for one character?"""
    return any(
        len(word) == len(other) and sum(a != b for a, b in zip(word, other, strict=True)) <= len(other) // 4
        for other in known
    )


def _is_sign(word: text.Word, pixels: Pixels, place: tuple[float, float, float], deadline: Deadline) -> bool:
    """Is this word a picture of a flag or a mine?"""
    left, top, factor = place
    x0, y0, x1, y1 = (side / factor for side in word.box)
    side = 1.3 * max(x1 - x0, y1 - y0)
    if len(word.text) > MAX_SIGN_PARTS or x1 - x0 > 2 * (y1 - y0):
        return False
    corner = left + (x0 + x1 - side) / 2, top + (y0 + y1 - side) / 2
    chances = np.exp(log_probabilities(looks(pixels, Lattice(*corner, side, side, 1, 1)), deadline))[0, 0]
    return bool(chances[MARKS.index("F")] + chances[MARKS.index("*")] > SIGN_CHANCE)


def mines_left(captions: list[Caption], flags: int, cells: int) -> int | None:
    """Return the number of mines left that the captions agree on, for a board with so many flags; or None."""
    pairs = [caption for caption in captions if caption.of is not None and 0 < caption.of < cells]
    votes = Counter(pair.number for pair in pairs if pair.number + flags == pair.of)
    votes += Counter((pair.of or 0) - flags for pair in pairs if pair.number == flags)
    if not votes:
        votes = Counter(
            caption.number
            for caption in captions
            if caption.of is None and caption.number + flags < cells and (caption.is_left or not flags)
        )
    (number, most), (_, second) = [*votes.most_common(2), (0, 0), (0, 0)][:2]
    return number if most >= LEAST_VOTES and most >= LEAST_VOTES * second else None


def _runs(lit: Mask, axis: int, gap: int) -> list[slice]:
    """Where something is lit along the other axis, as slices; gaps of up to ``gap`` are part of a run."""
    places = np.flatnonzero(lit.sum(axis))
    if not places.size:
        return []
    ends = np.flatnonzero(np.diff(places) > gap + 1)
    starts, stops = np.r_[places[0], places[ends + 1]], np.r_[places[ends], places[-1]] + 1
    return [slice(int(start), int(stop)) for start, stop in zip(starts, stops, strict=True)]


def _displays(lit: Mask, height: int) -> list[slice]:
    """The columns of what may be displays: lit parts that are less than a digit apart."""
    return _runs(lit, 0, round(0.8 * height))


def _number(lit: Mask, dark: Mask) -> int | None:
    """The number that digits of lit segments on a dark ground show, or None."""
    if (dark | lit).mean() < 0.85:
        return None
    for gap in range(1 + round(0.08 * len(lit))):  # segments of a digit may touch, or stand a little apart
        runs = _runs(lit, 0, gap)
        text = "".join(_digit(lit[:, columns]) for columns in runs)
        if DIGITS[0] <= len(text) <= DIGITS[1] and text.lstrip("-").isdigit() and text.rfind("-") <= 0:
            return int(text)
    return None


def _digit(lit: Mask) -> str:
    height, width = lit.shape
    if width > WIDE * height:
        return "?"
    if width < NARROW * height:
        halves = lit[: height // 2].any(1).mean(), lit[height // 2 :].any(1).mean()
        return "1" if min(halves) > 0.7 else "?"
    on = [letter for letter, zone in zip("abcdefg", ZONES, strict=True) if _is_lit(lit, zone, letter in LEVEL)]
    return SHAPES.get("".join(on), "?")


def _is_lit(digit: Mask, zone: tuple[float, float, float, float], is_level: bool) -> bool:
    """Does a line of lit pixels run through the zone? It may be thin."""
    height, width = digit.shape
    top, bottom, left, right = zone
    part = digit[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    return bool(part.size) and bool(part.any(0 if is_level else 1).mean() > LIT_SHARE)
