"""Pictures that are no Minesweeper board but have a grid, digits or a texture: none of them may be read as certain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from support.skins import fonts
from support.skins.colours import Colour, brightness, mixed, random_colour, shade
from support.skins.glyphs import Lettering, draw_text

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def draw_non_board(kind: str, rng: np.random.Generator) -> Image.Image:
    """A picture of this kind, on a page or alone, as a file format leaves it."""
    picture = KINDS[kind](rng)
    if rng.random() < 0.5:
        page = Image.new(
            "RGB", (picture.width + int(rng.integers(20, 200)), picture.height + int(rng.integers(20, 150)))
        )
        page.paste(random_colour(rng), (0, 0, *page.size))
        room = page.width - picture.width, page.height - picture.height
        page.paste(picture, (int(rng.integers(0, room[0])), int(rng.integers(0, room[1]))))
        picture = page
    if rng.random() < 0.3:
        picture = picture.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.7)))
    return picture


def _lettering(rng: np.random.Generator, height: float) -> Lettering:
    known = fonts.paths()
    return Lettering(known[int(rng.integers(len(known)))], height, 0.0, (0, 0, 0), True, 0.0, 0.0)


def _inks(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Paper and ink."""
    paper = random_colour(rng, 0.75, 1.0, 0.2) if rng.random() < 0.8 else random_colour(rng, 0.0, 0.25)
    return paper, shade(paper, -0.85) if brightness(paper) > 0.5 else shade(paper, 0.8)


def _grid(
    rng: np.random.Generator,
    rows: int,
    columns: int,
    cell: Callable[[ImageDraw.ImageDraw, Image.Image, int, int], None],
) -> Image.Image:
    """``rows`` × ``columns`` cells with lines between; ``cell`` draws into the picture of one."""
    side = int(rng.integers(16, 46))
    paper, ink = _inks(rng)
    line = mixed(paper, ink, rng.uniform(0.2, 1.0))
    picture = Image.new("RGB", (columns * side + 1, rows * side + 1), paper)
    for row in range(rows):
        for column in range(columns):
            tile = Image.new("RGB", (side, side), paper)
            cell(ImageDraw.Draw(tile), tile, row, column)
            ImageDraw.Draw(tile).line([(0, side - 1), (0, 0), (side - 1, 0)], fill=line)
            picture.paste(tile, (column * side, row * side))
    ImageDraw.Draw(picture).rectangle((0, 0, picture.width - 1, picture.height - 1), outline=line)
    return picture


def crossword(rng: np.random.Generator) -> Image.Image:
    rows, columns = (int(side) for side in rng.integers(7, 16, 2))
    black = rng.random((rows, columns)) < rng.uniform(0.15, 0.35)
    filled, numbered = rng.random() < 0.5, rng.random() < 0.8
    small, large = _lettering(rng, 0.28), _lettering(rng, 0.6)
    ink = (20, 20, 20)
    count = iter(range(1, 400))

    def cell(brush: ImageDraw.ImageDraw, tile: Image.Image, row: int, column: int) -> None:
        if black[row, column]:
            brush.rectangle((0, 0, *tile.size), fill=ink)
            return
        if numbered and (row == 0 or column == 0 or black[row - 1, column] or black[row, column - 1]):
            corner = Image.new("RGB", (tile.width // 2, tile.height // 2), tile.getpixel((2, 2)))
            draw_text(corner, str(next(count)), ink, small)
            tile.paste(corner, (1, 1))
        if filled:
            draw_text(tile, str(rng.choice(list(LETTERS))), ink, large)

    return _grid(rng, rows, columns, cell)


def graph_paper(rng: np.random.Generator) -> Image.Image:
    side, major = int(rng.integers(11, 40)), int(rng.choice([0, 5, 10]))
    width, height = int(rng.integers(150, 600)), int(rng.integers(150, 500))
    paper, ink = _inks(rng)
    faint = mixed(paper, ink, rng.uniform(0.1, 0.5))
    picture = Image.new("RGB", (width, height), paper)
    brush = ImageDraw.Draw(picture)
    for number, x in enumerate(range(0, width, side)):
        brush.line([(x, 0), (x, height)], fill=faint, width=2 if major and number % major == 0 else 1)
    for number, y in enumerate(range(0, height, side)):
        brush.line([(0, y), (width, y)], fill=faint, width=2 if major and number % major == 0 else 1)
    if rng.random() < 0.6:
        xs = np.linspace(0, width, 60)
        ys = height * (0.5 + 0.3 * np.sin(xs / rng.uniform(20, 90)))
        brush.line(list(zip(xs, ys, strict=True)), fill=random_colour(rng, 0.1, 0.6, 1.0), width=2)
    return picture


def sudoku(rng: np.random.Generator) -> Image.Image:
    size = int(rng.choice([9, 9, 9, 6, 4]))
    square = np.add.outer(np.arange(size) * 3 + np.arange(size) // 3, np.arange(size)) % size + 1
    shown, how, ink = rng.random((size, size)) < rng.uniform(0.3, 1.0), _lettering(rng, 0.6), random_colour(rng, 0, 0.4)

    def cell(_: ImageDraw.ImageDraw, tile: Image.Image, row: int, column: int) -> None:
        if shown[row, column]:
            draw_text(tile, str(square[row, column]), ink, how)

    picture = _grid(rng, size, size, cell)
    brush, side = ImageDraw.Draw(picture), picture.width // size
    for k in range(0, size + 1, 3):
        brush.line([(k * side, 0), (k * side, picture.height)], fill=(0, 0, 0), width=3)
        brush.line([(0, k * side), (picture.width, k * side)], fill=(0, 0, 0), width=3)
    return picture


def calendar(rng: np.random.Generator) -> Image.Image:
    how, ink, start = _lettering(rng, rng.uniform(0.3, 0.5)), random_colour(rng, 0, 0.4), int(rng.integers(0, 7))

    def cell(_: ImageDraw.ImageDraw, tile: Image.Image, row: int, column: int) -> None:
        day = row * 7 + column - start + 1
        if 0 < day < 32:
            draw_text(tile, str(day), ink, how)

    return _grid(rng, 6, 7, cell)


def spreadsheet(rng: np.random.Generator) -> Image.Image:
    how, ink = _lettering(rng, rng.uniform(0.35, 0.55)), random_colour(rng, 0, 0.3)

    def cell(_: ImageDraw.ImageDraw, tile: Image.Image, row: int, column: int) -> None:
        text = LETTERS[column - 1] if row == 0 and column else str(row) if column == 0 and row else ""
        if row and column and rng.random() < 0.7:
            text = str(int(rng.integers(0, 100)))
        if text:
            draw_text(tile, text, ink, how)

    return _grid(rng, int(rng.integers(5, 15)), int(rng.integers(4, 12)), cell)


def letters(rng: np.random.Generator) -> Image.Image:
    """A word search."""
    how, ink = _lettering(rng, 0.6), random_colour(rng, 0, 0.4)
    return _grid(
        rng, int(rng.integers(6, 15)), int(rng.integers(6, 15)),
        lambda _, tile, __, ___: draw_text(tile, str(rng.choice(list(LETTERS))), ink, how),
    )  # fmt: skip


def digits(rng: np.random.Generator) -> Image.Image:
    """A table of digits that fit no layout."""
    how, ink = _lettering(rng, 0.6), random_colour(rng, 0, 0.4)
    return _grid(
        rng, int(rng.integers(4, 12)), int(rng.integers(4, 12)),
        lambda _, tile, __, ___: draw_text(tile, str(int(rng.integers(0, 10))), ink, how),
    )  # fmt: skip


def nonogram(rng: np.random.Generator) -> Image.Image:
    share, clues = rng.uniform(0.3, 0.7), int(rng.integers(1, 4))
    ink, how = random_colour(rng, 0.0, 0.5, 1.0), _lettering(rng, 0.55)

    def cell(brush: ImageDraw.ImageDraw, tile: Image.Image, row: int, column: int) -> None:
        if (row < clues) != (column < clues):
            draw_text(tile, str(int(rng.integers(1, 9))), ink, how)
        elif row >= clues and rng.random() < share:
            brush.rectangle((0, 0, *tile.size), fill=ink)

    return _grid(rng, int(rng.integers(8, 18)), int(rng.integers(8, 18)), cell)


def chess(rng: np.random.Generator) -> Image.Image:
    side, size = int(rng.integers(16, 50)), int(rng.choice([8, 8, 10]))
    light, dark = random_colour(rng, 0.6, 1.0), random_colour(rng, 0.1, 0.5)
    picture = Image.new("RGB", (size * side, size * side))
    brush = ImageDraw.Draw(picture)
    for row in range(size):
        for column in range(size):
            box = (column * side, row * side, column * side + side - 1, row * side + side - 1)
            brush.rectangle(box, fill=dark if (row + column) % 2 else light)
            if (row < 3 or row >= size - 3) and rng.random() < 0.7:
                gap = side // 5
                ink = (250, 250, 250) if row > size // 2 else (15, 15, 15)
                brush.ellipse((box[0] + gap, box[1] + gap, box[2] - gap, box[3] - gap), fill=ink, outline=(90, 90, 90))
    return picture


def blocks(rng: np.random.Generator) -> Image.Image:
    """Coloured tiles: falling blocks, matching games, pixel art, heat maps."""
    side, gap = int(rng.integers(12, 46)), int(rng.integers(0, 4))
    rows, columns = (int(length) for length in rng.integers(5, 20, 2))
    palette = [random_colour(rng, 0.0, 1.0, 1.0) for _ in range(int(rng.integers(1, 8)))]
    picture = Image.new("RGB", (columns * side, rows * side), random_colour(rng))
    brush = ImageDraw.Draw(picture)
    for row in range(rows):
        for column in range(columns):
            box = (column * side + gap, row * side + gap, (column + 1) * side - 1 - gap, (row + 1) * side - 1 - gap)
            brush.rectangle(box, fill=palette[int(rng.integers(len(palette)))])
    return picture


def merging(rng: np.random.Generator) -> Image.Image:
    """Tiles with powers of two."""
    how = _lettering(rng, 0.4)
    tones = {power: random_colour(rng, 0.3, 0.9, 1.0) for power in range(12)}

    def cell(brush: ImageDraw.ImageDraw, tile: Image.Image, _: int, __: int) -> None:
        power = int(rng.integers(0, 10))
        brush.rounded_rectangle((2, 2, tile.width - 3, tile.height - 3), 4, fill=tones[power])
        if power:
            draw_text(tile, str(2**power), (20, 20, 20), how)

    size = int(rng.integers(4, 7))
    return _grid(rng, size, size, cell)


def keys(rng: np.random.Generator) -> Image.Image:
    """Buttons: a number pad, a keyboard, a calculator, a grid of icons."""
    how, ink, face = _lettering(rng, 0.5), random_colour(rng, 0, 0.3), random_colour(rng, 0.5, 1.0)
    signs = list("789/456*123-0.=+" if rng.random() < 0.5 else "QWERTYUIOPASDFGHJKLZXCVBNM")
    columns, side = (4 if len(signs) == 16 else 10), int(rng.integers(20, 60))
    rows = -(-len(signs) // columns)
    picture = Image.new("RGB", (columns * side, rows * side), shade(face, -0.3))
    for place, sign in enumerate(signs):
        tile = Image.new("RGB", (side, side), shade(face, -0.3))
        ImageDraw.Draw(tile).rounded_rectangle(
            (2, 2, side - 3, side - 3), side // 8, fill=face, outline=shade(face, 0.7)
        )
        draw_text(tile, sign, ink, how)
        picture.paste(tile, (place % columns * side, place // columns * side))
    return picture


def interface(rng: np.random.Generator) -> Image.Image:
    """A window with panels, lines of words and buttons."""
    face = random_colour(rng, 0.7, 1.0, 0.2)
    picture = Image.new("RGB", (int(rng.integers(300, 800)), int(rng.integers(200, 600))), face)
    brush = ImageDraw.Draw(picture)
    known = fonts.paths()
    font = fonts.font(known[int(rng.integers(len(known)))], int(rng.integers(9, 18)))
    for y in range(30, picture.height - 20, int(rng.integers(18, 40))):
        x = int(rng.integers(5, 60))
        while x < picture.width - 60:
            wide = int(rng.integers(30, 140))
            brush.rectangle((x, y, x + wide, y + 16), outline=shade(face, -0.4), fill=random_colour(rng, 0.6, 1.0))
            brush.text(
                (x + 3, y + 2),
                str(rng.choice(["Open", "Save", "12", "100 %", "Mines", "3"])),
                font=font,
                fill=(0, 0, 0),
            )
            x += wide + int(rng.integers(4, 40))
    return picture


def texture(rng: np.random.Generator) -> Image.Image:
    """Smooth noise of several sizes, as photographs of walls, cloth or leaves."""
    width, height = int(rng.integers(200, 600)), int(rng.integers(200, 500))
    total = np.zeros((height, width, 3))
    for scale in (4, 12, 40):
        small = rng.normal(0, 1, (height // scale + 2, width // scale + 2, 3))
        channels = [
            Image.fromarray(small[..., k].astype(np.float32)).resize((width, height), Image.Resampling.BICUBIC)
            for k in range(3)
        ]
        total += rng.uniform(0, 30) * np.stack([np.asarray(channel) for channel in channels], -1)
    return Image.fromarray(np.clip(total + np.array(random_colour(rng)), 0, 255).astype(np.uint8))


def bricks(rng: np.random.Generator) -> Image.Image:
    """A wall, tiles of a floor, a window grille: repeats with texture."""
    picture = texture(rng)
    side, offset = int(rng.integers(14, 50)), rng.random() < 0.5
    brush, ink = ImageDraw.Draw(picture), random_colour(rng)
    wide = side * int(rng.choice([1, 2]))
    for number, y in enumerate(range(0, picture.height, side)):
        brush.line([(0, y), (picture.width, y)], fill=ink, width=2)
        for x in range(-wide // 2 if offset and number % 2 else 0, picture.width, wide):
            brush.line([(x, y), (x, y + side)], fill=ink, width=2)
    return picture


def dots(rng: np.random.Generator) -> Image.Image:
    """Circles in rows: a game of discs, an eye test, a loudspeaker."""
    side, rows, columns = int(rng.integers(14, 46)), int(rng.integers(5, 14)), int(rng.integers(5, 16))
    board = random_colour(rng)
    tones = [shade(board, -0.5), shade(board, 0.6), random_colour(rng, 0.2, 0.8, 1.0)]
    picture = Image.new("RGB", (columns * side, rows * side), board)
    brush = ImageDraw.Draw(picture)
    gap = rng.uniform(0.08, 0.3) * side
    for row in range(rows):
        for column in range(columns):
            x, y = column * side, row * side
            brush.ellipse((x + gap, y + gap, x + side - gap, y + side - gap), fill=tones[int(rng.integers(3))])
    return picture


KINDS: Final[dict[str, Callable[[np.random.Generator], Image.Image]]] = {
    kind.__name__: kind
    for kind in (
        crossword, graph_paper, sudoku, calendar, spreadsheet, letters, digits, nonogram, chess, blocks, merging, keys,
        interface, texture, bricks, dots,
    )
}  # fmt: skip
HELD_OUT: Final = (
    "crossword",
    "calendar",
    "digits",
    "merging",
    "interface",
    "texture",
    "dots",
)  # never used for tuning
