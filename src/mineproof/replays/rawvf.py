"""RAWVF replays: what was done with the mouse, in text that most tools for replays read.

``Key: value`` lines; ``Board:`` and rows of ``*`` and ``0``; ``Events:`` and lines such as ``1.250 lc 3 5 (40 72)``:
seconds, what the mouse did, column and row from 1, the pixel. There is no standard but the programs that read and
write it; here is what they agree on.

Reading
    Keys come in any order and in any case, and none is needed. ``lc``, ``rc``, ``mc`` press a button and ``lr``,
    ``rr``, ``mr`` let it go, ``sc`` is ``lc`` with shift, ``mt`` switches question marks; `mineproof.replays.mouse`
    says what they do. Moves of the mouse and lines that begin with a word (cells as they opened, ``start``, ``won``)
    tell nothing new and are passed over. Some programs count cells from 0; then all are the cells of their pixels, by
    which it is noticed. The mines are those of the end of the game. That the first click cannot lose is the rule in the
    programs that write replays, so it is taken for granted, unless it does lose or ``FirstClick``, a key of our own,
    says otherwise. What has rules that are not known here, and what does not end as its header says, is refused.

Writing
    The moves that count, each as the press and release that make it: a chord by the middle button, a change of mark by
    as many right clicks as it takes. So the game that is read back is the same, though the moves to a question mark may
    be two. ``FirstClick`` and ``ChordRule`` are written only where the reader would take another rule for granted.
    Of a recording of another program all events are written, moves of the mouse and clicks without effect among them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from mineproof.board.notation import quote
from mineproof.board.start import FirstClick
from mineproof.formats.rawvf import board_lines, description, mode
from mineproof.formats.rawvf_sheet import Sheet
from mineproof.game.game import Game
from mineproof.game.measures import solved_bbbv
from mineproof.game.record import Record
from mineproof.game.rules import ChordRule, Rules
from mineproof.recordings.recording import CHEAT, LEVEL_NAMES, UPK, Recording, level_notes
from mineproof.replays.acting import acts_of
from mineproof.replays.mouse import Event, LenientGame, Mouse
from mineproof.replays.rawvf_events import SQUARE, events
from mineproof.replays.recorded import Replay, plain_events, record_of, result_notes

_FIRST_CLICKS: dict[str, FirstClick] = {"any": "any", "safe": "safe", "open": "open"}
_CHORD_RULES: dict[str, ChordRule] = {"equal": "equal", "at-least": "at-least"}
_MODES = {"upk": UPK, "cheat": CHEAT}
_OTHER_RULES = ("NonoMouse", "SuperFlag", "Autoflag", "Lawnmower")


# reading


def read_record(text: str) -> Record:
    """The game of a replay. What had no effect is no move, and is counted among the clicks."""
    return read_replay(text).record


def read_replay(text: str) -> Replay:
    """The same with what the text tells besides: the program, the player, how it was played."""
    sheet = Sheet.of(text)
    program = f"{sheet.written('Program')} {sheet.written('Version')}".strip()
    record, falls = _record(sheet)
    return Replay(
        record, "rawvf", program, sheet.written("Player"), mode=_MODES.get(sheet.value("Mode"), 0),
        notes=(*falls, *_notes(sheet, record)),
    )  # fmt: skip


def _record(sheet: Sheet) -> tuple[Record, list[str]]:
    """The game, and what is odd about the times of its events."""
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
            found = f"a time of {_seconds(after)} s comes after one of {_seconds(before)} s"
            return [f"{found}: the clock stands still meanwhile"]
    return []


def _notes(sheet: Sheet, record: Record) -> Iterator[str]:
    """What the header tells otherwise than board and events do."""
    level = sheet.value("Level")
    yield from level_notes(level if level in LEVEL_NAMES else None, record.layout)
    ms = sheet.ms("Time") if sheet.value("Time") else None
    yield from result_notes(record, ms, sheet.whole("BBBV") or sheet.whole("3BV"))


def _refuse_other_rules(sheet: Sheet) -> None:
    strange = [key for key in _OTHER_RULES if sheet.is_on(key)]
    if (sheet.whole("Lives") or 1) > 1:
        strange.append("Lives")
    if strange:
        raise sheet.error(strange[0], f"found {strange[0]}: {sheet.value(strange[0])}, a rule that is not known here")


def _check_end(sheet: Sheet, game: Game) -> None:
    """Raise where the header tells another end than the events: then they have not been understood."""
    claim, won = sheet.value("Status"), game.status == "won"
    if (claim == "won" and not won) or (claim in ("lost", "loss") and won):
        end = game.status if game.is_over else "not over"
        raise sheet.error("Status", f"found {quote(claim)}, but after its events the game is {end}")


# writing


def write_record(record: Record) -> str:
    """The replay of a finished game; IllegalMoveError while it is on, for a replay shows the mines.

    Moves that were taken back are left out, and the mines are those of the end, which fit all that was seen before.
    """
    acts = acts_of(record, "rawvf", record.rules.chord_rule)
    lines = [_event_line(event) for event in acts.events]
    header = [*description(acts.layout, acts.marks), *_result(record, acts.game), f"Mode: {mode(record.layout)}"]
    return "\n".join([*header, *_own_keys(record.rules), *board_lines(acts.layout), "Events:", *lines])


def write_events(replay: Replay, recording: Recording) -> str:
    """The replay of a recording, with every event it has: moves of the mouse and clicks without effect, too.

    Times are from the first opening on, so what came before has a minus sign.
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
