"""What a mouse would do to make the moves of a game: the way back from a record to events, for those who write replays.

Only the moves that count are made, each by a press and a release: a chord by the middle button, a change of mark by as
many right clicks as it takes. Moves that were taken back are left out, and the mines are those of the end, which fit
all that was seen before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.base.words import at
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats.exchange import require_grid
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Move, Record, standing
from mineproof.game.rules import ChordRule
from mineproof.replays.mouse import Event, LenientGame

_BUTTON = {"open": "l", "chord": "m", "flag": "r", "question": "r"}


@dataclass(frozen=True, slots=True)
class Acts:
    """A finished game as events of a mouse; ``marks``: the right button has question marks."""

    layout: Layout
    events: list[Event]
    marks: bool
    game: Game


def acts_of(record: Record, name: str, chord_rule: ChordRule, *, questions: bool = True) -> Acts:
    """The events of a finished game; IllegalMoveError while it is on, for a replay shows the mines.

    ``name`` is that of the format. Where it has no question marks (``questions``), these are left out: a cell that has
    one is a covered cell like others. BoardSyntaxError where the moves do not lead to the end, by ``chord_rule``.
    """
    if not record.over:
        raise IllegalMoveError("the game is still on: its replay would show the mines")
    require_grid(record.layout, name)
    line = standing(record.moves)
    drawn = [record.redraws[index] for index in line if index in record.redraws]
    layout = record.layout.with_mines(drawn[-1]) if drawn else record.layout
    play = LenientGame(layout, chord_rule)
    moves = [record.moves[index] for index in line]
    marks = questions and any(move.kind == "question" for move in moves)
    events = [event for move in moves for event in _acts(play, move, marks)]
    if play.game.status != record.status:
        raise BoardSyntaxError(f"found a game {record.status}, but its moves do not end it so")
    return Acts(layout, events, marks, play.game)


def _acts(play: LenientGame, move: Move, marks: bool) -> Iterator[Event]:
    """The events that make a move, which is made; BoardSyntaxError where the rules do not allow it."""
    assert move.cell is not None  # undos do not stand
    layout = play.layout
    if not (0 <= move.cell[0] < layout.rows and 0 <= move.cell[1] < layout.columns):
        raise BoardSyntaxError(f"found {move.kind} at {at(move.cell)}, which is not on the board")
    if move.kind == "question" and not marks and play.mark_of(move.cell) is None:
        return
    off = play.mark_of(move.cell) == move.kind or (move.kind == "question" and not marks)
    wanted = None if off else move.kind
    done = False
    while not done:
        match move.kind:
            case "open":
                made = play.click(move.cell, move.ms)
            case "chord":
                made = play.chord(move.cell, move.ms)
            case _:
                made = play.mark(move.cell, move.ms, questions=marks)
        if not made:
            raise BoardSyntaxError(f"found {move.kind} at {at(move.cell)}, which the rules do not allow")
        for part in "cr":
            yield Event(move.ms, _BUTTON[move.kind] + part, move.cell)
        done = move.kind in ("open", "chord") or play.mark_of(move.cell) == wanted
