"""EVF, the recordings of Metasweeper, versions 0 to 4.

A file has no magic number, only a version. A header of numbers (rows first) is followed by zero-terminated texts, by
the mines as a bitmap (high bit first, row by row), and by events. Up to version 3 an event has 8 bytes. Since version 4
an event stores what changed since the previous one, and pauses are events.

Event times count from the first press. The stated time counts from the release that opened the first cell, so it can be
checked only after playing the events. One library writes version 0 in files that have the device field of version 2. If
a file cannot be parsed as version 0, the reader tries that.

Version 4 is written, without a checksum: its algorithm is not public, and readers do not need it.

A game record is written as its moves, each as a press and a release. EVF does not store whether question marks are on,
so they are left out: a cell with a question mark is an ordinary covered cell. EVF also has no chords with more flags
than the number, so a game that needs them is rejected. The clock starts with the first opening.

A recording of another program is written with all its events, including mouse moves and clicks without effect.
"""

from __future__ import annotations

from mineproof.formats.evf.reader import fits as fits
from mineproof.formats.evf.reader import read as read
from mineproof.formats.evf.writer import write_layout as write_layout
from mineproof.formats.exchange import GameWriter


def game_writer() -> GameWriter:
    """Return the functions that write games. They are loaded here, because they play the moves."""
    from mineproof.formats.evf import games

    return GameWriter(games.write_record, games.write_events)
