"""A replay or a saved game, whichever it is, as a record."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mineproof.base import files
from mineproof.errors import BoardSyntaxError
from mineproof.formats import detection, exchange
from mineproof.formats import rawvf as rawvf_layout
from mineproof.game import record
from mineproof.game.record import Record
from mineproof.recordings.readers import READERS
from mineproof.replays import rawvf
from mineproof.replays.recording_games import Replay, replay_of

SAVED = "json"  # the format of saved games


def read_replay(path: str | PathLike[str]) -> Record:
    """Read the game in a file: AVF, EVF, MVF, RMV, RAWVF or a saved game (JSON); BoardSyntaxError for anything else.

    The format follows from the content. The name of the file decides only if the content is ambiguous.
    """
    place = Path(path)
    try:
        return read_game(files.read(place), place.name).record
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def read_record(data: bytes) -> Record:
    """Return the game in the bytes of a file."""
    return read_game(data).record


def read_game(data: bytes, name: str = "") -> Replay:
    """Return the game in the bytes of a file with its program, player and date; ``name`` is that of the file."""
    format_name = detection.recording(data, name)
    if format_name is not None:
        return replay_of(READERS[format_name].read(data))
    text = rawvf_layout.decode_replay(data)
    if rawvf_layout.fits(text):
        return rawvf.read_replay(text)
    if not record.fits(text):
        raise BoardSyntaxError("expected a saved game in JSON or a replay (AVF, EVF, MVF, RMV, RAWVF), got neither")
    return Replay(record.from_json(exchange.decode(data)), SAVED)
