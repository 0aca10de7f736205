"""Which recording is this, and reading it: one table of the formats that are bytes.

RMV and the later MVF begin with a mark of their own, and an old MVF with the size of a level. EVF and AVF have no mark:
they are told by their first numbers, and by mines that are where they can be. No two look alike but RMV, whose mark
could be a version of AVF; so it is asked first. Reading tells whether it is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from mineproof.recordings import avf, evf, mvf, rmv
from mineproof.recordings.recording import Recording


class Reader(NamedTuple):
    """``looks_so`` is quick, and never wrong about a file that can be read."""

    read: Callable[[bytes], Recording]
    looks_so: Callable[[bytes], bool]


READERS = {module.__name__.rpartition(".")[2]: Reader(module.read, module.looks_so) for module in (rmv, mvf, evf, avf)}


def sniff(data: bytes) -> str | None:
    """The name of the format, or of the one that it comes closest to; None where it is no recording."""
    return next((name for name, reader in READERS.items() if reader.looks_so(data)), None)
