"""Read and write the games of RAWVF replays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mineproof.board.notation import quote
from mineproof.board.start import FirstClick
from mineproof.formats.rawvf.events import SQUARE, events
from mineproof.formats.rawvf.layouts import board_lines, description, mode
from mineproof.formats.rawvf.sheet import RawvfSheet
from mineproof.formats.replays.mouse import Event, LenientGame, Mouse
from mineproof.formats.replays.mouse_events import mouse_game
from mineproof.formats.replays.recording import CHEAT, LEVEL_NAMES, UPK, Recording, level_notes
from mineproof.formats.replays.recording_games import Replay, plain_events, record_of, result_notes
from mineproof.game.game import Game
from mineproof.game.measures import solved_bbbv
from mineproof.game.record import Record
from mineproof.game.rules import ChordRule, Rules
from mineproof.wording.catalogue import message

_FIRST_CLICKS: dict[str, FirstClick] = {"any": "any", "safe": "safe", "open": "open"}
_CHORD_RULES: dict[str, ChordRule] = {"equal": "equal", "at-least": "at-least"}
_MODES = {"upk": UPK, "cheat": CHEAT}
_OTHER_RULES = ("NonoMouse", "SuperFlag", "Autoflag", "Lawnmower")


# reading


def read_record(text: str) -> Record:
    """Return the game of a replay. Events without effect are not moves, but count as clicks."""
    return read_replay(text).record


def read_replay(text: str) -> Replay:
    """Return the game of a replay with its program, player and mode."""
    sheet = RawvfSheet.of(text)
    program = f"{sheet.printable_value('Program')} {sheet.printable_value('Version')}".strip()
    record, falls = _record(sheet)
    return Replay(
        record, "rawvf", program, sheet.printable_value("Player"), mode=_MODES.get(sheet.value("Mode"), 0),
        notes=(*falls, *_notes(sheet, record)),
    )  # fmt: skip


def _record(sheet: RawvfSheet) -> tuple[Record, list[str]]:
    """Return the game, and notes about the times of its events."""
    _refuse_other_rules(sheet)
    layout = sheet.layout()
    play = LenientGame(layout, sheet.choice("ChordRule", _CHORD_RULES) or "equal")
    marks = sheet.is_on("Marks") or sheet.is_on("QuestionMarks")
    mouse = Mouse(play, marks, left_chords=sheet.is_on("SuperClick"), press_opens=sheet.is_on("ElmarTechnique"))
    done = list(events(sheet, layout))
    for event in done:
        mouse.take(event)
    _check_end(sheet, play.game)
    record, _ = record_of(mouse, first_click=sheet.choice("FirstClick", _FIRST_CLICKS), on_the_clock=True)
    return record, _falls([event.ms for event in done])


def _falls(times: list[int]) -> list[str]:
    for before, after in pairwise(times):
        if after < before:
            return [message("replay-time-falls", after=_seconds(after), before=_seconds(before))]
    return []


def _notes(sheet: RawvfSheet, record: Record) -> Iterator[str]:
    """Yield notes about differences between the header and the board or the events."""
    level = sheet.value("Level")
    yield from level_notes(level if level in LEVEL_NAMES else None, record.layout)
    ms = sheet.ms("Time") if sheet.value("Time") else None
    yield from result_notes(record, ms, sheet.whole("BBBV") or sheet.whole("3BV"))


def _refuse_other_rules(sheet: RawvfSheet) -> None:
    strange = [key for key in _OTHER_RULES if sheet.is_on(key)]
    if (sheet.whole("Lives") or 1) > 1:
        strange.append("Lives")
    if strange:
        rule = f"{strange[0]}: {sheet.value(strange[0])}"
        raise sheet.error(strange[0], f"expected the classic rules, got {rule}, which cannot be replayed")


def _check_end(sheet: RawvfSheet, game: Game) -> None:
    """Raise an error if header and events end differently: the events were probably misread."""
    claim, won = sheet.value("Status"), game.status == "won"
    if (claim == "won" and not won) or (claim in ("lost", "loss") and won):
        end = game.status if game.is_over else "not over"
        raise sheet.error("Status", f"the header says {quote(claim)}, but after its events the game is {end}")


# writing


def write_record(record: Record) -> str:
    """Return the replay of a finished game; IllegalMoveError if it is not over: a replay shows the mines.

    Undone moves are left out. The mines are those at the end of the game, which fit everything visible before.
    """
    played = mouse_game(record, "rawvf", record.rules.chord_rule)
    lines = [_event_line(event) for event in played.events]
    header = [*description(played.layout, played.marks), *_result(record, played.game), f"Mode: {mode(record.layout)}"]
    return "\n".join([*header, *_own_keys(record.rules), *board_lines(played.layout), "Events:", *lines])


def write_events(replay: Replay, recording: Recording) -> str:
    """Return the replay of a recording with all its events, including mouse moves and clicks without effect.

    Times count from the first opening; earlier events have negative times.
    """
    record, layout, square = replay.record, recording.layout, recording.square
    player = [f"Player: {replay.player}"] if replay.player else []
    sides = [f"SquareSize: {square}"] if square != SQUARE else []
    result = [*_result(record, Game.replay(record)), f"Mode: {mode(layout)}"]
    header = [*description(layout, recording.marks, replay.program), *player, *sides, *result, *_own_keys(record.rules)]
    lines = [
        f"{_seconds(ms - replay.start)} {what} {x // square + 1} {y // square + 1} ({x} {y})"
        for what, (_, ms, x, y) in plain_events(recording)
    ]
    return "\n".join([*header, *board_lines(layout), "Events:", *lines])


def _result(record: Record, game: Game) -> list[str]:
    solved = solved_bbbv(game.layout if record.over else record.layout, game.board)
    status = [f"Status: {record.status}"] if record.over else []
    return [f"Time: {_seconds(record.ms)}", f"Solved3BV: {solved}", *status]


def _own_keys(rules: Rules) -> list[str]:
    click = [f"FirstClick: {rules.first_click}"] if rules.first_click != "safe" else []
    chord = [f"ChordRule: {rules.chord_rule}"] if rules.chord_rule != "equal" else []
    return click + chord


def _event_line(event: Event) -> str:
    assert event.cell is not None  # of a move
    row, column = event.cell
    place = f"{column + 1} {row + 1} ({column * SQUARE + SQUARE // 2} {row * SQUARE + SQUARE // 2})"
    return f"{_seconds(event.ms)} {event.what} {place}"


def _seconds(ms: int) -> str:
    return f"{'-' if ms < 0 else ''}{abs(ms) // 1000}.{abs(ms) % 1000:03}"
