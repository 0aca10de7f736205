"""Fonts that are on every machine of ours: Pillow's own, matplotlib's, and those of the system where there are any."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
from PIL import Image, ImageDraw, ImageFont

Font = ImageFont.FreeTypeFont
SYSTEM = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
NOT_DIGITS = ("Math", "Ext", "cmex", "cmmi", "cmsy", "cmtt", "STIXNonUni", "STIXSiz", "Symbol", "Dingbats", "Emoji")
ALIKE = 0.45  # correlation with the digits of DejaVu Sans from which on a font's digits count as digits


@cache
def paths(system: bool = False) -> tuple[Path, ...]:
    """Fonts with digits and a question mark of the usual shapes; ``system`` also takes those of this machine."""
    own = Path(mpl.get_data_path()) / "fonts" / "ttf"
    found = sorted(own.glob("*.ttf"))
    if system:
        found += sorted(path for top in SYSTEM if top.exists() for path in top.rglob("*.[to]tf"))
    named = [path for path in found if not any(word in path.name for word in NOT_DIGITS)]
    return tuple(path for path in named if _has_digits(path))


def font(path: Path, size: int) -> Font:
    return ImageFont.truetype(str(path), max(4, size))


def _glyph(path: Path, text: str) -> np.ndarray:
    face = font(path, 40)
    picture = Image.new("L", (64, 64))
    left, top, right, bottom = face.getbbox(text)
    ImageDraw.Draw(picture).text((-left, -top), text, font=face, fill=255)
    return np.asarray(
        picture.crop((0, 0, max(1, int(right - left)), max(1, int(bottom - top)))).resize((16, 24)), float
    )


@cache
def _plain() -> tuple[np.ndarray, ...]:
    path = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans-Bold.ttf"
    return tuple(_glyph(path, text) for text in "12345678?")


def _has_digits(path: Path) -> bool:
    try:
        shapes = [_glyph(path, text) for text in "12345678?"]
    except OSError:
        return False
    if any(shape.std() < 1 for shape in shapes):
        return False
    likeness = [np.corrcoef(a.ravel(), b.ravel())[0, 1] for a, b in zip(shapes[1:], _plain()[1:], strict=True)]
    return bool(np.mean(likeness) > ALIKE and likeness[-1] > ALIKE / 2)
