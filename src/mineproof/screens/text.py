"""Find short texts in a part of a picture, and recognize their characters: "Mines: 12/40" beside a board.

1. **Levels.** Text differs from its ground in brightness. A picture is cut at levels between its most frequent ones.
2. **Characters.** Connected pixels above (or below) a level that stand in a line are characters. Dots belong to what
   is below them.
3. **Names.** A network with one hidden layer recognizes a character by its shape, 12 × 16 pixels, and its proportions.
   ``tools/reader/characters.py`` trained it on the fonts of matplotlib.

Cost    Some ten milliseconds for the surroundings of a board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

# Letters that look like digits are read as digits: a line has "m1nes", and "b0mbs". The last is anything else.
CHARACTERS: Final = "0123456789/:abdefghijkmnqrstuyABDEFGHJKLMNPQRTY~"
WIDE, TALL = 12, 16  # pixels of a shape
LEVELS = 6  # at most, of brightness
SHARES: Final = (0.35, 0.5, 0.65)  # of the way from one frequent brightness to the next
CONTRAST = 4  # sixteenths of brightness from which on there are several levels
FREQUENT = 0.0004  # share of the pixels that make a brightness frequent
LEAST_HEIGHT, MAX_HEIGHT = 7, 48  # pixels of a character
MAX_PARTS = 1_500  # connected parts; more are no text
CLOSE = 0.36  # of the height: a wider gap parts words
SAME_LINE = 0.5  # share of its height that a character shares with its line
DIGIT = 0.5  # chance that a character is a digit
CERTAIN = 0.9  # chance that it is this one of the digits

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a gap. ``number`` is the text with digits for letters that look like them."""

    text: str
    number: str
    box: Box


@cache
def _weights() -> dict[str, Floats]:
    with (files("mineproof.screens") / "characters.npz").open("rb") as file:
        held = np.load(file)
        return {name: held[name].astype(np.float32) for name in held.files}


def lines(grey: NDArray[np.uint8]) -> list[list[Word]]:
    """Return the words of each line, at every level of brightness: a line may come more than once."""
    texts = []
    for level in _levels(grey):
        above = grey > level
        for mask in (above, ~above):
            for boxes in _lines_of(connected_parts(mask)):
                words = [_read_word(mask, word) for word in _words(boxes)]
                texts.append([word for word in words if word is not None])
    return [line for line in texts if line]


def _levels(grey: NDArray[np.uint8]) -> list[int]:
    """Levels between the frequent ones."""
    counts = np.bincount(grey.ravel() // 16, minlength=16)
    peaks = [
        k
        for k in range(16)
        if counts[k] > FREQUENT * grey.size and counts[k] >= max(counts[max(0, k - 1)], counts[min(15, k + 1)])
    ]
    levels = {
        round(16 * (one + share * (other - one)) + 8)
        for one, other in pairwise(peaks)
        for share in (SHARES if other - one >= CONTRAST else SHARES[1:2])
    }
    return sorted(levels)[:: max(1, -(-len(levels) // LEVELS))]


def connected_parts(mask: Mask) -> list[Box]:
    """The boxes of connected pixels."""
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    stops = np.nonzero(edges == -1)[1]
    parents = list(range(len(rows)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    first = np.searchsorted(rows, np.arange(len(mask) + 1))
    for row in range(1, len(mask)):
        above, own = int(first[row - 1]), int(first[row])
        last = own
        while above < last and own < int(first[row + 1]):
            if starts[own] <= stops[above] and starts[above] <= stops[own]:
                parents[root(own)] = root(above)
            if stops[own] < stops[above]:
                own += 1
            else:
                above += 1
    boxes: dict[int, list[int]] = {}
    for at in range(len(rows)):
        left, top, right, bottom = int(starts[at]), int(rows[at]), int(stops[at]), int(rows[at]) + 1
        box = boxes.setdefault(root(at), [left, top, right, bottom])
        box[:] = min(box[0], left), min(box[1], top), max(box[2], right), max(box[3], bottom)
    return [(left, top, right, bottom) for left, top, right, bottom in boxes.values()]


def _lines_of(parts: list[Box]) -> Iterator[list[Box]]:
    """Parts that stand in a line, from left to right, one box for each character."""
    if len(parts) > MAX_PARTS:
        return
    tall = [
        box
        for box in parts
        if LEAST_HEIGHT <= box[3] - box[1] <= MAX_HEIGHT and box[2] - box[0] <= 1.5 * (box[3] - box[1])
    ]
    left = sorted(tall, key=lambda box: box[1] - box[3])
    while left:
        top, bottom = left[0][1], left[0][3]
        height = bottom - top
        line = [
            box
            for box in left
            if min(bottom, box[3]) - max(top, box[1]) >= SAME_LINE * (box[3] - box[1]) and box[3] <= bottom + height / 3
        ]
        left = [box for box in left if box not in line]
        small = [box for box in parts if box not in tall and top - 2 <= box[1] and box[3] <= bottom + 2]
        yield _join_parts(sorted([*line, *(box for box in small if box[2] - box[0] < height)]))


def _join_parts(boxes: list[Box]) -> list[Box]:
    """Boxes above each other are one character: dots, colons."""
    joined: list[Box] = []
    for box in boxes:
        if joined and _is_dot(box, joined[-1]):
            last = joined.pop()
            box = (min(last[0], box[0]), min(last[1], box[1]), max(last[2], box[2]), max(last[3], box[3]))  # noqa: PLW2901
        joined.append(box)
    return joined


def _is_dot(one: Box, other: Box) -> bool:
    """Does one of them lie above the other?"""
    shared = min(one[2], other[2]) - max(one[0], other[0])
    level = min(one[3], other[3]) - max(one[1], other[1])
    return shared > 0.3 * min(one[2] - one[0], other[2] - other[0]) and level < 0.2 * min(
        one[3] - one[1], other[3] - other[1]
    )


def _words(line: list[Box]) -> Iterator[list[Box]]:
    word: list[Box] = []
    for box in line:
        height = max((part[3] - part[1] for part in [*word, box]), default=0)
        if word and box[0] - word[-1][2] > CLOSE * height:
            yield word
            word = []
        word.append(box)
    yield word


def _read_word(mask: Mask, boxes: list[Box]) -> Word | None:
    height = max(box[3] - box[1] for box in boxes)
    if height < LEAST_HEIGHT or len(boxes) > 12:
        return None
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    shapes = np.stack([shape(mask[box[1] : box[3], box[0] : box[2]], height, box[1] - top) for box in boxes])
    chances = chances_of(shapes)
    digits = chances[:, :10]
    likely = digits.max(1) / np.maximum(digits.sum(1), 1e-9)
    best = chances.argmax(1)
    text = "".join(CHARACTERS[at] for at in best)
    sure = (digits.sum(1) > DIGIT) & (likely > CERTAIN)
    number = "".join(
        CHARACTERS[at] if CHARACTERS[at] in "/:" else CHARACTERS[int(own)] if is_sure else "?"
        for at, own, is_sure in zip(best, digits.argmax(1), sure, strict=True)
    )
    return Word(text, number, (boxes[0][0], top, max(box[2] for box in boxes), bottom))


def shape(mask: Mask, height: int, drop: int) -> Floats:
    """What the network sees of a character: its pixels, its width, height and place in a line of ``height``."""
    from PIL import Image

    rows, columns = mask.shape
    factor = min(WIDE / columns, TALL / rows)
    wide, tall = max(1, round(columns * factor)), max(1, round(rows * factor))
    part = Image.fromarray((mask.astype(np.uint8) * 255).astype(np.uint8)).resize((wide, tall), Image.Resampling.BOX)
    picture = Image.new("L", (WIDE, TALL))
    picture.paste(part, ((WIDE - wide) // 2, (TALL - tall) // 2))
    sides = np.array([columns / rows, rows / height, drop / height], np.float32)
    return np.concatenate([np.asarray(picture, np.float32).ravel() / 255, sides])


def chances_of(shapes: Floats) -> Floats:
    weights = _weights()
    hidden = np.maximum(np.einsum("ij,jk->ik", shapes, weights["hidden"]) + weights["hidden_bias"], 0)
    scores = np.einsum("ij,jk->ik", hidden, weights["out"]) + weights["out_bias"]
    scores -= scores.max(1, keepdims=True)
    chances: Floats = np.exp(scores)
    chances /= chances.sum(1, keepdims=True)
    return chances
