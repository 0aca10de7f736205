"""Our JSON: the one format that holds everything a board or a layout can be.

``{"schema": "mineproof/board/1", "rows": 2, "columns": 2, "total_mines": 1, "cells": ["1#", "##"]}``
``{"schema": "mineproof/layout/1", "rows": 2, "columns": 2, "mines": [[0, 1]], "start": [1, 1]}``

``cells`` are rows in our alphabet; ``mines`` are [row, column] from 0, each once, and so are the ``absent`` cells of a
layout, which are not part of its board. ``total_mines``, ``start``, ``topology``, ``absent`` and ``no_guess`` may be
left out; their defaults are null, null, "grid", none and false. ``source`` (in files of many boards) and ``read_as``
(in answers of a server) are ignored. An unknown key is an error, because it may be a known key with a typing mistake.

Every command that reads a board also reads what the other commands write: answers contain the position as `board`,
`generate` writes a layout, and games are read as the position that the player sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.formats.documents.boards import fits as fits
from mineproof.formats.documents.boards import write as write
from mineproof.formats.documents.nested import read as read
from mineproof.formats.exchange import decode
from mineproof.game import record

if TYPE_CHECKING:
    from mineproof.formats.replays.recording_games import Replay


def read_game(data: bytes) -> Replay:
    """Return a saved game."""
    from mineproof.formats.replays.recording_games import Replay

    return Replay(record.from_json(decode(data)), "json")
