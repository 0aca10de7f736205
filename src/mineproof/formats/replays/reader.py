"""A replay or a saved game, whichever it is, as a record."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mineproof.base import files
from mineproof.errors import BoardSyntaxError
from mineproof.formats import detection
from mineproof.formats.replays.recording_games import Replay
from mineproof.formats.table import FORMATS, replay_names
from mineproof.game.record import Record


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
    format_name = detection.game(data, name)
    read = None if format_name is None else FORMATS[format_name].read_game
    if read is None:
        raise BoardSyntaxError(f"expected a saved game in JSON or a replay ({replay_names()}), got neither")
    return read(data)
