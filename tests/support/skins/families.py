"""Families of looks that `random_look` does not draw: to measure how pictures are read that differ from the training.

`HELD_OUT` families are only measured. The others are also drawn to find and repair what goes wrong, and to train the
network and the weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from support.skins import colours, fonts
from support.skins.colours import Colour, random_colour, shade
from support.skins.looks import Look, random_look
from support.skins.positions import random_position
from support.skins.scenes import Box, Scene, draw_board, draw_scene

NEON: Final = ("39ff14", "ff2079", "00f0ff", "faff00", "ff6ec7", "ff9933", "bf5fff", "ffffff")
SEPIA: Final = ("5b3a1a", "7a4a1a", "8c2f1b", "3f4a2a", "6b2d4d", "2f4f4f", "2b1d0e", "84705a")


def draw_family(name: str, rng: np.random.Generator, *, largest: int = 300) -> Scene:
    """A scene of this family."""
    return FAMILIES[name](rng, largest)


def draw_classic(rng: np.random.Generator, *, largest: int = 480) -> Scene:
    """Grey bevelled cells and the usual colours of digits, in any surroundings."""
    look = random_look(rng, classic=True)
    return draw_scene(look, random_position(rng, largest=largest), rng)


def _plain(rng: np.random.Generator, **changes: object) -> Look:
    return replace(random_look(rng, classic=False), **changes)  # type: ignore[arg-type]


def _scene(look: Look, rng: np.random.Generator, largest: int) -> Scene:
    return draw_scene(look, random_position(rng, largest=largest), rng)


def strokes(rng: np.random.Generator, largest: int) -> Scene:
    """Thin digits of a pen."""
    look = _plain(rng)
    pen = replace(look.lettering, stroke=rng.uniform(0.05, 0.14), height=rng.uniform(0.35, 0.7))
    return _scene(replace(look, lettering=pen), rng, largest)


def small(rng: np.random.Generator, largest: int) -> Scene:
    """Very small digits."""
    look = _plain(rng)
    if look.side < 26:
        look = replace(look, side=int(rng.integers(26, 70)))
    return _scene(replace(look, lettering=replace(look.lettering, height=rng.uniform(0.2, 0.3))), rng, largest)


def pips(rng: np.random.Generator, largest: int) -> Scene:
    """Dots instead of digits."""
    return _scene(_plain(rng, pips=True), rng, largest)


def ticks(rng: np.random.Generator, largest: int) -> Scene:
    return _scene(_plain(rng, flag_shape="tick"), rng, largest)


def signs(rng: np.random.Generator, largest: int) -> Scene:
    """Blocks, diamonds or bars instead of flags."""
    return _scene(_plain(rng, flag_shape=str(rng.choice(["block", "diamond", "bar"]))), rng, largest)


def pins(rng: np.random.Generator, largest: int) -> Scene:
    """Stars, pins or arrows instead of flags."""
    return _scene(_plain(rng, flag_shape=str(rng.choice(["star", "pin", "arrow"]))), rng, largest)


def _tinted(rng: np.random.Generator, digits: tuple[str, ...], ground: Colour, cover: Colour) -> Look:
    look = _plain(rng, digits=tuple(map(colours.parse, digits)), dim=0.0)
    return replace(
        look, open_colours=(ground, shade(ground, 0.08)), covered_colours=(cover, shade(cover, 0.12)), page=ground,
        line=shade(cover, 0.3), lettering=replace(look.lettering, outline=0.0),
    )  # fmt: skip


def neon(rng: np.random.Generator, largest: int) -> Scene:
    return _scene(_tinted(rng, NEON, (8, 8, 14), random_colour(rng, 0.15, 0.4, 1.0)), rng, largest)


def sepia(rng: np.random.Generator, largest: int) -> Scene:
    return _scene(_tinted(rng, SEPIA, (236, 220, 190), (196, 164, 120)), rng, largest)


def circles(rng: np.random.Generator, largest: int) -> Scene:
    """Every cell is a disc."""
    return _scene(_plain(rng, covered="round", open=str(rng.choice(["round", "none", "lines"]))), rng, largest)


def pillows(rng: np.random.Generator, largest: int) -> Scene:
    return _scene(_plain(rng, covered="pillow"), rng, largest)


def grain(rng: np.random.Generator, largest: int) -> Scene:
    """Cells of wood or stone."""
    return _scene(_plain(rng, covered="texture", open=str(rng.choice(["texture", "lines", "none"]))), rng, largest)


def photo(rng: np.random.Generator, largest: int) -> Scene:
    """Cells that show a picture through."""
    scene = _scene(_plain(rng, covered=str(rng.choice(["tile", "lines", "bevel"]))), rng, largest)
    behind = rng.integers(0, 256, (5, 6, 3)).astype(np.uint8)
    spread = Image.fromarray(behind).resize(scene.picture.size, Image.Resampling.BICUBIC)
    return replace(scene, picture=Image.blend(scene.picture.convert("RGB"), spread, rng.uniform(0.1, 0.3)))


def tall(rng: np.random.Generator, largest: int) -> Scene:
    """Cells of a terminal, higher than wide."""
    look = _plain(rng, wide=rng.uniform(0.55, 0.75))
    return _scene(replace(look, side=max(look.side, 24)), rng, largest)


def broad(rng: np.random.Generator, largest: int) -> Scene:
    """Cells wider than high."""
    return _scene(_plain(rng, wide=rng.uniform(1.35, 1.9)), rng, largest)


def checkers(rng: np.random.Generator, largest: int) -> Scene:
    """Two colours like a chess board, without lines."""
    return _scene(_plain(rng, covered="checker", open="checker", dim=0.0), rng, largest)


def margins(rng: np.random.Generator, largest: int) -> Scene:
    """The page has the colour of open cells."""
    look = _plain(rng)
    return _scene(replace(look, page=look.open_colours[0]), rng, largest)


def _labelled(rng: np.random.Generator, largest: int, *, letters: bool, sides: int) -> Scene:
    look = _plain(rng)
    position = random_position(rng, largest=largest)
    board = draw_board(look, position, rng)
    wide, high = look.size
    rows, columns = position.marks.shape
    page = random_colour(rng)
    picture = Image.new("RGB", (board.width + 3 * wide, board.height + 3 * high), page)
    left, top = round(1.5 * wide), round(1.5 * high)
    picture.paste(board, (left, top))
    known = fonts.paths()
    font = fonts.font(known[int(rng.integers(len(known)))], max(7, round(rng.uniform(0.35, 0.6) * min(wide, high))))
    ink = (20, 20, 20) if colours.brightness(page) > 0.5 else (235, 235, 235)
    brush, first = ImageDraw.Draw(picture), int(rng.integers(0, 2))
    for column in range(columns):
        text = chr(65 + column % 26) if letters else str(column + first)
        for y in (top - high // 2, top + board.height + high // 2)[:sides]:
            brush.text((left + (column + 0.5) * wide, y), text, font=font, fill=ink, anchor="mm")
    for row in range(rows):
        for x in (left - wide // 2, left + board.width + wide // 2)[:sides]:
            brush.text((x, top + (row + 0.5) * high), str(row + first), font=font, fill=ink, anchor="mm")
    return Scene(picture, (left, top, left + board.width, top + board.height), position)


def labels(rng: np.random.Generator, largest: int) -> Scene:
    """Numbers of rows and columns above and to the left."""
    return _labelled(rng, largest, letters=False, sides=1)


def axes(rng: np.random.Generator, largest: int) -> Scene:
    """Letters and numbers, on four sides or on two."""
    return _labelled(rng, largest, letters=True, sides=int(rng.integers(1, 3)))


def _overlaid(
    rng: np.random.Generator, largest: int, draw: Callable[[ImageDraw.ImageDraw, Box, float], None], most: int
) -> Scene:
    scene = draw_scene(_plain(rng), random_position(rng, largest=largest), rng)
    picture = scene.picture.convert("RGB")
    side = (scene.box[3] - scene.box[1]) / scene.position.marks.shape[0]
    for _ in range(int(rng.integers(1, most))):
        draw(ImageDraw.Draw(picture), scene.box, side)
    return replace(scene, picture=picture)


def rings(rng: np.random.Generator, largest: int) -> Scene:
    """Circles of a helper around cells."""

    def ring(brush: ImageDraw.ImageDraw, box: Box, side: float) -> None:
        x, y = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3])
        radius = rng.uniform(0.5, 1.1) * side
        ink = random_colour(rng, 0.2, 0.8, 1.0)
        brush.ellipse((x - radius, y - radius, x + radius, y + radius), outline=ink, width=max(2, round(0.1 * side)))

    return _overlaid(rng, largest, ring, 4)


def confetti(rng: np.random.Generator, largest: int) -> Scene:
    def piece(brush: ImageDraw.ImageDraw, box: Box, side: float) -> None:
        x, y, size = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3]), rng.uniform(0.15, 0.5) * side
        brush.rectangle((x, y, x + size, y + size / 2), fill=random_colour(rng, 0.2, 0.9, 1.0))

    return _overlaid(rng, largest, piece, 12)


def pen(rng: np.random.Generator, largest: int) -> Scene:
    """Lines drawn over the board."""

    def line(brush: ImageDraw.ImageDraw, box: Box, side: float) -> None:
        points = [(rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3])) for _ in range(2)]
        brush.line(points, fill=random_colour(rng, 0.2, 0.9, 1.0), width=max(2, round(rng.uniform(0.06, 0.2) * side)))

    return _overlaid(rng, largest, line, 3)


def stickers(rng: np.random.Generator, largest: int) -> Scene:
    """Discs and triangles over cells."""

    def sticker(brush: ImageDraw.ImageDraw, box: Box, side: float) -> None:
        x, y, size = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3]), rng.uniform(0.15, 0.4) * side
        ink = random_colour(rng, 0.2, 0.9, 1.0)
        if rng.random() < 0.5:
            brush.ellipse((x - size, y - size, x + size, y + size), fill=ink)
        else:
            brush.polygon([(x, y - size), (x + size, y + size), (x - size, y + size)], fill=ink)

    return _overlaid(rng, largest, sticker, 8)


def veils(rng: np.random.Generator, largest: int) -> Scene:
    """Coloured squares of a helper, through which some cells are seen."""
    scene = draw_scene(_plain(rng), random_position(rng, largest=largest), rng)
    picture = scene.picture.convert("RGB")
    rows, columns = scene.position.marks.shape
    wide, high = (scene.box[2] - scene.box[0]) / columns, (scene.box[3] - scene.box[1]) / rows
    inks = [random_colour(rng, 0.2, 0.9, 1.0) for _ in range(2)]
    share = rng.uniform(0.2, 0.5)
    for _ in range(int(rng.integers(2, 12))):
        row, column = int(rng.integers(rows)), int(rng.integers(columns))
        left, top = round(scene.box[0] + column * wide), round(scene.box[1] + row * high)
        place = left, top, left + round(wide), top + round(high)
        veil = Image.new("RGB", (round(wide), round(high)), inks[int(rng.integers(2))])
        picture.paste(Image.blend(picture.crop(place), veil, share), (left, top))
    return replace(scene, picture=picture)


def turned(rng: np.random.Generator, largest: int) -> Scene:
    """A screen that a scanner or a phone turned by up to two degrees."""
    scene = _scene(_plain(rng), rng, largest)
    angle = rng.uniform(0.3, 2.0) * (1 if rng.random() < 0.5 else -1)
    picture = scene.picture.convert("RGB").rotate(angle, Image.Resampling.BICUBIC, fillcolor=random_colour(rng))
    return replace(scene, picture=picture)


FAMILIES: Final[dict[str, Callable[[np.random.Generator, int], Scene]]] = {
    family.__name__: family
    for family in (
        strokes, small, pips, ticks, signs, neon, sepia, circles, pillows, grain, photo, tall, broad, checkers, margins,
        labels, axes, rings, confetti, pen, turned, pins, stickers, veils,
    )
}  # fmt: skip
HELD_OUT: Final = ("small", "pips", "signs", "neon", "sepia", "circles", "grain", "broad", "axes", "confetti", "pen")
