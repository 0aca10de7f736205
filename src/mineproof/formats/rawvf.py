"""RAWVF replays: what was done with the mouse, in text that most tools for replays read.

``Key: value`` lines; ``Board:`` and rows of ``*`` and ``0``; ``Events:`` and lines such as ``1.250 lc 3 5 (40 72)``:
seconds, what the mouse did, column and row from 1, the pixel. There is no standard but the programs that read and
write it; here is what they agree on.

Reading
    Keys come in any order and in any case, and none is needed. ``lc``, ``rc``, ``mc`` press a button and ``lr``,
    ``rr``, ``mr`` let it go, ``sc`` is ``lc`` with shift, ``mt`` switches question marks; `mouse` says what they do.
    Moves of the mouse and lines that begin with a word (cells as they opened, ``start``, ``won``) tell nothing new and
    are passed over. Some programs count cells from 0; then all are the cells of their pixels, by which it is noticed.
    The mines are those of the end of the game. That the first click cannot lose is the rule in the programs that write
    replays, so it is taken for granted, unless it does lose or ``FirstClick``, a key of our own, says otherwise.
    What has rules that are not known here, and what does not end as its header says, is refused.

Writing
    The moves that count, each as the press and release that make it: a chord by the middle button, a change of mark by
    as many right clicks as it takes. So the game that is read back is the same, though the moves to a question mark may
    be two. ``FirstClick`` and ``ChordRule`` are written only where the reader would take another rule for granted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats.exchange import Found, decode, require_grid
from mineproof.formats.mouse import Mouse, Play
from mineproof.formats.rawvf_sheet import SQUARE, Sheet
from mineproof.layout import Layout
from mineproof.levels import LEVELS, Size
from mineproof.measures import measure, solved_bbbv
from mineproof.notation import quote
from mineproof.record import ChordRule, FirstClick, Move, Record, Rules, standing
from mineproof.version import VERSION

_FITS = re.compile(r"(?:\A\ufeff?|[\r\n])[ \t]*Board:[ \t]*[\r\n]+[ \t]*[*0]+[ \t]*(?:[\r\n]|\Z)", re.IGNORECASE)
_FIRST_CLICKS: dict[str, FirstClick] = {"any": "any", "safe": "safe", "open": "open"}
_CHORD_RULES: dict[str, ChordRule] = {"equal": "equal", "at-least": "at-least"}
_OTHER_RULES = ("NonoMouse", "SuperFlag", "Autoflag", "Lawnmower")


def fits(text: str) -> bool:
    """Is there a board as a replay has it?"""
    return _FITS.search(text) is not None


def decoded(data: bytes) -> str:
    """The text of a file. Names of players may be in any encoding; all that matters is ASCII."""
    try:
        return decode(data)
    except BoardSyntaxError:
        return data.decode("latin-1")


# reading


def read(text: str) -> Found:
    """The layout of a replay."""
    return Found(Sheet.of(text).layout(), note="layout of a RAWVF replay")


def read_bytes(data: bytes) -> Found:
    return read(decoded(data))


def read_record(text: str) -> Record:
    """The game of a replay. What had no effect is left out."""
    sheet = Sheet.of(text)
    _refuse_other_rules(sheet)
    layout = sheet.layout()
    play = Play(layout, sheet.choice("ChordRule", _CHORD_RULES) or "equal")
    marks = sheet.is_on("Marks") or sheet.is_on("QuestionMarks")
    mouse = Mouse(play, marks, left_chords=sheet.is_on("SuperClick"), press_opens=sheet.is_on("ElmarTechnique"))
    for event in sheet.events(layout):
        mouse.take(event)
    _check_end(sheet, play)
    first_click = sheet.choice("FirstClick", _FIRST_CLICKS) or ("any" if play.lost_at_once else "safe")
    rules = Rules(first_click, "none", play.chord_rule)
    last = play.moves[-1].ms if play.moves else 0
    ms = max(last, sheet.ms("Time")) if play.is_over else last
    return Record(layout, rules, moves=tuple(play.moves), over=play.is_over, ms=ms, won=play.is_won)


def _refuse_other_rules(sheet: Sheet) -> None:
    strange = [key for key in _OTHER_RULES if sheet.is_on(key)]
    if (sheet.whole("Lives") or 1) > 1:
        strange.append("Lives")
    if strange:
        raise sheet.error(strange[0], f"found {strange[0]}: {sheet.value(strange[0])}, a rule that is not known here")


def _check_end(sheet: Sheet, play: Play) -> None:
    """Raise where the header tells another end than the events: then they have not been understood."""
    claim = sheet.value("Status")
    if (claim == "won" and not play.is_won) or (claim in ("lost", "loss") and play.is_won):
        end = "won" if play.is_won else "lost" if play.is_over else "not over"
        raise sheet.error("Status", f"found {quote(claim)}, but after its events the game is {end}")


# writing


def write(layout: Layout) -> str:
    """A replay in which nothing happens."""
    require_grid(layout, "rawvf")
    return "\n".join([*_description(layout), f"Mode: {_mode(layout)}", *_board(layout), "Events:"])


def write_record(record: Record) -> str:
    """The replay of a finished game; IllegalMoveError while it is on, for a replay shows the mines.

    Moves that were taken back are left out, and the mines are those of the end, which fit all that was seen before.
    """
    if not record.over:
        raise IllegalMoveError("the game is still on: its replay would show the mines")
    require_grid(record.layout, "rawvf")
    line = standing(record.moves)
    drawn = [record.redraws[index] for index in line if index in record.redraws]
    layout = record.layout.with_mines(drawn[-1]) if drawn else record.layout
    play = Play(layout, record.rules.chord)
    marks = any(record.moves[index].kind == "question" for index in line)
    events = [event for index in line for event in _events(play, record.moves[index], marks)]
    if not play.is_over or play.is_won != record.won:
        raise BoardSyntaxError(f"found a game {record.status}, but its moves do not end it so")
    header = [*_description(layout, marks), *_result(record, play), f"Mode: {_mode(record.layout)}"]
    return "\n".join([*header, *_own_keys(record.rules), *_board(layout), "Events:", *events])


def _description(layout: Layout, marks: bool = False) -> list[str]:
    size = Size(layout.rows, layout.columns, layout.total_mines)
    level = next((name.rstrip("8").capitalize() for name, known in LEVELS.items() if known == size), "Custom")
    return [
        "RawVF_Version: Rev6",
        "Program: mineproof",
        f"Version: {VERSION}",
        f"Level: {level}",
        f"Width: {layout.columns}",
        f"Height: {layout.rows}",
        f"Mines: {layout.total_mines}",
        f"Marks: {'On' if marks else 'Off'}",
        f"BBBV: {measure(layout).bbbv}",
    ]


def _result(record: Record, play: Play) -> list[str]:
    solved = solved_bbbv(play.field.layout, play.field.board)
    return [f"Time: {_seconds(record.ms)}", f"Solved3BV: {solved}", f"Status: {record.status}"]


def _mode(layout: Layout) -> str:
    return "NG" if layout.no_guess else "Classic"


def _own_keys(rules: Rules) -> list[str]:
    click = [f"FirstClick: {rules.first_click}"] if rules.first_click != "safe" else []
    chord = [f"ChordRule: {rules.chord}"] if rules.chord != "equal" else []
    return click + chord


def _board(layout: Layout) -> list[str]:
    return ["Board:", *str(layout).replace(".", "0").split("\n")]


def _events(play: Play, move: Move, marks: bool) -> Iterator[str]:
    """The lines that make a move, which is made; BoardSyntaxError where the rules do not allow it."""
    assert move.cell is not None  # undos do not stand
    if not (0 <= move.cell[0] < play.field.layout.rows and 0 <= move.cell[1] < play.field.layout.columns):
        raise BoardSyntaxError(f"found {move.kind} at {move.cell}, which is not on the board")
    wanted = None if play.mark_of(move.cell) == move.kind else move.kind
    done = False
    while not done:
        before = len(play.moves)
        match move.kind:
            case "open":
                play.click(move.cell, move.ms)
            case "chord":
                play.chord(move.cell, move.ms)
            case _:
                play.mark(move.cell, move.ms, questions=marks)
        if len(play.moves) == before:
            raise BoardSyntaxError(f"found {move.kind} at {move.cell}, which the rules do not allow")
        yield from _clicked(move)
        done = move.kind in ("open", "chord") or play.mark_of(move.cell) == wanted


_BUTTON = {"open": "l", "chord": "m", "flag": "r", "question": "r"}


def _clicked(move: Move) -> Iterator[str]:
    assert move.cell is not None
    row, column = move.cell
    place = f"{column + 1} {row + 1} ({column * SQUARE + SQUARE // 2} {row * SQUARE + SQUARE // 2})"
    for part in "cr":
        yield f"{_seconds(move.ms)} {_BUTTON[move.kind]}{part} {place}"


def _seconds(ms: int) -> str:
    return f"{ms // 1000}.{ms % 1000:03}"
