"""The position on a screenshot, read by `mineproof.screens`; what Pillow decodes (extra ``image``)."""

from __future__ import annotations

from mineproof.base.words import plural
from mineproof.formats.exchange import ParsedValue
from mineproof.screens.pixels import fits as fits


def read(data: bytes) -> ParsedValue:
    """Read the bytes of a picture; the note says how many cells are in doubt."""
    from mineproof.screens.reader import read_image

    reading = read_image(data)
    doubtful = sum(len(doubt.cells) for doubt in reading.doubts)
    doubts = f", {plural(doubtful, 'cell')} of it in doubt: see mineproof read" if doubtful else ""
    return ParsedValue(reading.board, note=f"position on a picture{doubts}")
