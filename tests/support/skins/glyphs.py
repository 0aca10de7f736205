"""What stands on cells: digits, flags, mines, question marks, in shapes of our own, drawn as masks and colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from support.skins.colours import Colour
from support.skins.fonts import font

# Bold digits on a raster, as programs with 16 pixels a cell draw them.
# fmt: off
RASTER = {
    "1": "...###....|..####....|.#####....|...###....|...###....|...###....|...###....|...###....|.#######..|.#######..",  # noqa: E501
    "2": ".########.|##########|##.....###|.......###|...#####..|.######...|####......|###.......|##########|##########",  # noqa: E501
    "3": "#########.|##########|.......###|.......###|...######.|...######.|.......###|.......###|##########|#########.",  # noqa: E501
    "4": "...###.###|...###.###|..###..###|..###..###|.#########|.#########|.......###|.......###|.......###|.......###",  # noqa: E501
    "5": "##########|##########|###.......|###.......|#########.|##########|.......###|.......###|##########|#########.",  # noqa: E501
    "6": ".########.|#########.|###.......|###.......|#########.|##########|###....###|###....###|##########|.########.",  # noqa: E501
    "7": "##########|##########|.......###|.......###|......###.|......###.|.....###..|.....###..|....###...|....###...",  # noqa: E501
    "8": ".########.|##########|###....###|###....###|.########.|.########.|###....###|###....###|##########|.########.",  # noqa: E501
    "?": "..#####...|.##...##..|.##...##..|......##..|.....##...|....##....|....##....|..........|....##....|....##....",  # noqa: E501
}
# fmt: on
# Lines of a pen through points of a raster of 4 × 6: right, down.
STROKES = {
    "1": "012026 0646",
    "2": "01103041420646",
    "3": "0010304142333344453616 1333 0516",
    "4": "30044434 3036",
    "5": "4000023343451605",
    "6": "40200204061636454433130203",
    "7": "004016",
    "8": "1001023344451605041342413010",
    "?": "01103041422324 2626",
    "0": "1001051636454130 1030",
}  # fmt: skip


@dataclass(frozen=True)
class Lettering:
    """How digits are written: ``path`` None is the raster above; ``outline`` a share of the height.

    ``stroke``, if not 0, is the share of the height of the lines of a pen, which draws instead of a font.
    """

    path: Path | None
    height: float
    outline: float
    outline_colour: Colour
    smooth: bool
    dx: float
    dy: float
    stroke: float = 0.0


def draw_text(picture: Image.Image, text: str, colour: Colour, how: Lettering) -> None:
    """``text`` in the middle of the picture."""
    width, tall = picture.size
    if how.stroke and text in STROKES:
        mask = _drawn_by_pen(text, round(how.height * tall), how.stroke)
    elif how.path is None and text in RASTER:
        mask = _raster(text, round(how.height * tall))
    else:
        mask = _written(text, how, tall)
    at = (round((width - mask.width) / 2 + how.dx * width), round((tall - mask.height) / 2 + how.dy * tall))
    if how.outline:
        edge = _grown(mask, max(1, round(how.outline * tall)))
        border = (edge.width - mask.width) // 2
        picture.paste(how.outline_colour, (at[0] - border, at[1] - border), edge)
    picture.paste(colour, at, mask)


def _drawn_by_pen(text: str, tall: int, stroke: float) -> Image.Image:
    fine = 4
    tall = max(5, tall)
    mask = Image.new("L", (fine * max(3, round(0.62 * tall)), fine * tall))
    brush = ImageDraw.Draw(mask)
    thick = max(1, round(stroke * mask.height))
    for line in STROKES[text].split():
        points = [(int(at[0]) / 4, int(at[1]) / 6) for at in re.findall("..", line)]
        inner = [
            (thick + x * (mask.width - 1 - 2 * thick), thick + y * (mask.height - 1 - 2 * thick)) for x, y in points
        ]
        brush.line(inner, fill=255, width=thick, joint="curve")
    return mask.resize((mask.width // fine, mask.height // fine), Image.Resampling.BOX)


def _raster(text: str, tall: int) -> Image.Image:
    rows = RASTER[text].split("|")
    bits = np.array([[255 if mark == "#" else 0 for mark in row] for row in rows], np.uint8)
    wide = max(1, round(tall * bits.shape[1] / bits.shape[0]))
    return Image.fromarray(bits).resize((wide, max(1, tall)), Image.Resampling.NEAREST)


def _written(text: str, how: Lettering, tall: int) -> Image.Image:
    from support.skins.fonts import paths

    face = font(how.path or paths()[0], round(how.height * tall * 1.36))
    left, top, right, bottom = (round(part) for part in face.getbbox(text))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    brush = ImageDraw.Draw(mask)
    brush.fontmode = "L" if how.smooth else "1"
    brush.text((-left, -top), text, font=face, fill=255)
    return mask


def _grown(mask: Image.Image, by: int) -> Image.Image:
    from PIL import ImageFilter

    bigger = Image.new("L", (mask.width + 2 * by, mask.height + 2 * by))
    bigger.paste(mask, (by, by))
    return bigger.filter(ImageFilter.MaxFilter(2 * by + 1))


def draw_flag(picture: Image.Image, kind: int, colour: Colour, pole: Colour, scale: float) -> None:
    """A flag: a pennant or a banner on a pole, with or without a foot, to the left or to the right."""
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size

    def at(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        side = -1 if kind & 1 else 1
        return [(width * (0.5 + side * scale * (x - 0.5)), tall * (0.5 + scale * (y - 0.5))) for x, y in points]

    shape = kind // 2 % 4
    x = (0.45, 0.3, 0.55, 0.25)[shape]
    thick = max(1, round(width * scale * (0.05, 0.08, 0.04, 0.1)[(shape + kind // 16) % 4]))
    brush.line(at([(x, 0.1), (x, 0.86)]), fill=pole, width=thick)
    cloth = (
        [(x, 0.1), (0.9, 0.32), (x, 0.54)],
        [(x, 0.12), (0.85, 0.12), (0.85, 0.5), (x, 0.5)],
        [(x, 0.08), (0.1, 0.32), (x, 0.56)],
        [(x, 0.1), (0.85, 0.14), (0.7, 0.32), (0.88, 0.52), (x, 0.55)],
    )[shape]
    brush.polygon(at(cloth), fill=colour)
    if kind // 8 % 2:
        foot = at([(x - 0.22, 0.78), (x + 0.22, 0.9)])
        xs, ys = sorted(p[0] for p in foot), sorted(p[1] for p in foot)
        brush.rectangle((xs[0], ys[0], xs[1], ys[1]), fill=pole)


def draw_mine(picture: Image.Image, kind: int, colour: Colour, shine: Colour, scale: float) -> None:
    """A mine: a ball with spikes, a bomb with a fuse, a star, a cog, a plain disc."""
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size
    cx, cy, r = width / 2, tall / 2, min(width, tall) * 0.28 * scale

    def disc(x: float, y: float, radius: float, fill: Colour) -> None:
        brush.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)

    if kind % 5 in {0, 2, 3}:
        spikes = (8, 8, 12)[kind % 5 - 1 if kind % 5 else 0]
        thick = max(1, round(r * (0.25 if kind % 5 != 3 else 0.5)))
        reach = 1.5 if kind % 5 != 3 else 1.25
        for k in range(spikes):
            angle = 2 * np.pi * k / spikes
            end = (cx + reach * r * float(np.cos(angle)), cy + reach * r * float(np.sin(angle)))
            brush.line((cx, cy, *end), fill=colour, width=thick)
    if kind % 5 == 1:
        cx, cy = cx - 0.15 * r, cy + 0.25 * r
        brush.line((cx + 0.5 * r, cy - 0.6 * r, cx + 1.2 * r, cy - 1.5 * r), fill=colour, width=max(1, round(0.35 * r)))
        disc(cx + 1.3 * r, cy - 1.6 * r, 0.3 * r, shine)
    if kind % 5 != 2:
        disc(cx, cy, r, colour)
    if kind // 5 % 2:
        disc(cx - 0.35 * r, cy - 0.35 * r, 0.28 * r, shine)


def draw_cross(picture: Image.Image, colour: Colour, scale: float) -> None:
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size
    a, b = 0.5 - 0.38 * scale, 0.5 + 0.38 * scale
    thick = max(1, round(0.09 * width))
    brush.line((a * width, a * tall, b * width, b * tall), fill=colour, width=thick)
    brush.line((a * width, b * tall, b * width, a * tall), fill=colour, width=thick)


def draw_pips(picture: Image.Image, count: int, colour: Colour) -> None:
    """As many dots as the number, as on dice."""
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size
    spots = [(0.5, 0.5)] if count % 2 else []
    spots += [
        (0.27, 0.27),
        (0.73, 0.73),
        (0.73, 0.27),
        (0.27, 0.73),
        (0.27, 0.5),
        (0.73, 0.5),
        (0.5, 0.27),
        (0.5, 0.73),
    ]
    radius = 0.09 * tall
    for x, y in spots[:count]:
        brush.ellipse((x * width - radius, y * tall - radius, x * width + radius, y * tall + radius), fill=colour)


def draw_sign(picture: Image.Image, shape: str, colour: Colour, scale: float) -> None:
    """What some programs have for a flag: a tick, a block, a diamond, a bar, a star, a pin, an arrow."""
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size

    def at(x: float, y: float) -> tuple[float, float]:
        return width * (0.5 + scale * (x - 0.5)), tall * (0.5 + scale * (y - 0.5))

    if shape == "tick":
        brush.line([at(0.15, 0.55), at(0.4, 0.8), at(0.85, 0.2)], fill=colour, width=max(2, round(0.12 * width)))
    elif shape == "block":
        brush.rectangle((*at(0.2, 0.2), *at(0.8, 0.8)), fill=colour)
    elif shape == "diamond":
        brush.polygon([at(0.5, 0.1), at(0.9, 0.5), at(0.5, 0.9), at(0.1, 0.5)], fill=colour)
    elif shape == "star":
        angles = np.pi * (np.arange(10) / 5 - 0.5)
        reach = np.where(np.arange(10) % 2, 0.18, 0.44)
        points = [
            at(0.5 + r * float(np.cos(a)), 0.5 + r * float(np.sin(a))) for a, r in zip(angles, reach, strict=True)
        ]
        brush.polygon(points, fill=colour)
    elif shape == "pin":
        brush.ellipse((*at(0.25, 0.08), *at(0.75, 0.58)), fill=colour)
        brush.polygon([at(0.3, 0.45), at(0.7, 0.45), at(0.5, 0.95)], fill=colour)
    elif shape == "arrow":
        brush.polygon([at(0.15, 0.2), at(0.9, 0.5), at(0.15, 0.8)], fill=colour)
    else:
        brush.rectangle((*at(0.1, 0.42), *at(0.9, 0.58)), fill=colour)
