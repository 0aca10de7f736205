"""A random look: what covered and open cells, digits, flags and mines are drawn like in one imaginary program.

The families follow what programs do: bevelled buttons, flat cells between lines, rounded tiles with gaps, glass,
covered cells that flow together, two colours like a chess board, dots and boxes of terminals, black and white.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from support.skins import colours, fonts, glyphs
from support.skins.colours import Colour, mixed, random_colour, shade
from support.skins.glyphs import Lettering

COVERED = ("bevel", "bevel", "bevel", "lines", "tile", "glass", "joined", "checker", "dither", "box")
OPEN = ("lines", "lines", "corner", "none", "checker", "tile", "shaded", "box")
FINE = 3  # cells are drawn so many times larger, and reduced
EMOJI = Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf")


@dataclass(frozen=True)
class Look:
    """All choices of a look. ``side`` is the cell's side in pixels as drawn; ``wide`` its width over its height."""

    side: int
    wide: float
    covered: str
    open: str
    covered_colours: tuple[Colour, Colour]
    open_colours: tuple[Colour, Colour]
    line: Colour
    page: Colour
    thick: float
    gap: float
    round: float
    lettering: Lettering
    digits: tuple[Colour, ...]
    dim: float
    zero: str
    flag: int
    flag_text: str
    flag_ground: Colour | None
    mine: int
    mine_ground: str
    scale: float
    red: Colour
    pixels: bool
    flag_shape: str = "flag"
    pips: bool = False
    sprites: dict[tuple[str, int], Image.Image] = field(default_factory=dict, compare=False, repr=False)

    @property
    def size(self) -> tuple[int, int]:
        return round(self.side * self.wide), self.side


def random_look(
    rng: np.random.Generator, *, system_fonts: bool = False, side: int | None = None, classic: bool | None = None
) -> Look:
    """One look of many millions; ``classic``, if given, says whether it is grey and bevelled."""
    drawn = rng.random() < 0.22
    classic = drawn if classic is None else classic
    pixels = classic or rng.random() < 0.15
    side = side or (16 if pixels and rng.random() < 0.6 else round(float(np.exp(rng.uniform(np.log(13), np.log(90))))))
    covered = "bevel" if classic else str(rng.choice(COVERED))
    opened = str(rng.choice(["corner", "lines"])) if classic else str(rng.choice(OPEN))
    if covered == "box":
        opened = "box"
    elif opened == "box":
        opened = "lines"
    ground, cover = _grounds(rng, classic, covered)
    wide = 1.0 if rng.random() < 0.85 else rng.uniform(0.85, 1.15)
    two = rng.uniform(0.03, 0.12) * (1 if rng.random() < 0.5 else -1)
    glass = rng.uniform(-0.3, 0.3)
    page = ground if rng.random() < 0.3 else random_colour(rng)
    return Look(
        side=side,
        wide=wide,
        covered=covered,
        open=opened,
        covered_colours=(cover, shade(cover, two if covered == "checker" else glass)),
        open_colours=(ground, shade(ground, two if two * (colours.brightness(ground) - 0.5) < 0 else -two)),
        line=_line(rng, ground, cover, classic),
        page=page,
        thick=(2 / 16 if classic else rng.uniform(0.04, 0.16)),
        gap=rng.uniform(0.02, 0.09),
        round=rng.choice([0.0, 0.1, 0.2]),
        lettering=_lettering(rng, classic, pixels, system_fonts),
        digits=tuple(map(colours.parse, colours.CLASSIC)) if classic else colours.digit_colours(rng, ground),
        dim=0.0 if rng.random() < 0.9 else rng.uniform(0.5, 0.85),
        zero=_zero(rng, covered),
        flag=int(rng.integers(64)),
        flag_text=_flag_text(rng, classic, system_fonts),
        flag_ground=None if rng.random() < 0.85 else random_colour(rng),
        mine=int(rng.integers(30)),
        mine_ground=str(rng.choice(["open", "covered", "red"])),
        scale=rng.uniform(0.75, 1.1),
        red=(255, 0, 0) if classic else random_colour(rng, 0.2, 0.6, 1.0),
        pixels=pixels,
    )


def _grounds(rng: np.random.Generator, classic: bool, covered: str) -> tuple[Colour, Colour]:
    """Colours of open and covered cells; they may be close where borders tell them apart."""
    if classic:
        grey = int(rng.choice([192, 192, 189, 198]))
        return (grey, grey, grey), (grey, grey, grey)
    ground = random_colour(rng)
    if covered in {"bevel", "glass", "tile", "box"} and rng.random() < 0.35:
        return ground, shade(ground, rng.uniform(-0.15, 0.15))
    for _ in range(50):
        cover = random_colour(rng, vivid=0.9)
        if max(abs(a - b) for a, b in zip(ground, cover, strict=True)) > 40:
            break
    return ground, cover


def _line(rng: np.random.Generator, ground: Colour, cover: Colour, classic: bool) -> Colour:
    if classic:
        return (128, 128, 128)
    if rng.random() < 0.5:
        return shade(ground, -rng.uniform(0.1, 0.6))
    return shade(ground, rng.uniform(0.2, 0.8)) if rng.random() < 0.6 else shade(cover, -rng.uniform(0.2, 0.7))


def _lettering(rng: np.random.Generator, classic: bool, pixels: bool, system: bool) -> Lettering:
    known = fonts.paths(system)
    path = None if classic and rng.random() < 0.7 else known[int(rng.integers(len(known)))]
    outline = 0.04 if rng.random() < 0.08 else 0.0
    return Lettering(
        path=path,
        height=0.62 if path is None else rng.uniform(0.36, 0.72),
        outline=0.0 if classic else outline,
        outline_colour=(20, 20, 30),
        smooth=not pixels,
        dx=0.03 if classic else rng.normal(0, 0.02),
        dy=rng.normal(0, 0.03),
    )


def _zero(rng: np.random.Generator, covered: str) -> str:
    """What is written on an open cell without mines around it."""
    if covered == "box" and rng.random() < 0.6:
        return "."
    return str(rng.choice(["", ".", "0"], p=[0.94, 0.04, 0.02]))


def _flag_text(rng: np.random.Generator, classic: bool, system: bool) -> str:
    """What is written for a flag, if one is not drawn."""
    if classic or rng.random() < 0.8:
        return ""
    return (
        "🚩"
        if system and EMOJI.exists() and rng.random() < 0.7
        else str(rng.choice(["F", "P", "!"], p=[0.8, 0.1, 0.1]))
    )


def sprite(look: Look, mark: str, parity: int) -> Image.Image:
    """The picture of one cell; ``parity`` is the colour of its field on a chess board. Made once."""
    known = look.sprites.get((mark, parity))
    if known is None:
        known = look.sprites[mark, parity] = _drawn(look, mark, parity)
    return known


def _drawn(look: Look, mark: str, parity: int) -> Image.Image:
    fine = 1 if look.pixels else FINE
    width, tall = look.size
    picture = Image.new("RGB", (width * fine, tall * fine), look.page)
    ground(look, picture, mark, parity)
    _content(look, picture, mark)
    return picture if fine == 1 else picture.resize((width, tall), Image.Resampling.BOX)


def covers(look: Look, mark: str) -> bool:
    """Is this mark drawn on a covered cell?"""
    return mark in "#F?" or (mark == "*" and look.mine_ground == "covered") or (mark == "X" and look.mine % 2 == 0)


def ground(look: Look, picture: Image.Image, mark: str, parity: int) -> None:
    if covers(look, mark):
        colour = look.covered_colours[parity if look.covered == "checker" else 0]
        if mark == "F" and look.flag_ground is not None:
            colour = look.flag_ground
        _cover(look, picture, colour)
    else:
        colour = look.open_colours[parity if look.open == "checker" else 0]
        _bare(look, picture, look.red if mark == "*" and look.mine_ground == "red" else colour)


def _cover(look: Look, picture: Image.Image, colour: Colour) -> None:
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size
    box = (0, 0, width - 1, tall - 1)
    thick = max(1, round(look.thick * tall))
    gap = max(1, round(look.gap * tall))
    if look.covered == "bevel":
        brush.rectangle(box, fill=colour)
        for k in range(thick):
            light, dark = shade(colour, 0.75), shade(colour, -0.35)
            brush.line([(k, tall - 1 - k), (k, k), (width - 1 - k, k)], fill=light)
            brush.line([(k + 1, tall - 1 - k), (width - 1 - k, tall - 1 - k), (width - 1 - k, k + 1)], fill=dark)
    elif look.covered in {"lines", "box"}:
        brush.rectangle(box, fill=colour)
        _frame(brush, picture.size, max(1, gap // 2), shade(look.line, -0.2), look.covered == "box")
    elif look.covered == "tile":
        brush.rounded_rectangle((gap, gap, width - 1 - gap, tall - 1 - gap), look.round * tall, fill=colour)
    elif look.covered == "glass":
        top, bottom = np.array(colour, float), np.array(look.covered_colours[1], float)
        ramp = np.linspace(0, 1, tall)[:, None, None]
        pixels = np.broadcast_to(top * (1 - ramp) + bottom * ramp, (tall, width, 3))
        picture.paste(Image.fromarray(pixels.astype(np.uint8)))
        _frame(ImageDraw.Draw(picture), picture.size, max(1, gap // 2), shade(colour, -0.45), False)
    elif look.covered == "dither":
        weave = (np.indices((tall, width)).sum(0) // max(1, tall // 16) % 2)[..., None]
        pixels = np.where(weave == 1, np.array(colour), np.array(shade(colour, -0.5)))
        picture.paste(Image.fromarray(pixels.astype(np.uint8)))
        _frame(ImageDraw.Draw(picture), picture.size, 1, shade(colour, -0.8), False)
    elif look.covered == "round":
        brush.rectangle(box, fill=look.page)
        brush.ellipse((gap, gap, width - 1 - gap, tall - 1 - gap), fill=colour)
    elif look.covered == "pillow":
        _pillow(picture, colour, look.thick)
    elif look.covered == "texture":
        _texture(picture, colour)
    else:
        brush.rectangle(box, fill=colour)


def _pillow(picture: Image.Image, colour: Colour, depth: float) -> None:
    """Lighter in the middle than at the rim."""
    width, tall = picture.size
    across, down = np.abs(np.linspace(-1, 1, width)), np.abs(np.linspace(-1, 1, tall))
    rim = np.clip(np.maximum(down[:, None], across[None]) - 0.6, 0, 1)[..., None] * 2.5
    pixels = np.array(colour, float) * (1 - rim * (0.2 + 2 * depth))
    picture.paste(Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)))


def _texture(picture: Image.Image, colour: Colour) -> None:
    """The same grain on every cell."""
    width, tall = picture.size
    grain = np.random.default_rng(0).normal(0, 14, (max(2, tall // 3), max(2, width // 3))).astype(np.float32)
    spread = np.asarray(Image.fromarray(grain).resize((width, tall), Image.Resampling.BICUBIC))[..., None]
    picture.paste(Image.fromarray(np.clip(np.array(colour, float) + spread, 0, 255).astype(np.uint8)))
    ImageDraw.Draw(picture).rectangle((0, 0, width - 1, tall - 1), outline=shade(colour, -0.5))


def _bare(look: Look, picture: Image.Image, colour: Colour) -> None:
    brush = ImageDraw.Draw(picture)
    width, tall = picture.size
    gap = max(1, round(look.gap * tall))
    if look.open == "tile":
        brush.rounded_rectangle((gap, gap, width - 1 - gap, tall - 1 - gap), look.round * tall, fill=colour)
        return
    if look.open == "round":
        brush.rectangle((0, 0, width - 1, tall - 1), fill=look.page)
        brush.ellipse((gap, gap, width - 1 - gap, tall - 1 - gap), fill=colour)
        return
    if look.open == "texture":
        _texture(picture, colour)
        return
    if look.open == "shaded":
        ramp = np.add.outer(np.linspace(0, 0.5, tall), np.linspace(0, 0.5, width))[..., None]
        pixels = np.array(shade(colour, 0.25), float) * (1 - ramp) + np.array(shade(colour, -0.12), float) * ramp
        picture.paste(Image.fromarray(pixels.astype(np.uint8)))
        _frame(ImageDraw.Draw(picture), picture.size, max(1, gap // 2), look.line, False)
        return
    brush.rectangle((0, 0, width - 1, tall - 1), fill=colour)
    if look.open in {"lines", "box"}:
        _frame(brush, picture.size, max(1, gap // 2), look.line, look.open == "box")
    elif look.open == "corner":
        thick = max(1, round(tall / 16 / (1 if look.pixels else FINE))) * (1 if look.pixels else FINE)
        brush.rectangle((0, 0, width - 1, thick - 1), fill=look.line)
        brush.rectangle((0, 0, thick - 1, tall - 1), fill=look.line)


def _frame(brush: ImageDraw.ImageDraw, size: tuple[int, int], thick: int, colour: Colour, boxed: bool) -> None:
    width, tall = size
    inset = round(0.08 * tall) if boxed else 0
    brush.rectangle((inset, inset, width - 1 - inset, tall - 1 - inset), outline=colour, width=thick)


def _content(look: Look, picture: Image.Image, mark: str) -> None:
    dark = (10, 10, 10) if colours.brightness(look.open_colours[0]) > 0.25 else (235, 235, 235)
    if mark == "0":
        if look.zero:
            glyphs.draw_text(picture, look.zero, mixed(look.digits[0], look.open_colours[0], 0.4), look.lettering)
    elif mark in "12345678":
        colour = look.digits[int(mark) - 1]
        if look.pips:
            glyphs.draw_pips(picture, int(mark), colour)
        else:
            glyphs.draw_text(picture, mark, colour, look.lettering)
    elif mark == "F":
        _flag(look, picture)
    elif mark == "?":
        ink = dark if colours.brightness(look.covered_colours[0]) > 0.3 else (240, 240, 240)
        glyphs.draw_text(picture, "?", ink if look.mine % 3 else look.red, look.lettering)
    elif mark in "*X":
        _mine(look, picture, mark, dark)


def _flag(look: Look, picture: Image.Image) -> None:
    if look.flag_shape != "flag":
        glyphs.draw_sign(picture, look.flag_shape, look.red, 0.8 * look.scale)
    elif look.flag_text == "🚩":
        _emoji(picture, "🚩", look.scale)
    elif look.flag_text:
        glyphs.draw_text(picture, look.flag_text, look.red, look.lettering)
    else:
        cover = look.flag_ground or look.covered_colours[0]
        pole = (10, 10, 10) if colours.brightness(cover) > 0.25 or look.flag % 3 == 0 else (230, 230, 230)
        red = look.red if max(abs(a - b) for a, b in zip(look.red, cover, strict=True)) > 60 else shade(pole, 0.1)
        glyphs.draw_flag(picture, look.flag, red, pole if look.flag % 5 else red, 0.9 * look.scale)


def _mine(look: Look, picture: Image.Image, mark: str, dark: Colour) -> None:
    if mark == "X" and look.mine % 8 == 3:
        pass  # a cross alone
    elif mark == "X" and look.mine % 4 == 1:
        _flag(look, picture)
    elif look.flag_text == "🚩" and look.mine % 3:
        _emoji(picture, "💣", look.scale)
    else:
        ink = look.red if look.mine % 7 == 6 and look.mine_ground != "red" else dark
        glyphs.draw_mine(picture, look.mine, ink, (250, 250, 250), 1.1 * look.scale)
    if mark == "X":
        glyphs.draw_cross(picture, (230, 20, 20) if look.mine % 5 else dark, look.scale)


@cache
def _emoji_picture(text: str) -> Image.Image:
    face = ImageFont.truetype(str(EMOJI), 109)
    picture = Image.new("RGBA", (136, 128))
    ImageDraw.Draw(picture).text((0, 0), text, font=face, embedded_color=True)
    return picture


def _emoji(picture: Image.Image, text: str, scale: float) -> None:
    tall = max(4, round(0.7 * scale * picture.height))
    small = _emoji_picture(text).resize((tall, tall))
    picture.paste(small, ((picture.width - tall) // 2, (picture.height - tall) // 2), small)
