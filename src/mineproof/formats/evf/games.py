"""Write games as EVF recordings: their moves, or all events of a recording."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from mineproof.formats.evf import writer
from mineproof.formats.replays.mouse_events import mouse_game
from mineproof.formats.replays.recording import CODES, SQUARE, Recording
from mineproof.formats.replays.recording_games import Replay, rows_of
from mineproof.game.record import Record


def write_record(record: Record, *, player: str = "", played: datetime | None = None) -> bytes:
    """Return the recording of a finished game; IllegalMoveError if it is not over: a recording shows the mines."""
    mouse = mouse_game(record, "evf", "equal", questions=False)
    middle = SQUARE // 2
    rows = [
        (CODES[what], ms, cell[1] * SQUARE + middle, cell[0] * SQUARE + middle)
        for ms, what, cell in mouse.events
        if cell is not None
    ]
    opened = [event.ms for event in mouse.events if event.what in ("lr", "mr")]
    ms = opened[-1] - opened[0] if opened else 0
    sheet = replace(writer.header_of(mouse.layout), ms=ms, won=record.won, player=player, played=_with_zone(played))
    return writer.write(sheet, rows, SQUARE)


def write_events(replay: Replay, recording: Recording) -> bytes:
    """Convert a recording of another program. The file names that program."""
    plain = writer.header_of(recording.layout)
    sheet = replace(
        plain,
        program=replay.program or plain.program,
        transcoder=plain.program,
        ms=replay.record.ms,
        won=replay.record.won,
        mode=recording.mode,
        player=replay.player,
        played=_with_zone(replay.played),
    )
    return writer.write(sheet, rows_of(recording), recording.square)


def _with_zone(played: datetime | None) -> datetime | None:
    """Return the date with a time zone, the local one if it has none."""
    return None if played is None else played.astimezone()
