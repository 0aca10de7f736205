"""The layout of a recording of another program. What was played is told by `mineproof.replays.recorded`.

EVF is written, too: a recording in which nothing happens. `mineproof.replays.evf` writes one of a game.
"""

from __future__ import annotations

from mineproof.formats.exchange import Found, require_grid
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.recordings import evf_writing
from mineproof.recordings.readers import READERS
from mineproof.recordings.recording import SQUARE
from mineproof.version import VERSION

PROGRAM = f"mineproof {VERSION}"


def read(data: bytes, name: str) -> Found:
    """Read the bytes of a file; a fault anywhere in it is an error, also behind the mines."""
    found = READERS[name].read(data)
    program = f", by {found.program}" if found.program else ""
    return Found(found.layout, note=f"layout of an {name.upper()} replay{program}")


def write_evf(layout: Layout) -> bytes:
    require_grid(layout, "evf")
    return evf_writing.write(evf_sheet(layout), [], SQUARE)


def evf_sheet(layout: Layout) -> evf_writing.Sheet:
    """What an EVF recording of ours says of a layout."""
    return evf_writing.Sheet(
        layout, PROGRAM, measure(layout, zini=False).bbbv, mode=evf_writing.MADE_WITHOUT_GUESSES * layout.no_guess
    )
