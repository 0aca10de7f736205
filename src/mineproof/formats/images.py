"""The position on a screenshot, read by `mineproof.screens`; what Pillow decodes (extra ``image``)."""

from __future__ import annotations

from mineproof.base.words import plural
from mineproof.formats.exchange import Found
from mineproof.screens.pixels import fits as fits


def read(data: bytes) -> Found:
    """Read the bytes of a picture; how sure that is stands in the note."""
    from mineproof.screens.reading import read_image

    reading = read_image(data)
    doubtful = sum(len(doubt.cells) for doubt in reading.doubts)
    doubts = f", {plural(doubtful, 'cell')} of it in doubt: see mineproof read" if doubtful else ""
    return Found(reading.board, note=f"position on a picture{doubts}")
