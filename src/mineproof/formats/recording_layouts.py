"""The layout of a recording of another program. `mineproof.replays.recording_games` reads the moves.

EVF can be written, too, without events. `mineproof.replays.evf` writes a game with its events.
"""

from __future__ import annotations

from mineproof.formats.exchange import ParsedValue, require_grid
from mineproof.game.layout import Layout
from mineproof.game.measures import measure
from mineproof.recordings import evf_writer
from mineproof.recordings.readers import READERS
from mineproof.recordings.recording import SQUARE
from mineproof.version import VERSION
from mineproof.wording.catalogue import message

PROGRAM = f"mineproof {VERSION}"


def read(data: bytes, name: str) -> ParsedValue:
    """Read the bytes of a file. Raises BoardSyntaxError for a fault anywhere in the file."""
    recording = READERS[name].read(data)
    key = "format-note-recording-by" if recording.program else "format-note-recording"
    note = message(key, format=name.upper(), program=recording.program)
    return ParsedValue(recording.layout, note=note)


def write_evf(layout: Layout) -> bytes:
    """Return an EVF recording without events."""
    require_grid(layout, "evf")
    return evf_writer.write(evf_sheet(layout), [], SQUARE)


def evf_sheet(layout: Layout) -> evf_writer.EvfHeader:
    """Return the header of an EVF recording of a layout."""
    return evf_writer.EvfHeader(
        layout, PROGRAM, measure(layout, zini=False).bbbv, mode=evf_writer.MADE_WITHOUT_GUESSES * layout.no_guess
    )
