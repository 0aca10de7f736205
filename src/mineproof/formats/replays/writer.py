"""Write a game as a replay: with all events of its recording if possible, otherwise with its moves.

The written events are read back and compared: in a format without question marks, for example, the same events can give
another game. Then the moves are written, which always work.
"""

from __future__ import annotations

from dataclasses import replace

from mineproof.errors import MineproofError
from mineproof.formats.replays.reader import read_record
from mineproof.formats.replays.recording_games import Replay
from mineproof.formats.table import GAME_WRITERS
from mineproof.game.record import Record


def write_replay(replay: Replay, name: str) -> str | bytes:
    """Return a game in a format of `GAME_WRITERS`.

    Raises IllegalMoveError if the game is not over and only its moves can be written.
    """
    writer = GAME_WRITERS[name]()
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
