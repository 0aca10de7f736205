"""Table of the binary recording formats: detection and parsing.

RMV and later MVF files begin with a magic number, old MVF files with the size of a level. EVF and AVF files have no
magic number; they are recognized by their first numbers and by plausible mines. The only ambiguity is RMV, whose magic
number could be a version of AVF, so RMV is checked first. Only parsing a file shows whether it is valid.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mineproof.recordings import avf, evf, mvf, rmv
from mineproof.recordings.recording import Recording


class Reader(NamedTuple):
    """Functions of a format. ``fits`` is quick, and True for every file that ``read`` can parse."""

    read: Callable[[bytes], Recording]
    fits: Callable[[bytes], bool]


READERS = {module.__name__.rpartition(".")[2]: Reader(module.read, module.fits) for module in (rmv, mvf, evf, avf)}


def sniff(data: bytes) -> str | None:
    """Return the name of the most likely format, or None if the data is not a recording."""
    return next((name for name, reader in READERS.items() if reader.fits(data)), None)
