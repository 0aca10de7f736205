"""A replay or a saved game, whichever it is, as a record."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mineproof.base import files
from mineproof.errors import BoardSyntaxError
from mineproof.formats import exchange, sniffing
from mineproof.formats import rawvf as rawvf_layout
from mineproof.game import record
from mineproof.game.record import Record
from mineproof.recordings.readers import READERS
from mineproof.replays import rawvf
from mineproof.replays.recorded import Replay, replay_of

SAVED = "json"  # the format of our own games


def read_replay(path: str | PathLike[str]) -> Record:
    """The game in a file: AVF, EVF, MVF, RMV, RAWVF or a saved game of ours (JSON); BoardSyntaxError for anything else.

    What the file is called decides only where its content could be several things.
    """
    place = Path(path)
    try:
        return read_game(files.read(place), place.name).record
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def read_record(data: bytes) -> Record:
    """The same of the bytes of a file."""
    return read_game(data).record


def read_game(data: bytes, name: str = "") -> Replay:
    """The same with what the file tells besides; ``name`` is that of the file."""
    found = sniffing.recording(data, name)
    if found is not None:
        return replay_of(READERS[found].read(data))
    text = rawvf_layout.decoded(data)
    if rawvf_layout.fits(text):
        return rawvf.read_replay(text)
    if not record.fits(text):
        raise BoardSyntaxError(
            "found neither a saved game in JSON nor a replay (AVF, EVF, MVF, RMV, RAWVF), expected one of them"
        )
    return Replay(record.from_json(exchange.decode(data)), SAVED)
