"""A game as a replay: with all its events where a recording has them, and by its moves where that is not the same.

What is written is read back: a format that has no question marks, say, plays the same events to another end. Then the
moves are written, of which each has its effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mineproof.errors import MineproofError
from mineproof.game.record import Record
from mineproof.recordings.recording import Recording
from mineproof.replays import evf, rawvf
from mineproof.replays.reading import read_record
from mineproof.replays.recorded import Replay


class Writer(NamedTuple):
    """Of the moves of a record, or of all events of a recording."""

    moves: Callable[[Record], str | bytes]
    events: Callable[[Replay, Recording], str | bytes]


WRITERS = {
    "rawvf": Writer(rawvf.write_record, rawvf.write_events),
    "evf": Writer(evf.write_record, evf.write_events),
}


def write_replay(replay: Replay, name: str) -> str | bytes:
    """A game in one of `WRITERS`; IllegalMoveError where it is on and only its moves can be written."""
    writer = WRITERS[name]
    if replay.recording is not None:
        try:
            written = writer.events(replay, replay.recording)
            if _same(read_record(written if isinstance(written, bytes) else written.encode()), replay.record):
                return written
        except MineproofError:
            pass  # the moves may do
    return writer.moves(replay.record)


def _same(found: Record, record: Record) -> bool:
    """Rules, which formats do not tell, may differ."""
    return replace(found, rules=record.rules) == record
