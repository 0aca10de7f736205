"""Pictures as arrays: decoded by Pillow, with limits, and resampled with fractions of a pixel.

A picture that is too large is rejected by the size in its header, before it is decoded. A picture of more than
`MAX_WORKING_PIXELS` is read at half its size, a band of rows at a time, so that memory stays below some 400 MB.
"""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.base import extras
from mineproof.base.words import size
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 40_000_000  # an 8K screen has 33 million
MAX_WORKING_PIXELS = 10_000_000  # larger pictures are halved; a 4K screen has 8 million
MIN_SIDE = 32  # pixels: 3 cells of 11, nearly
BAND = 256  # rows of a large picture at a time
TOO_LARGE = f"expected a picture of at most {MAX_PIXELS:,} pixels, got more"
TOO_SMALL = f"expected a picture of at least {MIN_SIDE} × {MIN_SIDE} pixels"
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
INSTALL = "mineproof[image]"
_SIGNS = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")

Pixels = NDArray[np.uint8]  # (height, width, 3)


ORIENTATION = 0x0112  # the EXIF tag of phones and cameras that were turned


def fits(data: bytes) -> bool:
    """Do these bytes begin like a picture?"""
    return data.startswith(_SIGNS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


class Decoded(NamedTuple):
    """Pixels to work with; ``scale`` is how many of the picture each stands for, to the right and downwards."""

    pixels: Pixels
    scale: int


def decode(data: bytes) -> Decoded:
    """Return the pixels of a picture (of the first frame of a GIF), upright, on white where it is transparent.

    Raises BoardSyntaxError if it is not a picture, is damaged, or has too few or too many pixels; ImportError without
    Pillow.
    """
    image = extras.load("PIL.Image", INSTALL, "reading a picture")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are checked here
            with image.open(io.BytesIO(data), formats=FORMATS) as picture:
                _require_size(*picture.size)
                orientation = _orientation(picture)
                if picture.size[0] * picture.size[1] > MAX_WORKING_PIXELS:
                    return Decoded(_turn_upright(_load_half_size(_as_bytes(picture)), orientation), 2)
                whole = np.asarray(_remove_transparency(_as_bytes(picture)))
                return Decoded(_turn_upright(whole, orientation), 1)
    except image.DecompressionBombError:
        raise BoardSyntaxError(TOO_LARGE) from None
    except image.UnidentifiedImageError:
        raise BoardSyntaxError("the picture cannot be decoded: expected PNG, JPEG, WebP, GIF or BMP") from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if isinstance(error, BoardSyntaxError):
            raise
        raise BoardSyntaxError(f"the picture cannot be decoded: it is damaged or incomplete ({error})") from None


def _orientation(picture: Image.Image) -> int:
    """How a camera was held. Damaged EXIF data counts as upright."""
    try:
        return int(picture.getexif().get(ORIENTATION, 1))
    except (OSError, SyntaxError, ValueError, TypeError, LookupError, EOFError, struct.error):
        return 1


def _turn_upright(pixels: Pixels, orientation: int) -> Pixels:
    """Undo the orientation of a camera, by the value of the EXIF tag; 1 and unknown values are upright."""
    if orientation in {5, 6, 7, 8}:
        pixels = pixels.swapaxes(0, 1)
    if orientation in {2, 3, 6, 7}:
        pixels = pixels[:, ::-1]
    if orientation in {3, 4, 7, 8}:
        pixels = pixels[::-1]
    return pixels


def _require_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise BoardSyntaxError(TOO_LARGE)
    if min(width, height) < MIN_SIDE:
        raise BoardSyntaxError(f"{TOO_SMALL}, got {size(height, width)}")


def _load_half_size(picture: Image.Image) -> Pixels:
    """The picture at half its size, of which only a band at a time is converted."""
    width, height = (side // 2 * 2 for side in picture.size)
    half = np.empty((height // 2, width // 2, 3), np.uint8)
    for top in range(0, height, BAND):
        bottom = min(height, top + BAND)
        band = _remove_transparency(picture.crop((0, top, width, bottom)))
        half[top // 2 : bottom // 2] = np.asarray(band.reduce(2))
    return half


def _as_bytes(picture: Image.Image) -> Image.Image:
    """With a byte for each colour."""
    if not picture.mode.startswith("I") and picture.mode != "F":
        return picture
    values = np.asarray(picture, np.float32)
    image = extras.load("PIL.Image", INSTALL, "reading a picture")
    scaled: Image.Image = image.fromarray((values / max(1.0, float(values.max())) * 255).astype(np.uint8))
    return scaled


def _remove_transparency(picture: Image.Image) -> Image.Image:
    """Without transparency, in red, green and blue."""
    image = extras.load("PIL.Image", INSTALL, "reading a picture")
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        solid = picture.convert("RGBA")
        ground = image.new("RGBA", solid.size, "white")
        return image.alpha_composite(ground, solid).convert("RGB")  # type: ignore[no-any-return]
    return picture.convert("RGB")


def resize(pixels: Pixels, box: tuple[float, float, float, float], size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the part of a picture in ``box`` (left, top, right, bottom) as ``size`` (width, height) pixels, 0 to 1.

    Pixels are averaged if it shrinks. Beyond the picture its edge is repeated.
    """
    from PIL import Image

    height, width = pixels.shape[:2]
    x0, y0, x1, y1 = box
    inner = (
        min(max(0, int(x0) - 2), width - 1),
        min(max(0, int(y0) - 2), height - 1),
        max(min(width, int(x1) + 3), 1),
        max(min(height, int(y1) + 3), 1),
    )
    part = pixels[inner[1] : inner[3], inner[0] : inner[2]]
    left, top = max(0, int(np.ceil(-x0))), max(0, int(np.ceil(-y0)))
    right, bottom = max(0, int(np.ceil(x1 - width))), max(0, int(np.ceil(y1 - height)))
    if left or top or right or bottom:
        part = np.pad(part, ((top, bottom), (left, right), (0, 0)), mode="edge")
    dx, dy = inner[0] - left, inner[1] - top
    picture = Image.fromarray(np.ascontiguousarray(part))
    small = picture.resize(size, Image.Resampling.BILINEAR, box=(x0 - dx, y0 - dy, x1 - dx, y1 - dy))
    return np.asarray(small, np.float32) / np.float32(255)
