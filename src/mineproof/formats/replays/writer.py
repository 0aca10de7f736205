"""Write a game as a replay: with all events of its recording if possible, otherwise with its moves.

The written events are read back and compared: in a format without question marks, for example, the same events can give
another game. Then the moves are written, which always work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from mineproof.errors import MineproofError
from mineproof.game.record import Record
from mineproof.recordings.recording import Recording
from mineproof.replays import evf, rawvf
from mineproof.replays.reader import read_record
from mineproof.replays.recording_games import Replay


class Writer(NamedTuple):
    """Functions of a format that write the moves of a record, or all events of a recording."""

    moves: Callable[[Record], str | bytes]
    events: Callable[[Replay, Recording], str | bytes]


WRITERS = {
    "rawvf": Writer(rawvf.write_record, rawvf.write_events),
    "evf": Writer(evf.write_record, evf.write_events),
}


def write_replay(replay: Replay, name: str) -> str | bytes:
    """Return a game in a format of `WRITERS`; IllegalMoveError if it is not over and only its moves can be written."""
    writer = WRITERS[name]
    if replay.recording is not None:
        try:
            written = writer.events(replay, replay.recording)
            if _is_same_game(read_record(written if isinstance(written, bytes) else written.encode()), replay.record):
                return written
        except MineproofError:
            pass  # write the moves instead
    return writer.moves(replay.record)


def _is_same_game(read_back: Record, record: Record) -> bool:
    """Compare two records without their rules, which the formats do not store."""
    return replace(read_back, rules=record.rules) == record
