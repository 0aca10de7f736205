"""From a recording to a game: its events are played, and what it says of itself is compared with what came of them.

The clock of a game starts with the release that opens the first cell; what came before is at 0. What the file states
besides (time, 3BV) is not believed: where it differs there is a note. An end that differs means that the events were
not understood, and so do other cells opened than it says; that is an error, and so is a game by rules that are not
known.

Cost    About 10 µs for an event that is no move of the mouse, on a board of any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from mineproof.base.words import at, plural
from mineproof.board.cells import Cell
from mineproof.errors import BoardSyntaxError
from mineproof.game.game import Game
from mineproof.game.measures import measure
from mineproof.game.record import Record
from mineproof.recordings.recording import CODES, KINDS, MINES_MOVE, MODES, MOVE, UNKNOWN_RULES, Recording, Row
from mineproof.replays.mouse import Event, LenientGame, Mouse

MOST_BUTTONS = 100_000  # events that are no moves: days of playing
WITHIN = 10  # milliseconds by which times may differ, which some programs round


@dataclass(frozen=True, slots=True)
class Replay:
    """A game of another program, and what its file tells besides.

    ``played`` has no zone where the file tells none. ``mode`` is a number of `mineproof.recordings.recording.MODES`.
    ``notes``: what is odd, in words. ``recording`` is what it was read from, if that was bytes, and ``start`` the time
    of the first opening in it, in milliseconds.
    """

    record: Record
    format: str
    program: str = ""
    player: str = ""
    played: datetime | None = None
    mode: int = 0
    notes: tuple[str, ...] = ()
    recording: Recording | None = None
    start: int = 0


def replay_of(recording: Recording) -> Replay:
    """The game of a recording; BoardSyntaxError where its rules are not known or its end is not reached."""
    if recording.mode in UNKNOWN_RULES:
        raise BoardSyntaxError(f"found the mode {MODES[recording.mode]!r}, whose rules are not known here")
    play = LenientGame(recording.layout, "equal")
    mouse = Mouse(play, recording.marks, recorded=True)
    for event in _events(recording):
        mouse.take(event)
    game = play.game
    _check_end(recording, game)
    played = game.record()
    start = next((move.ms for move in played.moves if move.kind == "open"), 0)
    moves = tuple(replace(move, ms=max(0, move.ms - start)) for move in played.moves)
    last = played.ms if played.over else recording.events.last_ms
    rules = replace(played.rules, first_click="any" if play.lost_at_once else "safe")
    record = replace(played, rules=rules, moves=moves, ms=max(0, last - start), clicks=mouse.clicks)
    notes = (*recording.notes, *_notes(recording, record))
    return Replay(
        record, recording.format, recording.program, recording.player, recording.played, recording.mode, notes,
        recording, start,
    )  # fmt: skip


def _events(recording: Recording) -> Iterator[Event]:
    layout, events, square = recording.layout, recording.events, recording.square
    buttons = np.flatnonzero(events.kinds != MOVE)
    if len(buttons) > MOST_BUTTONS:
        raise BoardSyntaxError(f"found {plural(len(buttons), 'event')} of buttons, expected at most {MOST_BUTTONS:,}")
    yield from (Event(0, "pf", cell) for cell in recording.flagged)
    columns = (events.kinds, events.ms, events.y // square, events.x // square)
    for kind, ms, row, column in zip(*(values[buttons].tolist() for values in columns), strict=True):
        inside = 0 <= row < layout.rows and 0 <= column < layout.columns
        yield Event(ms, KINDS[kind], (row, column) if inside else None)


def _check_end(recording: Recording, game: Game) -> None:
    """Raise where the file tells another end than its events."""
    end = game.status if game.is_over else "not over"
    if recording.won is not None and game.is_over and recording.won != (game.status == "won"):
        raise BoardSyntaxError(f"found a game {'won' if recording.won else 'lost'}, but after its events it is {end}")
    if recording.won and not game.is_over:
        raise BoardSyntaxError(f"found a game won, but after its events it is {end}")
    if recording.opened is not None:
        _check_cells(recording.opened, game)


def _check_cells(opened: frozenset[Cell], game: Game) -> None:
    board = game.board
    open_cells = {divmod(index, board.columns) for index, code in enumerate(board.codes) if code <= 8}
    if wrong := sorted(opened ^ open_cells):
        said = "open" if wrong[0] in opened else "covered"
        raise BoardSyntaxError(f"found {at(wrong[0])} {said} in the end, but after its events it is not")


def _notes(recording: Recording, record: Record) -> Iterator[str]:
    if recording.format == "evf" and record.over and abs((recording.ms or 0) - record.ms) > WITHIN:
        stated, found = (recording.ms or 0) / 1000, record.ms / 1000
        yield f"the stated time is {stated:.3f} s, but by its events it took {found:.3f} s: these count"
    if recording.mode in MINES_MOVE:
        yield f"in the mode {MODES[recording.mode]!r} mines move; known are those of the end, so luck tells nothing"
    bbbv = measure(recording.layout, zini=False).bbbv
    if recording.bbbv not in (None, 0, bbbv):
        yield f"the stated 3BV is {recording.bbbv}, but that of its board is {bbbv}: this counts"


# all events, for those who write replays


def rows_of(recording: Recording) -> list[Row]:
    """Every event, flags before the start among them; a place outside is the lower right corner of the board."""
    layout, square, events = recording.layout, recording.square, recording.events
    width, height = layout.columns * square, layout.rows * square
    inside = (events.x >= 0) & (events.x < width) & (events.y >= 0) & (events.y < height)
    x, y = np.where(inside, events.x, width), np.where(inside, events.y, height)
    middle = square // 2
    flags = [(CODES["pf"], 0, column * square + middle, row * square + middle) for row, column in recording.flagged]
    columns = (events.kinds, events.ms, x, y)
    return [*flags, *zip(*(values.tolist() for values in columns), strict=True)]


def plain_events(recording: Recording) -> Iterator[tuple[str, Row]]:
    """The same as presses and releases alone, by the names that all programs know."""
    down: set[str] = set()
    for row in rows_of(recording):
        for what in _plain(KINDS[row[0]], down):
            if what[1] == "c":
                down.add("l" if what == "sc" else what[0])
            elif what[1] == "r":
                down.discard(what[0])
            yield what, row


def _plain(what: str, down: set[str]) -> tuple[str, ...]:
    if what == "pf":
        return "rc", "rr"
    if what == "cc":
        return tuple(f"{button}c" for button in "lr" if button not in down)
    return (what + ("r" if what in down else "c"),) if what in ("l", "r", "m") else (what,)
