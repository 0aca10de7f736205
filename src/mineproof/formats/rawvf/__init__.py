"""RAWVF replays: mouse events as text, which most replay tools can read.

``Key: value`` lines; ``Board:`` and rows of ``*`` and ``0``; ``Events:`` and lines such as ``1.250 lc 3 5 (40 72)``:
seconds, event, column and row from 1, pixel. There is no standard; this module follows what the programs that read and
write the format have in common.

Reading
    Keys may be in any order and any case, and all are optional. ``lc``, ``rc``, ``mc`` press a button and ``lr``,
    ``rr``, ``mr`` release it, ``sc`` is ``lc`` with shift, ``mt`` switches question marks; `replays.mouse` defines
    their effects. Mouse moves and lines that begin with a word (opened cells, ``start``, ``won``) contain
    nothing new and are skipped. Some programs count cells from 0: this is assumed if all cells are those of their
    pixels. The mines are those at the end of the game. Programs that write replays have a safe first click, so that is
    assumed, unless the first click loses or the key ``FirstClick`` (only in files of mineproof) says otherwise. Replays
    with unknown rules are rejected, and so are replays that do not end as their header says.

Writing
    Every move becomes a press and a release: a chord uses the middle button, and a change of mark takes as many right
    clicks as necessary. Reading the file gives the same game, except that a question mark may take two moves.
    ``FirstClick`` and ``ChordRule`` are written only if they differ from what a reader assumes. A recording of another
    program is written with all its events, including mouse moves and clicks without effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.formats.exchange import GameWriter
from mineproof.formats.rawvf.layouts import decode_replay as decode_replay
from mineproof.formats.rawvf.layouts import fits as fits
from mineproof.formats.rawvf.layouts import read as read
from mineproof.formats.rawvf.layouts import read_bytes as read_bytes
from mineproof.formats.rawvf.layouts import write as write

if TYPE_CHECKING:
    from mineproof.formats.replays.recording_games import Replay


def read_game(data: bytes) -> Replay:
    """Return the game of a replay. The module is loaded here, because it plays the events."""
    from mineproof.formats.rawvf import games

    return games.read_replay(decode_replay(data))


def game_writer() -> GameWriter:
    """Return the functions that write games. They are loaded here, because they play the moves."""
    from mineproof.formats.rawvf import games

    return GameWriter(games.write_record, games.write_events)
