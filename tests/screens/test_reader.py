"""Reading pictures: boards in looks of our own making, what is in doubt, and what is refused."""

import dataclasses
import io
import json
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

import mineproof as mp
from mineproof.base.budget import Budget, Deadline
from mineproof.screens import pixels
from mineproof.screens.cell_names import MARKS, breaches
from mineproof.screens.counter import Caption, captions, mines_left, read_counter
from mineproof.screens.lattice import Lattice, looks
from mineproof.screens.network import log_probabilities
from mineproof.screens.reader import read_pixels
from support.effort import THOROUGH, examples
from support.skins.captions import draw_caption
from support.skins.drawn import judged
from support.skins.looks import random_look
from support.skins.positions import random_position
from support.skins.scenes import draw_scene

SCENES = int(os.environ.get("MINEPROOF_SCENES", examples(40, 0.2)))


def png(picture: Image.Image) -> bytes:
    held = io.BytesIO()
    picture.save(held, "PNG")
    return held.getvalue()


@pytest.mark.slow
def test_boards_in_random_looks_are_read() -> None:
    """Goals are for the screens of real programs; these are harder, and the bounds leave room for chance."""
    found = [judged(seed) for seed in range(70_000, 70_000 + SCENES)]
    assert sum(each.whole for each in found) >= int(0.6 * SCENES)
    assert sum(each.after_two for each in found) >= int(0.65 * SCENES)
    right = sum(each.right for each in found)
    assert right >= 0.9 * sum(each.cells for each in found)
    assert sum(each.sure and not each.whole for each in found) <= max(1, 0.05 * SCENES)
    assert any(each.sure for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [9202, 9203, 9205])
def test_the_cells_lie_where_they_were_drawn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    look = random_look(rng)
    scene = draw_scene(look, random_position(rng, largest=300), rng)
    reading = read_pixels(np.asarray(scene.picture.convert("RGB")))
    rows, columns = scene.position.marks.shape
    assert (len(reading.cells), len(reading.cells[0])) == (rows, columns)
    side = (scene.box[2] - scene.box[0]) / columns
    assert reading.box == pytest.approx(scene.box, abs=0.12 * side + 1)
    assert reading.confidence.shape == (rows, columns)


DRAWN = mp.Board.parse("000000/011100/02F211/03F###/03####/02####")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scale", [0.75, 1.0, 1.6])
def test_our_own_drawings_are_read(theme: str, scale: float) -> None:
    drawn = mp.draw(DRAWN, theme=theme, coordinates=False)  # type: ignore[arg-type]
    reading = mp.read_image(drawn.png(scale))
    assert reading.board == DRAWN


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_every_kind_of_file_is_read(kind: str, tmp_path: Path) -> None:
    picture = Image.open(io.BytesIO(mp.draw(DRAWN, coordinates=False).png(1))).convert("RGB")
    path = tmp_path / "screen"
    picture.save(path, kind)
    assert mp.read_image(path).board == DRAWN
    assert mp.read_image(str(path)).board == DRAWN


def test_transparent_pixels_are_white() -> None:
    picture = Image.new("RGBA", (40, 40), (0, 0, 0, 0))
    assert (pixels.decode(png(picture)).pixels == 255).all()


def noise(seed: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (300, 400, 3)).astype(np.uint8))


def page_of_words() -> Image.Image:
    picture = Image.new("RGB", (500, 400), "white")
    for line in range(0, 380, 18):
        ImageDraw.Draw(picture).text((10, line), "a page of words, and no board at all on it " * 2, fill="black")
    return picture


@pytest.mark.slow
@pytest.mark.parametrize(
    "picture", [Image.new("RGB", (200, 200), "white"), Image.new("RGB", (1, 1)), noise(1), page_of_words()]
)
def test_a_picture_without_a_board_is_refused_or_not_sure(picture: Image.Image) -> None:
    found: list[mp.Reading] = []
    with suppress(mp.BoardSyntaxError):
        found.append(mp.read_image(png(picture)))
    assert not any(reading.sure for reading in found)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "cannot be decoded"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "cannot be decoded"),
        (b"GIF89a" + bytes(10), "cannot be decoded"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(mp.BoardSyntaxError, match=words) as caught:
        mp.read_image(data)
    assert "BytesIO" not in str(caught.value), "no address of an object of ours"


def test_a_truncated_picture_is_refused() -> None:
    whole = png(noise(2))
    for length in (60, 1000, len(whole) // 2):
        with pytest.raises(mp.BoardSyntaxError, match="cannot be decoded"):
            mp.read_image(whole[:length])


@pytest.mark.slow
@pytest.mark.parametrize("side", [7_000, 20_000])
def test_too_many_pixels_are_refused_before_they_are_decoded(side: int) -> None:
    held = io.BytesIO()
    Image.new("1", (side, side)).save(held, "PNG")
    with pytest.raises(mp.BoardSyntaxError, match="at most 40,000,000 pixels, got more"):
        mp.read_image(held.getvalue())


def test_a_wrong_type_is_named() -> None:
    with pytest.raises(TypeError, match="path or the bytes of a picture, got int"):
        mp.read_image(7)  # type: ignore[arg-type]


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    path.write_bytes(b"no picture")
    with pytest.raises(mp.BoardSyntaxError) as caught:
        mp.read_image(path)
    assert caught.value.source == str(path)


def doubtful() -> mp.Reading:
    """The first drawn scene with a doubt."""
    for seed in range(9200, 9260):
        found = judged(seed)
        if found.reading is not None and found.reading.doubts:
            return found.reading
    raise AssertionError("no scene is in doubt")


@pytest.mark.slow
def test_what_a_person_says_is_believed_for_all_cells_that_look_alike() -> None:
    reading = doubtful()
    doubt = reading.doubts[0]
    assert not reading.sure
    assert all(reading.confidence[cell] < 0.97 for cell in doubt.cells)
    assert doubt.mark not in dict(doubt.alternatives)
    row, col = doubt.cells[0]
    said = reading.confirm({doubt.cells[0]: "7"})
    assert all(said.cells[r][c] == "7" for r, c in doubt.cells)
    assert reading.cells[row][col] == doubt.mark, "a reading does not change"
    with pytest.raises(ValueError, match="got 'Z'"):
        reading.confirm({(0, 0): "Z"})


@pytest.mark.slow
def test_a_reading_is_told_in_json_and_in_a_line() -> None:
    reading = mp.read_image(mp.draw(DRAWN, coordinates=False).png(1))
    told = json.loads(json.dumps(reading.as_json()))
    assert told["schema"] == "mineproof/reading/1"
    assert told["cells"] == list(reading.cells)
    assert (told["rows"], told["columns"], told["total_mines"]) == (6, 6, None)
    assert np.shape(told["confidence"]) == (6, 6)
    assert len(told["box"]) == 4
    assert repr(reading).startswith("<Reading of 6 × 6: ")
    assert "<svg" in (reading._repr_svg_() or "")


@pytest.mark.slow
def test_a_picture_is_a_board_wherever_one_is_read() -> None:
    found = mp.formats.read(mp.draw(DRAWN, coordinates=False).png(1))
    assert found.format == "image"
    assert found.value == DRAWN
    assert found.note.startswith("position on a picture")


@pytest.mark.slow
def test_the_counter_and_the_flags_are_the_total() -> None:
    reading = mp.read_image(mp.draw(DRAWN, coordinates=False).png(1))
    counted = dataclasses.replace(reading, counter=3)
    assert counted.total_mines == 5
    assert counted.board.total_mines == 5


def test_a_counter_that_cannot_be_is_no_total() -> None:
    """A clock read as the counter made the whole picture unreadable."""
    reading = dataclasses.replace(mp.read_image(mp.draw(DRAWN, coordinates=False).png(1)), counter=890)
    assert reading.total_mines is None
    assert reading.board.total_mines is None


SEGMENTS = {"0": "abcdef", "2": "abdeg", "4": "bcfg", "-": "g", "1": "bc", "9": "abcdfg"}
BARS = {"a": (2, 0, 9, 2), "b": (9, 2, 11, 10), "c": (9, 12, 11, 20), "d": (2, 20, 9, 22), "e": (0, 12, 2, 20),
        "f": (0, 2, 2, 10), "g": (2, 10, 9, 12)}  # fmt: skip


def display(text: str) -> Image.Image:
    """Red segments on black, those that are not lit in dark red, above the place of a board."""
    picture = Image.new("RGB", (160, 200), (192, 192, 192))
    brush = ImageDraw.Draw(picture)
    brush.rectangle((8, 8, 8 + 3 * 13 + 2, 34), fill=(0, 0, 0))
    for place, digit in enumerate(text):
        for letter, (x0, y0, x1, y1) in BARS.items():
            colour = (255, 0, 0) if letter in SEGMENTS[digit] else (110, 0, 0)
            left, top = 10 + 13 * place, 10
            brush.rectangle((left + x0, top + y0, left + x1, top + y1), fill=colour)
    return picture


@pytest.mark.parametrize(("text", "number"), [("042", 42), ("-10", -10), ("199", 199), ("000", 0), ("4-1", None)])
def test_a_counter_of_red_segments_is_read(text: str, number: int | None) -> None:
    lattice = Lattice(8, 48, 16, 16, 9, 9)
    assert read_counter(np.asarray(display(text)), lattice) == number


def test_thin_segments_and_halves_that_are_apart_are_read() -> None:
    """Nothing is lit between the halves of 0, 1 and 7; thin segments lie at the very edge of a digit."""
    thin = display("042").crop((8, 8, 60, 40)).resize((208, 128), Image.Resampling.NEAREST)
    array = np.asarray(thin).copy()
    red = array[..., 0] > 200
    inner = red.copy()
    for axis in (0, 1):
        inner &= np.roll(red, 3, axis) & np.roll(red, -3, axis)
    array[red & ~inner] = (0, 0, 0)
    picture = np.full((600, 600, 3), 192, np.uint8)
    picture[20:148, 20:228] = array
    assert read_counter(picture, Lattice(20, 160, 64, 64, 6, 6)) == 42


def test_texts_beside_a_board_say_how_many_mines_are_left() -> None:
    """In a font that the training has not seen; what is read must be right nearly always, the rest is not read."""
    pictures = [draw_caption(np.random.default_rng(seed)) for seed in range(1000, 1020)]
    deadline = Deadline(Budget(seconds=10_000))
    numbers = [
        mines_left(captions(np.asarray(drawn.picture), drawn.lattice, deadline), drawn.flags, 81) for drawn in pictures
    ]
    assert sum(number is not None and number == drawn.left for number, drawn in zip(numbers, pictures, strict=True)) > 2
    assert sum(number not in {None, drawn.left} for number, drawn in zip(numbers, pictures, strict=True)) <= 1


@pytest.mark.parametrize(
    ("seen", "flags", "number"),
    [
        ([Caption(12, of=40)] * 2, 28, 12),
        ([Caption(12, of=40)] * 2, 12, 28),
        ([Caption(12, of=40)] * 2, 5, None),
        ([Caption(12)] * 2, 3, 12),
        ([Caption(12)], 3, None),
        ([Caption(12), Caption(12), Caption(17)], 3, 12),
        ([Caption(12), Caption(12), Caption(17), Caption(17)], 3, None),
        ([Caption(12, is_left=False)] * 2, 3, None),
        ([Caption(12, is_left=False)] * 2, 0, 12),
        ([], 0, None),
    ],
)
def test_a_caption_counts_if_it_goes_with_the_flags(seen: list[Caption], flags: int, number: int | None) -> None:
    """Pairs have the flags or the mines left first; other numbers are read at several levels of brightness."""
    assert mines_left(seen, flags, 81) == number


def test_no_counter_is_read_where_there_is_none() -> None:
    grey = np.full((200, 160, 3), 192, np.uint8)
    assert read_counter(grey, Lattice(8, 48, 16, 16, 9, 9)) is None
    assert read_counter(grey, Lattice(0, 0, 16, 16, 9, 9)) is None


def test_the_network_tells_digits_apart() -> None:
    """Each digit of one plain look, by itself."""
    drawn = mp.draw("1234/5678", coordinates=False, legend=False)
    picture = pixels.decode(drawn.png(2)).pixels
    inner = log_probabilities(looks(picture, Lattice(16, 16, 64, 64, 2, 4)))  # a margin of 8 units, cells of 32
    named = [MARKS[int(mark)] for mark in inner[..., : len(MARKS)].argmax(-1).ravel()]
    assert named == list("12345678")


def test_breaches_are_counted() -> None:
    marks = np.array([[MARKS.index(mark) for mark in row] for row in ("0#1", "003")])
    told = breaches(marks)
    assert told[0, 0] == 1, "a zero beside a covered cell"
    assert told[1, 2] == 2, "a 3 beside one covered cell"
    assert told[0, 2] == 0


KNOWN = Path(os.environ.get("MINEPROOF_SCREENSHOTS", Path(__file__).parents[3] / "shared/cases/screens"))


@pytest.mark.skipif(not (KNOWN / "index.json").exists(), reason="others' screenshots are not part of the project")
@pytest.mark.slow
def test_screens_of_real_programs_are_read() -> None:
    """What benchmarks/check_screens.py measures, with room for changes that cost one or two."""
    from support.skins.drawn import judged_screen

    known = json.loads((KNOWN / "index.json").read_text())[:: 1 if THOROUGH else 5]
    found = [judged_screen(KNOWN / each["file"], each["rows"]) for each in known]
    assert sum(each.whole for each in found) >= 0.75 * len(found)
    assert sum(each.after_two for each in found) >= 0.9 * len(found)
    assert sum(each.right for each in found) >= 0.97 * sum(each.cells for each in found)
    assert not any(each.sure and not each.whole for each in found)
