"""From a recording to a game: its events are played, and what it says of itself is compared with what came of them.

The clock of a game starts with the release that opens the first cell; what came before is at 0. While it is on, the
clock shows when a button was last pressed or let go. What the file states
besides (time, 3BV) is not believed: where it differs there is a note. An end that differs means that the events were
not understood, and so do other cells opened than it says; that is an error, and so is a game by rules that are not
known.

Cost    About 10 µs for an event that is no move of the mouse, on a board of any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from mineproof.base.words import at, plural
from mineproof.board.cells import Cell
from mineproof.board.start import FirstClick
from mineproof.game.game import Game
from mineproof.game.measures import measure, solved_bbbv
from mineproof.game.record import Record
from mineproof.recordings.cursor import fault
from mineproof.recordings.recording import (
    CODES,
    KINDS,
    MINES_MOVE,
    MODES,
    MOVE,
    UNKNOWN_RULES,
    WINDOWS_7,
    Recording,
    Row,
    Stated,
)
from mineproof.replays.mouse import MOST_BUTTONS, NO_CLICKS, Event, LenientGame, Mouse

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
        words = f"found the mode {MODES[recording.mode]!r}, whose rules are not known here"
        raise fault(recording.places.mode, words)
    play = LenientGame(recording.layout, "equal")
    mouse = Mouse(play, recording.marks, recorded=True)
    for event in _events(recording):
        mouse.take(event)
    game = play.game
    _check_end(recording, game)
    record, start = record_of(mouse)
    notes = (*recording.notes, *_notes(recording, record, game))
    return Replay(
        record, recording.format, recording.program, recording.player, recording.played, recording.mode, notes,
        recording, start,
    )  # fmt: skip


def record_of(mouse: Mouse, *, first_click: FirstClick | None = None, on_the_clock: bool = False) -> tuple[Record, int]:
    """The game that was played, and the time at which its clock started: when the first cell opened.

    ``on_the_clock``: times are of that clock already; all that is known of a game without an opening is at 0. That the
    first click cannot lose is the rule everywhere; where it did lose, or ``first_click`` says so, it is not.
    """
    played = mouse.play.game.record()
    last = played.ms if played.over else mouse.last_ms
    opened = next((move.ms for move in played.moves if move.kind == "open"), last)
    start = 0 if on_the_clock and mouse.play.has_begun else opened
    moves = tuple(replace(move, ms=max(0, move.ms - start)) for move in played.moves)
    rules = replace(played.rules, first_click=first_click or ("any" if mouse.play.lost_at_once else "safe"))
    return replace(played, rules=rules, moves=moves, ms=last - start, clicks=mouse.clicks), start


def _events(recording: Recording) -> Iterator[Event]:
    layout, events, square = recording.layout, recording.events, recording.square
    buttons = np.flatnonzero(events.kinds != MOVE)
    if len(buttons) > MOST_BUTTONS:
        words = f"found {plural(len(buttons), 'event')} of buttons, expected at most {MOST_BUTTONS:,}"
        raise fault(recording.places.events, words)
    yield from (Event(0, "pf", cell) for cell in recording.flagged)
    columns = (events.kinds, events.ms, events.y // square, events.x // square)
    for kind, ms, row, column in zip(*(values[buttons].tolist() for values in columns), strict=True):
        inside = 0 <= row < layout.rows and 0 <= column < layout.columns
        yield Event(ms, KINDS[kind], (row, column) if inside else None)


def _check_end(recording: Recording, game: Game) -> None:
    """Raise where the file tells another end than its events."""
    won, end = recording.won, recording.places.end
    if won is not None and (won or game.is_over) and won != (game.status == "won"):
        came = game.status if game.is_over else "not over"
        raise fault(end, f"found a game {'won' if won else 'lost'}, but after its events it is {came}")
    if recording.opened is not None:
        _check_cells(recording.opened, game, end)


def _check_cells(opened: Mapping[Cell, int], game: Game, end: int) -> None:
    board = game.board
    open_cells = {divmod(index, board.columns) for index, code in enumerate(board.codes) if code <= 8}
    if wrong := sorted(opened.keys() ^ open_cells):
        said = "open" if wrong[0] in opened else "covered"
        words = f"found {at(wrong[0])} {said} in the end, but after its events it is not"
        raise fault(opened.get(wrong[0], end), words)


def _notes(recording: Recording, record: Record, game: Game) -> Iterator[str]:
    if recording.format == "evf" and record.won and recording.won is None:
        yield "it says that it was not completed, but by its events it was won: these count"
    if recording.mode in MINES_MOVE:
        yield f"in the mode {MODES[recording.mode]!r} mines move; known are those of the end, so luck tells nothing"
    if recording.mode == WINDOWS_7:
        yield f"the rules of the mode {MODES[recording.mode]!r} are not known in full: it is played by the classic ones"
    # the others state the time of the last event, and have been compared with it
    yield from result_notes(record, recording.ms if recording.format == "evf" else None, recording.bbbv)
    if recording.stated is not None:
        yield from _stated_notes(recording.stated, record, game)


def result_notes(record: Record, ms: int | None, bbbv: int | None) -> Iterator[str]:
    """What to say where a stated time or 3BV is not that of the game; 0 is written for a 3BV that is not told."""
    if ms is not None and record.over and abs(ms - record.ms) > WITHIN:
        found = f"the stated time is {ms / 1000:.3f} s, but by its events it took {record.ms / 1000:.3f} s"
        yield f"{found}: these count"
    known = measure(record.layout, zini=False).bbbv
    if bbbv not in (None, 0, known):
        yield f"the stated 3BV is {bbbv}, but that of its board is {known}: this counts"


def _stated_notes(stated: Stated, record: Record, game: Game) -> Iterator[str]:
    clicks = record.clicks or NO_CLICKS
    found = Stated(solved_bbbv(record.layout, game.board), clicks.left, clicks.double)
    for what, told, ours in zip(("solved 3BV is", "left clicks are", "double clicks are"), stated, found, strict=True):
        if told != ours:
            yield f"the stated {what} {told}, but by its events {ours}: this counts"


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
