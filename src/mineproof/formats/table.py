"""The table of formats: what each can read and write. Lists of formats elsewhere are made from it.

A format is one module, or one package if it is large. A new format is a module and an entry here; `detection` decides
when it is chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from mineproof.board.board import Board
from mineproof.formats import (
    avf,
    documents,
    evf,
    images,
    jsminesweeper,
    mbf,
    mine_rows,
    mvf,
    paste,
    positions,
    ptta,
    rawvf,
    rmv,
    tatham,
)
from mineproof.formats.exchange import Format, GameWriter, ParsedValue
from mineproof.formats.replays.recording import Recording, parsed_layout
from mineproof.game.layout import Layout

if TYPE_CHECKING:
    from mineproof.formats.replays.recording_games import Replay


def _alphabet(name: str, write: Callable[[Board], str] | None = None, suffixes: tuple[str, ...] = ()) -> Format:
    return Format(name, "position", partial(positions.read, alphabet=name), write=write, suffixes=suffixes)


def _recording(
    name: str,
    read: Callable[[bytes], Recording],
    fits: Callable[[bytes], bool],
    write: Callable[[Layout], bytes] | None = None,
    game_writer: Callable[[], GameWriter] | None = None,
) -> Format:
    """Return the entry of a binary replay, which is read as a recording."""

    def read_layout(data: bytes) -> ParsedValue:
        return parsed_layout(read(data))

    def read_game(data: bytes) -> Replay:
        from mineproof.formats.replays.recording_games import replay_of

        return replay_of(read(data))

    return Format(
        name, "layout", read_bytes=read_layout, write=write, read_game=read_game, game_writer=game_writer, fits=fits,
        suffixes=(f".{name}",),
    )  # fmt: skip


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        _alphabet("mineproof", str),
        _alphabet("mine", positions.write_mine, (".mine",)),
        _alphabet("minedetector"),
        _alphabet("minedetector-output"),
        _alphabet("truffle"),
        _alphabet("fair"),
        _alphabet("go"),
        Format(
            "jsminesweeper",
            "position",
            read_text=jsminesweeper.read,
            size_of=jsminesweeper.size_of,
            write=jsminesweeper.write,
        ),
        Format(
            "json",
            "either",
            read_text=documents.read,
            write=documents.write,
            read_game=documents.read_game,
            suffixes=(".json",),
        ),
        Format("layout", "layout", read_text=mine_rows.read, write=mine_rows.write),
        Format("mbf", "layout", read_bytes=mbf.read, write=mbf.write, suffixes=(".mbf", ".abf")),
        Format("mbf-hex", "layout", read_text=mbf.read_hex, write=mbf.write_hex),
        Format("ptta", "layout", read_text=ptta.read, write=ptta.write),
        Format("tatham", "layout", read_text=tatham.read, write=tatham.write),
        Format(
            "rawvf",
            "layout",
            read_text=rawvf.read,
            read_bytes=rawvf.read_bytes,
            write=rawvf.write,
            read_game=rawvf.read_game,
            game_writer=rawvf.game_writer,
            suffixes=(".rawvf",),
        ),
        _recording("evf", evf.read, evf.fits, evf.write_layout, evf.game_writer),
        _recording("avf", avf.read, avf.fits),
        _recording("mvf", mvf.read, mvf.fits),
        _recording("rmv", rmv.read, rmv.fits),
        Format("image", "position", read_bytes=images.read),
        Format(paste.NAME, "either", read_text=paste.read),
    )
}

SAVED = "json"  # the format of saved games; the other formats of games are replays of other programs
WRITABLE = [entry.name for entry in FORMATS.values() if entry.writes]
BINARY = [entry.name for entry in FORMATS.values() if entry.read_text is None]
RECORDINGS = sorted(entry.name for entry in FORMATS.values() if entry.fits is not None)
REPLAYS = [*RECORDINGS, *(name for name in FORMATS if FORMATS[name].read_game and name not in (SAVED, *RECORDINGS))]
GAME_WRITERS = {name: entry.game_writer for name, entry in FORMATS.items() if entry.game_writer is not None}


def replay_names() -> str:
    """Return the names of the replay formats in a sentence.

    >>> replay_names()
    'AVF, EVF, MVF, RMV, RAWVF'
    """
    return ", ".join(map(str.upper, REPLAYS))
