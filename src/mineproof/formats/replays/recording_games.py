"""Turn a recording into a game: play its events and compare the result with what the file states.

The clock of a game starts with the release that opens the first cell; earlier events are at 0. In an unfinished game
the clock shows when a button was last pressed or released. Stated values (time, 3BV) are not trusted: if they differ,
there is a note. A different result, or different opened cells, means that the events were misread: that is an error.
Games with unknown rules are errors too.

Cost    About 10 µs per event that is not a mouse move, on a board of any size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from mineproof.base.words import at
from mineproof.board.cells import Cell
from mineproof.board.start import FirstClick
from mineproof.formats.replays.cursor import fault
from mineproof.formats.replays.mouse import MAX_BUTTON_EVENTS, NO_CLICKS, Event, LenientGame, Mouse
from mineproof.formats.replays.recording import (
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
from mineproof.game.game import Game
from mineproof.game.measures import measure, solved_bbbv
from mineproof.game.record import Record
from mineproof.wording.catalogue import decimal, message

TIME_TOLERANCE = 10  # milliseconds: some programs round times


@dataclass(frozen=True, slots=True)
class Replay:
    """A game of another program with the other data of its file.

    ``played`` has no time zone if the file has none. ``mode`` is a number of `recording.MODES`. ``notes`` are sentences
    about oddities. ``recording`` is the parsed file, if it was binary, and ``start`` the time of its first opening in
    milliseconds.
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
    """Return the game of a recording; BoardSyntaxError if its rules are unknown or its stated end is not reached."""
    if recording.mode in UNKNOWN_RULES:
        mode = MODES[recording.mode]
        raise fault(recording.places.mode, f"Cannot replay mode {mode!r}: its rules are unknown.")
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
    """Return the played game, and the time at which its clock started, which is when the first cell opened.

    ``on_the_clock``: event times already count from the first opening. The first click is assumed to be safe, unless it
    lost the game or ``first_click`` says otherwise.
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
    if len(buttons) > MAX_BUTTON_EVENTS:
        message = f"expected at most {MAX_BUTTON_EVENTS:,} button events, got {len(buttons):,}"
        raise fault(recording.places.events, message)
    yield from (Event(0, "pf", cell) for cell in recording.flagged)
    columns = (events.kinds, events.ms, events.y // square, events.x // square)
    for kind, ms, row, column in zip(*(values[buttons].tolist() for values in columns), strict=True):
        inside = 0 <= row < layout.rows and 0 <= column < layout.columns
        yield Event(ms, KINDS[kind], (row, column) if inside else None)


def _check_end(recording: Recording, game: Game) -> None:
    """Raise an error if the stated end differs from that of the events."""
    won, end = recording.won, recording.places.end
    if won is not None and (won or game.is_over) and won != (game.status == "won"):
        actual = game.status if game.is_over else "not over"
        raise fault(end, f"expected a game {'won' if won else 'lost'}, but after its events it is {actual}")
    if recording.opened is not None:
        _check_cells(recording.opened, game, end)


def _check_cells(opened: Mapping[Cell, int], game: Game, end: int) -> None:
    board = game.board
    open_cells = {divmod(index, board.columns) for index, code in enumerate(board.codes) if code <= 8}
    if wrong := sorted(opened.keys() ^ open_cells):
        stated = "open" if wrong[0] in opened else "covered"
        message = f"expected {at(wrong[0])} to be {stated} at the end, but after its events it is not"
        raise fault(opened.get(wrong[0], end), message)


def _notes(recording: Recording, record: Record, game: Game) -> Iterator[str]:
    if recording.format == "evf" and record.won and recording.won is None:
        yield message("replay-not-completed")
    if recording.mode in MINES_MOVE:
        yield message("replay-mines-move", mode=repr(MODES[recording.mode]))
    if recording.mode == WINDOWS_7:
        yield message("replay-rules-unknown", mode=repr(MODES[recording.mode]))
    # Other formats state the time of the last event, which was checked when they were parsed.
    yield from result_notes(record, recording.ms if recording.format == "evf" else None, recording.bbbv)
    if recording.stated is not None:
        yield from _stated_notes(recording.stated, record, game)


def result_notes(record: Record, ms: int | None, bbbv: int | None) -> Iterator[str]:
    """Yield notes if a stated time or 3BV is not that of the game; a 3BV of 0 means unknown."""
    if ms is not None and record.over and abs(ms - record.ms) > TIME_TOLERANCE:
        yield message("replay-time-taken", stated=decimal(ms / 1000, 3), actual=decimal(record.ms / 1000, 3))
    actual = measure(record.layout, zini=False).bbbv
    if bbbv not in (None, 0, actual):
        yield message("replay-bbbv", stated=bbbv, actual=actual)


def _stated_notes(stated: Stated, record: Record, game: Game) -> Iterator[str]:
    clicks = record.clicks or NO_CLICKS
    played = Stated(solved_bbbv(record.layout, game.board), clicks.left, clicks.double)
    for name, value, actual in zip(("solved-bbbv", "left-clicks", "double-clicks"), stated, played, strict=True):
        if value != actual:
            yield message(f"replay-{name}", stated=value, actual=actual)


# all events, for writing replays


def rows_of(recording: Recording) -> list[Row]:
    """Return every event, including flags set before the start; places outside become the lower right corner."""
    layout, square, events = recording.layout, recording.square, recording.events
    width, height = layout.columns * square, layout.rows * square
    inside = (events.x >= 0) & (events.x < width) & (events.y >= 0) & (events.y < height)
    x, y = np.where(inside, events.x, width), np.where(inside, events.y, height)
    middle = square // 2
    flags = [(CODES["pf"], 0, column * square + middle, row * square + middle) for row, column in recording.flagged]
    columns = (events.kinds, events.ms, x, y)
    return [*flags, *zip(*(values.tolist() for values in columns), strict=True)]


def plain_events(recording: Recording) -> Iterator[tuple[str, Row]]:
    """Yield every event as presses and releases, with the names that all programs know."""
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
