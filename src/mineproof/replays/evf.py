"""EVF recordings of games: `mineproof.recordings.evf_writing` has the bytes.

A game of ours is written as its moves, each by a press and a release. EVF does not say whether there were question
marks, so these are left out: cells that have one are covered cells like others. Nor does it know of chords with more
flags than the number: a game that needs them is refused. Its clock starts with the first opening.

Of a recording of another program all events are written, moves of the mouse and clicks without effect among them.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from mineproof.formats.recorded import evf_sheet
from mineproof.game.record import Record
from mineproof.recordings import evf_writing
from mineproof.recordings.recording import CODES, SQUARE, Recording
from mineproof.replays.acting import acts_of
from mineproof.replays.recorded import Replay, rows_of


def write_record(record: Record, *, player: str = "", played: datetime | None = None) -> bytes:
    """The recording of a finished game; IllegalMoveError while it is on, for a recording shows the mines."""
    acts = acts_of(record, "evf", "equal", questions=False)
    middle = SQUARE // 2
    rows = [
        (CODES[what], ms, cell[1] * SQUARE + middle, cell[0] * SQUARE + middle)
        for ms, what, cell in acts.events
        if cell is not None
    ]
    opened = [event.ms for event in acts.events if event.what in ("lr", "mr")]
    ms = opened[-1] - opened[0] if opened else 0
    sheet = replace(evf_sheet(acts.layout), ms=ms, won=record.won, player=player, played=_with_zone(played))
    return evf_writing.write(sheet, rows, SQUARE)


def write_events(replay: Replay, recording: Recording) -> bytes:
    """The recording of another program as one of this format, which names it."""
    plain = evf_sheet(recording.layout)
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
    return evf_writing.write(sheet, rows_of(recording), recording.square)


def _with_zone(played: datetime | None) -> datetime | None:
    """Local time where there is no zone."""
    return None if played is None else played.astimezone()
