"""Pictures as arrays: read from bytes by Pillow, with limits; resampled with fractions of a pixel."""

from __future__ import annotations

import io
import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mineproof.base import extras
from mineproof.errors import BoardSyntaxError

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 40_000_000  # a screen of 8K has 33 million
TOO_LARGE = f"found a picture with too many pixels, expected at most {MOST_PIXELS:,}"
FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
INSTALL = "mineproof[image]"
_SIGNS = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")

Pixels = NDArray[np.uint8]  # (height, width, 3)


def fits(data: bytes) -> bool:
    """Do these bytes begin like a picture?"""
    return data.startswith(_SIGNS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def decoded(data: bytes) -> Pixels:
    """The pixels of a picture, of a GIF those of the first frame, on white where it is transparent.

    BoardSyntaxError for what is no picture, is damaged, or has more than `MOST_PIXELS`; ImportError without Pillow.
    """
    image = extras.load("PIL.Image", INSTALL, "reading a picture")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are checked here
            with image.open(io.BytesIO(data), formats=FORMATS) as picture:
                if picture.size[0] * picture.size[1] > MOST_PIXELS:
                    raise BoardSyntaxError(TOO_LARGE)
                return np.asarray(_flattened(picture))
    except image.DecompressionBombError:
        raise BoardSyntaxError(TOO_LARGE) from None
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        if isinstance(error, BoardSyntaxError):
            raise
        message = f"found a picture that cannot be decoded ({error}), expected PNG, JPEG, WebP, GIF or BMP"
        raise BoardSyntaxError(message) from None


def _flattened(picture: Image.Image) -> Image.Image:
    """Without transparency, in red, green and blue."""
    image = extras.load("PIL.Image", INSTALL, "reading a picture")
    if picture.mode.startswith("I") or picture.mode == "F":  # sixteen bits a pixel
        values = np.asarray(picture, np.float64)
        picture = image.fromarray((values / max(1.0, values.max()) * 255).astype(np.uint8))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        solid = picture.convert("RGBA")
        ground = image.new("RGBA", solid.size, "white")
        return image.alpha_composite(ground, solid).convert("RGB")  # type: ignore[no-any-return]
    return picture.convert("RGB")


def resized(pixels: Pixels, box: tuple[float, float, float, float], size: tuple[int, int]) -> NDArray[np.float32]:
    """The part of a picture in ``box`` (left, top, right, bottom) as ``size`` (width, height) pixels from 0 to 1.

    Pixels are averaged where it shrinks. Beyond the picture its edge goes on.
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
