"""Turn the moves of a game record into mouse events, for writing replays.

Every move becomes a press and a release: a chord uses the middle button, and a change of mark takes as many right
clicks as necessary. Undone moves are left out. The mines are those at the end of the game, which fit everything that
was visible before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.base.words import at
from mineproof.errors import BoardSyntaxError, IllegalMoveError
from mineproof.formats.exchange import require_grid
from mineproof.formats.replays.mouse import Event, LenientGame
from mineproof.game.game import Game
from mineproof.game.layout import Layout
from mineproof.game.record import Move, Record, moves_in_effect
from mineproof.game.rules import ChordRule

_BUTTON = {"open": "l", "chord": "m", "flag": "r", "question": "r"}


@dataclass(frozen=True, slots=True)
class MouseGame:
    """A finished game as mouse events; ``marks``: the right button sets question marks."""

    layout: Layout
    events: list[Event]
    marks: bool
    game: Game


def mouse_game(record: Record, name: str, chord_rule: ChordRule, *, questions: bool = True) -> MouseGame:
    """Return the mouse events of a finished game; IllegalMoveError if it is not over: a replay shows the mines.

    ``name`` is the name of the format. If the format has no question marks (``questions``), they are left out: a cell
    with a question mark is an ordinary covered cell. Raises BoardSyntaxError if the moves do not lead to the end of the
    game with ``chord_rule``.
    """
    if not record.over:
        raise IllegalMoveError("The game is not over. Its replay would show the mines.")
    require_grid(record.layout, name)
    line = moves_in_effect(record.moves)
    drawn = [record.redraws[index] for index in line if index in record.redraws]
    layout = record.layout.with_mines(drawn[-1]) if drawn else record.layout
    play = LenientGame(layout, chord_rule)
    moves = [record.moves[index] for index in line]
    marks = questions and any(move.kind == "question" for move in moves)
    events = [event for move in moves for event in _play_move(play, move, marks)]
    if play.game.status != record.status:
        actual = play.game.status if play.game.is_over else "not over"
        raise BoardSyntaxError(f"expected a game {record.status}, but after its moves it is {actual}")
    return MouseGame(layout, events, marks, play.game)


def _play_move(play: LenientGame, move: Move, marks: bool) -> Iterator[Event]:
    """Play a move and yield its mouse events; BoardSyntaxError if the move is illegal."""
    assert move.cell is not None  # undos do not stand
    layout = play.layout
    if not (0 <= move.cell[0] < layout.rows and 0 <= move.cell[1] < layout.columns):
        raise BoardSyntaxError(f"Cannot {move.kind} {at(move.cell)}: it is not on the board.")
    if move.kind == "question" and not marks and play.mark_of(move.cell) is None:
        return
    off = play.mark_of(move.cell) == move.kind or (move.kind == "question" and not marks)
    new_mark = None if off else move.kind
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
            raise BoardSyntaxError(f"Cannot {move.kind} {at(move.cell)}: the rules do not allow it.")
        for part in "cr":
            yield Event(move.ms, _BUTTON[move.kind] + part, move.cell)
        done = move.kind in ("open", "chord") or play.mark_of(move.cell) == new_mark
