"""A board in its surroundings: frame, window, counters, other things on the screen; then scaled and spoilt.

`draw_scene` gives the picture and where the grid lies in it, in pixels with fractions.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from support.skins import colours, fonts
from support.skins.colours import Colour, mixed, random_colour, shade
from support.skins.looks import Look, covers, sprite
from support.skins.positions import Position

Box = tuple[float, float, float, float]
WORDS = [
    "Game",
    "Help",
    "Options",
    "File",
    "View",
    "Play",
    "New",
    "Time",
    "Mines",
    "left",
    "score",
    "level",
    "undo",
    "hint",
    "Settings",
    "About",
    "12",
    "345",
    "6",
    "78",
    "99",
]


@dataclass(frozen=True)
class Scene:
    picture: Image.Image
    box: Box
    position: Position


def draw_board(look: Look, position: Position, rng: np.random.Generator) -> Image.Image:
    """The cells alone."""
    marks = position.marks
    rows, columns = marks.shape
    width, tall = look.size
    picture = Image.new("RGB", (columns * width, rows * tall), look.page)
    for (row, col), mark in np.ndenumerate(marks):
        picture.paste(sprite(look, str(mark), (row + col) % 2), (col * width, row * tall))
    if look.dim:
        _dim(look, picture, marks, rng)
    if look.covered == "joined" and look.round:
        _round_corners(look, picture, marks)
    if rng.random() < 0.15:
        _highlight(look, picture, marks, rng)
    return picture


def _highlight(look: Look, picture: Image.Image, marks: np.ndarray, rng: np.random.Generator) -> None:
    """A few cells in another light: the last one opened, the one under the pointer, flags just set."""
    width, tall = look.size
    veil = Image.new("RGB", (width, tall), random_colour(rng, 0.2, 1.0, 1.0))
    for _ in range(int(rng.integers(1, 6))):
        row, col = int(rng.integers(marks.shape[0])), int(rng.integers(marks.shape[1]))
        box = (col * width, row * tall, (col + 1) * width, (row + 1) * tall)
        picture.paste(Image.blend(picture.crop(box), veil, rng.uniform(0.1, 0.4)), box)


def _dim(look: Look, picture: Image.Image, marks: np.ndarray, rng: np.random.Generator) -> None:
    """Numbers with enough flags around them are shown faintly; here a random part of the ones."""
    width, tall = look.size
    faint = replace(look, digits=tuple(mixed(c, look.open_colours[0], look.dim) for c in look.digits), sprites={})
    for (row, col), mark in np.ndenumerate(marks):
        if mark in "12345678" and rng.random() < 0.3:
            picture.paste(sprite(faint, str(mark), (row + col) % 2), (col * width, row * tall))


def _round_corners(look: Look, picture: Image.Image, marks: np.ndarray) -> None:
    """Takes the corners off what flows together, where neither neighbour belongs to it."""
    width, tall = look.size
    brush = ImageDraw.Draw(picture)
    blob = np.pad(np.vectorize(lambda mark: covers(look, str(mark)))(marks), 1)
    radius = max(1, round(0.15 * tall))
    for row, col in np.argwhere(blob[1:-1, 1:-1]):
        for dr, dc in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            if not blob[row + 1 + dr, col + 1] and not blob[row + 1, col + 1 + dc]:
                x, y = col * width + (dc > 0) * (width - 1), row * tall + (dr > 0) * (tall - 1)
                corner = [(x, y), (x - dc * radius, y), (x, y - dr * radius)]
                brush.polygon(corner, fill=look.open_colours[(row + col) % 2 if look.open == "checker" else 0])


def draw_scene(look: Look, position: Position, rng: np.random.Generator, *, spoilt: bool = True) -> Scene:
    """A board, its window, what else is on the screen; scaled, with a pointer, as a file format leaves it."""
    board = draw_board(look, position, rng)
    if rng.random() < 0.1:
        board = _tinted(board, rng)
    picture, left, top = _surrounded(look, board, position, rng)
    box: Box = (left, top, left + board.width, top + board.height)
    if rng.random() < 0.2:
        for _ in range(int(rng.integers(1, 4))):
            _pointer(picture, box, rng)
    if spoilt:
        picture, box = _scaled(look, picture, box, rng)
        picture = _spoilt(picture, rng)
    return Scene(picture, box, position)


def _tinted(board: Image.Image, rng: np.random.Generator) -> Image.Image:
    """A light that runs over the board."""
    ramp = np.linspace(-1, 1, board.height)[:, None] * rng.uniform(-1, 1) + np.linspace(
        -1, 1, board.width
    ) * rng.uniform(-1, 1)
    pixels = np.asarray(board, float) + rng.uniform(5, 30) * ramp[..., None]
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))


def _surrounded(
    look: Look, board: Image.Image, position: Position, rng: np.random.Generator
) -> tuple[Image.Image, int, int]:
    """The picture, and where the board begins in it."""
    side = look.side
    kind = rng.random()
    if kind < 0.12:
        return board, 0, 0
    border = int(rng.integers(0, 3 + side // 3))
    head = int(rng.uniform(0, 3) * side) if kind < 0.8 else 0
    window = Image.new("RGB", (board.width + 2 * border, board.height + 2 * border + head), look.page)
    brush = ImageDraw.Draw(window)
    if rng.random() < 0.5:
        _bevel(brush, (0, head, window.width - 1, window.height - 1), border, look.page, sunk=True)
    if head > 12:
        _heading(window, head, position, look, rng)
    window.paste(board, (border, border + head))
    left, top = border, border + head
    if kind < 0.3:
        return window, left, top
    page = _page(window, look, rng)
    x, y = int(rng.integers(0, page.width - window.width + 1)), int(rng.integers(0, page.height - window.height + 1))
    page.paste(window, (x, y))
    return page, left + x, top + y


def _bevel(brush: ImageDraw.ImageDraw, box: tuple[int, int, int, int], thick: int, colour: Colour, sunk: bool) -> None:
    x0, y0, x1, y1 = box
    light, dark = (shade(colour, -0.4), shade(colour, 0.7)) if sunk else (shade(colour, 0.7), shade(colour, -0.4))
    for k in range(min(thick, 6)):
        brush.line([(x0 + k, y1 - k), (x0 + k, y0 + k), (x1 - k, y0 + k)], fill=light)
        brush.line([(x0 + k, y1 - k), (x1 - k, y1 - k), (x1 - k, y0 + k)], fill=dark)


def _heading(window: Image.Image, head: int, position: Position, look: Look, rng: np.random.Generator) -> None:
    """A counter, a face, a clock; or words."""
    brush = ImageDraw.Draw(window)
    bar = random_colour(rng) if rng.random() < 0.4 else look.page
    brush.rectangle((0, 0, window.width - 1, head - 1), fill=bar)
    known = fonts.paths()
    face = fonts.font(
        known[int(rng.integers(len(known)))], max(8, round(min(head, look.side * 1.6) * rng.uniform(0.4, 0.7)))
    )
    ink = (20, 20, 20) if colours.brightness(bar) > 0.5 else (235, 235, 235)
    left, right = f"{position.counter:03d}", f"{int(rng.integers(0, 400)):03d}"
    if rng.random() < 0.5:
        for text, x in ((left, 4), (right, window.width - 4 - int(face.getlength(right)))):
            wide = int(face.getlength(text))
            brush.rectangle((x - 2, 2, x + wide + 2, head - 3), fill=(0, 0, 0))
            brush.text((x, head // 2), text, font=face, fill=(255, 0, 0), anchor="lm")
        r = min(head, look.side * 2) // 3
        cx, cy = window.width // 2, head // 2
        brush.ellipse((cx - r, cy - r, cx + r, cy + r), fill=(255, 230, 0), outline=(0, 0, 0))
    else:
        text = " ".join(rng.choice(WORDS, 5))
        brush.text((4, head // 2), text, font=face, fill=ink, anchor="lm")


def _page(window: Image.Image, look: Look, rng: np.random.Generator) -> Image.Image:
    """What lies around a window: a plain page, text, rectangles, a photograph's noise."""
    wide = window.width + int(rng.uniform(0, 0.9) * max(window.width, 200))
    tall = window.height + int(rng.uniform(0, 0.9) * max(window.height, 150))
    ground = look.page if rng.random() < 0.4 else random_colour(rng)
    page = Image.new("RGB", (wide, tall), ground)
    brush = ImageDraw.Draw(page)
    kind = rng.random()
    if kind < 0.3:
        _write(page, rng, ground)
    elif kind < 0.5:
        for _ in range(int(rng.integers(1, 12))):
            x, y = int(rng.integers(0, wide)), int(rng.integers(0, tall))
            brush.rectangle(
                (x, y, x + int(rng.integers(5, 200)), y + int(rng.integers(5, 150))), fill=random_colour(rng)
            )
    elif kind < 0.6:
        small = rng.integers(0, 256, (max(2, tall // 40), max(2, wide // 40), 3)).astype(np.uint8)
        page = Image.fromarray(small).resize((wide, tall), Image.Resampling.BICUBIC)
    return page


def _write(page: Image.Image, rng: np.random.Generator, ground: Colour) -> None:
    known = fonts.paths()
    size = int(rng.integers(9, 22))
    face = fonts.font(known[int(rng.integers(len(known)))], size)
    ink = (20, 20, 20) if colours.brightness(ground) > 0.5 else (230, 230, 230)
    brush = ImageDraw.Draw(page)
    for y in range(4, page.height - size, round(size * 1.5)):
        brush.text((6, y), " ".join(rng.choice(WORDS, int(rng.integers(3, 25)))), font=face, fill=ink)


def _pointer(picture: Image.Image, box: Box, rng: np.random.Generator) -> None:
    x, y = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3])
    shape = [(0, 0), (0, 17), (4, 13), (7, 19), (9, 18), (6, 12), (12, 12)]
    ImageDraw.Draw(picture).polygon([(x + a, y + b) for a, b in shape], fill=(255, 255, 255), outline=(0, 0, 0))


def _scaled(look: Look, picture: Image.Image, box: Box, rng: np.random.Generator) -> tuple[Image.Image, Box]:
    """As a screen of another resolution or a browser's zoom shows it; cells stay at least eleven pixels wide."""
    if rng.random() < 0.45:
        return picture, box
    factor = rng.choice([1.25, 1.5, 2.0, rng.uniform(0.7, 2.2)])
    factor = max(factor, 11.5 / look.side)
    factor = min(factor, 2400 / max(picture.size), 110 / look.side)
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    ways = [Image.Resampling.NEAREST] if factor == 2.0 else []
    ways += [Image.Resampling.BILINEAR, Image.Resampling.LANCZOS, Image.Resampling.BICUBIC]
    scaled = picture.resize(size, ways[int(rng.integers(len(ways)))])
    fx, fy = size[0] / picture.width, size[1] / picture.height
    return scaled, (box[0] * fx, box[1] * fy, box[2] * fx, box[3] * fy)


def _spoilt(picture: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Compression, few colours, blur, noise: one of them, or none."""
    kind = rng.random()
    if kind < 0.3:
        held = io.BytesIO()
        picture.save(held, "JPEG", quality=int(rng.integers(45, 96)))
        return Image.open(io.BytesIO(held.getvalue())).convert("RGB")
    if kind < 0.4:
        return picture.quantize(int(rng.choice([32, 64, 128, 256]))).convert("RGB")
    if kind < 0.47:
        return picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.3, 0.8)))
    if kind < 0.52:
        pixels = np.asarray(picture, float) + rng.normal(0, rng.uniform(1, 6), (picture.height, picture.width, 3))
        return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return picture
