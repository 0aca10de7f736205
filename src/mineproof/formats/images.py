"""The position on a screenshot, read by `mineproof.screens`; what Pillow decodes (extra ``image``)."""

from __future__ import annotations

from mineproof.formats.exchange import ParsedValue
from mineproof.screens.pixels import fits as fits
from mineproof.wording.catalogue import message, plural


def read(data: bytes) -> ParsedValue:
    """Read the bytes of a picture; the note says how many cells are in doubt."""
    from mineproof.screens.reader import read_image

    reading = read_image(data)
    doubtful = sum(len(doubt.cells) for doubt in reading.doubts)
    note = plural("format-note-doubtful-picture", doubtful) if doubtful else message("format-note-picture")
    return ParsedValue(reading.board, note=note)
