"""A replay or a saved game, whichever it is, as a record."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mineproof.base import files
from mineproof.errors import BoardSyntaxError
from mineproof.formats import exchange
from mineproof.formats import rawvf as rawvf_layout
from mineproof.game import record
from mineproof.game.record import Record
from mineproof.replays import rawvf


def read_replay(path: str | PathLike[str]) -> Record:
    """The game in a file: a saved game of ours (JSON) or a RAWVF replay; BoardSyntaxError where it is neither."""
    try:
        return read_record(files.read(Path(path)))
    except BoardSyntaxError as error:
        error.source = str(path)
        raise


def read_record(data: bytes) -> Record:
    """The same of the bytes of a file."""
    text = rawvf_layout.decoded(data)
    if rawvf_layout.fits(text):
        return rawvf.read_record(text)
    if not record.fits(text):
        raise BoardSyntaxError("found neither a saved game in JSON nor a RAWVF replay, expected one of them")
    return record.from_json(exchange.decode(data))
